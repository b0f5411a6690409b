// SPDX-License-Identifier: MIT
// Sorts each segment of a list by the blocks of one cluster, digit by digit, for segments that
// exceed the shared memory of a block.
//
// Each block holds a part of the segment in registers. In each round it sorts its part by a digit
// in shared memory, and the blocks read one another's counts. Every item goes to its place in a
// buffer in global memory, from where the blocks load their parts again. Items are ranked by
// ballots, so that nothing has to be checked.
#pragma once

#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/sort/block_radix_rank.hpp>
#include <sam/gpu/sort/segmented/block_per_segment.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Job>
struct cluster_segment_arguments : listed_arguments<Job> {
  int most = 0;               // the size of the list
  control* shared = nullptr;  // `claims` counts the segments, and `left` the blocks
  typename radix_traits<Job>::held_key* buffer = nullptr;  // for as many items as the job has
  std::uint32_t* original_indices = nullptr;               // likewise; null if items carry none
};

/// Runs one block of a cluster.
template <class Device, class Job, class Config>
class sort_by_clusters : block_radix_rank<Device, Job, Config> {
  using ranks = block_radix_rank<Device, Job, Config>;
  using traits = radix_traits<Job>;
  using value = typename traits::value;
  using key = typename ranks::key;
  using ranks::items, ranks::lanes, ranks::keys, ranks::place_of;
  static constexpr bool original_indices = !traits::keys_only;
  static constexpr int buckets = ranks::buckets, owners = ranks::owners, own = ranks::own;

  // Layout of shared memory.
  static constexpr int counts_at = (ranks::ranks_end + 127) / 128 * 128;  // which other blocks read
  static constexpr int shift_at = counts_at + buckets * 4;
  static constexpr int totals_at = shift_at + buckets * 4;
  static constexpr int keys_at = (totals_at + lanes * 4 + 127) / 128 * 128;
  static constexpr int indices_at = keys_at + (ranks::size * int(sizeof(key)) + 127) / 128 * 128;

 public:
  /// The items of a block.
  static constexpr int size = ranks::size;
  using ranks::threads;
  static constexpr int shared_bytes = indices_at + (original_indices ? size * 4 : 0);

