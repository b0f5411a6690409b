// SPDX-License-Identifier: MIT
#pragma once

#include <sam/backend/context_use.hpp>
#include <sam/context.hpp>
#include <sam/error.hpp>
#include <sam/gpu/fallback/reduce_then_scan.hpp>
#include <sam/host/jobs/histogram.hpp>
#include <sam/host/jobs/mark_bits.hpp>
#include <sam/host/jobs/split.hpp>
#include <sam/host/run.hpp>
#include <sam/host/sort/segmented_sort.hpp>
#include <sam/kokkos/region.hpp>
#include <sam/kokkos/thread_limit.hpp>

#include <Kokkos_Core.hpp>

#include <exception>

namespace sam::kokkos {

/// Whether code on the host may run in the space: OpenMP, Threads, Serial, HPX.
template <class ExecutionSpace>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<ExecutionSpace, Kokkos::HostSpace>::accessible&&
        Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace,
                                   typename ExecutionSpace::memory_space>::accessible&&
            std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>;

/// Device memory that a context keeps between calls. It only grows.
template <class ExecutionSpace>
class device_workspace {
 public:
  template <class T>
  T* reserve(ExecutionSpace const& space, index_t count) {
    auto const bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (bytes > memory_.size()) {
      space.fence("sam::workspace");
      memory_ = kokkos::allocating([&] {
        return view(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "sam::workspace"),
                    bytes);
      });
    }
    return reinterpret_cast<T*>(memory_.data());
  }

 private:
  using view = Kokkos::View<unsigned char*, typename ExecutionSpace::memory_space>;
  view memory_;
};

/// A Kokkos execution space instance. Kokkos must be initialised before the first context and
/// finalised after the last; that is the caller's, or that of a sam::kokkos::runtime.
///
/// Host spaces run the single-pass engine and are done when a call returns. Device spaces promise
/// no forward progress between teams, so they reduce, then scan, whatever the policy's carry
/// scheme; their calls return when the work is queued.
template <class ExecutionSpace>
class basic_context {
 public:
  using execution_space = ExecutionSpace;

  basic_context() : space_(initialised()) {}
  explicit basic_context(ExecutionSpace const& space) : space_(space) {}

  void wait() {
    if constexpr (!finishes_at_once<ExecutionSpace>)
      space_.fence("sam::wait");  // no name that takes memory
  }
  char const* name() const { return ExecutionSpace::name(); }
  ExecutionSpace const& space() const { return space_; }

  /// Whether an array may be scanned here; only what says where it lies, a View, can be refused.
  template <class Array>
  static constexpr bool reaches = [] {
    if constexpr (Kokkos::is_view_v<Array>)
      return Kokkos::SpaceAccessibility<ExecutionSpace, typename Array::memory_space>::accessible;
    else
      return true;
  }();

  /// Whether items of a scattering job are held: not where they are reduced, then loaded again.
  template <class Item>
  static constexpr bool holds_items = is_host_space<ExecutionSpace>;

  context_use::call begin_call(std::string_view function, std::source_location at) {
    return use_.begin(function, at);
  }

  /// Memory for what a call keeps between its passes.
  void* scratch(std::size_t bytes) {
    if constexpr (is_host_space<ExecutionSpace>)
      return scratch_.of_bytes(bytes);
    else
      return device_scratch_.template reserve<std::byte>(space_, static_cast<index_t>(bytes));
  }

  /// Returns memory that device kernels may write and the host may read after wait().
  void* results() requires(!is_host_space<ExecutionSpace>) {
    if (!results_.is_allocated())
      results_ = allocating([] { return results_view("sam::results"); });
    return results_.data();
  }

  // The engine, which primitives call: docs/extending.md.

  template <job Job, class Pass>
  void run(index_t n, Job const& job, Pass const& pass) {
    if constexpr (is_host_space<ExecutionSpace>) {
      context_use::work const work(use_);
      pool threads = this->threads();
      host::run(threads, memory_, n, job, pass);
    } else {
      auto const launch = [&](char const* label, index_t count, auto const& kernel) {
        using range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
        kokkos::starting([&] { Kokkos::parallel_for(label, range(space_, 0, count), kernel); });
      };
      auto const reserve = [&](index_t count) {
        return device_memory_.template reserve<typename Job::summary>(space_, count);
      };
      gpu::reduce_then_scan(launch, reserve, n, job, pass);
    }
  }

