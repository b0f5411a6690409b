// SPDX-License-Identifier: MIT
// This file defines size limits that the context needs without including kernels.
#pragma once

#include <sam/portable.hpp>

namespace sam::cuda {

/// Holds tuning parameters, which affect speed but not results. Measurements are in perf/results.
struct limits {
  /// Scans of fewer bytes use small tiles, so that all multiprocessors have work. The choice
  /// depends only on n, and so do the bits of floating-point results.
  static constexpr index_t small_bytes = 8 << 20;
  /// Largest item of a scattering job that is kept in shared memory. A tile of such items fits the
  /// smallest supported shared memory, 64 KiB. Larger items are loaded twice.
  static constexpr int largest_held = 96;
};

}  // namespace sam::cuda
