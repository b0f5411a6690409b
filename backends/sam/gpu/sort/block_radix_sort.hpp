// SPDX-License-Identifier: MIT
// Sorts few keys in the shared memory of one block, digit by digit.
//
// If items are ranked by atomics, the order of the result is checked once, after the last digit:
// keys must ascend, and so must the original indices of equal keys.
#pragma once

#include <sam/gpu/sort/block_radix_rank.hpp>
#include <sam/gpu/sort/digit_histogram.hpp>

namespace sam::inline v0_1::gpu {

/// Sorts a job of at most `size` keys by one block of `threads` threads.
template <class Device, class Job, class Config>
class block_radix_sort : block_radix_rank<Device, Job, Config> {
  using ranks = block_radix_rank<Device, Job, Config>;

 public:
  using typename ranks::traits, typename ranks::key;
  using value = typename traits::value;
  using ranks::items, ranks::threads, ranks::size, ranks::own_thread;
  /// True if items carry their original indices.
  static constexpr bool original_indices = !traits::keys_only;

  // Layout of shared memory.
  static constexpr int keys_at = (ranks::ranks_end + 127) / 128 * 128;
  static constexpr int original_indices_at = keys_at + (size * int(sizeof(key)) + 127) / 128 * 128;
  static constexpr int shared_bytes = original_indices_at + (original_indices ? size * 4 : 0);
  static_assert(alignof(key) <= 128);
  /// True if registers keep the warps' counts. Those of large blocks are full of items.
  static constexpr bool keeps_counts = Config::blocks == 1 && ranks::warps * ranks::items < 1024;

  SAM_DEVICE explicit block_radix_sort(sort_arguments<Job> const& arguments)
      : block_radix_sort(arguments, 0, int(arguments.job.n), ranks::own_thread()) {}
  /// Sorts `count` items of the job from `first` on. `thread` is the calling thread's own index.
  SAM_DEVICE block_radix_sort(sort_arguments<Job> const& arguments, index_t first, int count,
                              int thread)
      : ranks(arguments.job, thread), a_(arguments), first_(first), count_(count) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    if (count_ == size)
      sort_items<true>();
    else
      sort_items<false>();
  }
  template <bool Full>
  SAM_DEVICE void sort_items() {
    sort<Full>();
    if (a_.job.sorted_keys != nullptr)
      for_each_item([&](int j, int p) {
        a_.job.sorted_keys[first_ + p] = traits::to_be_written(static_cast<key>(keys.at[j]), false);
      });
    if constexpr (traits::has_values)
      write_values();
  }

 private:
  using ranks::flag, ranks::keys, ranks::place_of;

  /// Sorts the items; ranks by ballots if the check of the atomics' result fails.
  template <bool Full>
  SAM_DEVICE void sort() {
    bool const checks = a_.ranks.template may_add<Device>() && traits::sorts_all_bits(a_.job);
    bool const has_failed = checks && a_.ranks.template has_failed_for_warp<Device>();
    int const places = a_.places(Config::digit_bits);
    if (this->thread() == 0)
      *flag() = 0;  // the barrier after the counts orders this write
    this->clear();
    Device::sync_warp();  // orders the zeros before the warp's counts
    for (bool is_first = true;; is_first = false) {
      bool const ballot = !checks || !is_first || has_failed;
      this->template for_each_place<Full>(Device::opaque(count_), [&](int j, int p) {
        keys.at[j] = traits::held(a_.job.keys[first_ + p], false);
        if constexpr (original_indices)
          from_.set(j, std::uint32_t(p));
      });
      for (int p = 0; p != places; ++p) {
        this->by(a_.place(p, Config::digit_bits));
        // Recomputing positions, behind an optimisation barrier, saves registers.
        this->template sort_by_digit<Full, keeps_counts>(
            Device::opaque(count_), ballot,
            [&](int j, int to) {
              sorted_key(to) = static_cast<key>(keys.at[j]);
              if constexpr (original_indices)
                note(to) = from_[j];
            },
            [&](int j, int at) {
              keys.at[j] = this->template item_of<Full, key>(keys_at, j, at);
              if constexpr (original_indices)
                from_.set(j,
                          this->template item_of<Full, std::uint32_t>(original_indices_at, j, at));
            });
      }
      if (!checks || !is_first || places == 0)
        return;
      if (is_out_of_order())
        Device::add_shared(flag(), 1u);
      Device::sync_block();  // orders the flag before its reads
      if (*flag() == 0 && a_.ranks.how != ranking::force_fallback)
        return;
      if (this->thread() == 0)
        a_.ranks.template note_failure<Device>();
    }
  }

  /// True if this thread has an item that must not follow its predecessor.
  SAM_DEVICE bool is_out_of_order() const {
    digit_position const all{a_.job.begin_bit, a_.job.end_bit - a_.job.begin_bit};
    using ordered_key = typename traits::ordered_key;
    ordered_key const mask = all.template upto<ordered_key>(),
                      flip = traits::flip_of(a_.job.digits);
    auto const digits_of = [&](typename ranks::held const& k) {
      return ((this->ordered_key_of(k) ^ flip) & mask) >> all.bit;
    };
    bool wrong = false;
    for_each_item([&](int j, int p) {
      if (p == 0)
        return;
      auto const earlier = digits_of(sorted_key(p - 1)), later = digits_of(keys.at[j]);
      wrong = wrong || later < earlier;
      if constexpr (original_indices)
        wrong = wrong || (later == earlier && from_[j] < note(p - 1));
    });
    return wrong;
  }

  template <class F>
  SAM_DEVICE void for_each_item(F const& f) const {
    int const first = Device::opaque(place_of(0));
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (int const p = first + j * ranks::lanes; p < count_)
        f(j, p);
  }

  SAM_DEVICE void write_values() const {
    auto const from = [&](int j) {
      if constexpr (checks_places<Job>)  // inconsistent digits leave arbitrary indices
        return first_ + engine::min_of(index_t{from_[j]}, index_t{count_ - 1});
      else
        return first_ + index_t{from_[j]};
    };
    if constexpr (integer<value>)
      if (a_.job.values == nullptr) {
        for_each_item(
            [&](int j, int p) { a_.job.sorted_values[first_ + p] = static_cast<value>(from(j)); });
        return;
      }
    uninitialized_array<value, items> values;
    for_each_item([&](int j, int) { values.at[j] = a_.job.values[from(j)]; });
    Device::sync_block();  // orders the loads of values before the stores, for in-place sorts
    for_each_item([&](int j, int p) { a_.job.sorted_values[first_ + p] = values.at[j]; });
  }

  SAM_DEVICE key& sorted_key(int p) const { return this->template item_at<key>(keys_at, p); }
  SAM_DEVICE std::uint32_t& note(int p) const {
    return this->template item_at<std::uint32_t>(original_indices_at, p);
  }

  sort_arguments<Job> const& a_;
  packed_numbers<Device, items> from_;
  index_t first_;
  int count_;
};

}  // namespace sam::inline v0_1::gpu
