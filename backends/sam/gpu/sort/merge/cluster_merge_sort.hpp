// SPDX-License-Identifier: MIT
// Merge-sorts keys that fit in one cluster: blocks that run concurrently and read each other's
// shared memory.
//
// Each block sorts as many keys as it can hold. Then rounds of merges follow, each by twice as many
// blocks, as warps of one block do: see block_merge_sort.hpp.
//
// Each block stores what it merges in its own memory. If a run is stored in reverse, so are the
// parts in its blocks, and readers visit its blocks in reverse.
//
// Two blocks take alternate parts of the merged run. Otherwise, with keys already in order, each
// block would read a single run, which in one of the two orders is entirely in the other block.
// With more blocks, whose number is known only at run time, this takes registers and more time than
// it saves.
#pragma once

#include <sam/gpu/sort/merge/block_merge_sort.hpp>

namespace sam::gpu {

/// Configures a cluster: the warps of a block, all of which work, the items of each lane, and the
/// most blocks.
template <int Warps, int Slots, int Blocks>
struct cluster_merge_config : block_merge_config<Warps, Slots> {
  static constexpr int blocks = Blocks;
  static_assert((Blocks & (Blocks - 1)) == 0);
};

template <class Device, class Job, class Config>
class cluster_merge_sort : block_merge_sort<Device, Job, Config> {
  using block = block_merge_sort<Device, Job, Config>;
  using block::lanes, block::run_size, block::slots;
  using typename block::item;
  using typename block::items_type;
  using typename block::network;
  static constexpr int of_block = block::size;
  static constexpr int half_bytes = block::shared_bytes(of_block);
  static constexpr bool are_two = Config::blocks == 2;

 public:
  using block::is_possible, block::most_threads;
  static constexpr int most_blocks = Config::blocks;
  static constexpr int size = most_blocks * of_block;  // at most
  static constexpr int shared_bytes = 2 * half_bytes;

  /// True if a cluster can sort the job and one block cannot.
  static bool takes(Job const& job) {
    return items_type::takes(job) && job.n > of_block && job.n <= size;
  }
  /// Returns the number of blocks that sort n items, a power of two.
  static constexpr int blocks(index_t n) {
    int all = 2;
    while (index_t{all} * of_block < n)
      all *= 2;
    return all;
  }

  SAM_DEVICE explicit cluster_merge_sort(sort_arguments<Job> const& arguments)
      : block(arguments, Device::block() * of_block),
        runs_(static_cast<typename items_type::stored*>(arguments.runs)) {}

  /// Sorts the job. Blocks store merged runs alternately in the two halves of their shared memory,
  /// so that other blocks may still read the other half.
  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    int const all = (are_two ? 2 : Device::blocks_of_cluster()) * of_block;
    network items;
    this->sort(items, of_block);
    item* to = this->items_ + half_bytes / int{sizeof(item)};
    item* from = this->items_;
    for (int length = of_block; length != all; length *= 2) {
      put(items, to, length);
      Device::arrive_at_cluster();
      // orders writes of the merged runs before reads by other blocks of the cluster
      Device::await_cluster();
      bring(items, to, length);
      items.merge_rows();
      item* const other = from;
      from = to;
      to = other;
    }
    int const first = begin_of_cluster() + begin_of_part() + Device::lane();
    int const left = int(this->job_.n) - first;
    auto const write = [&](auto const& await) {
      items_type::template write<lanes>(this->job_, first, left, items.at, await);
    };
    if (items_type::are_numbered && runs_ == nullptr) {
      write([] {
        Device::arrive_at_cluster();
        Device::await_cluster();
      });
    } else {
      Device::cluster_arrive_relaxed();
      if (runs_ != nullptr)
        items_type::template store<lanes>(this->job_, runs_ + first, left, items.at);
      else
        write([] {});
      // all blocks have read, so this block's shared memory may be released
      Device::await_cluster();
    }
  }

 private:
  SAM_DEVICE static int begin_of_cluster() {
    return (Device::block() - Device::block_of_cluster()) * of_block;
  }
  /// Returns where the warp's part of the cluster's merged run begins.
  SAM_DEVICE int begin_of_part() const {
    if constexpr (are_two)
      return (Device::warp() * 2 + Device::block_of_cluster()) * run_size;
    else
      return Device::block_of_cluster() * of_block + this->begin_of_warp();
  }

  /// Stores the warp's part of merged runs of `length` items each, every other run in reverse.
  SAM_DEVICE void put(network const& items, item* to, int length) const {
    int const begin = this->begin_of_warp() + Device::lane();
    bool const falls = (Device::block_of_cluster() * of_block & length) != 0;
    item* const first = to + (falls ? of_block - 1 - begin : begin);
    int const step = falls ? -lanes : lanes;
#pragma unroll
    for (int s = 0; s < slots; ++s)
      first[s * step] = items.at[s];
  }

  /// Loads the warp's part of two runs of `length` items each. The second run is stored in reverse.
  SAM_DEVICE void bring(network& items, item const* from, int length) const {
    int const own = begin_of_part();
    int const skipped = own & (2 * length - 1);
    int const first_block = (own - skipped) / of_block;
    auto const at = [&](int place) {
      place &= 2 * length - 1;  // an index past the end wraps; its item is ignored
      int const reversed_array = place >= length ? length / of_block - 1 : 0;
      return Device::load_of_block(from + (place & (of_block - 1)),
                                   first_block + (place / of_block ^ reversed_array));
    };
    auto const part =
        gpu::search_part<Device>(length, skipped, run_size, [&](int first, int diagonal) {
          item const a = at(first), b = at(first + 2 * length - diagonal);
          return !(b < a);
        });
    int const place = part.begin + Device::lane();
    int const firsts = part.end - place;
#pragma unroll
    for (int s = 0; s < slots; ++s)
      items.at[s] =
          at(place + s * lanes + (s * lanes < firsts ? 0 : 2 * length - skipped - run_size));
  }

  typename items_type::stored* runs_;  // where sorted runs go if a global merge follows, else null
};

}  // namespace sam::gpu
