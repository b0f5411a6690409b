// SPDX-License-Identifier: MIT
// Sorts consecutive segments that fit together in one block, in shared memory. It sorts by the
// digits of the keys and then by those of the segments' numbers.
//
// As in block_radix_sort, each item carries its original index, here together with its segment's
// number.
#pragma once

#include <sam/gpu/sort/block_radix_rank.hpp>
#include <sam/gpu/sort/ranking.hpp>

namespace sam::inline v0_1::gpu {

/// Holds a key and its note: the segment's number in the upper 16 bits, the original index in the
/// lower 16.
template <class Key>
struct noted_item {
  Key key;
  std::uint32_t note;
};

/// Returns the ordered key of an item's key or, if by_segment, its segment's number. Sorting by one
/// after the other avoids a wider integer that has both.
template <class Digits>
struct digits_of_noted {
  using ordered_key = std::conditional_t<sizeof(typename Digits::ordered_key) < 4, std::uint32_t,
                                         typename Digits::ordered_key>;
  static constexpr int bits = 8 * int{sizeof(ordered_key)};
  Digits inner;
  bool by_segment;
  template <class Key>
  SAM_FUNCTION ordered_key operator()(noted_item<Key> const& x) const {
    return by_segment ? static_cast<ordered_key>(x.note >> 16)
                      : static_cast<ordered_key>(inner(x.key));
  }
};

template <class Digits>
inline constexpr bool are_of_any_bits<digits_of_noted<Digits>> = is_one_to_one<Digits>;

}  // namespace sam::inline v0_1::gpu

template <class Digits>
inline constexpr bool sam::detail::is_consistent<sam::gpu::digits_of_noted<Digits>> =
    is_consistent<Digits>;

namespace sam::inline v0_1::gpu {

template <class Job>
struct noted;
template <class Key, class Value, class Digits>
struct noted<sort_job<Key, Value, Digits>> {
  using job = sort_job<noted_item<Key>, Value, digits_of_noted<Digits>>;
  /// Returns a job that has digits but no arrays.
  static SAM_DEVICE job job_with(Digits const& digits) {
    return {0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, {digits, false}, 0, 0};
  }
};

/// True if a window's threads have more than 64 registers each.
template <class Device, class Config>
inline constexpr bool has_registers =
    64 * Config::warps* Config::blocks* Device::warp_size < Device::registers;
template <class Device, class Job, class Config>
using window_ranks = block_radix_rank<Device, typename noted<Job>::job, Config, false, false,
                                      has_registers<Device, Config>>;

/// Sorts the segments of one window. Config determines the capacity in items.
template <class Device, class Job, class Config>
class packed_radix_sort : window_ranks<Device, Job, Config> {
  using noted_job = typename noted<Job>::job;
  using ranks = window_ranks<Device, Job, Config>;
  using key = typename radix_traits<Job>::key;
  using value = typename radix_traits<Job>::value;

 public:
  using ranks::items, ranks::threads, ranks::size;

  // Layout of shared memory.
  static constexpr int keys_at = (ranks::ranks_end + 127) / 128 * 128;
  static constexpr int original_indices_at = keys_at + (size * int(sizeof(key)) + 127) / 128 * 128;
  static constexpr int shared_bytes = original_indices_at + size * 4;
  static_assert(alignof(key) <= 128);

  /// Sorts `count` items from `first` on. `noted` must belong to this object alone, which changes
  /// it.
  SAM_DEVICE packed_radix_sort(Job const& job, noted_job& noted, index_t first, int count)
      : ranks(noted, has_registers<Device, Config> ? Device::opaque(ranks::own_thread())
                                                   : ranks::own_thread()),
        all_(job), noted_(noted), first_(first), count_(count) {}

  /// Sorts the items, given the number of segments and segment_of(p), the segment number of item p.
  /// `has_failed` is the block's answer of the choice.
  template <class SegmentOf>
  SAM_DEVICE void run(rank_choice const& choice, bool has_failed, SegmentOf const& segment_of,
                      int segments) {
    sort(choice, has_failed, segment_of, segments);
    if (all_.sorted_keys != nullptr)
      for_each_item([&](int j, int p) { all_.sorted_keys[first_ + p] = keys.at[j].key; });
    if constexpr (radix_traits<Job>::has_values)
      write_values();
  }

