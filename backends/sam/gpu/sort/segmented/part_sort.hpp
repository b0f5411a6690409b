// SPDX-License-Identifier: MIT
// Sorts a segment by several blocks that run at the same time, digit by digit.
//
// Each block holds a part of the segment in registers. In each round it sorts its part by a digit
// in shared memory, and the blocks read one another's counts. Every item goes to its place in a
// buffer in global memory, from where the blocks load their parts again.
#pragma once

#include <sam/gpu/sort/block_radix_rank.hpp>
#include <sam/gpu/sort/segmented/segment_blocks.hpp>
#include <sam/gpu/sort/sort_arguments.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments that all blocks of a segment need.
template <class Job>
struct part_arguments : sort_arguments<Job> {
  typename radix_traits<Job>::held_key* buffer = nullptr;  // for as many items as the job has
  std::uint32_t* original_indices = nullptr;               // likewise; null if items carry none
};

/// Sorts the part of one block. `Blocks` stands for the blocks of the segment: count(), own(), the
/// index of this one, meet(), a barrier that orders their accesses, and counts(), count_of(), by
/// which they exchange counts of digits.
///
/// Keys alone are ranked by atomic additions where the result proves itself: by the first digits up
/// to this one, each part ascends. All others are ranked by ballots, so that nothing has to be
/// checked.
template <class Device, class Job, class Config, class Blocks>
class part_sort : block_radix_rank<Device, Job, Config> {
  using ranks = block_radix_rank<Device, Job, Config>;
  using traits = radix_traits<Job>;
  using value = typename traits::value;
  using key = typename ranks::key;
  using ranks::items, ranks::lanes, ranks::keys, ranks::place_of;
  static constexpr bool original_indices = !traits::keys_only;
  static constexpr int owners = ranks::owners, own = ranks::own;

  // Layout of shared memory.
  static constexpr int counts_at = (ranks::ranks_end + 127) / 128 * 128;  // which other blocks read
  static constexpr int shift_at = counts_at + ranks::buckets * 4;
  static constexpr int totals_at = shift_at + ranks::buckets * 4;
  static constexpr int keys_at = (totals_at + lanes * 4 + 127) / 128 * 128;
  static constexpr int indices_at = keys_at + (ranks::size * int(sizeof(key)) + 127) / 128 * 128;

 public:
  /// The most items of a block.
  static constexpr int size = ranks::size;
  using ranks::buckets, ranks::threads;
  static constexpr int shared_bytes = indices_at + (original_indices ? size * 4 : 0);

  /// Sorts a segment of `length` items from `first` on, in equal parts, which must fit.
  SAM_DEVICE part_sort(part_arguments<Job> const& arguments, Blocks& blocks, index_t first,
                       index_t length)
      // Recomputing what depends on the thread, behind an optimisation barrier, saves registers.
      : ranks(arguments.job, Device::opaque(ranks::own_thread())), a_(arguments), blocks_(blocks),
        first_(first), length_(length) {
    int const each = int(div_up(length, blocks.count()));
    begin_ = int(min_of(length, index_t{blocks.own()} * each));
    count_ = int(min_of(length - begin_, each));
  }

  SAM_DEVICE void run() {
    Job const& job = a_.job;
    if (this->thread() == 0)
      *this->flag() = 0;  // the barriers of the first round order this write
    if constexpr (traits::keys_only)
      has_failed_ =
          a_.ranks.template may_add<Device>() && a_.ranks.template has_failed_for_warp<Device>();
    bool const is_alone = blocks_.count() == 1;
    int const places = a_.places(Config::digit_bits);
    bool has_items = false, are_written = false;
    for (int p = 0; p < places;) {
      digit_position const place = a_.place(p, Config::digit_bits);
      if (!has_items)
        load(p);
      this->by(place);
      if (!sort_part(place)) {
        adds_ = has_items = false;
        p = is_alone ? 0 : p;
        continue;
      }
      ++p;
      if (is_alone) {
        load_sorted();
        has_items = true;
      } else {
        are_written = traits::keys_only && p == places;
        exchange_items(are_written);
      }
    }
    if (!has_items && !are_written)
      load(places);
    if constexpr (traits::has_values)
      write_values();
    if (job.sorted_keys != nullptr && !are_written)
      for_each_item([&](int j, int p) {
        job.sorted_keys[first_ + begin_ + p] =
            traits::to_be_written(static_cast<key>(keys.at[j]), false);
      });
  }

 private:
  template <class F>
  SAM_DEVICE void for_each_item(F const& f) const {
    int const first = Device::opaque(place_of(0));
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (int const p = first + j * lanes; p < count_)
        f(j, p);
  }

  /// Loads the part as the rounds before round p leave it, unless the block is alone.
  SAM_DEVICE void load(int p) {
    index_t const begin = first_ + begin_;
    if (p == 0)
      this->template for_each_place<false>(Device::opaque(count_), [&](int j, int at) {
        keys.at[j] = traits::held(a_.job.keys[begin + at], false);
        if constexpr (original_indices)
          from_[j] = std::uint32_t(begin_ + at);
      });
    else
      this->template for_each_place<false>(Device::opaque(count_), [&](int j, int at) {
        keys.at[j] = a_.buffer[begin + at];
        if constexpr (original_indices)
          from_[j] = a_.original_indices[begin + at];
      });
  }
  SAM_DEVICE void load_sorted() {
    Device::sync_block();  // orders the sorted items before their reads
    this->template for_each_place<false>(Device::opaque(count_), [&](int j, int at) {
      keys.at[j] = sorted_key(at);
      if constexpr (original_indices)
        from_[j] = index_of(at);
    });
  }

