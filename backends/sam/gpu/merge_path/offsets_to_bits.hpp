// SPDX-License-Identifier: MIT
// Sets the bits that ascending offsets name. A block finds the offsets that fall into its words,
// sets their bits in shared memory, and stores whole words, so memory need not be cleared first.
#pragma once

#include <sam/backend/mark_job.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>
#include <sam/gpu/warp/warp_lower_bound.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Offset>
struct mark_arguments {
  mark_job<Offset> job;
  int words;  // words that a block sets at a time
};

/// Sets the bits of a block's words.
template <class Device, class Offset, int Warps>
class mark_block {
  static constexpr int lanes = Device::warp_size;
  static_assert(Warps >= 2);

 public:
  static constexpr int threads = Warps * lanes;
  static constexpr int most_words = 8 * threads;
  static SAM_FUNCTION index_t tiles(mark_arguments<Offset> const& a) {
    return engine::div_up(words_of(a.job), a.words);
  }

 private:
  struct shared_layout {
    std::uint32_t words[most_words];
    index_t offset_at[2];  // the first offset in the block's words, and the first one behind them
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));

  SAM_DEVICE explicit mark_block(mark_arguments<Offset> const& arguments)
      : a_(arguments), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    index_t const count = tiles(a_);
    for (index_t tile = Device::block(); tile < count; tile += Device::blocks())
      mark(tile * a_.words, engine::min_of((tile + 1) * a_.words, words_of(a_.job)));
  }

 private:
  static SAM_FUNCTION index_t words_of(mark_job<Offset> const& job) {
    return engine::div_up(job.bits, 32);
  }

  /// Sets the words [first, end).
  SAM_DEVICE void mark(index_t first, index_t end) const {
    if (Device::warp() < 2) {
      index_t const bit = Device::warp() == 0 ? 32 * first : engine::min_of(32 * end, a_.job.bits);
      index_t const k =
          gpu::search<Device>(0, a_.job.count, [&](index_t i) { return a_.job.bit(i) >= bit; });
      if (Device::lane() == 0)
        shared_.offset_at[Device::warp()] = k;
    }
    for (int w = thread_; w < int(end - first); w += threads)
      shared_.words[w] = 0;
    Device::sync_block();  // orders the writes of zeros and offset_at before their use
    index_t some = shared_.offset_at[0], others = shared_.offset_at[1];
    if (are_many(others - some, end - first))
      leave_out_equal(some, others);
    if (are_many(others - some, end - first))
      find(first, end, some, others);
    else if (some < others)
      for (index_t k = aligned(some) + thread_ * of_thread; k < others; k += of_thread * threads)
        set(first, k, some, others);
    Device::sync_block();  // orders the updates of the words before their reads
    for (int w = thread_; w < int(end - first); w += threads)
      a_.job.words[first + w] = shared_.words[w];
    Device::sync_block();  // orders the reads of the words before the next zeros
  }

  /// True if so many offsets fall into some words that a search for each bit is faster than a look
  /// at each offset.
  static SAM_DEVICE bool are_many(index_t offsets, index_t words) {
    return offsets > most_offsets * words;
  }
  /// Leaves out offsets that equal the first or the last one. Many do where segments are empty, as
  /// those are past a number of segments in memory.
  SAM_DEVICE void leave_out_equal(index_t& some, index_t& others) const {
    index_t const first = a_.job.bit(some), last = a_.job.bit(others - 1);
    others =
        1 + gpu::search<Device>(some, others - 1, [&](index_t i) { return a_.job.bit(i) >= last; });
    some = gpu::search<Device>(some, others, [&](index_t i) { return a_.job.bit(i) > first; }) - 1;
  }

  /// Sets the bits of those offsets from k to k + of_thread that lie in [some, others). Most fall
  /// into one or two words, so bits of a word are combined into one atomic update.
  SAM_DEVICE void set(index_t first_word, index_t k, index_t some, index_t others) const {
    Offset held[of_thread];
    if (k >= some && k + of_thread <= others) {
#pragma unroll
      for (int v = 0; v < of_thread / group; ++v) {
        vector const next = reinterpret_cast<vector const*>(a_.job.offsets + k)[v];
#pragma unroll
        for (int s = 0; s < group; ++s)
          held[v * group + s] = next[s];
      }
    } else {
#pragma unroll
      for (int s = 0; s < of_thread; ++s)  // indices are clamped to [some, others)
        held[s] = a_.job.offsets[max_of(some, min_of(k + s, others - 1))];
    }
    int word = 0;
    std::uint32_t bits = 0;
#pragma unroll
    for (int s = 0; s < of_thread; ++s) {
      index_t const bit = a_.job.bit_of(held[s]);
      if (auto const to = int((bit >> 5) - first_word); to != word) {
        set(word, bits);
        word = to, bits = 0;
      }
      bits |= 1u << (static_cast<unsigned>(bit) % 32);
    }
    set(word, bits);
  }
  SAM_DEVICE void set(int word, std::uint32_t bits) const {
    if (bits != 0 && word >= 0 && word < a_.words)  // always true, unless offsets descend
      Device::set_shared_bits(shared_.words + word, bits);
  }

  /// Searches the offsets for each bit. This is faster if there are many more offsets than bits.
  SAM_DEVICE void find(index_t first_word, index_t end_word, index_t begin, index_t end) const {
    index_t const count = 32 * (end_word - first_word);
    for (index_t b = thread_; b < count; b += threads) {
      index_t low = begin, high = end;
      while (low < high) {
        index_t const k = (low + high) / 2;
        if (a_.job.bit(k) >= 32 * first_word + b)
          high = k;
        else
          low = k + 1;
      }
      if (low < end && a_.job.bit(low) == 32 * first_word + b)
        set(int(b / 32), 1u << (static_cast<unsigned>(b) % 32));
    }
  }

  /// Returns the last index up to k whose offset is aligned to a vector in memory. It may be
  /// negative.
  SAM_DEVICE index_t aligned(index_t k) const {
    auto const past = reinterpret_cast<std::uintptr_t>(a_.job.offsets + k) % sizeof(vector);
    return k - index_t(past / sizeof(Offset));
  }

  using vector = item_vector<Offset>;
  static constexpr int group = items_of_vector<Offset>;
  static constexpr int of_thread = max_of(8, group);
  static constexpr index_t most_offsets = 128;  // for each word

  mark_arguments<Offset> const& a_;
  shared_layout& shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