  SAM_DEVICE explicit sort_by_clusters(cluster_segment_arguments<Job> const& arguments)
      : ranks(arguments.job), a_(arguments) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    int const count = take_count();
    int const of_cluster = Device::blocks_of_cluster();
    for (int k = Device::block() / of_cluster; k < count; k += Device::blocks() / of_cluster)
      sort(a_.segments[k]);
  }

 private:
  /// Returns the number of segments. The last block to read it resets it.
  SAM_DEVICE int take_count() const {
    std::uint32_t const count = Device::load(&a_.shared->claims);
    if (gpu::is_last_block<Device>(&a_.shared->left, this->thread(), *this->flag()) &&
        this->thread() == 0)
      Device::store(&a_.shared->claims, 0);
    return int(min_of(count, a_.most));
  }

  SAM_DEVICE void sort(listed_segment const& segment) {
    first_ = segment.first;
    length_ = segment.length;
    int const each = int(div_up(segment.length, Device::blocks_of_cluster()));
    if (each > size)
      return;  // never, if the host has compared the number of all items
    begin_ = int(min_of(segment.length, index_t{Device::block_of_cluster()} * each));
    count_ = int(min_of(segment.length - begin_, each));
    Job const& job = a_.job;
    this->template for_each_place<false>(count_, [&](int j, int p) {
      keys.at[j] = traits::held(job.keys[first_ + begin_ + p], false);
      if constexpr (original_indices)
        from_[j] = std::uint32_t(begin_ + p);
    });
    int const places = a_.places(Config::digit_bits);
    for (int p = 0; p < places; ++p)
      sort_by(a_.place(p, Config::digit_bits));
    if constexpr (traits::has_values)
      write_values();
    if (job.sorted_keys != nullptr)
      for_each_item([&](int j, int p) {
        job.sorted_keys[first_ + begin_ + p] =
            traits::to_be_written(static_cast<key>(keys.at[j]), false);
      });
  }

  template <class F>
  SAM_DEVICE void for_each_item(F const& f) const {
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (int const p = place_of(j); p < count_)
        f(j, p);
  }

  /// Sorts the segment by one digit.
  SAM_DEVICE void sort_by(digit_position place) {
    this->by(place);
    this->clear();
    Device::sync_warp();  // orders the zeros before the warp's counts
    this->rank_by_ballots(count_);
    Device::sync_block();  // orders the counts before their reads by owners
    this->find_starts([&](int digit, std::uint32_t count) { counts()[digit] = count; });
    this->template spread<false>();
    Device::sync_block();  // orders the positions before their reads
    this->template for_each_target<false>(count_, [&](int j, int to) {
      sorted_key(to) = static_cast<key>(keys.at[j]);
      if constexpr (original_indices)
        index_of(to) = from_[j];
    });
    Device::arrive_at_cluster();
    Device::await_cluster();  // orders the counts of all blocks before their reads
    find_shifts();
    Device::sync_block();  // orders the shifts, and the sorted items, before their reads
    std::uint32_t const flip = this->flip();
    for_each_item([&](int, int p) {
      key const k = sorted_key(p);
      std::uint32_t within = shift()[this->unflipped_digit(k) ^ flip] + std::uint32_t(p);
      if constexpr (checks_places<Job>)
        within = std::uint32_t(min_of(within, length_ - 1));
      index_t const to = first_ + within;
      a_.buffer[to] = k;
      if constexpr (original_indices)
        a_.original_indices[to] = index_of(p);
    });
    Device::arrive_at_cluster();
    Device::await_cluster();  // orders the writes of all blocks before their reads
    this->template for_each_place<false>(count_, [&](int j, int p) {
      keys.at[j] = a_.buffer[first_ + begin_ + p];
      if constexpr (original_indices)
        from_[j] = a_.original_indices[first_ + begin_ + p];
    });
    // The next round's barriers order these reads before the buffer is written again.
  }
  /// Computes what to add to the position of an item in its block, for each digit, to get its
  /// position in the segment.
  SAM_DEVICE void find_shifts() {
    int const thread = this->thread();
    std::uint32_t all[own], before[own], sum = 0;
    if (thread < owners)
      for (int b = 0; b < own; ++b) {
        all[b] = before[b] = 0;
        for (int r = 0; r < Device::blocks_of_cluster(); ++r) {
          std::uint32_t const found = Device::load_of_block(counts() + thread * own + b, r);
          before[b] += r < Device::block_of_cluster() ? found : 0;
          all[b] += found;
        }
        sum += all[b];
      }
    constexpr int scanners = (owners + lanes - 1) / lanes;
    std::uint32_t upto = sum;
    if (Device::warp() < scanners) {
      upto = gpu::sum_upto_lane<Device>(thread < owners ? sum : 0);
      if (Device::lane() == lanes - 1)
        totals()[Device::warp()] = upto;
    }
    Device::sync_block();  // orders the warps' sums before their reads
    if (thread >= owners)
      return;
    std::uint32_t begin = upto - sum;
    for (int w = 0; w < Device::warp(); ++w)
      begin += totals()[w];
    for (int b = 0; b < own; ++b) {
      shift()[thread * own + b] = begin + before[b] - this->start[b];
      begin += all[b];
    }
  }

  SAM_DEVICE void write_values() const {
    Job const& job = a_.job;
    auto const from = [&](int j) {
      if constexpr (checks_places<Job>)  // inconsistent digits leave arbitrary indices
        return engine::min_of(first_ + index_t{from_[j]}, job.n - 1);
      else
        return first_ + index_t{from_[j]};
    };
    if constexpr (integer<value>)
      if (job.values == nullptr) {
        for_each_item([&](int j, int p) {
          job.sorted_values[first_ + begin_ + p] = static_cast<value>(from(j));
        });
        return;
      }
    uninitialized_array<value, items> values;
    for_each_item([&](int j, int) { values.at[j] = job.values[from(j)]; });
    Device::arrive_at_cluster();
    Device::await_cluster();  // orders the loads of values before the stores, for in-place sorts
    for_each_item([&](int j, int p) { job.sorted_values[first_ + begin_ + p] = values.at[j]; });
  }

  SAM_DEVICE std::uint32_t* counts() const { return this->word_at(counts_at); }
  SAM_DEVICE std::uint32_t* shift() const { return this->word_at(shift_at); }
  SAM_DEVICE std::uint32_t* totals() const { return this->word_at(totals_at); }
  SAM_DEVICE key& sorted_key(int p) const { return this->template item_at<key>(keys_at, p); }
  SAM_DEVICE std::uint32_t& index_of(int p) const {
    return this->template item_at<std::uint32_t>(indices_at, p);
  }

  cluster_segment_arguments<Job> const& a_;
  index_t first_ = 0, length_ = 0;  // of the segment
  int begin_ = 0, count_ = 0;       // of the block's items in the segment
  std::uint32_t from_[original_indices ? items : 1];
};

}  // namespace sam::inline v0_1::gpu
