// SPDX-License-Identifier: MIT
// Sizes at which calls are made in another way, whatever their kernels.
#pragma once

#include <sam/portable.hpp>

namespace sam::cuda {

/// How fast, never what. Evidence: perf/results.
struct limits {
  /// Below this many bytes a scan is cut small, so that all multiprocessors have a part. The cut is
  /// of n alone, and so are the bits of a float.
  static constexpr index_t small_bytes = 8 << 20;
  /// Items of a scattering job are held in shared memory up to this size: so few bytes that a tile
  /// fits the smallest there is, 64 KiB. Larger ones are loaded twice.
  static constexpr int largest_held = 96;
};

}  // namespace sam::cuda
