// SPDX-License-Identifier: MIT
// Sorts more keys than fit in shared memory by one block, or by several that run at the same time.
// Each pass sorts by one digit: a block sorts tile after tile in shared memory, from where the keys
// of each digit go next to those of earlier tiles. Passes exchange keys through L2. Before that,
// keys of each digit are counted: by a block alone for several passes at once, since the order of
// keys does not change their numbers; by several before each pass, since they change parts.
//
// If keys are ranked by atomics, the order of the result is checked once, after the last pass. Keys
// out of order are sorted again by ballots; equal keys are alike, so the first order is not needed.
#pragma once

#include <sam/gpu/sort/block_radix_rank.hpp>
#include <sam/gpu/sort/segmented/segment_blocks.hpp>
#include <sam/gpu/sort/sort_arguments.hpp>

namespace sam::inline v0_1::gpu {

/// Configures a block that sorts segments of up to `Longest` keys in tiles.
template <int Warps, int Items, int DigitBits, int Blocks, int Longest>
struct tile_sort_config : sort_config<Warps, Items, DigitBits, Blocks> {
  static constexpr int longest = Longest;
};

/// Sorts keys alone, by the blocks that `Blocks` stands for. The arguments' keys_at[1] is memory
/// for as many keys as the job has.
template <class Device, class Job, class Config, class Blocks = one_block<Device>>
class block_tile_sort : block_radix_rank<Device, Job, Config> {
  using ranks = block_radix_rank<Device, Job, Config>;
  static constexpr bool is_alone = std::is_same_v<Blocks, one_block<Device>>;

 public:
  using ranks::threads, ranks::own_thread;
  using typename ranks::traits, typename ranks::key;
  static_assert(traits::keys_only && !checks_places<Job>);
  /// The most keys of a segment.
  static constexpr int size = Config::longest;

  // Layout of shared memory.
  static constexpr int steps_at = ranks::ranks_end;
  static constexpr int counts_at = steps_at + ranks::buckets * 4;  // which other blocks read
  static constexpr int totals_at =
      counts_at + (is_alone ? 0 : ranks::buckets * 4);  // of warps, one word each
  static constexpr int totals_end = totals_at + (is_alone ? 0 : ranks::lanes * 4);
  /// Digits of which a block alone counts the keys at once, and where: a multiple of their size.
  static constexpr int counted_together =
      is_alone ? int(min_of(4, div_up(8 * sizeof(key), Config::digit_bits))) : 0;
  static constexpr int counted_bytes = ranks::buckets * 4;
  static constexpr int counted_at =
      (totals_end + counted_bytes - 1) / counted_bytes * counted_bytes;
  static constexpr int counted_end =
      is_alone ? counted_at + counted_together * counted_bytes : totals_end;
  static constexpr int keys_at = (counted_end + 127) / 128 * 128;
  static constexpr int shared_bytes = keys_at + ranks::size * int(sizeof(key));

  /// Sorts `count` keys of the job from `first` on, in equal parts of the blocks. `thread` is the
  /// calling thread's own index.
  SAM_DEVICE block_tile_sort(sort_arguments<Job> const& arguments, index_t first, int count,
                             int thread, Blocks const& blocks = {})
      : ranks(arguments.job, thread), a_(arguments), blocks_(blocks), segment_(first) {
    int const each = is_alone ? count : int(div_up(count, blocks.count()));
    int const begin = is_alone ? 0 : int(min_of(count, index_t{blocks.own()} * each));
    first_ = first + begin;
    count_ = int(min_of(count - begin, each));
  }

  template <bool>
  SAM_DEVICE void sort_items() {
    bool const checks = a_.ranks.template may_add<Device>() && traits::sorts_all_bits(a_.job);
    bool const has_failed = checks && a_.ranks.template has_failed_for_warp<Device>();
    if (this->thread() == 0)
      *this->flag() = 0;  // the barriers of the passes order this write
    sort(a_.job.keys, false, !checks || has_failed);
    if (!checks || a_.places(Config::digit_bits) == 0)
      return;
    if (!is_out_of_order() && a_.ranks.how != ranking::force_fallback)
      return;
    if (this->thread() == 0)
      a_.ranks.template note_failure<Device>();
    sort(a_.job.sorted_keys, false, true);
  }

