// SPDX-License-Identifier: MIT
// Defines the contexts of Kokkos's execution spaces, and the runtime that initialises Kokkos.
#pragma once

#include <sam/error.hpp>
#include <sam/host/context_base.hpp>
#include <sam/kokkos/engines.hpp>
#include <sam/kokkos/fallback_engine.hpp>
#include <sam/kokkos/runtime/call_scope.hpp>
#include <sam/kokkos/runtime/region.hpp>
#include <sam/kokkos/runtime/thread_limit.hpp>

#if defined(SAM_KOKKOS_RUNS_CUDA)
#include <sam/cuda/context.hpp>
#elif defined(SAM_KOKKOS_RUNS_HIP)
#include <sam/hip/context.hpp>
#endif

#include <Kokkos_Core.hpp>

#include <exception>
#include <string>
#include <string_view>

namespace sam::inline v0_1::kokkos {

namespace detail {
/// Returns the default instance of a space. Throws sam::device_error before Kokkos is initialised.
template <class ExecutionSpace>
ExecutionSpace default_instance() {
  if (!Kokkos::is_initialized() || Kokkos::is_finalized())
    sam::detail::fail<device_error>(
        "sam::kokkos::context",
        "Kokkos is not initialised; make a sam::kokkos::runtime in main, or call "
        "Kokkos::initialize",
        std::source_location::current());
  return ExecutionSpace();
}
}  // namespace detail

/// Runs calls on an instance of a Kokkos execution space. Kokkos must be initialised before the
/// first context and finalised after the last, by the caller or by a sam::kokkos::runtime.
///
/// Host spaces run the single-pass engine for CPUs, and calls are complete when they return.
/// Kokkos::Cuda runs the engine of sam::cuda, and Kokkos::HIP that of sam::hip, where they can
/// (native_engine). Other device spaces, and
/// a basic_context<Space, engine_kind::fallback>, promise no forward progress between teams. So
/// they reduce, then scan, whatever the policy's carry scheme is. On devices calls return when the
/// work is queued.
template <class ExecutionSpace, engine_kind Engine = native_engine<ExecutionSpace>>
class basic_context
    : public std::conditional_t<
          Engine == engine_kind::host, host::context_base<basic_context<ExecutionSpace, Engine>>,
          fallback_engine<basic_context<ExecutionSpace, Engine>, ExecutionSpace>> {
  static_assert(Engine != engine_kind::host || is_host_space<ExecutionSpace>,
                "sam: the engine for CPUs runs on host spaces only");

 public:
  using execution_space = ExecutionSpace;
  static constexpr engine_kind engine = Engine;

  basic_context() : space_(detail::default_instance<ExecutionSpace>()) {}
  explicit basic_context(ExecutionSpace const& space) : space_(space) {}
  /// Takes the memory for later calls from a resource, which must outlive the context.
  basic_context(ExecutionSpace const& space,
                std::pmr::memory_resource* resource) requires(Engine == engine_kind::host)
      : host::context_base<basic_context>(resource), space_(space) {}

  void wait() {
    if constexpr (!finishes_at_once<ExecutionSpace>)
      space_.fence("sam::wait");  // a short name that allocates no memory
  }
  char const* name() const { return ExecutionSpace::name(); }
  ExecutionSpace const& space() const { return space_; }

  auto begin_call(std::string_view function, std::source_location at) {
    auto const begin = [&] { return basic_context::engine_base::begin_call(function, at); };
    state_.measures = this->measures();
    return call_scope<ExecutionSpace, context_use::call>(begin, function, space_, state_);
  }

  /// True if the context can access an array. Only a View states its memory space, so only Views
  /// can be rejected.
  template <class Array>
  static constexpr bool reaches = reaches_array<ExecutionSpace, Array>;

 private:
  friend host::context_base<basic_context>;

  // Provides the workers of the host engine: the threads of the space, or only the calling thread
  // where no kernel may be started.
  struct worker_pool {
    ExecutionSpace const& space;
    std::string_view function;  // names kernels, if a tool of Kokkos is loaded
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
          // Without a tool, a name that allocates no memory.
          std::string const label(Kokkos::Tools::profileLibraryLoaded() ? function : "sam");
          Kokkos::parallel_for(label, range(space, 0, count).set_chunk_size(1),
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
    return {space_, state_.function};
  }

  ExecutionSpace space_;
  call_state<ExecutionSpace> state_;
};

#ifdef SAM_KOKKOS_NATIVE
namespace native = SAM_KOKKOS_NATIVE;

/// Runs calls by the engine of sam::cuda or sam::hip, on the stream and the device of an instance
/// of Kokkos::Cuda or Kokkos::HIP.
template <>
class basic_context<native_space, engine_kind::SAM_KOKKOS_NATIVE> : public native::context {
 public:
  using execution_space = native_space;
  static constexpr engine_kind engine = engine_kind::SAM_KOKKOS_NATIVE;

  basic_context() : basic_context(detail::default_instance<native_space>()) {}
  explicit basic_context(native_space const& space)
      : basic_context(space, native::on_device(device_of(space))) {}

  native_space const& space() const { return space_; }
  /// Returns the context of sam::cuda or sam::hip that runs the calls.
  native::context& engine_context() { return *this; }

  auto begin_call(std::string_view function, std::source_location at) {
    auto const begin = [&] { return native::context::begin_call(function, at); };
    state_.measures = this->measures();
    return call_scope<native_space, native::context::call>(begin, function, space_, state_);
  }

  /// True if the context can access an array. Only a View states its memory space, so only Views
  /// can be rejected at compile time. Pointers are checked when a call is made.
  template <class Array>
  static constexpr bool reaches = reaches_array<native_space, Array>;

 private:
  static int device_of(native_space const& space) {
#ifdef SAM_KOKKOS_RUNS_CUDA
    return space.cuda_device();
#else
    return space.hip_device();
#endif
  }
  static auto stream_of(native_space const& space) {
#ifdef SAM_KOKKOS_RUNS_CUDA
    return space.cuda_stream();
#else
    return space.hip_stream();
#endif
  }
  // The base belongs to the device that is current when it is made.
  basic_context(native_space const& space, native::on_device const&)
      : native::context(stream_of(space)), space_(space) {}

  native_space space_;
  call_state<native_space> state_;
};
#endif

#ifdef SAM_KOKKOS_FALLBACK  // tests run all primitives by the fallback
using context = basic_context<Kokkos::DefaultExecutionSpace, engine_kind::fallback>;
#else
using context = basic_context<Kokkos::DefaultExecutionSpace>;
#endif
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