  /// Sorts the part by a digit in shared memory, and publishes its counts. Returns false if items
  /// came out of order.
  SAM_DEVICE bool sort_part(digit_position place) {
    bool checks = false;
    if constexpr (traits::keys_only)
      checks = adds_ && a_.ranks.template may_add<Device>() && traits::sorts_all_bits(a_.job);
    this->clear();
    Device::sync_warp();  // orders the zeros before the warp's counts
    if (checks && !has_failed_)
      this->template rank_by_atomics<false>(Device::opaque(count_));
    else
      this->rank_by_ballots(Device::opaque(count_));
    Device::sync_block();  // orders the counts before their reads by owners
    std::uint32_t* const counts = blocks_.counts(this->word_at(counts_at));
    this->find_starts([&](int digit, std::uint32_t count) { counts[digit] = count; });
    this->template spread<false>();
    Device::sync_block();  // orders the positions before their reads
    this->template for_each_target<false>(Device::opaque(count_), [&](int j, int to) {
      sorted_key(to) = static_cast<key>(keys.at[j]);
      if constexpr (original_indices)
        index_of(to) = from_[j];
    });
    if (!checks)
      return true;
    Device::sync_block();  // orders the sorted keys before their reads
    if (is_out_of_order(place))
      Device::add_shared(this->flag(), 1u);
    Device::sync_block();  // orders the flag before its reads
    if (*this->flag() == 0 && a_.ranks.how != ranking::force_fallback)
      return true;
    if (this->thread() == 0)
      a_.ranks.template note_failure<Device>();
    return false;
  }

  /// Moves the sorted items of all blocks to their places in the buffer. In the last round, keys
  /// alone are written to the output: all blocks have loaded theirs before any has passed a
  /// barrier.
  SAM_DEVICE void exchange_items(bool to_output) {
    blocks_.meet(this->thread());  // orders the counts of all blocks before their reads
    find_shifts();
    Device::sync_block();  // orders the shifts, and the sorted items, before their reads
    std::uint32_t const flip = this->flip();
    for_each_item([&](int, int p) {
      key const k = sorted_key(p);
      std::uint32_t within = shift()[this->unflipped_digit(k) ^ flip] + std::uint32_t(p);
      if constexpr (checks_places<Job>)
        within = std::uint32_t(min_of(within, length_ - 1));
      index_t const to = first_ + within;
      if constexpr (traits::keys_only)
        if (to_output) {
          a_.job.sorted_keys[to] = traits::to_be_written(k, false);
          return;
        }
      a_.buffer[to] = k;
      if constexpr (original_indices)
        a_.original_indices[to] = index_of(p);
    });
    // Orders the writes of all blocks, and the reads of counts, before what follows. The barriers
    // of the next round order loads before the buffer is written again.
    blocks_.meet(this->thread());
  }

  /// True if this thread has a key that must not follow its predecessor, by the digits up to this
  /// one.
  SAM_DEVICE bool is_out_of_order(digit_position place) const {
    using ordered_key = typename traits::ordered_key;
    ordered_key const mask = place.template upto<ordered_key>(),
                      flip = traits::flip_of(a_.job.digits);
    auto const digits_of = [&](typename ranks::held const& k) {
      return (this->ordered_key_of(k) ^ flip) & mask;
    };
    bool wrong = false;
    for_each_item([&](int, int p) {
      wrong = wrong || (p > 0 && digits_of(sorted_key(p)) < digits_of(sorted_key(p - 1)));
    });
    return wrong;
  }

  /// Computes what to add to the position of an item in its block, for each digit, to get its
  /// position in the segment.
  SAM_DEVICE void find_shifts() {
    std::uint32_t places[own];
    gpu::find_places<Device, owners>(blocks_, this->word_at(counts_at), this->thread(),
                                     this->word_at(totals_at), places);
    if (this->thread() < owners)
#pragma unroll
      for (int b = 0; b < own; ++b)
        shift()[this->thread() * own + b] = places[b] - this->start[b];
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
    // Orders the loads of values before the stores, for in-place sorts.
    if (blocks_.count() == 1)
      Device::sync_block();
    else
      blocks_.meet(this->thread());
    for_each_item([&](int j, int p) { job.sorted_values[first_ + begin_ + p] = values.at[j]; });
  }

  SAM_DEVICE std::uint32_t* shift() const { return this->word_at(shift_at); }
  SAM_DEVICE key& sorted_key(int p) const { return this->template item_at<key>(keys_at, p); }
  SAM_DEVICE std::uint32_t& index_of(int p) const {
    return this->template item_at<std::uint32_t>(indices_at, p);
  }

  part_arguments<Job> const& a_;
  Blocks& blocks_;
  index_t first_, length_;   // of the segment
  int begin_, count_;        // of the block's items in the segment
  bool adds_ = true;         // false once the result of additions was out of order
  bool has_failed_ = false;  // in a block before this one; the lanes of a warp have one answer
  std::uint32_t from_[original_indices ? items : 1];
};

/// Calls f with the smallest of some numbers of items per thread that suffices for parts of `each`
/// items by Threads threads, as a constant. The last one is Most.
template <int Threads, int Most, class F>
SAM_DEVICE void with_items_for(int each, F const& f) {
  constexpr int few = int(min_of(Most, 4)), some = int(min_of(Most, 10)),
                many = int(min_of(Most, 20));
  if (few < Most && each <= few * Threads)
    f(std::integral_constant<int, few>{});
  else if (some < Most && each <= some * Threads)
    f(std::integral_constant<int, some>{});
  else if (many < Most && each <= many * Threads)
    f(std::integral_constant<int, many>{});
  else
    f(std::integral_constant<int, Most>{});
}

}  // namespace sam::inline v0_1::gpu
