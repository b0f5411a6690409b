// SPDX-License-Identifier: MIT
// Divides the blocks of one launch among several kernels that run side by side.
#pragma once

#include <sam/portable.hpp>

namespace sam::inline v0_1::gpu {

/// Derives from Device, and presents every `Parts`-th block of a launch as a smaller grid, with
/// block indices from 0.
template <class Device, int Parts>
struct sub_grid : Device {
  static SAM_DEVICE int block() { return Device::block() / Parts; }
  static SAM_DEVICE int blocks() { return Device::blocks() / Parts; }
};

}  // namespace sam::inline v0_1::gpu
