// SPDX-License-Identifier: MIT
// Tests of segmented scans, reductions and sorts by the GPU kernels, run on fibers. The kernels
// that scan segments by offsets without marks have tests of their own.
#include <sam/find_runs.hpp>
#include <sam/host/sort/msd_radix_sort.hpp>
#include <sam/inputs.hpp>
#include <sam/outputs.hpp>
#include <sam/reference.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_find.hpp>
#include <sam/segmented_minmax.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "extremes.hpp"
#include "items.hpp"
#include "segment_lengths.hpp"
#include "simt/context.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <initializer_list>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

// Tiles stage both extremes as positions, which these tell, whatever integers their indices are.
using both_orders = decltype(sam::detail::find_both::op(sam::detail::natural_order{}));
template <class Index>
constexpr bool tells_places = requires(sam::detail::located_pair<float, Index> const& x) {
  both_orders::index_of_first(x);
  both_orders::index_of_second(x);
  both_orders::joined(x, x);
};
static_assert(tells_places<std::int32_t> && tells_places<sam::index_t>);

using sam::index_t;

struct segments {
  std::vector<std::uint8_t> heads;
  std::vector<std::uint32_t> offsets{0};
};
/// Returns segments with a mean length of about `length` items. Half of the starts follow an empty
/// segment.
segments random_segments(index_t n, std::uint64_t length, std::uint64_t seed) {
  segments all;
  test::generator bits{seed};
  for (index_t i = 0; i < n; ++i) {
    all.heads.push_back(bits() % length == 0);
    for (auto k = i == 0 ? 0 : all.heads.back() * (1 + bits() % 2); k > 0; --k)
      all.offsets.push_back(static_cast<std::uint32_t>(i));
  }
  all.offsets.push_back(static_cast<std::uint32_t>(n));
  return all;
}

