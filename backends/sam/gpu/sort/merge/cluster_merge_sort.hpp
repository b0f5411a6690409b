// SPDX-License-Identifier: MIT
// Sorts few keys in one cluster by merges; its blocks read one another's shared memory. Each block
// sorts as many keys as it has capacity for. The sorted runs are then merged in rounds, each by
// twice as many blocks, as warps of one block do: see block_merge_sort.hpp.
//
// Each block stores its part of the merged runs in its own memory. In a reversed run, each block's
// part is reversed, and a reader visits the blocks in reversed order.
//
// In a cluster of two, the parts of the result alternate between the blocks. Otherwise, for sorted
// or reversed input, each block would read one run only, and in one of these orders the remote one.
// With more blocks, whose number is known at run time only, alternating costs registers and more
// time than it saves.
#pragma once

#include <sam/gpu/sort/merge/block_merge_sort.hpp>

namespace sam::inline v0_1::gpu {

/// Configures a cluster: warps of a block, all of which work, items of a lane, and blocks at most.
template <int Warps, int Slots, int Blocks>
struct cluster_merge_config : block_merge_config<Warps, Slots> {
  static constexpr int blocks = Blocks;
  static_assert((Blocks & (Blocks - 1)) == 0);
};

/// Sorts a job of at most `size` keys by one cluster, or one run of a larger job by each cluster.
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
  static constexpr int size = most_blocks * of_block;  // keys at most
  static constexpr int shared_bytes = 2 * half_bytes;

  /// True if this sort applies to the job: it compares all bits that the job sorts by, and the keys
  /// exceed one block.
  static bool takes(Job const& job) {
    return items_type::takes(job) && job.n > of_block && job.n <= size;
  }
  /// Returns the blocks of a cluster for n keys, a power of 2.
  static constexpr int blocks(index_t n) {
    int all = 2;
    while (index_t{all} * of_block < n)
      all *= 2;
    return all;
  }

  SAM_DEVICE explicit cluster_merge_sort(sort_arguments<Job> const& arguments)
      : block(arguments, Device::block() * of_block),
        runs_(static_cast<typename items_type::stored*>(arguments.runs)) {}

  /// Sorts the job. Merged runs alternate between the two halves of shared memory, so that other
  /// blocks may still read the previous half.
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
      Device::await_cluster();  // orders the writes of merged runs before others read them
      load_items(items, to, length);
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
      Device::await_cluster();  // all blocks have read this block's memory: it may exit
    }
  }

 private:
  SAM_DEVICE static int begin_of_cluster() {
    return (Device::block() - Device::block_of_cluster()) * of_block;
  }
  /// Returns the index, within the cluster's items, of the warp's part of the merged runs.
  SAM_DEVICE int begin_of_part() const {
    if constexpr (are_two)
      return (Device::warp() * 2 + Device::block_of_cluster()) * run_size;
    else
      return Device::block_of_cluster() * of_block + this->begin_of_warp();
  }

  /// Stores the warp's part of merged runs of `length` items each, every other one reversed.
  SAM_DEVICE void put(network const& items, item* to, int length) const {
    int const begin = this->begin_of_warp() + Device::lane();
    bool const falls = (Device::block_of_cluster() * of_block & length) != 0;
    item* const first = to + (falls ? of_block - 1 - begin : begin);
    int const step = falls ? -lanes : lanes;
#pragma unroll
    for (int s = 0; s < slots; ++s)
      first[s * step] = items.at[s];
  }

  /// Loads the warp's part of two runs of `length` items each, the second of which is stored
  /// reversed.
  SAM_DEVICE void load_items(network& items, item const* from, int length) const {
    int const own = begin_of_part();
    int const skipped = own & (2 * length - 1);
    int const first_block = (own - skipped) / of_block;
    auto const at = [&](int place) {
      place &= 2 * length - 1;  // the item past the end is loaded but not used
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

  typename items_type::stored* runs_;  // receives sorted runs; null if the sort ends here
};

}  // namespace sam::inline v0_1::gpu
