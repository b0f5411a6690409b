// SPDX-License-Identifier: MIT
// This file finds the last block of a launch to reach a point, which then continues alone with the
// results of all blocks. tests/model/last.pml verifies the memory order.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::gpu {

/// Returns true in the last block of the launch to call this. Its threads then see all writes that
/// threads of any block made before their call. All threads of a block call it with the same
/// `is_last`, a word of shared memory. `come` counts blocks; it is 0 before the launch and again
/// afterwards.
template <class Device>
SAM_DEVICE bool is_last_block(std::uint32_t* come, int thread, std::uint32_t& is_last) {
  Device::sync_block();  // waits for all threads of the block
  if (thread == 0) {
    Device::fence();  // orders the block's writes before its count
    is_last = Device::add(come, 1) + 1 == std::uint32_t(Device::blocks()) ? 1 : 0;
    if (is_last != 0) {
      Device::fence();  // orders the other blocks' counts before this block's reads
      Device::store(come, 0);
    }
  }
  // Orders the write of is_last, and the other blocks' writes, before reads by all threads.
  Device::sync_block();
  return is_last != 0;
}

}  // namespace sam::gpu
