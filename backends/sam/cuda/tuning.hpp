// SPDX-License-Identifier: MIT
#pragma once

#include <sam/cuda/device.hpp>
#include <sam/gpu/pass_shape.hpp>

namespace sam::cuda {

/// How fast, never what. Evidence: perf/results.
struct tuning {
  /// Below this many bytes a scan is cut small, so that all multiprocessors have a part. The cut is
  /// of n alone, and so are the bits of a float.
  static constexpr index_t small_bytes = 8 << 20;
  /// What a block may have of shared memory on the devices that `large` is for.
  static constexpr int shared_bytes = 224 << 10;

  /// As many items a thread as fit; odd in number where they are four bytes or more, so that the
  /// threads of a warp, each at items of its own, meet all banks of shared memory.
  template <class T, class Pass, int Warps, int Stages>
  static constexpr int items() {
    using traits = gpu::pass_traits<device, T, Pass>;
    constexpr int size = int(sizeof(T));
    constexpr int threads = Warps * device::warp_size;
    constexpr int states =
        (threads + (2 * Warps + 5) * traits::S) * traits::Q * size + 256 +
        gpu::tile_powers<traits>::values * int(sizeof(typename traits::power::ring)) / Stages;
    constexpr int row = Warps * traits::runs * traits::S * size;
    constexpr int most = int(max_of((shared_bytes / Stages - states) / row, 3));
    if constexpr (size >= 4)
      return most <= 2 ? most : (most - 1) / 2 * 2 + 1;
    else
      return (most * size / 4 - 1) / 2 * 2 * 4 / size + 4 / size;
  }
  /// More warps where each item costs more.
  template <class T, class Pass>
  static constexpr int warps = std::is_same_v<T, double> || (sizeof(T) < 4 && Pass::tuple_size > 1)
                                   ? 12
                                   : 8;

  /// Of the one block that works on the tiles' summaries: large states need the registers of many
  /// threads.
  template <class T, class Pass>
  static constexpr int states_warps =
      gpu::pass_traits<device, T, Pass>::Q* gpu::words_of<T> <= 2 ? 32 : 16;

  template <class T, class Pass>
  using large = gpu::block_shape<warps<T, Pass>, items<T, Pass, warps<T, Pass>, 4>(), 4, 1>;
  template <class T, class Pass>
  using small =
      gpu::block_shape<8, items<T, Pass, 8, 11>(), 2,
                       Pass::order == 1 && Pass::tuple_size == 1 && sizeof(T) == 4 ? 2 : 1>;
};

}  // namespace sam::cuda