TEST_CASE("both extremes of segments are found by keys, with NaNs and zeros, on fibers", "[simt]") {
  using source = sam::engine::array_source<float>;
  using job = sam::engine::reduce_segments_job<
      sam::detail::transformed_source<sam::detail::indexed_source<source>,
                                      sam::detail::to_located_pair<std::int32_t>>,
      sam::detail::located_pair<float, std::int32_t>, std::uint32_t, both_orders,
      sam::engine::from_nothing, sam::minmax_values<float>>;
  static_assert(std::is_same_v<decltype(sam::detail::faster_job<job>::of(std::declval<job>()).op),
                               sam::detail::smallest_key>);
  index_t const n = 3000;
  auto const seed = test::seed_for(n);
  simt::context<32> context(5, seed);
  test::generator bits{seed};
  std::vector<float> items(n);
  for (float& x : items) {
    auto const kind = bits() % 64;
    x = kind == 0   ? std::numeric_limits<float>::quiet_NaN()
        : kind == 1 ? -std::numeric_limits<float>::infinity()
        : kind < 16 ? -0.0f
        : kind < 32 ? 0.0f
                    : static_cast<float>(bits() % 9) - 4;
  }
  sam::detail::natural_extreme<false> const least;
  sam::detail::natural_extreme<true> const most;
  for (std::uint64_t const length : {3, 40, 700, 100'000}) {
    auto const all = random_segments(n, length, seed);
    std::vector<sam::minmax_values<float>> found(all.offsets.size() - 1);
    sam::segmented_find_minmax(context, items, sam::by_offsets(all.offsets), found);
    auto const firsts =
        sam::reference::find_extreme_of_segments<index_t>(items, all.offsets, least);
    auto const lasts = sam::reference::find_extreme_of_segments<index_t>(items, all.offsets, most);
    auto const is_at = [&](sam::indexed_value<float> const& x, index_t i) {
      auto const of = [](float y) { return std::bit_cast<std::uint32_t>(y); };
      return x.index == i && (i == n || of(x.value) == of(items[static_cast<std::size_t>(i)]));
    };
    for (std::size_t k = 0; k < found.size(); ++k)
      REQUIRE((is_at(found[k].min, firsts[k]) && is_at(found[k].max, lasts[k])));
  }
}

TEST_CASE("orders and both extremes of segments and keys equal their references on fibers",
          "[simt]") {
  for (index_t const n : {1, 193, 5000})
    for (std::uint64_t const length : {3, 100, 100'000}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, length, seed);
      simt::context<32> context(5, seed);
      auto items = test::random_items<std::int32_t>(n, seed);
      for (std::size_t i = 1; i < items.size(); ++i)  // most neighbours are in order
        if (i % 64 != 0)
          items[i] = items[i - 1] / 2;
      auto const all = random_segments(n, length, seed);
      sam::greater const greater{};
      auto const by = sam::by_offsets(all.offsets);
      std::vector<std::uint8_t> sorted(all.offsets.size() - 1);
      std::vector<sam::minmax_values<std::int32_t>> found(sorted.size());
      sam::segmented_is_sorted(context, items, by, sorted, greater);
      sam::segmented_find_minmax(context, items, by, found);
      REQUIRE(sorted ==
              sam::reference::is_sorted_in_segments<std::uint8_t>(items, all.offsets, greater));
      auto const check = [&](auto const& offsets, auto const& got) {
        auto const least =
            sam::reference::find_extreme_of_segments<index_t>(items, offsets, sam::less{});
        auto const most =
            sam::reference::find_extreme_of_segments<index_t>(items, offsets, greater);
        for (std::size_t k = 0; k < least.size(); ++k)
          REQUIRE((got[k].min.index == least[k] && got[k].max.index == most[k]));
      };
      check(all.offsets, found);
      std::vector<std::uint32_t> keys, firsts(items.size());
      for (std::size_t i = 0; i < items.size(); ++i)
        keys.push_back((i == 0 ? 0 : keys.back()) + (all.heads[i] != 0 ? 1 : 0));
      auto const ends = sam::reference::offsets_of(all.heads);
      found.resize(items.size());
      index_t const runs = sam::find_minmax_by_key(context, keys, items, firsts, found);
      REQUIRE(runs == std::ssize(ends) - 1);
      check(ends, found);
      auto const wanted = [&](auto const& offsets) {
        std::vector<sam::min_and_max<std::int32_t>> both;
        for (std::size_t k = 1; k < offsets.size(); ++k)
          both.push_back(
              {sam::minimum::identity<std::int32_t>(), sam::maximum::identity<std::int32_t>()});
        for (std::size_t k = 0; k < both.size(); ++k)
          for (auto i = offsets[k]; i < offsets[k + 1]; ++i) {
            both[k].min = std::min(both[k].min, items[i]);
            both[k].max = std::max(both[k].max, items[i]);
          }
        return both;
      };
      std::vector<sam::min_and_max<std::int32_t>> both(sorted.size());
      sam::segmented_minmax(context, items, by, both);
      REQUIRE(both == wanted(all.offsets));
      both.resize(items.size());
      both.resize(std::size_t(sam::minmax_by_key(context, keys, items, firsts, both)));
      REQUIRE(both == wanted(ends));
    }
}

TEMPLATE_TEST_CASE_SIG("segmented scans and reductions equal their references on fibers", "[simt]",
                       ((int Warp), Warp), 32, 64) {
  for (index_t const n : {1, 31, 192, 193, 777, 5000})
    for (std::uint64_t const length : {1, 3, 100, 100'000}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, length, seed);
      simt::context<Warp> context(5, seed);
      auto const items = test::random_items<std::int32_t>(n, seed);
      auto const all = random_segments(n, length, seed);
      std::vector<std::int32_t> out(items.size());
      sam::segmented_inclusive_scan(context, items, sam::by_heads(all.heads), out);
      REQUIRE(out ==
              sam::reference::segmented_inclusive_scan(items, all.heads, sam::scan_policy<>{}));
      out = items;
      sam::segmented_exclusive_scan(context, out, sam::by_checked_offsets(all.offsets), out,
                                    sam::plus{}, 5);
      REQUIRE(out ==
              sam::reference::segmented_exclusive_scan(items, all.heads, sam::scan_policy<>{}, 5));
      for (bool const takes_paths : {false, true}) {
        CAPTURE(takes_paths);
        context.takes_paths = takes_paths;
        std::vector<std::int32_t> totals(all.offsets.size() - 1, -1);
        sam::segmented_reduce(context, items, sam::by_offsets(all.offsets), totals);
        REQUIRE(totals ==
                sam::reference::segmented_reduce(items, all.offsets, sam::scan_policy<>{}, 0));
        REQUIRE(context.is_at_rest());
      }
    }
}

template <class Context, class T>
void check_find_runs(Context& context, std::vector<T> const& items) {
  auto const wanted = sam::reference::find_runs<std::int32_t>(items, std::equal_to{});
  std::vector<std::int32_t> offsets(wanted.first.size()), lengths(wanted.first.size());
  REQUIRE(sam::find_runs(context, items, offsets, lengths) == static_cast<index_t>(offsets.size()));
  REQUIRE((offsets == wanted.first && lengths == wanted.second));
  REQUIRE(context.is_at_rest());
}

TEST_CASE("runs equal their references on fibers", "[simt]") {
  for (index_t const n : {1, 31, 192, 193, 777, 5000})
    for (std::uint64_t const length : {1, 3, 100, 100'000}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, length, seed);
      simt::context<32, simt::block_config<2, 3, 2>, 256> context(5, seed);
      auto const all = random_segments(n, length, seed);
      std::vector<std::uint16_t> lengths;
      for (std::size_t k = 1; k < all.offsets.size(); ++k)
        lengths.push_back(static_cast<std::uint16_t>(all.offsets[k] - all.offsets[k - 1]));
      auto const values =
          test::random_items<double>(static_cast<index_t>(lengths.size()), seed + 1);
      auto const items = sam::reference::run_length_decode(values, lengths);
      for (index_t const buffer : {n, n + 33, n / 2, index_t{0}})
        for (bool const takes_paths : {false, true}) {
          CAPTURE(buffer, takes_paths);
          context.takes_paths = takes_paths;
          std::vector<double> out(static_cast<std::size_t>(buffer), 7.0), wanted = items;
          REQUIRE(sam::run_length_decode(context, values, lengths, out) == n);
          wanted.resize(out.size(), 7.0);
          REQUIRE(out == wanted);
        }
      auto const runs = sam::reference::run_length_encode<std::int32_t>(items, std::equal_to{});
      std::vector<double> firsts(runs.first.size());
      std::vector<std::int32_t> counts(runs.first.size());
      REQUIRE(sam::run_length_encode(context, items, firsts, counts) ==
              static_cast<index_t>(counts.size()));
      REQUIRE((firsts == runs.first && counts == runs.second));
      auto in_place = items;
      REQUIRE(sam::run_length_encode(context, in_place, in_place, counts) ==
              static_cast<index_t>(counts.size()));
      in_place.resize(counts.size());
      REQUIRE((in_place == runs.first && counts == runs.second));
      check_find_runs(context, items);
    }
}

/// Reduces segments of these lengths in each way that the GPU kernels have. Each of three numbers
/// of blocks occurs with two ways; which, depends on `turn`.
template <class T, class Offset, int Warp = 32, class Op>
void check_lengths(std::vector<index_t> const& lengths, int turn, Op op, T init) {
  auto const offsets = test::offsets_of<Offset>(lengths);
  auto const n = static_cast<index_t>(offsets.back());
  auto const seed = test::seed_for(n);
  CAPTURE(n, lengths.size(), seed);
  sam::scan_policy<Op> const policy{op};
  auto const items = test::random_items<T>(n, seed);
  auto const wanted = sam::reference::segmented_reduce(items, offsets, policy, init);
  for (int const way : {-2, -1, 0, 1, 2, 3}) {
    int const blocks =
        std::array{1, 3, test::most_blocks}[static_cast<std::size_t>((turn + way + 2) % 3)];
    CAPTURE(blocks, way);
    simt::context<Warp> context(blocks, seed);
    context.takes_paths = way != -2;
    if (way >= 0)
      context.shares = {way == 3 ? -1 : way == 2 ? 5 : way, way == 3 ? 3 : 2};
    std::vector<Offset> somewhere(static_cast<std::size_t>(blocks % 4));  // shifts alignment
    somewhere.insert(somewhere.end(), offsets.begin(), offsets.end());
    auto const moved = std::span<Offset const>(somewhere).last(offsets.size());
    for (int again = 0; again < 2; ++again) {
      std::vector<T> totals(wanted.size());
      context.takes_chunks = again > 0;
      sam::segmented_reduce(context, items, sam::by_offsets(moved), totals, policy, init);
      REQUIRE(totals == wanted);
      REQUIRE(context.is_at_rest());
    }
  }
}

/// Marks bits in words with old contents. The offsets fill their allocation, so that a read outside
/// of it is detected.
template <class Offset>
void check_marks(std::vector<Offset> const& offsets, index_t before, index_t bits) {
  auto const seed = test::seed_for(bits);
  CAPTURE(offsets.size(), before, bits, seed, sizeof(Offset));
  std::vector<std::uint32_t> wanted(static_cast<std::size_t>(sam::engine::div_up(bits, 32)));
  for (Offset const offset : offsets)
    if (auto const bit = static_cast<index_t>(offset) - before; bit >= 0 && bit < bits)
      wanted[static_cast<std::size_t>(bit / 32)] |= 1u << bit % 32;
  for (int const blocks : {1, 3})
    for (std::size_t const past : {0u, 1u, 3u}) {  // the allocation ends with the offsets
      std::vector<Offset> somewhere(past);
      somewhere.insert(somewhere.end(), offsets.begin(), offsets.end());
      somewhere.shrink_to_fit();
      auto const check = [&](auto context) {
        std::vector<std::uint32_t> words(wanted.size(), 0xcdcdcdcd);
        context.mark_bits(sam::engine::mark_job<Offset>{somewhere.data() + past,
                                                        static_cast<index_t>(offsets.size()),
                                                        before, bits, words.data()});
        REQUIRE(words == wanted);
      };
      check(simt::context<32>(blocks, seed));
      check(simt::context<64>(blocks, seed));
    }
}

TEMPLATE_TEST_CASE("offsets set the bits that they say, and no others, on fibers", "[simt]",
                   std::uint16_t, std::uint32_t, std::int64_t) {
  using offsets = std::vector<TestType>;
  for (index_t const bits : {31, 160, 161, 500, 1003}) {  // a tile has 160 bits
    auto const end = static_cast<TestType>(bits);
    for (index_t const before : {0, 1}) {
      check_marks<TestType>(offsets{}, before, bits);
      check_marks<TestType>(offsets{0}, before, bits);
      check_marks<TestType>(offsets{end}, before, bits);
      check_marks<TestType>(offsets{0, 1, 1, 2, 7}, before, bits);  // most tiles have no mark
      check_marks<TestType>(offsets{0, 0, end, end, end}, before, bits);
      check_marks<TestType>(offsets{static_cast<TestType>(bits - 1), end}, before, bits);
      offsets all;
      for (index_t k = 0; k <= bits; ++k)
        all.push_back(static_cast<TestType>(k));
      check_marks<TestType>(all, before, bits);
    }
  }
  // More than 640 offsets that fall into a tile: equal ones at either end of the tile or at both,
  // all equal, and each of some ten times.
  offsets const first(700, 3), last(700, 130), some{4, 5, 100};
  offsets ten_times;
  for (int k = 0; k < 1000; ++k)
    ten_times.push_back(static_cast<TestType>(k / 10));
  auto const together = [](offsets all, std::initializer_list<offsets> others) {
    for (offsets const& more : others)
      all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  check_marks<TestType>(together(first, {some}), 0, 400);
  check_marks<TestType>(together(some, {last}), 1, 400);
  check_marks<TestType>(together(first, {some, last, {131, 300}}), 0, 400);
  check_marks<TestType>(first, 0, 31);
  check_marks<TestType>(together(ten_times, {last}), 0, 131);
}

TEST_CASE("segments of all lengths are reduced on fibers", "[simt]") {
  index_t const tile = 192;
  std::vector<std::vector<index_t>> cases;
  for (index_t const end : {tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1}) {
    cases.push_back({end - 1});             // one segment,
    cases.push_back({0, end - 2});          // one with an empty segment before it,
    cases.push_back({end - 2, 0});          // after it,
    cases.push_back({end - 4, 0, 0, 1});    // two with empty ones between them,
    cases.push_back({1, end - 4, 1, end});  // and segments with items
  }
  cases.push_back(std::vector<index_t>(3 * tile, 1));
  cases.push_back({7 * tile, 7 * tile});
  cases.push_back(
      {40, 41, 42, 3, 20, 33, 32, 31, 7 * tile});  // around the limits of lanes and warps
  std::vector<index_t> gaps(3 * tile, 0);          // many empty segments
  gaps.push_back(1);
  cases.push_back(gaps);
  gaps.front() = 5 * tile, gaps.back() = 0;
  cases.push_back(gaps);
  gaps[tile + 5] = 3 * tile + 1;
  cases.push_back(gaps);
  gaps.assign(2500, 0);  // dense ends, so that each bit is searched for
  gaps[0] = 7, gaps[900] = 1, gaps[2000] = 31, gaps[2100] = 7 * tile;
  cases.push_back(gaps);
  int turn = 0;
  for (auto const& lengths : cases) {
    // Each case has each number of blocks with each way, but not all with each type.
    check_lengths<std::int32_t, std::int64_t>(lengths, turn, sam::plus{}, 0);
    check_lengths<std::int32_t, std::uint16_t, 64>(lengths, turn + 1, sam::maximum{}, 77);
    check_lengths<test::affine, std::int32_t>(lengths, turn + 2, test::compose{}, {3, 5});
    ++turn;
  }
}

TEST_CASE("ends that do not ascend lead nowhere outside of the arrays on fibers", "[simt]") {
  for (index_t const n : {100, 2000}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    simt::context<64> context(3, seed);
    context.takes_paths = true;
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> offsets(3000);
    for (std::int64_t& offset : offsets)
      offset = static_cast<std::int64_t>(random() % 10'000) - 5000;
    auto const items = test::random_items<std::int32_t>(n, seed);
    std::vector<std::int32_t> totals(offsets.size() - 1);
    std::vector<std::int32_t> scanned(items.size());
    for (int const log_lanes : {-1, 0, 3}) {
      context.shares = {log_lanes, 2};
      context.longest_lead = log_lanes;
      if (log_lanes > 0)
        context.log_lanes_of_scan = log_lanes;
      context.scans_by_few_warps = log_lanes == 3;
      context.takes_chunks = log_lanes != 0;
      sam::segmented_inclusive_scan(context, items, sam::by_offsets(offsets), scanned);
      sam::segmented_reduce(context, items, sam::by_offsets(offsets), totals, sam::plus{}, 0);
      context.log_lanes_of_few = log_lanes + 1;
      sam::segmented_inclusive_scan(context, items, sam::by_offsets(offsets), scanned);
      sam::segmented_reduce(context, items, sam::by_offsets(offsets), totals, sam::plus{}, 0);
      context.log_lanes_of_few.reset();
      REQUIRE(context.is_at_rest());
    }

    auto const values = test::random_items<double>(static_cast<index_t>(offsets.size()), seed);
    std::vector<double> out(items.size());
    context.decode_runs(sam::engine::decode_runs_job<double, std::int64_t>{
        values.data(), offsets.data(), static_cast<index_t>(offsets.size()), &n, out.data(), n});
  }
}

/// Reduces segments with so many items per thread that its head flags fill several words.
template <class T, int Warp = 32, class Op>
void check_reductions(index_t n, std::uint64_t length, Op op, T init) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, length, seed);
  simt::context<Warp, simt::block_config<2, 70, 2>, 8 * Warp> context(3, seed);
  auto const all = random_segments(n, length, seed);
  sam::scan_policy<Op> const policy{op};
  auto const items = test::random_items<T>(n, seed);
  auto const wanted = sam::reference::segmented_reduce(items, all.offsets, policy, init);
  std::vector<T> totals;
  if constexpr (std::is_same_v<T, std::int32_t>)  // paths have no flags; check_lengths has more
    for (bool const takes_paths : {false, true}) {
      CAPTURE(takes_paths);
      context.takes_paths = takes_paths;
      totals.assign(wanted.size(), T{});
      sam::segmented_reduce(context, items, sam::by_offsets(all.offsets), totals, policy, init);
      REQUIRE(totals == wanted);
    }

  // Selects the segments that have items, and a third of the items, with flags, bits and keys.
  std::vector<T> some;
  std::vector<std::uint32_t> firsts, keys, words((all.heads.size() + 31) / 32);
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (all.offsets[k] != all.offsets[k + 1]) {
      some.push_back(wanted[k]);
      firsts.push_back(all.offsets[k]);
      words[all.offsets[k] / 32] |= 1u << all.offsets[k] % 32;
      keys.resize(all.offsets[k + 1], all.offsets[k]);
    }
  auto const count = static_cast<index_t>(some.size());
  std::vector<index_t> found(1);
  totals.assign(some.size(), T{});
  sam::segmented_reduce(context, items, sam::by_heads(all.heads), totals, found, policy, init);
  REQUIRE((totals == some && found[0] == count));
  totals.assign(some.size(), T{});
  sam::segmented_reduce(context, items, sam::by_heads(sam::packed_bits(words, n)), totals, found,
                        policy, init);
  REQUIRE((totals == some && found[0] == count));
  if constexpr (std::is_same_v<Op, sam::plus>)
    if (init == 0)
      for (std::size_t const buffer : {some.size(), some.size() / 2}) {
        totals.assign(buffer, T{});
        std::vector<std::uint32_t> own(some.size() - buffer / 3);
        sam::reduce_by_key(context, keys, items, own, totals, found, policy);
        REQUIRE((std::equal(totals.begin(), totals.end(), some.begin()) && found[0] == count));
        REQUIRE(std::equal(own.begin(), own.end(), firsts.begin()));
        auto keys_in_place = keys;
        auto in_place = items;
        sam::reduce_by_key(context, keys_in_place, in_place, keys_in_place, in_place, found,
                           policy);
        REQUIRE((std::equal(some.begin(), some.end(), in_place.begin()) && found[0] == count));
        REQUIRE(std::equal(firsts.begin(), firsts.end(), keys_in_place.begin()));
      }
}

TEST_CASE("reductions equal their references on fibers whatever a thread's heads", "[simt]") {
  for (index_t const n : {1, 32, 33, 69, 70, 71, 4479, 4480, 4481, 20'000})
    for (std::uint64_t const length : {1, 2, 33, 70, 1000, 100'000}) {
      if (n == 20'000 && length != 2 && length != 70 && length != 1000)
        continue;
      check_reductions<std::int32_t>(n, length, sam::plus{}, 0);
      check_reductions<std::uint8_t, 64>(n, length, sam::maximum{}, std::uint8_t{7});
      check_reductions<test::affine>(n, length, test::compose{}, {3, 5});
    }
}

TEST_CASE("runs equal their references on fibers whatever a thread's heads", "[simt]") {
  for (index_t const n : {1, 32, 33, 69, 70, 71, 4479, 4480, 4481, 20'000})
    for (std::uint64_t const length : {1, 2, 33, 70, 1000, 100'000}) {
      if (n == 20'000 && length != 2 && length != 70 && length != 1000)
        continue;
      auto const seed = test::seed_for(n);
      CAPTURE(n, length, seed);
      simt::context<64, simt::block_config<2, 70, 2>, 512> context(3, seed);
      std::vector<std::int16_t> items;
      for (auto const head : random_segments(n, length, seed).heads)
        items.push_back(
            static_cast<std::int16_t>(items.empty() ? 0 : items.back() + (head != 0 ? 1 : 0)));
      auto const runs = sam::reference::run_length_encode<std::uint64_t>(items, std::equal_to{});
      std::vector<std::int16_t> firsts(runs.first.size());
      std::vector<std::uint64_t> lengths(runs.first.size());
      REQUIRE(sam::run_length_encode(context, items, firsts, lengths) ==
              static_cast<index_t>(lengths.size()));
      REQUIRE((firsts == runs.first && lengths == runs.second));
      check_find_runs(context, items);
    }
}

TEMPLATE_TEST_CASE_SIG("a segmented scan on fibers does not swap operands", "[simt]",
                       ((int Warp), Warp), 32, 64) {
  index_t const n = 3001;
  auto const seed = test::seed_for(n);
  CAPTURE(seed);
  simt::context<Warp> context(3, seed);
  auto const items = test::random_items<test::affine>(n, seed);
  auto const all = random_segments(n, 500, seed);
  auto const policy = sam::backward(sam::scan_policy<test::compose>{});
  std::vector<test::affine> out(items.size());
  sam::segmented_exclusive_scan(context, items, sam::by_heads(all.heads), out, policy);
  REQUIRE(out == sam::reference::segmented_exclusive_scan(items, all.heads, policy, {1, 0}));
}

struct negative_first {
  template <class T>
  SAM_FUNCTION bool operator()(T a, T b) const {
    return a < 0 && !(b < 0);
  }
};

TEST_CASE("floats of long segments have the same bits however many blocks share them", "[simt]") {
  auto const offsets = test::offsets_of<std::int32_t>({5, 1000, 0, 129, 64, 3000, 777, 1});
  std::vector<float> items;
  for (index_t i = 0; i < offsets.back(); ++i)
    items.push_back(1.0F / static_cast<float>(i + 1));
  std::vector<float> wanted;
  for (int const blocks : {1, 3, 100})
    for (index_t const searches : {1, 7, 100}) {
      CAPTURE(blocks, searches);
      simt::context<32> context(blocks, test::seed_for(blocks));
      context.takes_paths = context.takes_chunks = true;
      context.shares = {-1, 2};
      context.searches = searches;
      std::vector<float> totals(offsets.size() - 1);
      sam::segmented_reduce(context, items, sam::by_offsets(offsets), totals);
      if (wanted.empty())
        wanted = totals;
      REQUIRE(totals == wanted);
      REQUIRE(context.is_at_rest());
    }
}

TEMPLATE_TEST_CASE_SIG("the extreme items of segments are found on fibers", "[simt]",
                       ((class T, int Warp), T, Warp), (float, 32), (double, 64)) {
  using places = std::vector<std::int32_t>;
  for (index_t const n : {193, 3000})
    for (std::uint64_t const length : {5, 2000}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, length, seed);
      simt::context<Warp, simt::block_config<2, 3, 2>, 512> context(3, seed);
      std::vector<T> items;
      test::generator bits{seed};
      for (index_t i = 0; i < n; ++i)
        items.push_back(test::extreme_item<T>(bits, i % 1024 < 512 ? 0 : 5));
      auto const all = random_segments(n, length, seed);
      places const least = sam::reference::find_extreme_of_segments<std::int32_t>(
          items, all.offsets, sam::detail::natural_extreme<false>{});
      for (int const way : {-2, -1, 2, 3}) {  // a scan, a merge path, lanes and blocks
        CAPTURE(way);
        context.takes_paths = way != -2;
        context.shares = {way == 3 ? -1 : way, way > 0 ? 2 : 0};
        for (int again = 0; again < (way > 0 ? 2 : 1); ++again) {
          context.takes_chunks = again > 0;
          places out(all.offsets.size() - 1);
          sam::segmented_argmin(context, items, sam::by_offsets(all.offsets), out);
          REQUIRE(out == least);
          REQUIRE(context.is_at_rest());
        }
      }
      context.takes_paths = false;
      auto const ends = sam::reference::offsets_of(all.heads);
      places out(items.size()), of_keys(items.size());
      out.resize(static_cast<std::size_t>(
          sam::segmented_argmax(context, items, sam::by_heads(all.heads), out, negative_first{})));
      REQUIRE(out == sam::reference::find_extreme_of_segments<std::int32_t>(
                         items, ends, sam::detail::extreme_by<negative_first, true>{}));
      std::vector<std::int16_t> keys;
      for (auto const head : all.heads)
        keys.push_back(static_cast<std::int16_t>(keys.empty() ? 0 : keys.back() + (head != 0)));
      of_keys.resize(
          static_cast<std::size_t>(sam::argmax_by_key(context, keys, items, keys, of_keys)));
      REQUIRE(of_keys == sam::reference::find_extreme_of_segments<std::int32_t>(
                             items, ends, sam::detail::natural_extreme<true>{}));
      for (std::size_t k = 0; k < of_keys.size(); ++k)
        REQUIRE(keys[k] == static_cast<std::int16_t>(k));
    }
}

/// A context whose numbers of items and of segments are known to kernels only.
struct device_context : simt::context<32> {
  using simt::context<32>::context;
  void* results() { return results_; }
  void* input_memory(std::size_t bytes) {
    inputs_.assign(bytes, std::byte{0xa5});
    return inputs_.data();
  }

 private:
  alignas(16) std::byte results_[sam::engine::most_result_bytes];
  std::vector<std::byte> inputs_;
};

/// Reads computed items from two arrays, which are loaded apart from the flags or keys.
TEST_CASE("segments of computed items are reduced and scanned on fibers", "[simt]") {
  struct one_less {
    SAM_FUNCTION std::int32_t operator()(std::int32_t x) const { return x - 1; }
  };
  struct first_times_second {
    SAM_FUNCTION std::int64_t
    operator()(sam::zipped_item<std::int32_t, std::int16_t> const& x) const {
      return std::int64_t{x.first} * x.second;
    }
  };
  for (index_t const n : {1, 193, 5000}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    device_context context(3, seed);
    auto const a = test::random_items<std::int32_t>(n, seed);
    auto const b = test::random_items<std::int16_t>(n, seed + 1);
    auto const all = random_segments(n, 30, seed);
    auto const products = sam::transformed(sam::zipped(a, b), first_times_second{});
    std::vector<std::int64_t> items;
    for (std::size_t i = 0; i < a.size(); ++i)
      items.push_back(std::int64_t{a[i]} * b[i]);
    auto const wanted =
        sam::reference::segmented_reduce(items, all.offsets, sam::scan_policy<>{}, std::int64_t{0});
    std::vector<index_t> const some(1, static_cast<index_t>(wanted.size() + 1) / 2);
    auto least = sam::reference::find_extreme_of_segments<std::int32_t>(
        a, all.offsets, sam::detail::natural_extreme<false>{});
    for (std::size_t k = 0; k < least.size(); ++k)
      least[k] = k < static_cast<std::size_t>(some[0]) ? least[k] - 1 : -1;
    for (int const way : {-2, -1, 2}) {
      CAPTURE(way);
      context.takes_paths = way != -2;
      context.shares = {way, way > 0 ? 2 : 0};
      std::vector<std::int64_t> totals(wanted.size());
      sam::segmented_reduce(context, products, sam::by_offsets(all.offsets), totals);
      REQUIRE(totals == wanted);
      // Items behind the last of the counted segments belong to none.
      std::vector<std::int32_t> out(wanted.size(), -1);
      sam::segmented_argmin(context, a, sam::by_offsets(sam::counted(all.offsets, some)),
                            sam::transformed_to(out, one_less{}));
      REQUIRE(out == least);
    }
    std::vector<std::int64_t> out(items.size());
    sam::segmented_inclusive_scan(context, products, sam::by_heads(all.heads), out);
    REQUIRE(out ==
            sam::reference::segmented_inclusive_scan(items, all.heads, sam::scan_policy<>{}));
  }
}

/// A context with the host's sort; test_simt_sort tests the GPU's.
struct sorting_context : simt::context<32> {
  using simt::context<32>::context;
  template <class Key, class Value, class Digits>
  void sort(sam::engine::sort_job<Key, Value, Digits> const& job) {
    sam::host::no_pool caller;
    sam::host::sort(sam::host::any_pool(caller), memory, job);
  }
  sam::host::workspace memory;
};

TEST_CASE("segments are numbered, sorted with their keys, and taken apart on fibers", "[simt]") {
  for (index_t const n : {1, 192, 777, 5000})
    for (std::uint64_t const length : {1, 3, 100, 100'000}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, length, seed);
      sorting_context context(5, seed);
      auto const keys = test::random_items<std::int32_t>(n, seed);
      auto const all = random_segments(n, length, seed);
      auto const order = sam::reference::segmented_radix_argsort<std::uint32_t>(
          keys, all.offsets, sam::number_digits<std::int32_t>{}, 4, 32);
      std::vector<std::int32_t> out(keys.size());
      sam::segmented_radix_sort(context, keys, sam::by_checked_offsets(all.offsets), out,
                                {.bits = {4}});
      REQUIRE(out == sam::reference::in_order(keys, order));
      std::vector<std::uint32_t> places(keys.size());
      sam::segmented_radix_argsort(context, keys, sam::by_heads(all.heads), places, {.bits = {4}});
      REQUIRE(places == order);
    }
}

}  // namespace
