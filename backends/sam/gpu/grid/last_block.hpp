// SPDX-License-Identifier: MIT
// Blocks of a launch that leave something for the last of them, which goes on alone.
// tests/model/last.pml says that it sees all of it.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::gpu {

/// Whether this block is the last of its launch to come here. If it is, its threads see what those
/// of all blocks have done before they came. All threads of a block come, with a word of its shared
/// memory; `come` counts blocks, is 0 before the launch, and behind it again.
template <class Device>
SAM_DEVICE bool is_last_block(std::uint32_t* come, int thread, std::uint32_t& is_last) {
  Device::sync_block();  // all of the block have come
  if (thread == 0) {
    Device::fence();  // whoever finds it counted sees what all of it have done
    is_last = Device::add(come, 1) + 1 == std::uint32_t(Device::blocks()) ? 1 : 0;
    if (is_last != 0) {
      Device::fence();  // and looks for that from here on
      Device::store(come, 0);
    }
  }
  Device::sync_block();  // publishes whether it is the last, and what others have done
  return is_last != 0;
}

}  // namespace sam::gpu
