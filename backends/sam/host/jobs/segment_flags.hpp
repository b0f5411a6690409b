// SPDX-License-Identifier: MIT
// Connects jobs over segments with the segmented kernel, which takes values and head flags apart.
#pragma once

#include <sam/host/kernels/choose_kernel.hpp>
#include <sam/host/scan/single_pass.hpp>
#include <sam/host/simd/flag_bits.hpp>
#include <sam/host/simd/simd.hpp>
#include <sam/host/simd/truth_word.hpp>

#include <algorithm>
#include <limits>

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <sam/host/kernels/segmented_kernel.hpp>
#else
namespace sam::inline v0_1::host {
// Device compilers do not support the vector types of their host compiler.
template <class Policy, class V>
concept fits_segments = false;
template <class T, class Policy>
class segmented_kernel;
template <class Values>
struct headed_values;
}  // namespace sam::inline v0_1::host
#endif

namespace sam::inline v0_1::host {

/// True if segmented_kernel can scan a job under a policy.
template <class Job, class Policy>
concept in_segments = segmenting<Job> && fits_segments<Policy, output_of<Job>>;

/// Presents a segmented job to the engine. The head flags of a tile are bits in the worker's
/// buffer, which has space for two tiles.
template <segmenting Job>
struct values_and_heads {
  using item = typename Job::item;
  using accumulator = typename Job::accumulator;
  using scanned = output_of<Job>;
  Job job;

  item load(index_t i) const { return job.load(i); }
  accumulator to_accumulator(item const& x) const { return job.to_accumulator(x); }
  void store(index_t i, item const& x, accumulator const& y) const { job.store(i, x, y); }
  scanned const* source() const requires(!is_reversed<Job> && requires(Job j) { j.source(); }) {
    return job.source();
  }
  /// Returns a tile's values and head flags, in place or in the worker's buffer.
  template <class Buffers>
  auto load_tile(tiling const& tiles, index_t tile, Buffers const& buffer) const;
  template <int Level>
  void prefetch(index_t begin, index_t count) const {
    host::prefetch<Level>(job, begin, count);
  }
  auto target() const requires requires(forward_job_of<Job> j) { j.target(); }
  {
    if constexpr (is_reversed<Job>)
      return reversed_array<scanned>{job.inner.target() + job.n};
    else
      return job.target();
  }

  // The kernel loads whole vectors of bits.
  static index_t bytes_of_heads(index_t items) { return div_up(items, 64) * 8 + vector_bytes; }
  static index_t bytes_beside(index_t items) { return tiles_in_hand * bytes_of_heads(items); }
  static constexpr int tiles_in_hand = 2;
};

inline std::uint64_t reversed_bits(std::uint64_t x) {
  auto const swap = [&](std::uint64_t low, int width) {
    x = (x >> width & low) | (x & low) << width;
  };
  swap(0x5555555555555555, 1);
  swap(0x3333333333333333, 2);
  swap(0x0f0f0f0f0f0f0f0f, 4);
  return __builtin_bswap64(x);
}

template <has_heads_apart Job>
index_t index_in_memory(Job const& job, index_t i) {
  if constexpr (is_reversed<Job>)
    return job.n - 1 - i;
  else
    return i;
}
/// Writes the head flags of items i to i + 63 as bits, in the form of put_flags.
template <has_heads_apart Job>
void put_head_word(Job const& job, index_t i, std::uint8_t* to) {
  if constexpr (is_reversed<Job>)
    host::put_flags(host::reversed_bits(host::flag_word(job.inner.heads_from(job.n - 64 - i))), to);
  else
    host::put_flags(job.heads_from(i), to);
}
template <has_heads_apart Job>
bool is_head(Job const& job, index_t i) {
  return engine::forward_job(job).is_head(host::index_in_memory(job, i));
}
template <has_heads_apart Job>
void put_heads(Job const& job, index_t begin, index_t count, std::uint8_t* heads) {
  index_t i = 0;
  for (; i + 64 <= count; i += 64)
    host::put_head_word(job, begin + i, heads + i / 8);
  if (i < count) {
    std::uint64_t word = 0;
    for (int k = 0; k < count - i; ++k)
      word |= std::uint64_t{host::is_head(job, begin + i + k)} << k;
    put_flags(word, heads + i / 8);
  }
  if (begin == 0)
    heads[0] |= 1;  // item 0 always begins a segment
}

/// Writes the values of items [begin, begin + count). Takes the job by value; otherwise the
/// compiler must assume that each store changes it, and makes the values one by one. Item 0 is made
/// apart from the others. They have an item before them, so that compilers can load vectors of
/// neighbours.
template <has_heads_apart Job, class V>
void put_values_apart(Job const job, index_t begin, index_t count, V* __restrict to) {
  auto const& forward = engine::forward_job(job);
  index_t const end = begin + count;
  if (begin == 0 && count > 0)
    *to++ = forward.value(host::index_in_memory(job, 0));
  begin = max_of(begin, 1);
  for (index_t i = begin; i < end; ++i) {
    if (i < 1)
      __builtin_unreachable();
    to[i - begin] = forward.value(host::index_in_memory(job, i));
  }
}
/// Returns the values of items [begin, begin + count): in place, or in `buffer`.
template <has_heads_apart Job, class V = typename Job::accumulator::value_type>
auto values_apart(Job const& job, index_t begin, index_t count, V* buffer) {
  auto const& forward = engine::forward_job(job);
  constexpr bool in_memory = requires { forward.source(); };
  if constexpr (in_memory && is_reversed<Job>) {
    return reversed_array<V const>{forward.source() + (job.n - begin)};
  } else if constexpr (in_memory) {
    return forward.source() + begin;
  } else {
    host::put_values_apart(job, begin, count, buffer);
    return static_cast<V const*>(buffer);
  }
}

template <segmenting Job>
template <class Buffers>
auto values_and_heads<Job>::load_tile(tiling const& tiles, index_t tile,
                                      Buffers const& buffer) const {
  index_t const begin = tiles.begin(tile), count = tiles.count(tile);
  auto* const heads = reinterpret_cast<std::uint8_t*>(buffer.beside);
  host::put_heads(job, begin, count, heads);
  return headed_values{host::values_apart(job, begin, count, buffer.tile), heads};
}

/// Takes the tiles of one worker. While a tile is scanned, the head flags of the next tile are
/// packed and it is reduced, part by part, soon after each part was prefetched. Doing so when the
/// tile's turn comes would leave memory idle meanwhile.
template <segmenting Job, class Kernel>
class tile_loader<values_and_heads<Job>, Kernel> {
  using job_type = values_and_heads<Job>;
  using T = typename Job::accumulator;
  using V = scanned_of<job_type>;

