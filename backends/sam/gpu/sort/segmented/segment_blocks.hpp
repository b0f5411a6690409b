// SPDX-License-Identifier: MIT
// Lets the blocks that sort a segment together meet, and exchange their counts of digits.
//
// The blocks are one alone, a cluster, or a team of a grid whose blocks all run at the same time. A
// team has one block for each entry that its segment has in a list. Block b takes entries b, b + B
// and so on, of B blocks, in ascending order. A segment has at most B entries, so that each is
// another block's. The first team that is not done thus waits for no other one, and no block waits
// for ever. tests/model/teams.pml is a model of this.
#pragma once

#include <sam/gpu/warp/warp_scan.hpp>
#include <sam/portable.hpp>

namespace sam::inline v0_1::gpu {

/// Describes a block's part of a listed segment.
struct listed_part {
  index_t first;
  int length;          // of the segment
  int part, parts;     // 0 parts: the entry has no meaning
  std::uint32_t come;  // how often blocks have come to the team's barrier, in the entry of part 0
};

/// A block that sorts segments alone.
template <class Device>
struct one_block {
  static constexpr SAM_DEVICE int count() { return 1; }
  static constexpr SAM_DEVICE int own() { return 0; }
  SAM_DEVICE std::uint32_t* counts(std::uint32_t* in_shared) const { return in_shared; }
  SAM_DEVICE std::uint32_t count_of(std::uint32_t const* in_shared, int digit, int) const {
    return in_shared[digit];
  }
  SAM_DEVICE void meet(int) const { Device::sync_block(); }
};

/// The blocks of a cluster.
template <class Device>
struct cluster_blocks {
  SAM_DEVICE int count() const { return Device::blocks_of_cluster(); }
  SAM_DEVICE int own() const { return Device::block_of_cluster(); }
  SAM_DEVICE std::uint32_t* counts(std::uint32_t* in_shared) const { return in_shared; }
  SAM_DEVICE std::uint32_t count_of(std::uint32_t const* in_shared, int digit, int block) const {
    return Device::load_of_block(in_shared + digit, block);
  }
  SAM_DEVICE void meet(int) const {
    Device::arrive_at_cluster();
    Device::await_cluster();
  }
};

/// The blocks of a team, which exchange counts of `Buckets` digits.
template <class Device, int Buckets>
class team_blocks {
 public:
  /// Stands for the blocks of the segment with entry k.
  SAM_DEVICE team_blocks(listed_part* entries, int k, std::uint32_t* counts)
      : come_(&entries[k - entries[k].part].come), counts_(counts), own_(entries[k].part),
        count_(entries[k].parts), first_block_((k - own_) % Device::blocks()) {}

  SAM_DEVICE int count() const { return count_; }
  SAM_DEVICE int own() const { return own_; }
  SAM_DEVICE std::uint32_t* counts(std::uint32_t*) const {
    return counts_ + Device::block() * Buckets;
  }
  SAM_DEVICE std::uint32_t count_of(std::uint32_t const*, int digit, int block) const {
    int const at = first_block_ + block;
    return Device::load(counts_ + (at < Device::blocks() ? at : at - Device::blocks()) * Buckets +
                        digit);
  }
  /// Waits until all blocks of the team have come, and orders their accesses.
  SAM_DEVICE void meet(int thread) {
    Device::order_before_barrier();  // lets the fence of thread 0 order this thread's accesses
    Device::sync_block();            // orders the accesses of all threads before the fence
    awaited_ += std::uint32_t(count_);
    if (thread == 0) {
      Device::fence();  // orders the block's accesses before its increment of the counter
      Device::add(come_, 1);
      while (Device::load(come_) < awaited_)
        Device::pause();
      Device::fence();  // orders the increments of all blocks before this block's accesses
    }
    Device::sync_block();  // orders the fence of thread 0 before the other threads' accesses
  }

 private:
  std::uint32_t *come_, *counts_;
  int own_, count_, first_block_;
  std::uint32_t awaited_ = 0;
};

/// Computes where, in the segment, the block's first item of each of the thread's Own digits goes,
/// if the thread is one of the Owners. All blocks have published their counts and met. All threads
/// call it; `totals` has a word for each warp.
template <class Device, int Owners, int Own, class Blocks>
SAM_DEVICE void find_places(Blocks const& blocks, std::uint32_t const* counts, int thread,
                            std::uint32_t* totals, std::uint32_t (&places)[Own]) {
  constexpr int lanes = Device::warp_size, scanners = (Owners + lanes - 1) / lanes;
  std::uint32_t all[Own] = {}, before[Own] = {}, sum = 0;
  if (thread < Owners)
    for (int b = 0; b < Own; ++b) {
#pragma unroll 8
      for (int r = 0; r < blocks.count(); ++r) {
        std::uint32_t const found = blocks.count_of(counts, thread * Own + b, r);
        before[b] += r < blocks.own() ? found : 0;
        all[b] += found;
      }
      sum += all[b];
    }
  std::uint32_t upto = sum;
  if (Device::warp() < scanners) {
    upto = gpu::sum_upto_lane<Device>(sum);
    if (Device::lane() == lanes - 1)
      totals[Device::warp()] = upto;
  }
  Device::sync_block();  // orders the warps' sums before their reads
  if (thread >= Owners)
    return;
  std::uint32_t begin = upto - sum;
  for (int w = 0; w < Device::warp(); ++w)
    begin += totals[w];
  for (int b = 0; b < Own; ++b) {
    places[b] = begin + before[b];
    begin += all[b];
  }
}

}  // namespace sam::inline v0_1::gpu