 private:
  using key_type = typename traits::key;
  using ranks::keys, ranks::items, ranks::own, ranks::owners, ranks::place_of, ranks::start;
  static constexpr int tile_size = ranks::size;

  /// Sorts keys from an array into the job's output, which may be the same one.
  SAM_DEVICE void sort(key_type const* from, bool kept, bool ballot) {
    key_type* const result = a_.job.sorted_keys;
    key_type* const spare = a_.keys_at[1];
    int const places = a_.places(Config::digit_bits);
    if (places % 2 == 1 && from == result && places > 0) {
      copy(from, spare);
      from = spare;
    } else if (places == 0 && from != result) {
      copy(from, result);
    }
    for (int p = 0; p < places; ++p) {
      bool const is_last = p + 1 == places;
      key_type* const to = (places - p) % 2 == 1 ? result : spare;
      if constexpr (is_alone)
        if (p % counted_together == 0)
          count_digits(from, kept, p, int(min_of(places, p + counted_together)));
      this->by(a_.place(p, Config::digit_bits));
      sort_by_digit(from, kept, to, !is_last, ballot, p % int(max_of(1, counted_together)));
      from = to, kept = true;
    }
  }
  SAM_DEVICE void copy(key_type const* from, key_type* to) {
    for (int i = this->thread(); i < count_; i += threads)
      to[first_ + i] = from[first_ + i];
    blocks_.meet(this->thread());  // orders the copies before their reads
  }

  /// Loads the keys of a tile.
  SAM_DEVICE int load(key_type const* from, bool kept, int begin) {
    int const count = int(min_of(count_ - begin, tile_size));
    key_type const* const tile = from + (first_ + begin);
    this->template for_each_place<false>(
        count, [&](int j, int p) { keys.at[j] = traits::held(tile[p], kept); });
    return count;
  }
  /// Counts the keys of each digit of places [begin, end).
  SAM_DEVICE void count_digits(key_type const* from, bool kept, int begin, int end) {
    for (int i = this->thread(); i < counted_together * ranks::buckets; i += threads)
      counted(0)[i] = 0;
    Device::sync_block();  // orders the zeros before the counts
    for (int first = 0; first < count_; first += tile_size) {
      int const count = load(from, kept, first);
      for (int p = begin; p < end; ++p) {
        this->by(a_.place(p, Config::digit_bits));
        this->count_at(counted(p - begin));
        this->count_rows(count);
      }
    }
  }
  SAM_DEVICE std::uint32_t* counted(int k) const {
    return this->word_at(counted_at + k * counted_bytes);
  }
  /// Sorts by a digit, which is number `k` of those that count_digits() has counted.
  SAM_DEVICE void sort_by_digit(key_type const* from, bool from_kept, key_type* to, bool to_kept,
                                bool ballot, int k) {
    this->clear();
    if constexpr (!is_alone) {
      Device::sync_warp();  // orders the zeros before the warp's counts
      for (int begin = 0; begin < count_; begin += tile_size)
        this->count_rows(load(from, from_kept, begin));
    }
    Device::sync_block();     // orders zeros and counts before their reads by owners
    std::uint32_t next[own];  // of each of the owner's digits, the place of its next key
    find_firsts(next, k);
    for (int begin = 0; begin < count_; begin += tile_size) {
      int const count = load(from, from_kept, begin);
      Device::sync_block();  // orders the reads of the counters before they are cleared
      this->clear();
      Device::sync_warp();  // orders the zeros before the warp's counts
      if (ballot)
        this->rank_by_ballots(count);
      else
        this->template rank_by_atomics<false>(count);
      Device::sync_block();  // orders the counts before their reads by owners
      std::uint32_t of_tile[own];
      this->find_starts([&](int d, std::uint32_t all) { of_tile[d - this->thread() * own] = all; });
      this->template spread<false>();
      if (this->thread() < owners)
#pragma unroll
        for (int b = 0; b < own; ++b) {
          step(this->thread() * own + b) = next[b] - start[b];
          next[b] += of_tile[b];
        }
      Device::sync_block();  // orders the positions and steps before their reads
      this->template for_each_target<false>(count,
                                            [&](int j, int p) { sorted_key(p) = keys.at[j]; });
      Device::sync_block();  // orders the sorted keys before their reads
      store(to, to_kept, count);
    }
    blocks_.meet(this->thread());  // orders the stores before the loads of the next pass
  }
  /// Computes where the first key of each of the owner's digits goes.
  SAM_DEVICE void find_firsts(std::uint32_t (&firsts)[own], int k) {
    if constexpr (is_alone) {
      if (this->thread() < owners)
#pragma unroll
        for (int b = 0; b < own; ++b) {  // as if the first warp had counted all keys
          int const digit = this->thread() * own + b;
          this->word_at(0)[digit] = counted(k)[digit];
        }
      this->find_starts([](int, std::uint32_t) {});
#pragma unroll
      for (int b = 0; b < own; ++b)
        firsts[b] = start[b];
    } else {
      std::uint32_t* const counts = blocks_.counts(this->word_at(counts_at));
      this->find_starts([&](int digit, std::uint32_t count) { counts[digit] = count; });
      blocks_.meet(this->thread());  // orders the counts of all blocks before their reads
      gpu::find_places<Device, owners>(blocks_, this->word_at(counts_at), this->thread(),
                                       this->word_at(totals_at), firsts);
    }
  }
  SAM_DEVICE void store(key_type* to, bool kept, int count) {
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (int const p = place_of(j); p < count) {
        auto const k = static_cast<typename ranks::held>(sorted_key(p));
        auto const d = int(this->unflipped_digit(k) ^ this->flip());
        to[segment_ + std::uint32_t(step(d) + std::uint32_t(p))] =
            traits::to_be_written(static_cast<key>(k), kept);
      }
  }