 public:
  tile_loader(job_type const& job, Kernel const& kernel, tiling tiles,
              worker_buffers_of<job_type> const& buffer, bool alone = false)
      : job_(job), kernel_(kernel), tiles_(tiles), buffer_(buffer), alone_(alone) {}

  auto items(index_t tile) {
    if (tile != tile_)
      begin(tile);
    take_up_to(count_);
    return taken_items();
  }
  template <class Items>
  void reduce(Items items, index_t, T* accumulator) const {
    kernel_.reduce(reduction_, items, count_, accumulator, buffer_.part_aggregates);
  }
  auto ahead(index_t tile) {
    begin(tile);
    return [this, fetch = fetching(job_, tiles_, tile)](index_t from, index_t some) {
      fetch(from, some);
      if (from >= due_)
        take_up_to(from - fetched_ahead);
    };
  }

 private:
  static constexpr bool by_keys = requires(forward_job_of<Job> j) {
    j.heads_from(index_t{}).earlier;
  };
  static constexpr index_t fetched_ahead = tuning::ahead_bytes / index_t{sizeof(V)};

  void begin(index_t tile) {
    tile_ = tile;
    count_ = tile < tiles_.tiles() ? tiles_.count(tile) : 0;
    taken_ = 0;
    reduction_ = {};
    second_ = !second_;
    wait_for_more();
  }
  void wait_for_more() {
    due_ = by_keys && !tuning::packs_keys_ahead()
               ? std::numeric_limits<index_t>::max()
               : taken_ + engine::min_of(kernel_.granule(), count_ - taken_) + fetched_ahead;
  }
  auto taken_items() const {
    return headed_values{host::values_apart(job_.job, tiles_.begin(tile_), 0, values()), heads()};
  }
  // Packs and reduces the granules before `end` that are not yet done.
  [[gnu::noinline]] void take_up_to(index_t end) {
    index_t const granule = kernel_.granule();
    for (index_t m; taken_ < count_; taken_ += m) {
      m = min_of(granule, count_ - taken_);
      if (taken_ + m > end)
        break;
      index_t const begin = tiles_.begin(tile_) + taken_;
      host::put_heads(job_.job, begin, m, heads() + taken_ / 8);
      host::values_apart(job_.job, begin, m, values() + taken_);
      if (m == granule && !alone_)  // a part granule belongs to the last tile, which is not reduced
        kernel_.reduce_on(reduction_, taken_items(), taken_, m, buffer_.part_aggregates);
    }
    wait_for_more();
  }
  std::uint8_t* heads() const {
    return reinterpret_cast<std::uint8_t*>(buffer_.beside) +
           (second_ ? job_type::bytes_of_heads(tiles_.size) : 0);
  }
  V* values() const { return buffer_.tile + (second_ ? tiles_.size : 0); }

  job_type const& job_;
  Kernel const& kernel_;
  tiling tiles_;
  worker_buffers_of<job_type> const& buffer_;
  bool alone_;
  index_t tile_ = -1, count_ = 0, taken_ = 0, due_ = 0;
  typename Kernel::reduction reduction_;
  bool second_ = false;
};

}  // namespace sam::inline v0_1::host
