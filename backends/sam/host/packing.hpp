// SPDX-License-Identifier: MIT
// Jobs that only write a value for each item they keep. A tile is packed into the worker's scratch
// as it is loaded, a block of items at a time; once it is known how many were kept before, what was
// packed moves out in one piece. So only what is kept is held.
#pragma once

#include <sam/host/item_kernel.hpp>
#include <sam/host/single_pass.hpp>

#include <bit>

namespace sam::host {

/// Items that are asked at once whether they are kept, in a loop that a compiler turns into vector
/// code.
inline constexpr int packed_block = 64;

/// Appends those of a block's values whose byte in `keep` is not 0 to `out`, behind which there is
/// room for a block, and returns where they end. Written without a branch: which are kept is
/// anybody's guess.
template <class V>
V* pack_values(V const* values, std::uint8_t const* keep, V* out) {
  for (int k = 0; k < packed_block; ++k) {
    *out = values[k];
    out += keep[k];
  }
  return out;
}

#if defined(SAM_HAVE_STREAMING_STORES) && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// The same by vectors of 64 bytes, which have an instruction for it. It moves lanes of 2 and of 4
/// bytes, of which larger values are several. Elsewhere Highway has tables instead, which are
/// slower than the loop above.
template <class V>
requires(sizeof(V) == 1 || sizeof(V) == 2 || sizeof(V) == 4 || sizeof(V) == 8 ||
         sizeof(V) == 16) V* pack_values(V const* values, std::uint8_t const* keep, V* out) {
  namespace hn = hwy::HWY_NAMESPACE;
  using lane = std::conditional_t<sizeof(V) <= 2, std::uint16_t, std::uint32_t>;
  constexpr int lanes_of_value = sizeof(V) <= sizeof(lane) ? 1 : sizeof(V) / sizeof(lane);
  constexpr int all_lanes = packed_block * lanes_of_value;
  alignas(64) std::uint8_t bits[all_lanes / 8];
  constexpr auto bytes = hn::ScalableTag<std::uint8_t>();
  static_assert(hn::MaxLanes(bytes) == 64);
  for (int k = 0; k < all_lanes; k += 64) {
    auto const* const from = keep + k / lanes_of_value;
    auto const kept = [&] {  // a byte for each lane
      if constexpr (lanes_of_value == 1) {
        return hn::Load(bytes, from);
      } else {
        using wide = std::conditional_t<lanes_of_value == 2, std::uint16_t, std::uint32_t>;
        constexpr auto d = hn::ScalableTag<wide>();
        auto const x = hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, decltype(d)>(), from));
        return hn::BitCast(bytes, hn::VecFromMask(d, hn::Ne(x, hn::Zero(d))));
      }
    }();
    hn::StoreMaskBits(bytes, hn::Ne(kept, hn::Zero(bytes)), bits + k / 8);
  }
  hn::ScalableTag<lane> const d;
  constexpr int n = 64 / sizeof(lane);
  for (int k = 0; k < all_lanes; k += n) {
    std::uint64_t word;
    std::memcpy(&word, bits + k / 64 * 8, sizeof word);
    word = word >> k % 64 & ((std::uint64_t{1} << n) - 1);
    std::uint8_t mask[sizeof word];
    std::memcpy(mask, &word, sizeof word);
    auto const* const from =
        reinterpret_cast<std::byte const*>(values) + k * sizeof(V) / lanes_of_value;
    if constexpr (sizeof(V) == 1) {
      hn::Rebind<std::uint8_t, decltype(d)> const narrow;
      hn::RebindToSigned<decltype(d)> const wide;  // whose values all fit
      auto const v =
          hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<std::uint8_t const*>(from)));
      hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(wide, hn::CompressBits(v, mask))), narrow,
                 reinterpret_cast<std::uint8_t*>(out));
    } else {
      auto const v = hn::LoadU(d, reinterpret_cast<lane const*>(from));
      hn::StoreU(hn::CompressBits(v, mask), d, reinterpret_cast<lane*>(out));
    }
    out += std::popcount(word) / lanes_of_value;
  }
  return out;
}
#endif

/// Packs what the job keeps of items [begin, begin + count) to `out`, which has room for a block
/// more, and returns how many they are.
template <packing Job>
index_t pack_items(Job const& job, index_t begin, index_t count, typename Job::value_type* out) {
  using V = typename Job::value_type;
  V* const first = out;
  index_t const whole = count / packed_block * packed_block;
  for (index_t i = begin; i < begin + whole; i += packed_block) {
    alignas(64) V values[packed_block];
    alignas(64) std::uint8_t keep[packed_block];
    for (int k = 0; k < packed_block; ++k)
      keep[k] = job.keeps(job.load(i + k)) ? 1 : 0;
    for (int k = 0; k < packed_block; ++k)
      values[k] = job.value(i + k, job.load(i + k));
    out = pack_values(values, keep, out);
  }
  for (int k = 0; k < static_cast<int>(count - whole); ++k) {
    auto const x = job.load(begin + whole + k);
    *out = job.value(begin + whole + k, x);
    out += job.keeps(x) ? 1 : 0;
  }
  return out - first;
}

