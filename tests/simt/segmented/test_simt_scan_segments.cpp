// SPDX-License-Identifier: MIT
// Tests of the GPU kernels that scan segments by offsets without marks, run on fibers: by threads
// of their own, by tiles and chunks of tiles, also of counted items, and by lanes of few segments,
// which reduce them, too.
#include <sam/reference.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "items.hpp"
#include "segment_lengths.hpp"
#include "simt/context.hpp"
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

namespace {

using sam::index_t;

/// Scans segments of these lengths by the kernels that mark nothing before: by threads of their
/// own, of which each number occurs with one number of blocks, and by tiles.
template <class T, class Offset, int Warp = 32, class Op>
void check_scans(std::vector<index_t> const& lengths, Op op, T init) {
  auto const offsets = test::offsets_of<Offset>(lengths);
  auto const n = static_cast<index_t>(offsets.back());
  auto const seed = test::seed_for(n);
  CAPTURE(n, lengths.size(), seed);
  sam::scan_policy<Op> const policy{op};
  auto const items = test::random_items<T>(n, seed);
  std::vector<std::uint8_t> heads(items.size() + 1);
  for (Offset const offset : offsets)
    heads[static_cast<std::size_t>(offset)] = 1;
  heads.pop_back();
  auto const inclusive = sam::reference::segmented_inclusive_scan(items, heads, policy);
  auto const exclusive = sam::reference::segmented_exclusive_scan(items, heads, policy, init);
  for (int const blocks : {1, 3, test::most_blocks})
    for (index_t const longest_lead : {-2, -1, 0, 100}) {
      if (longest_lead == -1 && blocks != 3)
        continue;
      CAPTURE(blocks, longest_lead);
      simt::context<Warp> context(blocks, seed);
      context.takes_paths = true;
      context.longest_lead = longest_lead;
      if (longest_lead == -2)
        context.log_lanes_of_scan = blocks == 1 ? 2 : blocks == 3 ? 5 : -1;
      context.scans_by_few_warps = blocks != 3;
      std::vector<T> somewhere(items.size() + 1);  // shifts alignment
      auto const out = std::span<T>(somewhere).subspan(blocks == 3 ? 1 : 0, items.size());
      auto const results = [&] { return std::vector<T>(out.begin(), out.end()); };
      sam::segmented_inclusive_scan(context, items, sam::by_offsets(offsets), out, policy);
      REQUIRE(results() == inclusive);
      if constexpr (std::is_same_v<T, std::int32_t>) {  // exclusive scans start from init, too
        sam::segmented_inclusive_scan(context, items, sam::by_offsets(offsets), out, policy, init);
        REQUIRE(results() ==
                sam::reference::segmented_inclusive_scan(items, heads, policy, {init}));
      }
      sam::segmented_exclusive_scan(context, items, sam::by_offsets(offsets), out, policy, init);
      REQUIRE(results() == exclusive);
      if (longest_lead == -2) {
        std::copy(items.begin(), items.end(), out.begin());
        sam::segmented_inclusive_scan(context, out, sam::by_offsets(offsets), out, policy);
        REQUIRE(results() == inclusive);
      }
    }
  struct chunk {
    index_t tiles, longest_lead;
  };
  for (auto const& [tiles, longest_lead] :
       {chunk{1, 0}, chunk{1, 100}, chunk{2, 1 << 16}, chunk{3, 100}, chunk{100, 0}}) {
    CAPTURE(tiles, longest_lead);
    simt::context<Warp> context(test::most_blocks, seed);
    context.takes_paths = true;
    context.longest_lead = longest_lead;
    context.tiles_of_chunk = tiles;
    std::vector<T> somewhere(items.size() + 1);  // shifts alignment
    auto const out = std::span<T>(somewhere).subspan(tiles == 3 ? 1 : 0, items.size());
    auto const results = [&] { return std::vector<T>(out.begin(), out.end()); };
    sam::segmented_inclusive_scan(context, items, sam::by_offsets(offsets), out, policy);
    REQUIRE(results() == inclusive);
    sam::segmented_exclusive_scan(context, items, sam::by_offsets(offsets), out, policy, init);
    REQUIRE(results() == exclusive);
    REQUIRE(context.launches() == 4);
  }
}

TEST_CASE("segments of all lengths are scanned on fibers", "[simt]") {
  index_t const tile = 3 * 32 * 4;  // of both kernels, with 32 lanes
  std::vector<std::vector<index_t>> cases{
      {1},
      {5, 0, 0, 7, 1},
      {tile},
      {tile, tile, 1},
      {tile - 1, tile + 2, 3},
      {3, 3 * tile, 0, 2 * tile - 3, 1},
      {tile - 100, tile + 100, 99, tile, 1},  // leads of 100 items and of 101
      {tile - 101, tile + 101, 2 * tile, 5},
      std::vector<index_t>(2 * tile + 1, 1)};
  cases.push_back({64, 65, 7, 8, 9, 32, 33, 80, 81, 1, 17, 15, 200});  // what lanes and warps take
  std::vector<index_t> gaps(3000, 0);  // so many offsets that each thread looks at some first
  gaps[0] = 7, gaps[900] = 1, gaps[2000] = tile + 31, gaps[2100] = 7 * tile;
  cases.push_back(gaps);
  cases.push_back(std::vector<index_t>(1000, 3));
  for (auto const& lengths : cases) {
    check_scans<std::int32_t, std::int64_t>(lengths, sam::plus{}, 7);
    check_scans<std::uint8_t, std::uint16_t, 64>(lengths, sam::maximum{}, std::uint8_t{77});
    check_scans<test::affine, std::int32_t>(lengths, test::compose{}, {3, 5});
  }
}

/// Scans the first items of segments of these lengths by the same kernels, by a number in memory.
/// Tiles and segments past the number are left, so what is there stays.
template <class T, int Warp = 32, class Number = index_t, class Op>
void check_counted_scans(std::vector<index_t> const& lengths, Op op, T init) {
  auto const offsets = test::offsets_of<std::int32_t>(lengths);
  auto const n = static_cast<index_t>(offsets.back());
  auto const seed = test::seed_for(n);
  sam::scan_policy<Op> const policy{op};
  auto const items = test::random_items<T>(n, seed), before = test::random_items<T>(n, seed + 1);
  std::vector<std::uint8_t> heads(items.size() + 1);
  for (auto const offset : offsets)
    heads[static_cast<std::size_t>(offset)] = 1;
  heads.pop_back();
  auto const inclusive = sam::reference::segmented_inclusive_scan(items, heads, policy);
  auto const exclusive = sam::reference::segmented_exclusive_scan(items, heads, policy, init);
  index_t const tile = index_t{3} * Warp * 4;
  for (index_t const asked : {n, n + 9, n - 1, n / 2, index_t{1}, index_t{0}, index_t{-1}, tile - 1,
                              tile, tile + 1, n - lengths.back()}) {
    auto const taken = sam::engine::max_of(0, sam::engine::min_of(asked, n));
    auto const with = [&](auto all) {
      std::copy(before.begin() + taken, before.end(), all.begin() + taken);
      return all;
    };
    auto const inclusive_now = with(inclusive), exclusive_now = with(exclusive);
    std::vector<Number> const number{static_cast<Number>(asked)};
    auto const first = sam::counted(items, number);
    for (int const way : {0, 1, 2, 3, 4, 5, 6}) {
      CAPTURE(n, lengths.size(), asked, way, seed);
      simt::context<Warp> context(way % 2 == 0 ? 3 : test::most_blocks, seed);
      context.takes_paths = way < 6;
      if (way < 3)
        context.longest_lead = 100 * way - 100;  // below 0: no second kernel
      else if (way < 6)
        context.log_lanes_of_scan = std::array{-1, 2, 5}[static_cast<std::size_t>(way - 3)];
      context.scans_by_few_warps = way == 4;
      auto out = before;
      sam::segmented_inclusive_scan(context, first, sam::by_offsets(offsets), out, policy);
      REQUIRE(out == inclusive_now);
      if (way < 6)
        REQUIRE(context.launches() == (way == 1 || way == 2 ? 2 : 1));
      out = before;
      sam::segmented_exclusive_scan(context, first, sam::by_offsets(offsets), out, policy, init);
      REQUIRE(out == exclusive_now);
      out = items;  // by other kernels, if there are too many
      sam::segmented_inclusive_scan(context, sam::counted(out, number), sam::by_offsets(offsets),
                                    out, policy);
      for (std::size_t i = 0; i < out.size(); ++i)
        REQUIRE(out[i] == (static_cast<index_t>(i) < taken ? inclusive[i] : items[i]));
    }
  }
}

TEST_CASE("counted items of segments are scanned where they lie on fibers", "[simt]") {
  index_t const tile = 3 * 32 * 4;
  std::vector<std::vector<index_t>> const cases{{1},
                                                {5, 0, 0, 7, 1},
                                                {tile - 1, tile + 2, 3},
                                                {3, 3 * tile, 0, 2 * tile - 3, 1},
                                                {64, 65, 7, 8, 9, 32, 33, 80, 81, 1, 17, 15, 200},
                                                std::vector<index_t>(500, 3)};
  for (auto const& lengths : cases) {
    check_counted_scans<std::int32_t>(lengths, sam::plus{}, 7);
    check_counted_scans<std::uint8_t, 64, std::int32_t>(lengths, sam::maximum{}, std::uint8_t{7});
    check_counted_scans<test::affine>(lengths, test::compose{}, {3, 5});
  }
}

TEST_CASE("wrong offsets lead chunks of tiles out of no array on fibers", "[simt]") {
  index_t const n = 3000;
  auto const seed = test::seed_for(n);
  auto const items = test::random_items<std::int32_t>(n, seed);
  std::vector<std::vector<std::int32_t>> wrong{
      {0, 5000, 2000, 3000}, {-7, -3, 100, 9999}, {3000, 2500, 2000, 1000, 0}, {3000, 3000}};
  wrong.emplace_back(900, -1);  // more than threads of a block
  wrong.emplace_back(900, 1 << 30);
  std::vector<std::int32_t> random;
  test::generator bits{seed};
  for (int k = 0; k < 700; ++k)
    random.push_back(static_cast<std::int32_t>(bits() % 8000) - 2500);
  wrong.push_back(random);
  for (auto const& offsets : wrong)
    for (index_t const tiles : {1, 3})
      for (index_t const longest_lead : {0, 1 << 16}) {
        using job = sam::engine::scan_segments_job<sam::engine::bound::inclusive, std::int32_t,
                                                   std::int32_t, std::int32_t, sam::plus,
                                                   sam::engine::from_nothing>;
        simt::context<32> context(test::most_blocks, seed);
        context.takes_paths = true;
        context.longest_lead = longest_lead;
        context.tiles_of_chunk = tiles;
        std::vector<std::int32_t> out(items.size() + 32, 77);
        REQUIRE(context.scan_segments(job{
            n, items.data(), std::ssize(offsets) - 1, offsets.data(), out.data() + 16, {}, {}}));
        for (std::size_t k = 0; k < 16; ++k)
          REQUIRE((out[k] == 77 && out[out.size() - 1 - k] == 77));
      }
}

/// Keeps the later of two numbers that are not 0. It does not commute, and has an identity.
struct last_of {
  template <class T>
  SAM_FUNCTION static constexpr T identity() {
    return 0;
  }
  template <class T>
  SAM_FUNCTION T operator()(T a, T b) const {
    return b == 0 ? a : b;
  }
};
static_assert(sam::has_identity<last_of, std::int32_t> && !sam::is_commutative<last_of>);

/// Scans and reduces segments of these lengths as few items, by each number of lanes.
template <class T, class Offset, int Warp, class Op>
void check_few(std::vector<index_t> const& lengths, Op op, T init) {
  static_assert(sam::gpu::combines_few_segments<T, Op>);
  auto const offsets = test::offsets_of<Offset>(lengths);
  auto const n = static_cast<index_t>(offsets.back());
  auto const seed = test::seed_for(n);
  CAPTURE(n, lengths.size(), seed, Warp);
  sam::scan_policy<Op> const policy{op};
  auto items = test::random_items<T>(n, seed);
  for (std::size_t i = 0; i < items.size(); i += 3)
    items[i] = 0;
  std::vector<std::uint8_t> heads(items.size() + 1);
  for (Offset const offset : offsets)
    heads[static_cast<std::size_t>(offset)] = 1;
  heads.pop_back();
  auto const by = sam::by_offsets(offsets);
  for (int log_lanes = 0; 1 << log_lanes <= Warp; ++log_lanes) {
    CAPTURE(log_lanes);
    simt::context<Warp> context(3, seed);
    context.takes_paths = true;
    context.log_lanes_of_few = log_lanes;
    std::vector<T> totals(lengths.size()), out(items.size());
    sam::segmented_reduce(context, items, by, totals, policy, init);
    REQUIRE(totals == sam::reference::segmented_reduce(items, offsets, policy, init));
    auto const inclusive = sam::reference::segmented_inclusive_scan(items, heads, policy);
    auto const exclusive = sam::reference::segmented_exclusive_scan(items, heads, policy, init);
    sam::segmented_inclusive_scan(context, items, by, out, policy);
    REQUIRE(out == inclusive);
    sam::segmented_exclusive_scan(context, items, by, out, policy, init);
    REQUIRE(out == exclusive);
    sam::segmented_inclusive_scan(context, items, by, out, policy, init);
    REQUIRE(out == sam::reference::segmented_inclusive_scan(items, heads, policy, {init}));
    out = items;
    sam::segmented_inclusive_scan(context, out, by, out, policy);
    REQUIRE(out == inclusive);
    out = items;
    sam::segmented_exclusive_scan(context, out, by, out, policy, init);
    REQUIRE(out == exclusive);
  }
}

TEST_CASE("segments of few items are scanned and reduced on fibers", "[simt]") {
  // Here a warp takes up to 40 items to reduce and 80 to scan, and a block scans up to 512.
  index_t const tile = 512;
  std::vector<std::vector<index_t>> cases{
      {1},
      {0, 0, 1, 0},
      {5, 0, 0, 7, 1},
      {7, 8, 9, 15, 16, 17, 31, 32, 33, 0, 63, 64, 65, 127, 128, 129, 1, 255, 256, 257},
      {39, 40, 41, 79, 80, 81},
      {tile - 1},
      {tile},
      {tile + 1},
      {tile / 2 - 1, tile / 2, tile / 2 + 1, 3},
      {3, 3 * tile, 0, 2 * tile - 3, 1},
      {2000},
      std::vector<index_t>(300, 10),
      std::vector<index_t>(33, 31),
      std::vector<index_t>(tile + 1, 1)};
  std::vector<index_t> some(700, 0);  // many empty ones, and one that has nearly all items
  some[333] = 5 * tile + 3;
  cases.push_back(some);
  some[0] = 1, some[699] = 3;
  cases.push_back(some);
  std::vector<index_t> power;  // a power law
  for (index_t k = 0; k < 250; ++k)
    power.push_back(k % 5 == 0 ? 0 : 1 + 1000 / (1 + k * 7 % 250));
  cases.push_back(power);
  for (auto const& lengths : cases) {
    check_few<std::int32_t, std::int32_t, 32>(lengths, sam::plus{}, 7);
    check_few<std::uint8_t, std::int64_t, 64>(lengths, sam::maximum{}, std::uint8_t{77});
    check_few<std::int64_t, std::uint16_t, 32>(lengths, last_of{}, 5);
  }
}

}  // namespace
