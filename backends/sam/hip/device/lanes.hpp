// SPDX-License-Identifier: MIT
// Has the part of the Device type that knows blocks, warps and lanes, and lets them wait for one
// another.
#pragma once

#ifdef __HIP_PLATFORM_NVIDIA__
#include <sam/hip/device/nvidia.hpp>
#else
#include <sam/hip/device/amd.hpp>
#endif

namespace sam::inline v0_1::hip {

#ifdef __HIP_PLATFORM_NVIDIA__
template <int Warp>
using instructions = nvidia_instructions<Warp>;
#else
template <int Warp>
using instructions = amd_instructions<Warp>;
#endif

/// Tells where a thread is, and synchronizes blocks and warps.
template <int Warp>
struct device_lanes {
 protected:
  using own = instructions<Warp>;

 public:
  static constexpr int warp_size = Warp;
  static constexpr int most_warps = 1024 / Warp;  // per block
  static constexpr int banks = own::banks;        // of shared memory, of 4 bytes each
  static constexpr int sector_bytes = own::sector_bytes;
  static constexpr int registers = own::registers;  // of a compute unit
  static constexpr int arrivals = 1;                // of a warp at a barrier
  static constexpr bool has_copy_engine = false;
  static constexpr bool has_fixed_stages = false;
  static constexpr bool has_clusters = false;
  /// False: clang copies arguments that a kernel indexes to the memory of the thread.
  static constexpr bool indexes_arguments = false;

  static SAM_DEVICE int block() { return int(blockIdx.x); }
  static SAM_DEVICE int blocks() { return int(gridDim.x); }
  static SAM_DEVICE int warp() { return own::uniform(int(threadIdx.x / unsigned(warp_size))); }
  static SAM_DEVICE int lane() { return int(threadIdx.x % unsigned(warp_size)); }

  // Kernels of a stream follow one another: there is no programmatic launch.
  static SAM_DEVICE void grid_dependency_wait() {}
  static SAM_DEVICE void grid_dependency_trigger() {}

  static SAM_DEVICE void sync_block() { __syncthreads(); }
  static SAM_DEVICE void sync_warp() { own::sync_warp(); }
  /// Returns the x of the lane `lanes` below this one, or this lane's own x if there is none.
  static SAM_DEVICE std::uint32_t shuffle_up(std::uint32_t x, int lanes) {
    return own::shuffle_from(x, lane() >= lanes ? lane() - lanes : lane());
  }
  static SAM_DEVICE std::uint32_t shuffle_from(std::uint32_t x, int lane) {
    return own::shuffle_from(x, lane);
  }
  static SAM_DEVICE std::uint32_t sum_of_all(std::uint32_t x) {
#pragma unroll
    for (int step = warp_size / 2; step > 0; step /= 2)
      x += own::shuffle_from(x, lane() ^ step);
    return x;
  }
  static SAM_DEVICE std::uint32_t least_of_all(std::uint32_t x) {
#pragma unroll
    for (int step = warp_size / 2; step > 0; step /= 2) {
      std::uint32_t const other = own::shuffle_from(x, lane() ^ step);
      x = other < x ? other : x;
    }
    return x;
  }
  static SAM_DEVICE std::uint32_t greatest_of_all(std::uint32_t x) { return ~least_of_all(~x); }
  /// Holds a set of lanes of a warp, with one bit for each lane.
  using lane_set = typename own::lane_set;
  static SAM_DEVICE lane_set lanes_where(bool x) { return own::lanes_where(x); }
  static SAM_DEVICE bool all_lanes(bool x) { return own::lanes_where(!x) == 0; }
  static SAM_DEVICE int first_lane_where(bool x) {
    lane_set const which = own::lanes_where(x);
    return which == 0 ? warp_size : own::first(which);
  }
  // Callers pass sets of lanes, and words of 32 bits that are no such sets.
  static SAM_DEVICE int count(std::uint64_t bits) { return own::count(bits); }
  static SAM_DEVICE int count(std::uint32_t bits) { return own::count(bits); }
  static SAM_DEVICE int first(std::uint64_t bits) { return bits == 0 ? -1 : own::first(bits); }
  static SAM_DEVICE int first(std::uint32_t bits) { return bits == 0 ? -1 : own::first(bits); }
  static SAM_DEVICE int last(std::uint64_t bits) { return own::last(bits); }
  static SAM_DEVICE int last(std::uint32_t bits) { return own::last(bits); }
  /// Returns the mask of the lanes below this one.
  static SAM_DEVICE lane_set lower_lanes() { return (lane_set{1} << lane()) - 1; }
  static SAM_DEVICE void pause() { own::pause(); }
};

}  // namespace sam::inline v0_1::hip
