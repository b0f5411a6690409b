// SPDX-License-Identifier: MIT
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace perf {

/// The threads that the back end uses, so that a copy runs on the same ones.
inline int threads() { return static_cast<int>(Kokkos::DefaultHostExecutionSpace().concurrency()); }

/// f(0) ... f(threads() - 1), at the same time.
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
