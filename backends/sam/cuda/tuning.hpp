// SPDX-License-Identifier: MIT
#pragma once

#include <sam/gpu/pass_kernel.hpp>

namespace sam::cuda {

/// How fast, never what. Items a thread are odd in number where they are four bytes or more, so that the
/// threads of a warp, each at items of its own, meet all banks of shared memory. Evidence: perf/results.
struct tuning {
  /// Below this many bytes a scan is cut small, so that all multiprocessors have a part.
  static constexpr index_t small_bytes = 8 << 20;

  static constexpr int items_in(int bytes, int size) {
    return size >= 4 ? bytes / size | 1 : (bytes / 4 | 1) * 4 / size;
  }
  template <class T>
  using large = gpu::block_shape<8, items_in(132, sizeof(T)), 3>;
  template <class T>
  using small = gpu::block_shape<4, items_in(36, sizeof(T)), 2>;
};

}  // namespace sam::cuda
