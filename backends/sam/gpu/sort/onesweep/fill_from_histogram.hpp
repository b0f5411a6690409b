// SPDX-License-Identifier: MIT
// Writes sorted keys from the digit histogram alone, without reading the input.
//
// A pass uses it if all keys differ in at most one digit and a key is determined by its digits. The
// counts of that digit then determine the whole result. Whole aligned vectors of 16 bytes that hold
// one digit are written first. The items before and after them, at both ends of each digit's range,
// follow one by one.
#pragma once

#include <sam/gpu/sort/digit_histogram.hpp>

namespace sam::inline v0_1::gpu {

/// Fills the output of one pass. All blocks of the pass's grid, which has this Config, take part.
/// Each block has SharedBytes bytes of shared memory.
template <class Device, class Job, class Config, int SharedBytes>
class fill_from_histogram {
  using traits = radix_traits<Job>;
  using key = typename traits::key;
  using ordered_key = typename traits::ordered_key;
  static_assert(traits::keys_only && 16 % sizeof(key) == 0);
  static constexpr int threads = Config::warps * Device::warp_size;
  static constexpr int buckets = 1 << Config::digit_bits;
  static constexpr int of_vector = 16 / sizeof(key);
  static_assert(SharedBytes >= (buckets + 1) * int{sizeof(index_t)});

  struct alignas(16) keys_of_vector {
    key at[of_vector];
  };
  struct words_of_vector {
    std::uint32_t at[4];
  };

 public:
  SAM_DEVICE fill_from_histogram(sort_arguments<Job> const& arguments, int index, int thread)
      : a_(arguments), index_(index), place_(a_.place(index, Config::digit_bits)), thread_(thread),
        flip_(place_.digit(traits::flip_of(a_.job.digits))),
        rest_(static_cast<ordered_key>(a_.control->ordered_key[0])) {
    if constexpr (sizeof(ordered_key) > 8)
      rest_ |= static_cast<ordered_key>(a_.control->ordered_key[1]) << 64;
    rest_ ^= static_cast<ordered_key>(place_.digit(rest_)) << place_.bit;
  }

  /// Writes all n keys of the result.
  SAM_DEVICE void run(key* to, index_t n) const {
    index_t* const begins = begins_of_digits();
    for (int d = thread_; d <= buckets; d += threads)
      begins[d] = d < buckets ? index_t(a_.control->begins[index_ * buckets + d]) : n;
    Device::sync_block();  // orders the writes of begins[] before its reads by other warps
    // Vector indices count from the aligned 16-byte vector that contains to[0].
    auto const past = index_t(reinterpret_cast<std::uintptr_t>(to) % 16 / sizeof(key));
    write_vectors(to, past, n);
    write_ends(to, past);
  }

 private:
  static SAM_DEVICE index_t* begins_of_digits() {
    return reinterpret_cast<index_t*>(Device::shared_memory());
  }
  SAM_DEVICE key key_of(int digit) const {
    ordered_key const x = rest_ | static_cast<ordered_key>(std::uint32_t(digit) ^ flip_)
                                      << place_.bit;
    return traits::to_be_written(static_cast<typename traits::held_key>(x), false);
  }

  SAM_DEVICE void write_vectors(key* to, index_t past, index_t n) const {
    index_t const* const begins = begins_of_digits();
    index_t const stretch = engine::div_up(engine::div_up(n + past, of_vector), Device::blocks());
    index_t const end = engine::min_of((n + past) / of_vector, (Device::block() + 1) * stretch);
    words_of_vector words{};
    int d = -1;
    for (index_t v = Device::block() * stretch + thread_; v < end; v += threads) {
      index_t const i = v * of_vector - past;
      if (d < 0 || begins[d + 1] <= i) {
        d = 0;  // binary search: many digits may have no keys
#pragma unroll
        for (int step = buckets / 2; step != 0; step /= 2)
          d += begins[d + step] <= i ? step : 0;
        keys_of_vector same;
#pragma unroll
        for (key& k : same.at)
          k = key_of(d);
        words = __builtin_bit_cast(words_of_vector, same);
      }
      if (i >= 0 && i + of_vector <= begins[d + 1])
        Device::store_vector(to + i, words.at);
    }
  }
  SAM_DEVICE void write_ends(key* to, index_t past) const {
    index_t const* const begins = begins_of_digits();
    for (int k = Device::block() * threads + thread_; k < buckets * 2 * of_vector;
         k += Device::blocks() * threads) {
      int const d = k / (2 * of_vector), in_vector = k % of_vector;
      index_t const begin = begins[d] + past, end = begins[d + 1] + past;
      index_t const whole = div_up(begin, of_vector) * of_vector;
      index_t const behind = max_of(whole, end / of_vector * of_vector);
      bool const is_first = k % (2 * of_vector) < of_vector;
      index_t const i = is_first ? whole - of_vector + in_vector : behind + in_vector;
      if (i >= begin && i < end)
        to[i - past] = key_of(d);
    }
  }

  sort_arguments<Job> const& a_;
  int index_;
  digit_position place_;
  int thread_;
  std::uint32_t flip_;
  ordered_key rest_;  // the bits that all keys share; this pass's digit is 0
};

}  // namespace sam::inline v0_1::gpu