 private:
  using ranks::flag, ranks::keys, ranks::place_of;

  /// Sorts the items; ranks by ballots if the check of the atomics' result fails, as
  /// block_radix_sort does.
  template <class SegmentOf>
  SAM_DEVICE void sort(rank_choice const& choice, bool has_failed, SegmentOf const& segment_of,
                       int segments) {
    if (this->thread() == 0)
      *flag() = 0;  // the barrier after the counts orders this write
    int bits = 0;
    while (segments > 1 << bits)
      ++bits;
    this->clear();
    Device::sync_warp();  // orders the zeros before the warp's counts
    for (bool ballot = !choice.may_add<Device>() || has_failed;; ballot = true) {
      this->template for_each_place<false>(Device::opaque(count_), [&](int j, int p) {
        keys.at[j] = {all_.keys[first_ + p], std::uint32_t(segment_of(p)) << 16 | std::uint32_t(p)};
      });
      sort_by_all(ballot, bits);
      if (ballot || (bits == 0 && all_.begin_bit == all_.end_bit))
        return;
      if (is_out_of_order())
        Device::add_shared(flag(), 1u);
      Device::sync_block();  // orders the flag before its reads
      if (*flag() == 0 && choice.how != ranking::force_fallback)
        return;
      if (this->thread() == 0)
        choice.note_failure<Device>();
    }
  }

  /// Sorts by the digits of keys, and then by the segment_bits bits of segments' numbers.
  SAM_DEVICE void sort_by_all(bool ballot, int segment_bits) {
    int bit = all_.begin_bit, end = all_.end_bit;
    for (noted_.digits.by_segment = false;;) {
      if (bit >= end) {
        if (noted_.digits.by_segment)
          return;
        noted_.digits.by_segment = true;
        bit = 0;
        end = segment_bits;
        continue;
      }
      this->by({bit, int(engine::min_of(Config::digit_bits, end - bit))});
      // Recomputing positions, behind an optimisation barrier, saves registers.
      this->template sort_by_digit<false, false>(
          Device::opaque(count_), ballot,
          [&](int j, int to) {
            sorted_key(to) = keys.at[j].key;
            note(to) = keys.at[j].note;
          },
          [&](int j, int p) {
            keys.at[j] = {this->template item_of<false, key>(keys_at, j, p),
                          this->template item_of<false, std::uint32_t>(original_indices_at, j, p)};
          });
      bit += Config::digit_bits;
    }
  }

  /// True if this thread has an item that must not follow its predecessor.
  SAM_DEVICE bool is_out_of_order() const {
    bits_between const bits{all_.begin_bit, all_.end_bit};
    bool wrong = false;
    for_each_item([&](int j, int p) {
      if (p == 0)
        return;
      std::uint32_t const before = note(p - 1), own = keys.at[j].note;
      auto const earlier = bits(all_.digits(sorted_key(p - 1)));
      auto const later = bits(all_.digits(keys.at[j].key));
      wrong =
          wrong || own >> 16 < before >> 16 ||
          (own >> 16 == before >> 16 && (later < earlier || (later == earlier && own < before)));
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
      auto const place = index_t(keys.at[j].note & 0xffff);
      if constexpr (checks_places<Job>)  // inconsistent digits leave arbitrary original indices
        return first_ + engine::min_of(place, index_t{count_ - 1});
      else
        return first_ + place;
    };
    if constexpr (integer<value>)
      if (all_.values == nullptr) {
        for_each_item(
            [&](int j, int p) { all_.sorted_values[first_ + p] = static_cast<value>(from(j)); });
        return;
      }
    uninitialized_array<value, items> values;
    for_each_item([&](int j, int) { values.at[j] = all_.values[from(j)]; });
    Device::sync_block();  // orders the loads of values before the stores, for in-place sorts
    for_each_item([&](int j, int p) { all_.sorted_values[first_ + p] = values.at[j]; });
  }

  SAM_DEVICE key& sorted_key(int p) const { return this->template item_at<key>(keys_at, p); }
  SAM_DEVICE std::uint32_t& note(int p) const {
    return this->template item_at<std::uint32_t>(original_indices_at, p);
  }

  Job const& all_;
  noted_job& noted_;
  index_t first_;
  int count_;
};

}  // namespace sam::inline v0_1::gpu