  template <class Key, class Value, class Digits>
  void sort(sort_job<Key, Value, Digits> const& job) {
    static_assert(is_host_space<ExecutionSpace>,
                  "sam: radix sorts run on Kokkos' host spaces only; on a GPU use sam::cuda");
    context_use::work const work(use_);
    pool threads = this->threads();
    host::sort(threads, memory_, job);
  }
  template <class Key, class Value, class Digits>
  index_t sort_workspace(sort_job<Key, Value, Digits> const& job) const {
    return host::sort_workspace(pool{space_}, job);
  }

  template <class Key, class Value, class Digits, class Heads>
  requires(is_host_space<ExecutionSpace>) void segmented_sort(
      sort_job<Key, Value, Digits> const& job, Heads const& heads) {
    context_use::work const work(use_);
    pool threads = this->threads();
    host::segmented_sort(threads, memory_, job, heads);
  }
  template <class Key, class Value, class Digits>
  index_t segmented_sort_workspace(sort_job<Key, Value, Digits> const& job) const {
    return host::segmented_sort_workspace(pool{space_}, job);
  }

  template <class Item, class Count, class Bins>
  void count_bins(histogram_job<Item, Count, Bins> const& job) {
    static_assert(is_host_space<ExecutionSpace>,
                  "sam: histograms run on Kokkos' host spaces only; on a GPU use sam::cuda");
    context_use::work const work(use_);
    pool threads = this->threads();
    host::count_bins(threads, memory_, job);
  }

  template <class Offset>
  requires(is_host_space<ExecutionSpace>) void mark_bits(mark_job<Offset> const& job) {
    context_use::work const work(use_);
    pool threads = this->threads();
    host::mark_bits(threads, job);
  }

  template <class Item, class Count, class Kind>
  requires(is_host_space<ExecutionSpace>) void split(split_job<Item, Count, Kind> const& job) {
    context_use::work const work(use_);
    pool threads = this->threads();
    host::split(threads, memory_, job);
  }

 private:
  static ExecutionSpace initialised() {
    if (!Kokkos::is_initialized() || Kokkos::is_finalized())
      sam::detail::fail<device_error>(
          "sam::kokkos::context",
          "Kokkos is not initialised; make a sam::kokkos::runtime in main, or call "
          "Kokkos::initialize",
          std::source_location::current());
    return ExecutionSpace();
  }

  // Workers of the host engine: the threads of the space, or the calling thread where no kernel may
  // be started.
  struct pool {
    ExecutionSpace const& space;
    int workers() const {
      return kokkos::may_start_kernels<ExecutionSpace>() ? static_cast<int>(space.concurrency())
                                                         : 1;
    }
    template <class Work>
    void for_each_worker(int count, Work const& work) const {
      using range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Static>,
                                        Kokkos::IndexType<std::int64_t>>;
      kokkos::starting([&] {
        auto const start = [&] {
          Kokkos::parallel_for("sam::scan", range(space, 0, count).set_chunk_size(1),
                               [&work](std::int64_t w) { work(static_cast<int>(w)); });
        };
        sam::detail::catch_all(start, [&] {  // workers may be under way, and still refer to `work`
          space.fence("sam::workers");
          std::rethrow_exception(std::current_exception());
        });
        if constexpr (!finishes_at_once<ExecutionSpace>)
          space.fence("sam::workers");
      });
    }
  };
  pool threads() const {
    if constexpr (!finishes_at_once<ExecutionSpace>)
      space_.fence("sam::before");
    return {space_};
  }

  ExecutionSpace space_;
  host::workspace memory_;
  host::workspace scratch_;
  device_workspace<ExecutionSpace> device_memory_;
  device_workspace<ExecutionSpace> device_scratch_;
  using results_view = Kokkos::View<std::byte[most_result_bytes], Kokkos::SharedHostPinnedSpace>;
  results_view results_;
  context_use use_;
};

using context = basic_context<Kokkos::DefaultExecutionSpace>;
static_assert(sam::context<context>);

/// Kokkos from here to the end of the scope, unless somebody else has initialised it. Throws
/// sam::device_error if it would start more OpenMP threads than Kokkos has room for.
class runtime {
 public:
  runtime(int& argc, char** argv, std::source_location at = std::source_location::current())
      : ours_(!Kokkos::is_initialized()) {
    if (ours_) {
      detail::expect_openmp_threads(argc, argv, at);
      Kokkos::initialize(argc, argv);
    }
  }
  ~runtime() {
    if (ours_)
      Kokkos::finalize();
  }
  runtime(runtime const&) = delete;
  runtime& operator=(runtime const&) = delete;

 private:
  bool ours_;
};

}  // namespace sam::kokkos
