// SPDX-License-Identifier: MIT
#pragma once

#include <sam/portable.hpp>

namespace sam::gpu {

/// Every second block of a launch, as if these were a launch of their own.
template <class Device>
struct half_of_launch : Device {
  static SAM_DEVICE int block() { return Device::block() / 2; }
  static SAM_DEVICE int blocks() { return Device::blocks() / 2; }
};

}  // namespace sam::gpu
