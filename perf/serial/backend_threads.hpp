// SPDX-License-Identifier: MIT
// The single thread of the serial back end, for copies and peers.
#pragma once

namespace perf {

inline int threads() { return 1; }

template <class F>
void in_parallel(F f) {
  f(0);
}

}  // namespace perf
