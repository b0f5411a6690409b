// SPDX-License-Identifier: MIT
// Counts every digit in one read of the keys, and plans the passes. This is the first kernel of a
// radix sort.
//
// Each lane has its own counters, in its own bank as far as shared memory permits, so equal digits
// are as fast as distinct ones. The last block to finish computes the exclusive prefix of each
// digit. It skips the digit places in which all keys have one digit. If at most one place is left,
// and keys are determined by their digits, the counts determine the result. The keys are then
// written from the counts instead of being sorted.
//
// The kernel also clears the descriptor words that the passes use for look-back. A descriptor word
// has no bits left for an epoch that would distinguish one sort from the next. Clearing once for
// all passes costs about 1 % of the writes of one pass.
#pragma once

#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/sort/sort_arguments.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::inline v0_1::gpu {

/// Configures the histogram kernel: warps of a block, 16-byte vectors that a thread loads at
/// once, and bits of a digit.
template <int Warps, int Vectors, int DigitBits>
struct digit_histogram_config {
  static constexpr int warps = Warps;
  static constexpr int vectors = Vectors;
  static constexpr int digit_bits = DigitBits;
};

/// Counts digits and plans passes; all blocks of the grid execute run().
template <class Device, class Job, class Config>
class digit_histogram {
 public:
  using traits = radix_traits<Job>;
  using key = typename traits::key;
  using ordered_key = typename traits::ordered_key;
  static constexpr int lanes = Device::warp_size;
  static constexpr int threads = Config::warps * lanes;
  static constexpr index_t keys_at_once = index_t{threads} * items_of_vector<key> * Config::vectors;
  static constexpr int buckets = 1 << Config::digit_bits;
  static constexpr int places =
      (std::remove_cvref_t<decltype(Job::digits)>::bits + Config::digit_bits - 1) /
      Config::digit_bits;
  static_assert(places * buckets <= sort_control::most_counts);
  static_assert(places < sort_control::most_places);
  static constexpr int bytes_of_copy = places * buckets * 4;
  static constexpr int flag_bytes = 16;
  static SAM_FUNCTION int shared_bytes(int copies) { return copies * bytes_of_copy + flag_bytes; }
  /// Returns how many counters per digit fit in this many bytes of shared memory; 0 if none do.
  static int copies_in(int bytes) { return gpu::counters_that_fit<Device>(bytes, shared_bytes); }

  SAM_DEVICE explicit digit_histogram(sort_arguments<Job> const& arguments)
      : a_(arguments), thread_(Device::warp() * lanes + Device::lane()),
        counters_(reinterpret_cast<std::uint32_t*>(Device::shared_memory())),
        scale_(Device::first(typename Device::lane_set(a_.copies)) + 2),
        place_bytes_(buckets << scale_) {
    auto const lane_at = std::uint32_t(Device::lane() & (a_.copies - 1)) * 4;
    ordered_key const flip = traits::flip_of(a_.job.digits);
#pragma unroll
    for (int p = 0; p < places; ++p) {
      bool const is_sorted_by = p < a_.places(Config::digit_bits);
      digit_position const place = a_.place(p, Config::digit_bits);
      mask_[p] = is_sorted_by ? ((1u << place.bits) - 1) << scale_ : 0;
      flip_at_[p] = lane_at | (is_sorted_by ? place.digit(flip) << scale_ : 0);
    }
  }

  SAM_DEVICE void run() {
    int const copies = a_.copies;
    for (int k = thread_; k < copies * places * buckets; k += threads)
      counters_[k] = 0;
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    clear_words();
    Device::sync_block();  // orders the zeros before the counts of other warps
    gpu::for_each_item<Device, threads, Config::vectors>(a_.job.keys, a_.job.n, thread_,
                                                         [&](key const& k) { count(k); });
    Device::sync_block();  // orders the counts before their reads by other warps
    add_up();
    if (gpu::is_last_block<Device>(&a_.control->finished, thread_,
                                   counters_[copies * places * buckets]))
      plan();
  }

