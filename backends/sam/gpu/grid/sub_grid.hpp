// SPDX-License-Identifier: MIT
// This file runs a kernel's code on a subset of the grid's blocks.
#pragma once

#include <sam/portable.hpp>

namespace sam::gpu {

/// Presents every `Parts`-th block of a launch as a grid of its own.
template <class Device, int Parts>
struct sub_grid : Device {
  static SAM_DEVICE int block() { return Device::block() / Parts; }
  static SAM_DEVICE int blocks() { return Device::blocks() / Parts; }
};

}  // namespace sam::gpu
