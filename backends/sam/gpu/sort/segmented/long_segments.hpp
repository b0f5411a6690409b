// SPDX-License-Identifier: MIT
// Gathers the items of segments that are too long for one block, each with its segment's number.
// They are then sorted by segment and key, all together, and scattered back.
//
// Such a segment begins in one window, may span others, and ends in a last one. A window thus has
// items of at most two long segments, at its beginning and at its end. A scan over the records of
// the windows computes where these items go.
#pragma once

#include <sam/backend/sort_in_segments.hpp>
#include <sam/gpu/sort/digit_histogram.hpp>
#include <sam/gpu/sort/segmented/packed_segments.hpp>

namespace sam::inline v0_1::gpu {

/// Tells where the items of a window that belong to long segments go.
struct window_place {
  index_t items;           // items of all long segments before the window
  std::uint32_t segments;  // long segments that begin before the window
  std::uint32_t lead;      // items at the window's beginning that belong to a long segment
};

/// Holds the aggregate of consecutive windows. `lead` counts the items before the first segment
/// that begins in one of them; earlier windows determine whether that segment is long. `items` and
/// `segments` count long segments that begin in these windows and their items.
struct windows_accumulator {
  enum kind : std::uint32_t { none, is_short, is_long };
  index_t lead, items;
  std::uint32_t segments;
  kind last;  // the last segment that begins
};
struct join_windows {
  SAM_FUNCTION windows_accumulator operator()(windows_accumulator const& a,
                                              windows_accumulator const& b) const {
    using accumulator = windows_accumulator;
    bool const begins = a.last != accumulator::none;
    return {a.lead + (begins ? 0 : b.lead),
            a.items + b.items + (a.last == accumulator::is_long ? b.lead : 0),
            a.segments + b.segments, b.last != accumulator::none ? b.last : a.last};
  }
};

/// Computes, as a scan job, the places of windows and, in *count, the number of items in long
/// segments.
struct place_windows_job {
  using item = window_record;
  using accumulator = windows_accumulator;
  window_record const* records;
  window_place* places;
  index_t* count;
  index_t last;  // index of the last window

  SAM_FUNCTION item load(index_t w) const { return records[w]; }
  SAM_FUNCTION accumulator to_accumulator(item const& r) const {
    return {r.lead, r.trail, r.trail != 0 ? 1u : 0u,
            r.has_head == 0 ? accumulator::none
            : r.trail != 0  ? accumulator::is_long
                            : accumulator::is_short};
  }
  SAM_FUNCTION void store(index_t w, item const& r, accumulator const& before) const {
    std::uint32_t const lead = before.last == accumulator::is_long ? r.lead : 0;
    places[w] = {before.items, before.segments, lead};
    if (w == last)
      *count = before.items + lead + r.trail;
  }
};

/// Combines a key with its segment's number, in one integer if both fit in 64 bits.
template <class Job>
struct long_keys;
template <class Key, class Value, class Digits>
struct long_keys<sort_job<Key, Value, Digits>> {
  using job_type = sort_job<Key, Value, Digits>;
  static constexpr int bits = Digits::bits;
  static constexpr bool packs = is_one_to_one<Digits> && bits <= 32;
  using item = std::conditional_t<packs, std::uint64_t, detail::key_in_segment<Key>>;

  static SAM_FUNCTION item make(job_type const& job, Key const& key, std::uint32_t segment) {
    if constexpr (packs) {
      // Rotates the key so that the bits to sort by are adjacent to the segment's number.
      std::uint64_t const x = job.digits(key);
      std::uint64_t const reversed_array = x << (bits - job.end_bit) | x >> job.end_bit;
      return std::uint64_t{segment} << bits | (reversed_array & mask);
    } else {
      return {key, segment};
    }
  }
  static SAM_FUNCTION Key key_of(job_type const& job, item const& x) {
    if constexpr (packs) {
      std::uint64_t const reversed_array = x & mask;
      std::uint64_t const back =
          (reversed_array << job.end_bit | reversed_array >> (bits - job.end_bit)) & mask;
      return gpu::key_of_ordered_key<Key>(job.digits, back);
    } else {
      return x.key;
    }
  }

  /// Calls use(sort) for each sort needed to order the items of at most `most` segments.
  template <class Use>
  static void for_each_sort(job_type const& job, item* items, index_t most, Use const& use) {
    if constexpr (packs) {
      use(sort_job<item, Value, low_bits>{
          job.n, items, items, job.values, job.sorted_values, nullptr, nullptr, low_bits{},
          bits - (job.end_bit - job.begin_bit), bits + detail::bits_of_segments(most)});
    } else {
      detail::for_each_sort_in_segments(job, items, most, use);
    }
  }

 private:
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
};

template <class Job>
struct long_arguments {
  Job job;
  window_record const* records;
  window_place const* places;
  index_t const* count;
  typename long_keys<Job>::item* items;
  typename radix_traits<Job>::value* values;
  index_t size;                  // items of a window
  number_in_memory number = {};  // of items, if it lies in memory; then job.n is the largest one
};

/// Gathers the items of long segments, or scatters them back.
template <class Device, class Job, int Warps>
class move_long_items {
  using keys = long_keys<Job>;
  using traits = radix_traits<Job>;
  using value = typename traits::value;

 public:
  static constexpr int threads = Warps * Device::warp_size;

  SAM_DEVICE explicit move_long_items(long_arguments<Job> const& arguments) : a_(arguments) {}

  SAM_DEVICE void load_items() const {
    for_each_item([&](index_t i, index_t at, std::uint32_t segment) {
      a_.items[at] = keys::make(a_.job, a_.job.keys[i], segment);
      if constexpr (traits::has_values)
        a_.values[at] = value_of(i);
    });
  }
  SAM_DEVICE void take_back() const {
    for_each_item([&](index_t i, index_t at, std::uint32_t) {
      if (a_.job.sorted_keys != nullptr)
        a_.job.sorted_keys[i] = keys::key_of(a_.job, a_.items[at]);
      if constexpr (traits::has_values)
        a_.job.sorted_values[i] = a_.values[at];
    });
  }

 private:
  /// Calls f(i, at, segment) for each item i of a long segment; its gathered position is `at`.
  template <class F>
  SAM_DEVICE void for_each_item(F const& f) const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    if (*a_.count == 0)
      return;
    index_t const n = a_.number.at != nullptr ? a_.number.upto(a_.job.n) : a_.job.n;
    index_t const windows = engine::div_up(n, a_.size);
    int const thread = Device::warp() * Device::warp_size + Device::lane();
    for (index_t w = Device::block(); w < windows; w += Device::blocks()) {
      window_place const place = a_.places[w];
      auto const trail = int(a_.records[w].trail);
      index_t const first = w * a_.size, end = engine::min_of(n, first + a_.size);
#pragma unroll 4
      for (int k = thread; k < int(place.lead); k += threads)
        f(first + k, place.items + k, place.segments - 1);
#pragma unroll 4
      for (int k = thread; k < trail; k += threads)
        f(end - trail + k, place.items + index_t(place.lead) + k, place.segments);
    }
  }
  SAM_DEVICE value value_of(index_t i) const requires(traits::has_values) {
    if constexpr (integer<value>)
      if (a_.job.values == nullptr)
        return static_cast<value>(i);
    return a_.job.values[i];
  }

  long_arguments<Job> const& a_;
};

}  // namespace sam::inline v0_1::gpu
