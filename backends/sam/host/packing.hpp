// SPDX-License-Identifier: MIT
// Jobs that only write a value for each item they keep. A tile is packed into the worker's scratch
// as it is loaded, a block of items at a time; once it is known how many were kept before, what was
// packed moves out in one piece. So only what is kept is held.
#pragma once

#include <sam/host/read_once.hpp>
#include <sam/host/transfer.hpp>

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

/// See read_once.hpp for what this offers.
template <packing Job>
struct packing_work {
  using summary = typename Job::summary;
  using V = typename Job::value_type;
  struct desk {
    V* packed;
    index_t kept;
  };
  Job const& job;
  tiling tiles;
  bool streaming;

  void plan(workspace::plan& plan) const { plan.part<V>(tiles.size + packed_block); }
  desk desk_in(workspace& memory) const { return {memory.take<V>(tiles.size + packed_block), 0}; }

  summary take(desk& own, index_t tile) const {
    own.kept = pack_items(job, tiles.begin(tile), tiles.count(tile), own.packed);
    return static_cast<summary>(own.kept);
  }
  void put(desk const& own, index_t tile, summary kept_before) const {
    auto const before = static_cast<index_t>(kept_before);
    put_packed(job, tiles.begin(tile), tiles.count(tile), before, own.packed, own.kept, streaming);
    if (tiles.is_last(tile))
      job.close(before + own.kept);
  }
};

template <packing Job, class Pass>
void run_packing(any_pool const& pool, int workers, workspace& memory, index_t n, Job const& job,
                 Pass const& pass) {
  static_assert(Pass::order == 1 && Pass::tuple_size == 1 && Pass::kind == bound::exclusive,
                "sam: a counting job takes an exclusive sum");
  using V = typename Job::value_type;
  bool const streaming = has_streaming_stores && n * index_t{sizeof(V)} >= tuning::streaming_bytes;
  run_once(pool, workers, memory, pass,
           packing_work<Job>{job, packing_tiles<typename Job::item, V>(n), streaming});
}

}  // namespace sam::host
