// SPDX-License-Identifier: MIT
// Says which engine runs the calls of a Kokkos execution space.
#pragma once

#include <sam/base/namespaces.hpp>

#include <Kokkos_Core.hpp>

#include <tuple>
#include <type_traits>

// Calls on Kokkos::Cuda run on the engine of sam::cuda where its headers are installed and the file
// is compiled as CUDA, by nvcc or Kokkos's wrapper of it. Calls on Kokkos::HIP run on that of
// sam::hip where the file is compiled as HIP.
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__) && __has_include(<sam/cuda/context.hpp>)
#define SAM_KOKKOS_RUNS_CUDA
#elif defined(KOKKOS_ENABLE_HIP) && defined(__HIP__) && __has_include(<sam/hip/context.hpp>)
#define SAM_KOKKOS_RUNS_HIP
#endif

namespace sam::inline v0_1::kokkos {

using namespace engine;

/// True if host code may run in the space: OpenMP, Threads, Serial, HPX.
template <class ExecutionSpace>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<ExecutionSpace, Kokkos::HostSpace>::accessible&&
        Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace,
                                   typename ExecutionSpace::memory_space>::accessible&&
            std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>;

/// Lists the execution spaces that Kokkos was built with: the default one, and Serial beside it.
#ifdef KOKKOS_ENABLE_SERIAL
using execution_spaces =
    std::conditional_t<std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::Serial>,
                       std::tuple<Kokkos::Serial>,
                       std::tuple<Kokkos::DefaultExecutionSpace, Kokkos::Serial>>;
#else
using execution_spaces = std::tuple<Kokkos::DefaultExecutionSpace>;
#endif

/// The engines of this back end.
///
/// host      the single-pass engine for CPUs, on the threads of the space
/// cuda      that of sam::cuda, on the stream of the instance
/// hip       that of sam::hip, on the stream of the instance
/// fallback  reduces, then scans, by kernels of Kokkos; for any device space
enum class engine_kind { host, cuda, fallback, hip };

/// The engine that runs calls on a space, unless the caller asks for the fallback.
template <class ExecutionSpace>
inline constexpr engine_kind native_engine = [] {
#ifdef SAM_KOKKOS_RUNS_CUDA
  if (std::is_same_v<ExecutionSpace, Kokkos::Cuda>)
    return engine_kind::cuda;
#endif
#ifdef SAM_KOKKOS_RUNS_HIP
  if (std::is_same_v<ExecutionSpace, Kokkos::HIP>)
    return engine_kind::hip;
#endif
  return is_host_space<ExecutionSpace> ? engine_kind::host : engine_kind::fallback;
}();

/// True if a View of type Array lies in memory that the space can access, or if Array is no View:
/// other arrays do not name their memory space.
template <class ExecutionSpace, class Array>
inline constexpr bool reaches_array = [] {
  if constexpr (Kokkos::is_view_v<Array>)
    return Kokkos::SpaceAccessibility<ExecutionSpace, typename Array::memory_space>::accessible;
  else
    return true;
}();

}  // namespace sam::inline v0_1::kokkos
