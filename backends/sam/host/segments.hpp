// SPDX-License-Identifier: MIT
// Between a job over segments and the kernel that has its values and heads apart.
#pragma once

#include <sam/host/flag_bits.hpp>
#include <sam/host/kernel.hpp>
#include <sam/host/single_pass.hpp>

#include <algorithm>
#include <bit>

namespace sam::host {

/// Whether segment_kernel scans a job under a pass.
template <class Job, class Pass>
concept in_segments = segmenting<Job> && fits_segments<Pass, output_of<Job>>;

/// Such a job as the engine sees it. The heads of a tile's items are bits in its scratch.
template <segmenting Job>
struct values_and_heads {
  using item = typename Job::item;
  using summary = typename Job::summary;
  using scanned = output_of<Job>;
  Job job;

  item load(index_t i) const { return job.load(i); }
  summary summarise(item const& x) const { return job.summarise(x); }
  void finish(index_t i, item const& x, summary const& y) const { job.finish(i, x, y); }
  scanned const* source() const requires(!is_reversed<Job> && requires(Job j) { j.source(); }) {
    return job.source();
  }
  scanned* target() const requires(!is_reversed<Job>) { return job.target(); }

  static index_t bytes_beside(index_t items) { return div_up(items, 64) * 8; }
};

/// Bits of 64 flags, from the first flag in the lowest one on.
inline std::uint64_t flag_word(std::uint64_t bits) { return bits; }
inline std::uint64_t flag_word(std::uint8_t const* flags) {
  std::uint8_t bytes[8];
  pack_flags<64>(flags, bytes);
  std::uint64_t word = 0;
  for (int k = 0; k < 8; ++k)
    word |= std::uint64_t{bytes[k]} << 8 * k;
  return word;
}
inline std::uint64_t flag_word(head_window const& some) { return flag_word(some.flags); }

inline std::uint64_t reversed_bits(std::uint64_t x) {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  for (int width = 32; width > 0; width /= 2) {
    std::uint64_t const low = ones / ((std::uint64_t{1} << width) + 1);
    x = (x >> width & low) | (x & low) << width;
  }
  return x;
}

template <segmenting Job>
index_t index_in_memory(Job const& job, index_t i) {
  if constexpr (is_reversed<Job>)
    return job.n - 1 - i;
  else
    return i;
}
template <segmenting Job>
std::uint64_t head_word(Job const& job, index_t i) {
  if constexpr (is_reversed<Job>)
    return reversed_bits(flag_word(job.inner.heads_from(job.n - 64 - i)));
  else
    return flag_word(job.heads_from(i));
}
template <segmenting Job>
bool is_head(Job const& job, index_t i) {
  return forward_job(job).is_head(index_in_memory(job, i));
}
template <segmenting Job>
void put_heads(Job const& job, index_t begin, index_t count, std::uint8_t* heads) {
  auto const put = [&](index_t i, std::uint64_t word) {
    for (int k = 0; k < 8; ++k)
      heads[i / 8 + k] = static_cast<std::uint8_t>(word >> 8 * k);
  };
  index_t i = 0;
  for (; i + 64 <= count; i += 64)
    put(i, head_word(job, begin + i));
  if (i < count) {
    std::uint64_t word = 0;
    for (int k = 0; k < count - i; ++k)
      word |= std::uint64_t{is_head(job, begin + i + k)} << k;
    put(i, word);
  }
  if (begin == 0)
    heads[0] |= 1;  // whatever the job says
}

template <segmenting Job>
auto load_tile(values_and_heads<Job> const& all, tiling const& tiles, index_t tile,
               scratch_of<values_and_heads<Job>> const& room) {
  using V = output_of<Job>;
  index_t const begin = tiles.begin(tile), count = tiles.count(tile);
  auto* const heads = reinterpret_cast<std::uint8_t*>(room.beside);
  put_heads(all.job, begin, count, heads);
  if constexpr (scans_source<values_and_heads<Job>>) {
    return headed_values<V>{all.source() + begin, heads};
  } else {
    for (index_t i = 0; i < count; ++i)
      room.tile[i] = forward_job(all.job).value(index_in_memory(all.job, begin + i));
    return headed_values<V>{room.tile, heads};
  }
}

template <segmenting Job>
void prefetch(values_and_heads<Job> const& all, index_t begin, index_t count) {
  prefetch(all.job, begin, count);
}

template <segmenting Job>
void finish(values_and_heads<reversed<Job>> const& all, index_t begin, index_t count,
            output_of<Job>* scanned, bool streaming, typename Job::item const* = nullptr) {
  std::reverse(scanned, scanned + count);
  finish(values_and_heads<Job>{all.job.inner}, all.job.n - begin - count, count, scanned,
         streaming);
}

}  // namespace sam::host
