// SPDX-License-Identifier: MIT
#pragma once

#include <sam/portable.hpp>

namespace sam::gpu {

/// Every `Parts`-th block of a launch, as if these were a launch of their own.
template <class Device, int Parts>
struct sub_grid : Device {
  static SAM_DEVICE int block() { return Device::block() / Parts; }
  static SAM_DEVICE int blocks() { return Device::blocks() / Parts; }
};

}  // namespace sam::gpu
