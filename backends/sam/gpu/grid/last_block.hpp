// SPDX-License-Identifier: MIT
// Finds the last block of a grid to reach a point, which then continues with the results of all
// blocks. tests/model/last.pml is a model of it: the last block sees the writes of all blocks.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// True in all threads of the block whose call is the last one of `calls` for the word `come`. Its
/// threads then see the writes that all these blocks made before their calls.
///
/// All threads of a block call it; `is_last` is a word of its shared memory. `come` counts calls in
/// global memory. It is 0 before the launch, and 0 again after it.
template <class Device>
SAM_DEVICE bool is_last_block(std::uint32_t* come, std::uint32_t calls, int thread,
                              std::uint32_t& is_last) {
  Device::order_before_barrier();  // lets the fence of thread 0 order this thread's writes
  Device::sync_block();            // orders the writes of all threads of the block before the fence
  if (thread == 0) {
    Device::fence();  // orders the block's writes before its increment of the counter
    is_last = Device::add(come, 1) + 1 == calls ? 1 : 0;
    if (is_last != 0) {
      Device::fence();  // orders the increments of all blocks before this block's reads
      Device::store(come, 0);
    }
  }
  // Orders the write of `is_last`, and the fence of thread 0, before the other threads' reads.
  Device::sync_block();
  return is_last != 0;
}

/// True in all threads of the last block of the grid that calls this, as above.
template <class Device>
SAM_DEVICE bool is_last_block(std::uint32_t* come, int thread, std::uint32_t& is_last) {
  return gpu::is_last_block<Device>(come, std::uint32_t(Device::blocks()), thread, is_last);
}

}  // namespace sam::inline v0_1::gpu