  /// True if any key of the segment must not follow its predecessor.
  SAM_DEVICE bool is_out_of_order() {
    using ordered_key = typename traits::ordered_key;
    digit_position const all{a_.job.begin_bit, a_.job.end_bit - a_.job.begin_bit};
    ordered_key const mask = all.template upto<ordered_key>(),
                      flip = traits::flip_of(a_.job.digits);
    auto const ordered = [&](index_t i) {
      return (this->ordered_key_of(traits::held(a_.job.sorted_keys[i], false)) ^ flip) & mask;
    };
    bool wrong = false;
    for (index_t i = first_ + this->thread(); i < first_ + count_; i += threads)
      wrong = wrong || (i > segment_ && ordered(i) < ordered(i - 1));
    if (wrong)
      Device::add_shared(this->flag(), 1u);
    Device::sync_block();  // orders the flag before its reads
    if constexpr (is_alone)
      return *this->flag() != 0;
    // The blocks tell one another by the count of digit 0.
    if (this->thread() == 0)
      *blocks_.counts(this->word_at(counts_at)) = *this->flag();
    blocks_.meet(this->thread());  // orders the counts before their reads
    for (int r = this->thread(); r < blocks_.count(); r += threads)
      if (blocks_.count_of(this->word_at(counts_at), 0, r) != 0)
        Device::add_shared(this->flag(), 1u);
    blocks_.meet(
        this->thread());  // orders the flag before its reads, and these before later counts
    return *this->flag() != 0;
  }

  SAM_DEVICE key& sorted_key(int p) const { return this->template item_at<key>(keys_at, p); }
  /// Returns what to add to a place in the tile's sorted keys for a place in those of the segment.
  SAM_DEVICE std::uint32_t& step(int digit) const { return this->word_at(steps_at)[digit]; }

  sort_arguments<Job> const& a_;
  Blocks blocks_;
  index_t segment_, first_ = 0;  // the first keys of the segment and of the block's part
  int count_ = 0;                // of the part
};

}  // namespace sam::inline v0_1::gpu
