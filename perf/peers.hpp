// SPDX-License-Identifier: MIT
// Scans by other libraries that are installed, as peers. For a higher order, the scan is repeated.
// Tuples are structs with their own operator.
#pragma once

#include <sam/portable.hpp>

#include "backend_peers.hpp"  // of the back end's folder
#include "operators.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#if __has_include(<oneapi/tbb/parallel_scan.h>)
#define SAM_PEER_TBB 1
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_scan.h>

#include <execution>
#include <numeric>
#endif

namespace perf {

#ifdef SAM_PEER_TBB
struct std_par {
  static constexpr char const* name = "std_par";
  template <class T, class Op>
  static void scan(T const* in, T* out, std::ptrdiff_t n, Op op, T) {
    std::inclusive_scan(std::execution::par_unseq, in, in + n, out, op);
  }
};
struct tbb_scan {
  static constexpr char const* name = "tbb";
  template <class T, class Op>
  static void scan(T const* in, T* out, std::ptrdiff_t n, Op op, T identity) {
    tbb::parallel_scan(
        tbb::blocked_range<std::ptrdiff_t>(0, n), identity,
        [=](tbb::blocked_range<std::ptrdiff_t> const& r, T sum, bool is_final) {
          if (is_final)
            for (auto i = r.begin(); i < r.end(); ++i)
              out[i] = sum = op(sum, in[i]);
          else
            for (auto i = r.begin(); i < r.end(); ++i)
              sum = op(sum, in[i]);
          return sum;
        },
        op);
  }
};
#endif

/// A plain loop on one thread.
struct serial_loop {
  static constexpr char const* name = "serial";
  template <class T, class Op>
  static void scan(T const* in, T* out, std::ptrdiff_t n, Op op, T) {
    T sum = out[0] = in[0];
    for (std::ptrdiff_t i = 1; i < n; ++i)
      out[i] = sum = op(sum, in[i]);
  }
};

/// Calls use(peer) for every available peer.
template <class Use>
void for_each_peer(Use use) {
  use(serial_loop{});
#ifdef SAM_PEER_TBB
  use(std_par{});
  use(tbb_scan{});
#endif
  for_each_peer_of_backend(use);
}

}  // namespace perf