 private:
  SAM_DEVICE void clear_words() {
    auto* const words = static_cast<std::uint64_t*>(a_.words);
    index_t const count = a_.words_bytes / 8;
    for (index_t k = index_t{Device::block()} * threads + thread_; k < count;
         k += index_t{Device::blocks()} * threads)
      words[k] = 0;
    if (Device::block() == 0 && thread_ < sort_control::most_places)
      a_.control->claims[thread_] = 0;
  }

  /// Counts a key in all digit places, in the fewest instructions. The counts of places that are
  /// not sorted by are never read.
  SAM_DEVICE void count(key const& k) {
    ordered_key const x =
        static_cast<ordered_key>(traits::ordered_key_of(a_.job.digits, k) >> a_.job.begin_bit);
#pragma unroll
    for (int p = 0; p < places; ++p) {
      int const bit = p * Config::digit_bits;
      std::uint32_t scaled;  // the digit times the size of its counters, and other bits
      if (bit % 32 + Config::digit_bits <= 32)
        scaled = Device::rotated_right(static_cast<std::uint32_t>(x >> (bit / 32 * 32)),
                                       bit % 32 - scale_);
      else
        scaled = static_cast<std::uint32_t>(x >> bit) << scale_;
      Device::add_shared(reinterpret_cast<std::uint32_t*>(Device::shared_memory() +
                                                          p * place_bytes_ +
                                                          ((scaled & mask_[p]) ^ flip_at_[p])),
                         1u);
    }
  }

  /// Adds the block's counts to the counts of the grid.
  SAM_DEVICE void add_up() {
    int const used = a_.places(Config::digit_bits) * buckets;
    int const copies = a_.copies;
    for (int k = thread_; k < used; k += threads) {
      std::uint32_t const sum = gpu::sum_of_lanes<Device>(counters_, copies, k);
      if (sum != 0)
        Device::add(a_.control->counts + k, std::uint64_t{sum});
    }
  }

  /// Classifies the distribution of the digits of one place. crowded_digits means that few banks
  /// have most of them.
  enum digits_kind : std::uint32_t { one_digit, spread_digits, crowded_digits };
  SAM_DEVICE std::uint32_t& kind_of(int place) const { return counters_[place * buckets]; }

  /// Computes the exclusive prefixes of the digits and the step of each pass. Only the last block
  /// calls it.
  SAM_DEVICE void plan() {
    int const used = a_.places(Config::digit_bits);
    for (int p = Device::warp(); p < used; p += Config::warps) {
      digits_kind const kind = add_up_place(p);
      if (Device::lane() == 0)
        kind_of(p) = kind;
    }
    Device::sync_block();  // orders the kinds before their reads by thread 0
    if (thread_ != 0)
      return;
    int sorts = 0;
    for (int p = 0; p < used; ++p)
      sorts += kind_of(p) == one_digit ? 0 : 1;
    bool const fills = sorts <= 1 && keeps_an_ordered_key();
    // Passes alternate between the result's memory and the spare, and the last one writes the
    // result's. The first pass that sorts must not write the array that it reads, hence the copy.
    bool to_be_copied = sorts == 0 ? !a_.all_in_place : a_.in_place && sorts % 2 != 0 && !fills;
    int left = sorts + (to_be_copied ? 1 : 0);
    std::uint32_t from = 0, parity = 0, ordered_keys = 0;
    for (int p = 0; p < a_.steps; ++p) {
      sort_step step{sort_step::nothing, from, 0, parity, ordered_keys, 0};
      if (p < used && kind_of(p) != one_digit) {
        step.what = sort_step::sort;
        step.swizzles = kind_of(p) == crowded_digits ? 1 : 0;
        parity ^= 1;
      } else if (to_be_copied) {
        step.what = sort_step::copy;
        to_be_copied = false;
      }
      if (step.what != sort_step::nothing) {
        --left;
        step.to = left % 2 == 0 ? 1 : 2;
        from = step.to;
        ordered_keys = left > 0 && (ordered_keys != 0 || step.what == sort_step::sort) ? 1 : 0;
        step.are_ordered_keys |= ordered_keys << 1;
        if (fills)
          step.what = sort_step::fill;
      }
      a_.control->steps[p] = step;
    }
  }

