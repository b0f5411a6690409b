// SPDX-License-Identifier: MIT
// The threads of the Kokkos back end, for copies and peers.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace perf {

/// Returns the number of threads that the back end uses, so that copies run on the same ones.
inline int threads() { return static_cast<int>(Kokkos::DefaultHostExecutionSpace().concurrency()); }

/// Calls f(0) ... f(threads() - 1) in parallel.
template <class F>
void in_parallel(F f) {
  using range =
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Static>,
                          Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("perf", range(0, threads()).set_chunk_size(1),
                       [&](std::int64_t t) { f(static_cast<int>(t)); });
  Kokkos::fence("perf");
}

}  // namespace perf
