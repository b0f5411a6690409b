// SPDX-License-Identifier: MIT
// Finds the last block of a grid to reach a point, which then continues with the results of all
// blocks. tests/model/last.pml is a model of it: the last block sees the writes of all blocks.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Counts a block that has written nothing for the last block to read, and returns true if it is
/// the last of `blocks`. One thread calls it, at any time, since nothing has to become visible
/// before. If it returns true, see_all_blocks() must follow before the block reads what others have
/// written.
template <class Device>
SAM_DEVICE bool arrive_without_writes(std::uint32_t* come, int blocks) {
  return Device::add(come, 1) + 1 == std::uint32_t(blocks);
}
/// Resets the counter, and orders the increments of all blocks before this thread's later reads.
/// One thread of the last block calls it, before a barrier of the block.
template <class Device>
SAM_DEVICE void see_all_blocks(std::uint32_t* come) {
  Device::fence();
  Device::store(come, 0);
}

/// True in all threads of the last of the `blocks` blocks that call this. Its threads then see the
/// writes that these blocks made before their calls.
///
/// All threads of a block call it; `is_last` is a word of its shared memory. `come` counts blocks
/// in global memory. It is 0 before the launch, and 0 again after it.
template <class Device>
SAM_DEVICE bool is_last_block(std::uint32_t* come, int thread, std::uint32_t& is_last,
                              int blocks = Device::blocks()) {
  Device::sync_block();  // orders the writes of all threads of the block before the fence
  if (thread == 0) {
    Device::fence();  // orders the block's writes before its increment of the counter
    is_last = gpu::arrive_without_writes<Device>(come, blocks) ? 1 : 0;
    if (is_last != 0)
      gpu::see_all_blocks<Device>(come);
  }
  // Orders the write of `is_last`, and the fence of thread 0, before the other threads' reads.
  Device::sync_block();
  return is_last != 0;
}

}  // namespace sam::inline v0_1::gpu
