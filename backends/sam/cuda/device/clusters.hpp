// SPDX-License-Identifier: MIT
// Has the part of the Device type for thread block clusters.
#pragma once

#include <sam/cuda/device/shared_memory.hpp>

namespace sam::inline v0_1::cuda {

/// Lets the blocks of a cluster wait for one another, and access one another's shared memory.
struct device_clusters : device_shared_memory {
  // Thread block clusters. has_clusters is valid in device code only.
#if __CUDA_ARCH__ >= 900
  static constexpr bool has_clusters = true;
  /// Returns the rank of this block in its cluster (%cluster_ctarank).
  static SAM_DEVICE int block_of_cluster() {
    int which;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(which));
    return which;
  }
  /// Returns the number of blocks in the cluster (%cluster_nctarank).
  static SAM_DEVICE int blocks_of_cluster() {
    int all;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(all));
    return all;
  }
  /// Arrives at the cluster barrier with release semantics (barrier.cluster.arrive.release). Writes
  /// before it are visible to every thread of the cluster after that thread's await_cluster().
  static SAM_DEVICE void arrive_at_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
  }
  /// Arrives at the cluster barrier without ordering any writes (barrier.cluster.arrive.relaxed).
  /// It is faster than arrive_at_cluster(), and suffices where a thread only announces that it
  /// runs, or that its reads of other blocks' shared memory have returned. A read has returned once
  /// its value has been used, by a store for instance: the instruction itself does not wait for
  /// reads.
  static SAM_DEVICE void cluster_arrive_relaxed() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" : : : "memory");
  }
  /// Waits until all threads of the cluster have arrived (barrier.cluster.wait.acquire).
  static SAM_DEVICE void await_cluster() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
  }
  /// Loads a value from the shared memory of block `block` of the cluster, at the offset that
  /// `mine` has in this block's (ld.shared::cluster). Only barriers order it with writes of that
  /// value.
  template <class T>
  static SAM_DEVICE T load_of_block(T const* mine, int block) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    std::uint32_t const there = address_in_block(mine, block);
    if constexpr (sizeof(T) == 4) {
      std::uint32_t x;
      asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(there));
      return __builtin_bit_cast(T, x);
    } else {
      std::uint64_t x;
      asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(x) : "r"(there));
      return __builtin_bit_cast(T, x);
    }
  }
  /// Stores x in the shared memory of block `block` of the cluster, at the offset that `mine` has
  /// in this block's (st.shared::cluster.u16). That block sees it after the next cluster barrier.
  static SAM_DEVICE void store_in_block(std::uint16_t* mine, int block, std::uint16_t x) {
    asm volatile("st.shared::cluster.u16 [%0], %1;"
                 :
                 : "r"(address_in_block(mine, block)), "h"(x)
                 : "memory");
  }
  /// Stores a word of 32 bits likewise (st.shared::cluster.u32).
  static SAM_DEVICE void store_in_block(std::uint32_t* mine, int block, std::uint32_t x) {
    asm volatile("st.shared::cluster.u32 [%0], %1;"
                 :
                 : "r"(address_in_block(mine, block)), "r"(x)
                 : "memory");
  }
  /// Returns the shared::cluster address in block `block` that corresponds to `mine` in this block
  /// (mapa.shared::cluster).
  static SAM_DEVICE std::uint32_t address_in_block(void const* mine, int block) {
    std::uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"(shared_address_of(mine)), "r"(block));
    return there;
  }
#else
  static constexpr bool has_clusters = false;
#endif
};

}  // namespace sam::inline v0_1::cuda
