// SPDX-License-Identifier: MIT
// Defines the contexts of Kokkos's execution spaces, and the runtime that initialises Kokkos.
#pragma once

#include <sam/error.hpp>
#include <sam/host/context_base.hpp>
#include <sam/kokkos/device_engine.hpp>
#include <sam/kokkos/region.hpp>
#include <sam/kokkos/thread_limit.hpp>

#include <Kokkos_Core.hpp>

#include <exception>

namespace sam::inline v0_1::kokkos {

/// True if host code may run in the space: OpenMP, Threads, Serial, HPX.
template <class ExecutionSpace>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<ExecutionSpace, Kokkos::HostSpace>::accessible&&
        Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace,
                                   typename ExecutionSpace::memory_space>::accessible&&
            std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>;

/// Runs calls on an instance of a Kokkos execution space. Kokkos must be initialised before the
/// first context and finalised after the last, by the caller or by a sam::kokkos::runtime.
///
/// Host spaces run the single-pass engine, and calls are complete when they return. Device spaces
/// promise no forward progress between teams. So they reduce, then scan, whatever the policy's
/// carry scheme is, and their calls return when the work is queued.
template <class ExecutionSpace>
class basic_context
    : public std::conditional_t<is_host_space<ExecutionSpace>,
                                host::context_base<basic_context<ExecutionSpace>>,
                                device_engine<basic_context<ExecutionSpace>, ExecutionSpace>> {
 public:
  using execution_space = ExecutionSpace;

  basic_context() : space_(initialised()) {}
  explicit basic_context(ExecutionSpace const& space) : space_(space) {}

  void wait() {
    if constexpr (!finishes_at_once<ExecutionSpace>)
      space_.fence("sam::wait");  // a short name that allocates no memory
  }
  char const* name() const { return ExecutionSpace::name(); }
  ExecutionSpace const& space() const { return space_; }

  /// True if the context can access an array. Only a View states its memory space, so only Views
  /// can be rejected.
  template <class Array>
  static constexpr bool reaches = [] {
    if constexpr (Kokkos::is_view_v<Array>)
      return Kokkos::SpaceAccessibility<ExecutionSpace, typename Array::memory_space>::accessible;
    else
      return true;
  }();

 private:
  friend host::context_base<basic_context>;

  static ExecutionSpace initialised() {
    if (!Kokkos::is_initialized() || Kokkos::is_finalized())
      sam::detail::fail<device_error>(
          "sam::kokkos::context",
          "Kokkos is not initialised; make a sam::kokkos::runtime in main, or call "
          "Kokkos::initialize",
          std::source_location::current());
    return ExecutionSpace();
  }

  // Provides the workers of the host engine: the threads of the space, or only the calling thread
  // where no kernel may be started.
  struct worker_pool {
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
        sam::detail::catch_all(start, [&] {  // running workers may still refer to `work`
          space.fence("sam::workers");
          std::rethrow_exception(std::current_exception());
        });
        if constexpr (!finishes_at_once<ExecutionSpace>)
          space.fence("sam::workers");
      });
    }
  };
  worker_pool pool() const {
    if constexpr (!finishes_at_once<ExecutionSpace>)
      space_.fence("sam::before");
    return {space_};
  }

  ExecutionSpace space_;
};

using context = basic_context<Kokkos::DefaultExecutionSpace>;
static_assert(sam::context<context>);

/// Initialises Kokkos until the end of the scope, unless it is already initialised. Throws
/// sam::device_error if Kokkos would start more OpenMP threads than it has space for.
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

}  // namespace sam::inline v0_1::kokkos