/// Moves what was packed of `count` items from `begin` on to its place behind `before` others.
template <packing Job>
void put_packed(Job const& job, index_t begin, index_t count, index_t before,
                typename Job::value_type const* packed, index_t kept, bool streaming) {
  index_t const fit = min_of(kept, job.room() - before);
  // Else values that another worker may be reading would be written over themselves. It reads
  // beyond its tile at most the item before, so an item that stays though not all do is no worry.
  bool const stay = kept == count && job.stays(begin, before);
  if (fit <= 0 || stay)
    return;
  auto const bytes = static_cast<std::size_t>(fit) * sizeof *packed;
  if (streaming)
    streaming_copy(job.front() + before, packed, bytes);
  else
    std::memcpy(static_cast<void*>(job.front() + before), packed, bytes);
}

/// Tiles whose items, or whose values, fit into the second-level cache.
template <class Item, class Value>
tiling packing_tiles(index_t n) {
  constexpr auto bytes = max_of(sizeof(Item), sizeof(Value));
  return {n, tile_size_near(tuning::tile_bytes / bytes, packed_block)};
}

template <packing Job>
void pack_alone(workspace& memory, tiling const& tiles, Job const& job, bool streaming) {
  using V = typename Job::value_type;
  memory.reserve(workspace::plan().part<V>(tiles.size + packed_block));
  memory.rewind();
  auto* const packed = memory.take<V>(tiles.size + packed_block);
  index_t before = 0;
  for (index_t tile = 0; tile < tiles.tiles(); ++tile) {
    index_t const begin = tiles.begin(tile), count = tiles.count(tile);
    index_t const kept = pack_items(job, begin, count, packed);
    put_packed(job, begin, count, before, packed, kept, streaming);
    before += kept;
  }
  if (streaming)
    streaming_fence();
  job.close(before);
}

/// A worker's share, as `work` of single_pass.hpp.
template <class Carry, packing Job, class Kernel, class T = typename Job::summary>
void pack_tiles(Job const& job, Kernel const& kernel, tiling const& tiles,
                std::atomic<index_t>& claims, ring<T> const& ring, T* known_value,
                typename Job::value_type* packed, bool streaming) {
  using mail_type = mailbox<T, Kernel>;
  mail_type mail(ring, kernel);
  typename mail_type::state known{known_value, 0, kernel.start(known_value)};
  auto const claim = [&] { return claims.fetch_add(1, std::memory_order_relaxed); };
  for (index_t tile = claim(); tile < tiles.tiles(); tile = claim()) {
    index_t const begin = tiles.begin(tile), count = tiles.count(tile);
    index_t const kept = pack_items(job, begin, count, packed);
    bool const last = tiles.is_last(tile);
    if (!last) {
      *mail.room_for(tile) = static_cast<T>(kept);
      Carry::announce(mail, tile);
    }
    Carry::before(mail, tile, known);
    auto const before = static_cast<index_t>(*known.values);
    if (last)
      job.close(before + kept);
    else
      mail.publish_total(tile, known);
    put_packed(job, begin, count, before, packed, kept, streaming);
  }
  if (streaming)
    streaming_fence();
}

template <class Pool, packing Job, class Pass>
void run_packing(Pool& pool, int workers, workspace& memory, index_t n, Job const& job,
                 Pass const& pass) {
  static_assert(Pass::order == 1 && Pass::tuple_size == 1 && Pass::kind == bound::exclusive,
                "sam: a counting job takes an exclusive sum");
  using T = typename Job::summary;
  using V = typename Job::value_type;
  auto const tiles = packing_tiles<typename Job::item, V>(n);
  bool const streaming = has_streaming_stores && n * index_t{sizeof(V)} >= tuning::streaming_bytes;
  workers = static_cast<int>(min_of(workers, tiles.tiles()));
  if (workers == 1)
    return pack_alone(memory, tiles, job, streaming);
  item_kernel<T, Pass> const kernel(pass);
  index_t const window = ring<T>::window_for(workers);
  workspace::plan plan;
  plan.part<slot>(2 * window).template part<T>(4 * window);
  for (int w = 0; w < workers; ++w)
    plan.part<V>(tiles.size + packed_block).template part<T>(1);
  memory.reserve(plan);
  memory.rewind();
  ring<T> const ring{memory.take<slot>(2 * window), memory.take<T>(4 * window), 1, window};
  for (index_t k = 0; k < 2 * window; ++k)
    std::construct_at(ring.slots + k);
  struct desk {
    V* packed;
    T* known;
  };
  std::vector<desk> desks;
  for (int w = 0; w < workers; ++w) {
    V* const packed = memory.take<V>(tiles.size + packed_block);
    desks.push_back({packed, memory.take<T>(1)});
  }
  std::atomic<index_t> claims{0};
  pool.for_each_worker(workers, [&](int w) {
    auto const& [packed, known] = desks[static_cast<std::size_t>(w)];
    pack_tiles<typename Pass::carry>(job, kernel, tiles, claims, ring, known, packed, streaming);
  });
}

}  // namespace sam::host
