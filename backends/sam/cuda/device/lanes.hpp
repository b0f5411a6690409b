// SPDX-License-Identifier: MIT
// Has the part of the Device type that knows blocks, warps and lanes, and lets them wait for one
// another.
#pragma once

#include <sam/portable.hpp>

#include <cuda_runtime.h>

namespace sam::inline v0_1::cuda {

/// Tells where a thread is, and synchronizes blocks and warps.
struct device_lanes {
  static constexpr int warp_size = 32;
  static constexpr int most_warps = 32;  // per block
  static constexpr int banks = 32;       // of shared memory, of 4 bytes each
  static constexpr int sector_bytes = 32;
  static constexpr int registers = 64 << 10;  // of a multiprocessor
  /// The number of times that a warp arrives at a barrier: once for all its lanes, after
  /// sync_warp(). Some race checkers do not model that order. For them, SAM_EVERY_LANE_ARRIVES
  /// makes each lane arrive itself.
#ifdef SAM_EVERY_LANE_ARRIVES
  static constexpr int arrivals = warp_size;
#else
  static constexpr int arrivals = 1;
#endif

  /// True if the device has bulk copies (cp.async.bulk), by which one warp alone stores items as
  /// fast as many warps do. Valid in device code only.
#if __CUDA_ARCH__ >= 900
  static constexpr bool has_copy_engine = true;
#else
  static constexpr bool has_copy_engine = false;
#endif
  /// True if all devices that run this code have 227 KiB of shared memory for a block, so that scan
  /// kernels have as many stages as their configs say. Other kernels get the number of stages from
  /// the host, which knows the device. Valid in device code only.
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
  static constexpr bool has_fixed_stages = true;
#else
  static constexpr bool has_fixed_stages = false;
#endif

  /// True if kernels may index arrays of their arguments in place: __grid_constant__.
  static constexpr bool indexes_arguments = true;

  /// Returns the index of this block: %ctaid.x.
  static SAM_DEVICE int block() { return int(blockIdx.x); }
  /// Returns the number of blocks in the grid: %nctaid.x.
  static SAM_DEVICE int blocks() { return int(gridDim.x); }
  /// Returns the index of this warp in its block.
  static SAM_DEVICE int warp() { return int(threadIdx.x / warp_size); }
  /// Returns the index of this lane in its warp.
  static SAM_DEVICE int lane() { return int(threadIdx.x % warp_size); }

  /// Waits until the kernels that this one depends on have completed and their writes are visible
  /// (griddepcontrol.wait). With programmatic dependent launch a kernel may start before that, so
  /// it calls this before it accesses global memory. Does nothing before compute capability 9.0.
  static SAM_DEVICE void grid_dependency_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
  }
  /// Allows the next kernel in the stream to start before this one ends
  /// (griddepcontrol.launch_dependents). Does nothing before compute capability 9.0.
  static SAM_DEVICE void grid_dependency_trigger() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
  }

  /// Waits for all threads of the block, and orders memory accesses before it with those after it
  /// within the block (bar.sync 0).
  static SAM_DEVICE void sync_block() { __syncthreads(); }
  /// Waits for all lanes of the warp, and orders their memory accesses with one another
  /// (bar.warp.sync).
  static SAM_DEVICE void sync_warp() { __syncwarp(); }
  /// Returns the x of the lane `lanes` below this one, or this lane's own x if there is none
  /// (shfl.sync.up).
  static SAM_DEVICE std::uint32_t shuffle_up(std::uint32_t x, int lanes) {
    return __shfl_up_sync(~0u, x, unsigned(lanes));
  }
  /// Returns the x of a lane (shfl.sync.idx).
  static SAM_DEVICE std::uint32_t shuffle_from(std::uint32_t x, int lane) {
    return __shfl_sync(~0u, x, lane);
  }
  /// Returns the sum, the least and the greatest of the lanes' x, to all lanes (redux.sync; before
  /// compute capability 8.0 by shuffles).
  static SAM_DEVICE std::uint32_t sum_of_all(std::uint32_t x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, x);
#else
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
      x += __shfl_xor_sync(~0u, x, step);
    return x;
#endif
  }
  static SAM_DEVICE std::uint32_t least_of_all(std::uint32_t x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(~0u, x);
#else
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
      x = min(x, __shfl_xor_sync(~0u, x, step));
    return x;
#endif
  }
  static SAM_DEVICE std::uint32_t greatest_of_all(std::uint32_t x) { return ~least_of_all(~x); }
  /// True if x holds in all lanes (vote.sync.all).
  static SAM_DEVICE bool all_lanes(bool x) { return __all_sync(~0u, x); }
  /// Returns the lowest lane in which x holds, or warp_size if there is none (vote.sync.ballot,
  /// then brev and bfind).
  static SAM_DEVICE int first_lane_where(bool x) {
    unsigned const which = __ballot_sync(~0u, x);
    return which == 0 ? warp_size : __ffs(int(which)) - 1;
  }
  /// Holds a set of lanes of a warp, with one bit for each lane.
  using lane_set = std::uint32_t;
  /// Returns the mask of the lanes in which x holds (vote.sync.ballot).
  static SAM_DEVICE lane_set lanes_where(bool x) { return __ballot_sync(~0u, x); }
  /// Returns the number of set bits (popc).
  static SAM_DEVICE int count(lane_set lanes) { return __popc(lanes); }
  /// Returns the lowest set bit, or -1 if there is none (brev, bfind).
  static SAM_DEVICE int first(lane_set lanes) { return __ffs(int(lanes)) - 1; }
  /// Returns the highest set bit, or -1 if there is none (clz).
  static SAM_DEVICE int last(lane_set lanes) { return 31 - __clz(int(lanes)); }
  /// Returns the mask of the lanes below this one (%lanemask_lt).
  static SAM_DEVICE lane_set lower_lanes() {
    lane_set lower;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
    return lower;
  }
  /// Suspends the thread for about 20 ns between two polls of memory (nanosleep.u32). Does nothing
  /// before compute capability 7.0.
  static SAM_DEVICE void pause() {
#if __CUDA_ARCH__ >= 700
    __nanosleep(20);
#endif
  }
};

}  // namespace sam::inline v0_1::cuda
