// SPDX-License-Identifier: MIT
// Checks whether a Kokkos kernel may be started here, which Kokkos leaves to the caller, and
// translates the exceptions of its execution spaces.
#pragma once

#include <sam/error.hpp>
#include <sam/kokkos/engines.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <exception>
#include <new>
#include <stdexcept>
#include <type_traits>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace sam::inline v0_1::kokkos {

namespace detail {

#ifdef KOKKOS_ENABLE_OPENMP
template <class Space>
inline constexpr bool is_openmp = std::is_same_v<Space, Kokkos::OpenMP>;
#else
template <class Space>
inline constexpr bool is_openmp = false;
#endif
#ifdef KOKKOS_ENABLE_THREADS
template <class Space>
inline constexpr bool is_threads = std::is_same_v<Space, Kokkos::Threads>;
#else
template <class Space>
inline constexpr bool is_threads = false;
#endif
#ifdef KOKKOS_ENABLE_SERIAL
template <class Space>
inline constexpr bool is_serial = std::is_same_v<Space, Kokkos::Serial>;
#else
template <class Space>
inline constexpr bool is_serial = false;
#endif

/// True in a process that was forked after Kokkos was initialised. The threads of the pool exist
/// only in the parent, so a kernel would wait for them for ever.
inline std::atomic<bool> is_forked{false};
#if defined(__unix__) || defined(__APPLE__)
inline int const watches_forks = pthread_atfork(nullptr, nullptr, [] {
  if (Kokkos::is_initialized())
    is_forked.store(true, std::memory_order_relaxed);
});
#endif

/// Returns true if the calling thread is inside a parallel region, of Kokkos or of the caller.
template <class Space>
bool is_in_region() {
#ifdef KOKKOS_ENABLE_OPENMP
  // The level also counts regions of one thread: a kernel that runs in one holds the space's lock.
  if constexpr (is_openmp<Space>)
    return omp_get_level() > 0;
#endif
#ifdef KOKKOS_ENABLE_THREADS
  if constexpr (is_threads<Space>) {
    using pool = Kokkos::Impl::ThreadsInternal;
    // Only the thread that initialised Kokkos starts kernels. It takes part in them as the last
    // thread of the pool.
    return !pool::is_process() ||
           pool::get_thread(Kokkos::Threads::impl_thread_pool_size() - 1)->state() ==
               Kokkos::Impl::ThreadState::Active;
  }
#endif
  return false;
}

}  // namespace detail

/// True if kernels of a space are complete when the call that starts them returns. Then no fence is
/// needed, which would hang inside a kernel.
template <class Space>
inline constexpr bool finishes_at_once =
    detail::is_openmp<Space> || detail::is_threads<Space> || detail::is_serial<Space>;

/// Returns true if the calling thread may start a kernel of several threads. Inside a parallel
/// region, or in the child of a fork, Kokkos would hang or end the program. There calls run on the
/// calling thread alone.
template <class Space>
bool may_start_kernels() {
  if constexpr (detail::is_openmp<Space> || detail::is_threads<Space>)
    return !detail::is_forked.load(std::memory_order_relaxed) && !detail::is_in_region<Space>();
  else
    return true;
}

/// Throws the failure of an allocation as the library's own exception type.
[[noreturn]] inline void throw_out_of_memory(std::exception const& failure) {
  sam::throw_out_of_memory(
      "sam::kokkos", [&] { return failure.what(); }, std::source_location::current());
}

/// Calls f, which starts a kernel, and rethrows Kokkos's exceptions as the library's own types.
template <class F>
void starting(F const& f) {
  auto const start = [&] {
    sam::detail::catch_error<std::runtime_error>(f, [](auto const& failure) {
      sam::detail::fail<device_error>("sam::kokkos", failure.what(),
                                      std::source_location::current());
    });
  };
  sam::detail::catch_error<std::bad_alloc>(
      start, [](auto const& failure) { kokkos::throw_out_of_memory(failure); });
}

/// Returns f(), which allocates memory through Kokkos. A failure is a std::bad_alloc or, depending
/// on the version of Kokkos, a std::runtime_error; both become the library's own exception type.
template <class F>
auto allocating(F const& f) {
  auto const out = [](auto const& failure) { kokkos::throw_out_of_memory(failure); };
  return sam::detail::catch_error<std::bad_alloc>(
      [&] { return sam::detail::catch_error<std::runtime_error>(f, out); }, out);
}

}  // namespace sam::inline v0_1::kokkos