  /// Returns true if one key and the counts determine all keys. It stores that key's ordered key,
  /// since an in-place fill overwrites the key.
  SAM_DEVICE bool keeps_an_ordered_key() const {
    if constexpr (traits::keys_only) {
      if (!traits::sorts_all_bits(a_.job))
        return false;
      ordered_key const x = traits::ordered_key_of(a_.job.digits, a_.job.keys[0]);
      a_.control->ordered_key[0] = static_cast<std::uint64_t>(x);
      if constexpr (sizeof(ordered_key) > 8)
        a_.control->ordered_key[1] = static_cast<std::uint64_t>(x >> 64);
      return true;
    } else {
      return false;
    }
  }

  static constexpr int of_lane = (buckets + lanes - 1) / lanes;

  /// Computes the exclusive prefixes of place p by one warp, clears its counts for the next sort,
  /// and classifies the distribution of its digits.
  SAM_DEVICE digits_kind add_up_place(int p) const {
    std::uint64_t* const counts = a_.control->counts + p * buckets;
    std::uint64_t found[of_lane], sum = 0;
    bool is_all = false;
#pragma unroll
    for (int b = 0; b < of_lane; ++b) {
      int const d = Device::lane() * of_lane + b;
      found[b] = d < buckets ? Device::load(counts + d) : 0;
      sum += found[b];
      is_all = is_all || found[b] == std::uint64_t(a_.job.n);
    }
    std::uint64_t begin = gpu::sum_upto_lane<Device>(sum) - sum;
#pragma unroll
    for (int b = 0; b < of_lane; ++b) {
      int const d = Device::lane() * of_lane + b;
      if (d < buckets) {
        a_.control->begins[p * buckets + d] = begin;
        counts[d] = 0;
      }
      begin += found[b];
    }
    if (!Device::all_lanes(!is_all))
      return one_digit;
    if constexpr (buckets > Device::banks) {
      // Finding a swizzled counter takes more instructions, so swizzling must save at least a
      // fifth.
      std::uint64_t const mixed = crowding(p, found, true), unmixed = crowding(p, found, false);
      return unmixed * 4 > mixed * 5 ? crowded_digits : spread_digits;
    } else {
      return spread_digits;
    }
  }

  /// Returns a measure of bank conflicts: the sum of the squares of the items of each bank.
  SAM_DEVICE std::uint32_t crowding(int p, std::uint64_t const (&found)[of_lane],
                                    bool swizzles) const {
    int shift = 0;
    while (a_.job.n >> shift >= 1 << 15)  // the sum of squares must fit in 32 bits
      ++shift;
    std::uint32_t* const sums = counters_ + p * buckets;
    for (int b = Device::lane(); b < Device::banks; b += lanes)
      sums[b] = 0;
    Device::sync_warp();  // orders the zeros before the additions of other lanes
#pragma unroll
    for (int b = 0; b < of_lane; ++b)
      Device::add_shared(sums + gpu::bank_of<Device>(Device::lane() * of_lane + b, swizzles),
                         std::uint32_t(found[b] >> shift));
    Device::sync_warp();  // orders the additions before the reads of other lanes
    std::uint32_t squares = 0;
    for (int b = Device::lane(); b < Device::banks; b += lanes)
      squares += sums[b] * sums[b];
#pragma unroll
    for (int step = 1; step < lanes; step *= 2)
      squares += Device::shuffle_from(squares, Device::lane() ^ step);
    return squares;
  }

  sort_arguments<Job> const& a_;
  int thread_;
  std::uint32_t* counters_;
  int scale_;        // log2 of the bytes of a digit's counters
  int place_bytes_;  // bytes of the counters of one digit place
  std::uint32_t mask_[places];
  std::uint32_t flip_at_[places];  // offset of the lane's counter of digit 0 after the flip
};

}  // namespace sam::inline v0_1::gpu
