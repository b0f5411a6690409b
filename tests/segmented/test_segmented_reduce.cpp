// SPDX-License-Identifier: MIT
// Tests reductions of segments against their references: descriptions of segments, densities,
// types, operators, sizes.
#include <sam/find_by_key.hpp>
#include <sam/inputs.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_find.hpp>
#include <sam/segmented_inner_product.hpp>
#include <sam/segmented_minmax.hpp>
#include <sam/segmented_reduce.hpp>

#include "extremes.hpp"
#include "segments.hpp"
#include "support.hpp"

#include <bit>
#include <cmath>
#include <tuple>

namespace {

using sam::index_t;
using test::densities;
using test::density;
using test::random_heads;
using test::say;
using test::way;

/// Returns the expected output: the totals, then the previous contents of the array.
template <class T>
std::vector<T> written_over(std::vector<T> all, std::vector<T> const& totals) {
  std::copy_n(totals.begin(), std::min(totals.size(), all.size()), all.begin());
  return all;
}

/// Checks a reduction by key whose results go where its keys and items are, one or both.
template <class Context, class K, class T, class Policy>
void check_in_place(Context& context, std::vector<K> const& keys, std::vector<T> const& items,
                    std::vector<K> const& firsts, std::vector<T> const& totals, Policy policy) {
  auto const fits = [](auto got, auto const& wanted) {
    got.resize(wanted.size());
    return test::differences(got, wanted) == "";
  };
  auto const n = static_cast<index_t>(keys.size());
  auto own_keys = test::on_backend(keys, 1), other_keys = test::on_backend(keys, 1);
  auto own = test::on_backend(items, 1);
  auto const in = test::on_backend(items, 1);
  test::fenced_array<T> out(n);
  auto const runs = static_cast<index_t>(firsts.size());
  REQUIRE(sam::reduce_by_key(context, other_keys, in, other_keys, out, Policy(policy)) == runs);
  REQUIRE((fits(other_keys.to_host(), firsts) && fits(out.to_host(), totals)));
  REQUIRE(sam::reduce_by_key(context, own_keys, own, own_keys, own, Policy(policy)) == runs);
  REQUIRE((fits(own_keys.to_host(), firsts) && fits(own.to_host(), totals)));
  REQUIRE((own_keys.fences_intact() && own.fences_intact() && other_keys.fences_intact()));
}

template <class Context, class T, class Op>
void check_reduce(Context& context, std::vector<T> const& items,
                  std::vector<std::uint8_t> const& begins, Op op, T init, std::uint64_t seed) {
  auto const n = static_cast<index_t>(items.size());
  sam::scan_policy<Op> const policy{op};
  auto const in = test::on_backend(items, 1);
  {
    auto const all = say(way::offsets, begins, 1, true, seed);
    auto const wanted = sam::reference::segmented_reduce(items, all.offsets, policy, init);
    auto const offsets = test::on_backend(all.offsets, 1);
    test::fenced_array<T> out(static_cast<index_t>(wanted.size()), 1);
    sam::segmented_reduce(context, in, sam::by_checked_offsets(offsets), out, policy, init);
    context.wait();
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
  }
  auto const ends = sam::reference::offsets_of(begins);
  auto const wanted = sam::reference::segmented_reduce(items, ends, policy, init);
  auto const segments = static_cast<index_t>(wanted.size());
  auto const keys = say(way::keys, begins, 1, true, seed).keys;
  auto const keys_there = test::on_backend(keys, 1);
  for (index_t const buffer : {n, segments / 2}) {
    test::fenced_array<T> out(buffer, 1);
    test::fenced_array<std::int32_t> count(1, 1);
    auto const before = out.to_host();
    auto const check_result = [&] {
      context.wait();
      REQUIRE(count.to_host()[0] == segments);
      REQUIRE(test::differences(out.to_host(), written_over(before, wanted)) == "");
      REQUIRE((out.fences_intact() && count.fences_intact()));
    };
    auto const flags = test::on_backend(begins, 1);
    sam::segmented_reduce(context, in, sam::by_heads(flags), out, count, policy, init);
    check_result();
    // One type suffices for the other descriptions.
    if constexpr (std::is_same_v<T, std::int32_t>) {
      sam::segmented_reduce(context, in, sam::by_keys(keys_there), out, count, policy, init);
      check_result();
    }
  }
  if constexpr (std::is_same_v<T, std::int32_t>) {
    auto const [firsts, bare] =
        sam::reference::reduce_by_key(keys, items, policy, sam::identity_of<T>(op));
    test::fenced_array<T> out(n);
    test::fenced_array<std::int16_t> unique_keys(segments, 1);
    test::fenced_array<std::uint64_t> count(1);
    auto const before = out.to_host();
    sam::reduce_by_key(context, keys_there, in, unique_keys, out, count, policy);
    context.wait();
    REQUIRE(count.to_host()[0] == static_cast<std::uint64_t>(segments));
    REQUIRE(test::differences(out.to_host(), written_over(before, bare)) == "");
    REQUIRE(test::differences(unique_keys.to_host(), firsts) == "");
    REQUIRE((out.fences_intact() && unique_keys.fences_intact()));
    if constexpr (sam::detail::works_in_place_by_key<Context, sam::carry::decoupled, decltype(keys),
                                                     decltype(items), T>)
      check_in_place(context, keys, items, firsts, bare, policy);
  }
}

using reductions =
    std::tuple<std::tuple<std::int32_t, sam::plus>, std::tuple<std::int64_t, sam::maximum>,
               std::tuple<std::uint8_t, sam::plus>, std::tuple<std::uint8_t, test::saturating_plus>,
               std::tuple<std::uint32_t, test::plus_modulo>,
               std::tuple<std::int16_t, test::rightmost>,
               std::tuple<test::heisenberg<std::uint32_t>, test::heisenberg_product>>;

TEMPLATE_LIST_TEST_CASE("segmented reductions equal their references", "[segmented]", reductions) {
  using T = std::tuple_element_t<0, TestType>;
  using op = std::tuple_element_t<1, TestType>;
  auto context = test::each_context();
  auto const init = test::random_items<T, op>(4, test::seed_for(-1))[3];
  index_t const tile = sam::host::tuning::tile_bytes / index_t{sizeof(T)};
  int turn = 0;
  for (index_t const n :
       {index_t{0}, index_t{1}, index_t{2}, index_t{31}, index_t{32}, index_t{33}, index_t{1000},
        index_t{1024}, index_t{4097}, tile - 1, tile, tile + 1, index_t{300'007}})
    for (density const many : densities) {
      if (n > 5000 && ++turn % 4 != 0)  // large sizes skip most densities; each gets its turn
        continue;
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(many), seed, sizeof(T));
      auto const items = test::random_items<T, op>(n, seed);
      auto const begins = random_heads(n, many, seed);
      check_reduce(context, items, begins, op{}, init, seed);
    }
}

/// Reduces segments by offsets, enough for several workers, which have to search for their
/// segments.
template <class Context, class Policy = sam::scan_policy<>>
void check_by_offsets(Context& context, density many, Policy policy = {}) {
  index_t const n = 2 * sam::host::tuning::marked_bits + 77;
  auto const seed = test::seed_for(n);
  CAPTURE(static_cast<int>(many), seed);
  auto const items = test::random_items<std::int32_t>(n, seed);
  auto const offsets = say(way::offsets, random_heads(n, many, seed), 1, true, seed).offsets;
  auto const wanted = sam::reference::segmented_reduce(items, offsets, sam::scan_policy<>{}, 0);
  std::vector<std::int32_t> out(wanted.size());
  sam::segmented_reduce(context, items, sam::by_offsets(offsets), out, policy);
  REQUIRE(test::differences(out, wanted) == "");
}

TEST_CASE("segmented reductions equal their reference on several threads", "[segmented]") {
  auto const context = test::each_context();
  test::also_on_threads(context, [](auto& crowd) {
    for (density const many : densities)
      check_by_offsets(crowd, many);
    index_t const n = 300'007;
    for (density const many : densities)
      check_reduce(crowd, test::random_items<std::int32_t>(n, 5), random_heads(n, many, 5),
                   sam::plus{}, 3, 5);
    check_by_offsets(crowd, density::some,
                     sam::carried_by<sam::carry::reduce_then_scan>(sam::scan_policy<>{}));
    check_by_offsets(crowd, density::some,
                     sam::carried_by<sam::carry::scan_then_propagate>(sam::scan_policy<>{}));
  });
}

TEST_CASE("a back end need not mark bits by itself", "[segmented]") {
  test::plain_threads context;
  for (density const many : {density::none, density::rare, density::half})
    check_by_offsets(context, many);
}

TEST_CASE("the reduction of a segment without items is the identity", "[segmented]") {
  auto context = test::each_context();
  test::fenced_array<int> const none(0);
  auto const offsets = test::on_backend(std::vector<std::uint8_t>{0, 0, 0});
  test::fenced_array<int> out(2);
  sam::segmented_reduce(context, none, sam::by_offsets(offsets), out, sam::multiplies{});
  context.wait();
  REQUIRE(out.to_host() == std::vector<int>{1, 1});
  auto const no_segments = test::on_backend(std::vector<std::uint8_t>{0});
  test::fenced_array<int> nothing(0);
  sam::segmented_reduce(context, none, sam::by_checked_offsets(no_segments), nothing);
  context.wait();
}

TEST_CASE("segments of one length are reduced without an array", "[segmented]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<int>{1, 2, 3, 4, 5, 6, 7});
  test::fenced_array<int> out(3), count(1);
  sam::segmented_reduce(context, in, sam::by_length(3), out, count);
  context.wait();
  REQUIRE(out.to_host() == std::vector<int>{6, 15, 7});
  REQUIRE(count.to_host() == std::vector<int>{3});
  index_t const n = 200'003;
  auto const items = test::random_items<std::int32_t>(n, test::seed_for(n));
  auto const many = test::on_backend(items);
  for (index_t const length : {1, 3, 64, 1023, 4096, 100'000}) {
    CAPTURE(length);
    std::vector<index_t> offsets;
    for (index_t i = 0; i < n; i += length)
      offsets.push_back(i);
    offsets.push_back(n);
    auto const wanted = sam::reference::segmented_reduce(items, offsets, sam::scan_policy<>{}, 0);
    test::fenced_array<std::int32_t> totals(static_cast<index_t>(wanted.size()));
    sam::segmented_reduce(context, many, sam::by_length(length), totals, count);
    context.wait();
    REQUIRE(test::differences(totals.to_host(), wanted) == "");
    REQUIRE(count.to_host()[0] == static_cast<int>(wanted.size()));
  }
}

TEST_CASE("items are converted to the type of the totals", "[segmented]") {
  auto context = test::each_context();
  index_t const n = 100'003;
  auto const bytes = test::random_items<std::uint8_t>(n, test::seed_for(n));
  auto const heads = random_heads(n, density::some, test::seed_for(n));
  std::vector<std::int32_t> totals;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (i == 0 || heads[i] != 0)
      totals.push_back(bytes[i]);
    else
      totals.back() += bytes[i];
  test::fenced_array<std::int32_t> reduced(static_cast<index_t>(totals.size()));
  test::fenced_array<int> count(1);
  auto const bytes_there = test::on_backend(bytes);
  auto const heads_there = test::on_backend(heads);
  sam::segmented_reduce(context, bytes_there, sam::by_heads(heads_there), reduced, count);
  context.wait();
  REQUIRE(test::differences(reduced.to_host(), totals) == "");
}

struct by_tens {
  SAM_FUNCTION bool operator()(std::int32_t a, std::int32_t b) const { return a / 10 < b / 10; }
};

struct opposite {
  SAM_FUNCTION int operator()(int x) const { return -x; }
};

/// Checks searches of every segment's extreme item in the order of `precedes`, where find calls
/// segmented_argmin or segmented_argmax, and find_by_key argmin_by_key or argmax_by_key.
template <class Context, class T, class Precedes, class Find, class FindByKey>
void check_extremes(Context& context, std::vector<T> const& items, density many, Precedes precedes,
                    Find find, FindByKey find_by_key) {
  auto const n = static_cast<index_t>(items.size());
  auto const seed = test::seed_for(n);
  CAPTURE(n, static_cast<int>(many), seed);
  auto const begins = random_heads(n, many, seed);
  auto const in = test::on_backend(items, 1);
  {
    auto const all = say(way::offsets, begins, 1, true, seed).offsets;
    auto const wanted =
        sam::reference::find_extreme_of_segments<std::uint32_t>(items, all, precedes);
    auto const offsets = test::on_backend(all);
    test::fenced_array<std::uint32_t> out(static_cast<index_t>(wanted.size()), 1);
    find(in, sam::by_offsets(offsets), out);
    context.wait();
    REQUIRE(out.to_host() == wanted);
    REQUIRE(out.fences_intact());
  }
  auto const ends = sam::reference::offsets_of(begins);
  auto const wanted = sam::reference::find_extreme_of_segments<std::int64_t>(items, ends, precedes);
  auto const segments = static_cast<index_t>(n == 0 ? 0 : wanted.size());
  auto const keys = say(way::keys, begins, 1, true, seed).keys;
  auto const heads = test::on_backend(begins, 1);
  auto const keys_there = test::on_backend(keys, 1);
  for (index_t const buffer : {n, segments / 2}) {
    test::fenced_array<std::int64_t> out(buffer, 1);
    test::fenced_array<std::uint32_t> of_keys(buffer);
    test::fenced_array<std::int16_t> unique_keys(buffer);
    test::fenced_array<std::int32_t> count(1), count_of_keys(1);
    auto const before = out.to_host();
    auto const before_of_keys = of_keys.to_host();
    find(in, sam::by_heads(heads), out, count);
    find_by_key(keys_there, in, unique_keys, of_keys, count_of_keys);
    context.wait();
    REQUIRE(count.to_host()[0] == segments);
    REQUIRE(count_of_keys.to_host()[0] == segments);
    if (n > 0) {
      REQUIRE(out.to_host() == written_over(before, wanted));
      REQUIRE(of_keys.to_host() == written_over(before_of_keys, std::vector<std::uint32_t>(
                                                                    wanted.begin(), wanted.end())));
    }
    auto const check_keys = [&](auto const& got, index_t some) {
      for (index_t k = 0; k < some; ++k)
        REQUIRE(got[std::size_t(k)] == keys[std::size_t(ends[std::size_t(k)])]);
    };
    check_keys(unique_keys.to_host(), std::min(buffer, segments));
    if constexpr (sam::detail::works_in_place_by_key<Context, sam::carry::decoupled, decltype(keys),
                                                     decltype(items), sam::detail::located<T>>) {
      auto in_place = test::on_backend(keys, 1);
      find_by_key(in_place, in, in_place, of_keys, count_of_keys);
      context.wait();
      check_keys(in_place.to_host(), segments);
      REQUIRE(in_place.fences_intact());
    }
    REQUIRE((out.fences_intact() && of_keys.fences_intact() && unique_keys.fences_intact()));
  }
}
constexpr index_t sizes_of_extremes[] = {0, 1, 2, 33, 1000, 4097, 20'011};

TEST_CASE("the first smallest and the first largest item of each segment are found",
          "[segmented]") {
  auto context = test::each_context();
  for (index_t const n : sizes_of_extremes)
    for (density const many : densities) {
      test::generator bits{test::seed_for(n)};
      std::vector<float> items;
      for (index_t i = 0; i < n; ++i)
        items.push_back(test::extreme_item<float>(bits, i % 4096 < 2048 ? 0 : 5));
      check_extremes(
          context, items, many, sam::detail::natural_extreme<false>{},
          [&](auto&&... all) { sam::segmented_argmin(context, all...); },
          [&](auto&&... all) { sam::argmin_by_key(context, all...); });
      auto const numbers = test::random_items<std::int32_t>(n, test::seed_for(n));
      auto const find = [](auto& where) {
        return [&](auto&&... all) { sam::segmented_argmax(where, all..., by_tens{}); };
      };
      auto const find_by_key = [](auto& where) {
        return [&](auto&&... all) { sam::argmax_by_key(where, all..., by_tens{}); };
      };
      sam::detail::extreme_by<by_tens, true> const last{};
      check_extremes(context, numbers, many, last, find(context), find_by_key(context));
      if (n > 20'000)
        test::also_on_threads(context, [&](auto& crowd) {
          check_extremes(crowd, test::random_items<std::int32_t>(300'007, 3), many, last,
                         find(crowd), find_by_key(crowd));
        });
    }
}

TEST_CASE("searches of extreme items return their count, and check their arrays", "[segmented]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<int>{5, 2, 2, 9, 1, 9});
  auto const keys = test::on_backend(std::vector<int>{1, 1, 1, 2, 2, 3});
  auto const offsets = test::on_backend(std::vector<int>{0, 3, 3, 6});
  test::fenced_array<int> out(6), firsts(6), three(3);
  sam::greater const order{};
  int count = 0;
  REQUIRE(sam::segmented_argmax(context, in, sam::by_length(4), out) == 2);
  REQUIRE(sam::segmented_argmin(context, in, sam::by_keys(keys), out, order) == 3);
  REQUIRE(sam::argmin_by_key(context, keys, in, firsts, out) == 3);
  sam::argmax_by_key(context, keys, in, firsts, out, count, order);
  sam::segmented_argmin(context, in, sam::by_checked_offsets(offsets), three);
  context.wait();
  REQUIRE(count == 3);
  auto got = out.to_host();
  got.resize(3);
  REQUIRE(got == std::vector<int>{1, 4, 5});
  REQUIRE(three.to_host() == std::vector<int>{1, 6, 4});

  auto const negative = sam::transformed(in, opposite{});
  sam::segmented_argmin(context, negative, sam::by_offsets(offsets), three);
  REQUIRE(sam::segmented_argmax(context, negative, sam::by_keys(keys), out) == 3);
  context.wait();
  REQUIRE(three.to_host() == std::vector<int>{0, 6, 3});
  REQUIRE(out.to_host()[2] == 5);

  test::fenced_array<int> untouched(6), two(2);
  test::fenced_array<std::int8_t> narrow(3);
  auto const many = test::on_backend(std::vector<int>(128));
  auto const all = test::on_backend(std::vector<int>{0, 2, 64, 128});
  test::fails([&] { sam::segmented_argmin(context, in, sam::by_offsets(offsets), two); },
              "sam::segmented_argmin", "out",
              "holds 2 items but must hold 3, one for each segment");
  test::fails([&] { sam::segmented_argmax(context, many, sam::by_offsets(all), narrow); },
              "sam::segmented_argmax", "out",
              "holds integers of up to 127 but may have to hold 128");
  test::fails([&] { sam::segmented_argmax(context, in, sam::by_length(0), untouched, two); },
              "length", "is 0; it must be at least 1");
  test::fails([&] { sam::argmin_by_key(context, keys, in, untouched, untouched, two); },
              "sam::argmin_by_key", "unique_keys", "overlaps out; the two must lie apart");
  REQUIRE((untouched.untouched() && two.untouched() && narrow.untouched()));
}

struct is_small {
  SAM_FUNCTION bool operator()(std::int32_t x) const { return x < -2'000'000'000; }
};

TEST_CASE("matches are found, counted and told of in each segment", "[segmented]") {
  auto context = test::each_context();
  is_small const keep{};
  for (index_t const n : {0, 1, 1000, 70'001})
    for (density const many : densities) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(many), seed);
      auto const items = test::random_items<std::int32_t>(n, seed);
      auto const begins = random_heads(n, many, seed);
      auto const all = say(way::offsets, begins, 1, true, seed).offsets;
      auto const in = test::on_backend(items, 1);
      auto const offsets = test::on_backend(all);
      auto const heads = test::on_backend(begins, 1);
      auto const segments = sam::by_offsets(offsets);
      auto const wanted = sam::reference::find_if_in_segments<std::int32_t>(items, all, keep);
      auto const numbers = sam::reference::count_if_in_segments<std::int32_t>(items, all, keep);
      auto const m = static_cast<index_t>(wanted.size());
      test::fenced_array<std::int32_t> places(m), counts(m, 1), found(n);
      test::fenced_array<bool> any(m), every(m), none(m);
      sam::segmented_find_if(context, in, segments, keep, places);
      sam::segmented_count_if(context, in, segments, keep, counts);
      sam::segmented_any_of(context, in, segments, keep, any);
      sam::segmented_all_of(context, in, segments, keep, every);
      sam::segmented_none_of(context, in, segments, keep, none);
      context.wait();
      REQUIRE(test::differences(places.to_host(), wanted) == "");
      REQUIRE(test::differences(counts.to_host(), numbers) == "");
      auto const of_any = any.to_host(), of_all = every.to_host(), of_none = none.to_host();
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        auto const length = static_cast<std::int32_t>(all[k + 1] - all[k]);
        bool const right = of_any[k] == (numbers[k] > 0) && of_none[k] == (numbers[k] == 0) &&
                           of_all[k] == (numbers[k] == length);
        REQUIRE(right);
      }
      auto const ends = sam::reference::offsets_of(begins);
      auto const of_heads = sam::reference::find_if_in_segments<std::int32_t>(items, ends, keep);
      index_t const count = sam::segmented_find_if(context, in, sam::by_heads(heads), keep, found);
      REQUIRE(count == (n == 0 ? 0 : static_cast<index_t>(of_heads.size())));
      auto got = found.to_host();
      for (index_t k = 0; k < count; ++k)
        REQUIRE(got[std::size_t(k)] == of_heads[std::size_t(k)]);
      REQUIRE((places.fences_intact() && counts.fences_intact() && found.fences_intact()));
    }
  auto const in = test::on_backend(std::vector<std::int32_t>(300, 1));
  test::fenced_array<std::int8_t> narrow(3);
  int count = 0;
  test::fails(
      [&] { sam::segmented_find_if(context, in, sam::by_length(100), keep, narrow, count); },
      "sam::segmented_find_if", "out", "holds integers of up to 127 but may have to hold 300");
  auto const number = test::on_backend(std::vector<int>{120});
  sam::segmented_all_of(context, sam::counted(in, number), sam::by_length(50), keep, narrow, count);
  context.wait();
  REQUIRE(count == 3);
  REQUIRE(narrow.to_host() == std::vector<std::int8_t>(3));
}

/// Returns the items at some indices; `nothing` for the number of items, which is no index.
template <class T, class Index>
std::vector<T> items_at(std::vector<T> const& items, std::vector<Index> const& indices, T nothing) {
  std::vector<T> out;
  for (Index const i : indices)
    out.push_back(std::size_t(i) < items.size() ? items[std::size_t(i)] : nothing);
  return out;
}
/// Takes pairs of extreme items apart, into values and indices.
template <class T>
auto parts_of(std::vector<sam::minmax_values<T>> const& all, index_t count) {
  std::pair<std::vector<T>, std::vector<T>> values;
  std::pair<std::vector<index_t>, std::vector<index_t>> indices;
  for (index_t k = 0; k < count; ++k) {
    auto const& [min, max] = all[std::size_t(k)];
    values.first.push_back(min.value);
    values.second.push_back(max.value);
    indices.first.push_back(min.index);
    indices.second.push_back(max.index);
  }
  return std::pair(values, indices);
}

TEST_CASE("both extremes have no sign or payload of a NaN", "[segmented]") {
  auto const nan = std::bit_cast<float>(0xffc0'1234U);
  using both = sam::detail::both_of<float>;
  sam::detail::from_both<sam::min_and_max<float>> const results;
  both const zeros{-0.0F, 0.0F};
  auto const [min, max] = results(sam::detail::choose_both{}(both{nan, nan}, zeros));
  auto const wanted = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
  REQUIRE(
      (std::bit_cast<std::uint32_t>(min) == wanted && std::bit_cast<std::uint32_t>(max) == wanted));
  REQUIRE((std::signbit(results(zeros).min) && !std::signbit(results(zeros).max)));
}

TEST_CASE("both extreme items, orders and products of each segment and key equal their references",
          "[segmented]") {
  auto context = test::each_context();
  using T = std::int32_t;
  using both = sam::min_and_max<T>;
  sam::less const less{};
  by_tens const tens{};
  sam::detail::extreme_by<by_tens, false> const first_ten{};
  sam::detail::extreme_by<by_tens, true> const last_ten{};
  constexpr T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
  for (index_t const n : {0, 1, 1000, 70'001})
    for (density const many : {density::none, density::rare, density::some, density::half}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(many), seed);
      auto items = test::random_items<T>(n, seed);
      for (std::size_t i = 1; i < items.size(); ++i)  // most neighbours are in order
        if (i % 8 != 0)
          items[i] = items[i - 1] + static_cast<T>(i % 3);
      auto const weights = test::random_items<std::int16_t>(n, seed + 1);
      auto const begins = random_heads(n, many, seed);
      auto const in = test::on_backend(items, 1);
      auto const by = test::on_backend(weights, 1);
      {
        auto const all = say(way::offsets, begins, 1, true, seed).offsets;
        auto const least = sam::reference::find_extreme_of_segments<index_t>(items, all, less);
        auto const most =
            sam::reference::find_extreme_of_segments<index_t>(items, all, sam::greater{});
        auto const first = sam::reference::find_extreme_of_segments<index_t>(items, all, first_ten);
        auto const last = sam::reference::find_extreme_of_segments<index_t>(items, all, last_ten);
        auto const offsets = test::on_backend(all);
        auto const segments = sam::by_offsets(offsets);
        auto const m = static_cast<index_t>(least.size());
        test::fenced_array<both> extremes(m, 1);
        test::fenced_array<sam::minmax_values<T>> located(m);
        test::fenced_array<bool> sorted(m);
        test::fenced_array<T> products(m, 1);
        sam::segmented_minmax(context, in, segments, extremes);
        sam::segmented_find_minmax(context, in, segments, located, tens);
        sam::segmented_is_sorted(context, in, segments, sorted);
        sam::segmented_inner_product(context, in, by, segments, products);
        context.wait();
        auto const mins = items_at(items, least, highest), maxs = items_at(items, most, lowest);
        auto const got = extremes.to_host();
        for (std::size_t k = 0; k < mins.size(); ++k)
          REQUIRE(got[k] == both{mins[k], maxs[k]});
        auto const [values, indices] = parts_of(located.to_host(), m);
        REQUIRE((indices.first == first && indices.second == last));
        for (std::size_t k = 0; k < first.size(); ++k)
          if (first[k] < n)
            REQUIRE((values.first[k] == items[std::size_t(first[k])] &&
                     values.second[k] == items[std::size_t(last[k])]));
        REQUIRE(sorted.to_host() == sam::reference::is_sorted_in_segments<bool>(items, all, less));
        REQUIRE(test::differences(products.to_host(), sam::reference::inner_products_of_segments<T>(
                                                          items, weights, all)) == "");
        REQUIRE((extremes.fences_intact() && located.fences_intact()));
        REQUIRE((sorted.fences_intact() && products.fences_intact()));
      }
      auto const ends = sam::reference::offsets_of(begins);
      auto const keys = say(way::keys, begins, 1, true, seed).keys;
      auto const runs = static_cast<index_t>(n == 0 ? 0 : ends.size() - 1);
      auto const of_keys = test::on_backend(keys, 1);
      test::fenced_array<std::int16_t> firsts(runs);
      test::fenced_array<T> least(runs), most(runs), products(runs), found(runs), matches(runs);
      test::fenced_array<sam::minmax_values<T>> located(runs);
      test::fenced_array<std::uint8_t> sorted(runs);
      test::fenced_array<int> count(1);
      is_small const keep{};
      REQUIRE(sam::minmax_by_key(context, of_keys, in, firsts, sam::zipped_to(least, most)) ==
              runs);
      sam::find_minmax_by_key(context, of_keys, in, firsts, located, count, tens);
      sam::is_sorted_by_key(context, of_keys, in, firsts, sorted, count, less);
      REQUIRE(sam::inner_product_by_key(context, of_keys, in, by, firsts, products) == runs);
      sam::find_if_by_key(context, of_keys, in, firsts, keep, found, count);
      sam::count_if_by_key(context, of_keys, in, firsts, keep, matches, count);
      context.wait();
      REQUIRE(count.to_host()[0] == runs);
      if (n == 0)
        continue;
      auto const where = [&](auto precedes) {
        return sam::reference::find_extreme_of_segments<index_t>(items, ends, precedes);
      };
      REQUIRE(least.to_host() == items_at(items, where(less), highest));
      REQUIRE(most.to_host() == items_at(items, where(sam::greater{}), lowest));
      auto const [values, indices] = parts_of(located.to_host(), runs);
      REQUIRE((indices.first == where(first_ten) && indices.second == where(last_ten)));
      REQUIRE(values.first == items_at(items, where(first_ten), highest));
      REQUIRE(sorted.to_host() ==
              sam::reference::is_sorted_in_segments<std::uint8_t>(items, ends, less));
      REQUIRE(products.to_host() ==
              sam::reference::inner_products_of_segments<T>(items, weights, ends));
      REQUIRE(found.to_host() == sam::reference::find_if_in_segments<T>(items, ends, keep));
      REQUIRE(matches.to_host() == sam::reference::count_if_in_segments<T>(items, ends, keep));
      auto const got_firsts = firsts.to_host();
      for (std::size_t k = 0; k + 1 < ends.size(); ++k)
        REQUIRE(got_firsts[k] == keys[std::size_t(ends[k])]);
      if constexpr (!sam::engine::works_on_device<decltype(context)>) {
        test::fenced_array<std::uint8_t> any(runs), all(runs), none(runs);
        sam::any_of_by_key(context, of_keys, in, firsts, keep, any, count);
        sam::all_of_by_key(context, of_keys, in, firsts, keep, all, count);
        REQUIRE(sam::none_of_by_key(context, of_keys, in, firsts, keep, none) == runs);
        auto const counts = matches.to_host();
        auto const if_any = any.to_host(), if_all = all.to_host(), if_none = none.to_host();
        for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
          auto const here = std::uint64_t(counts[k]);
          REQUIRE((if_any[k] == (here > 0) && if_none[k] == (here == 0) &&
                   if_all[k] == (here == std::uint64_t(ends[k + 1] - ends[k]))));
        }
      }
    }
  auto const floats = test::on_backend(std::vector<float>{2, std::nanf(""), 1, 5, 4});
  test::fenced_array<sam::minmax_values<float>> of_floats(2);
  test::fenced_array<sam::minmax_values<T>> untouched(2);
  REQUIRE(sam::segmented_find_minmax(context, floats, sam::by_length(3), of_floats) == 2);
  auto const [values, indices] = parts_of(of_floats.to_host(), 2);
  REQUIRE((indices.first == std::vector<index_t>{1, 4} && indices.second[1] == 3));
  REQUIRE((values.first[1] == 4 && values.second[1] == 5));
  if constexpr (test::backend_bytes::on_host) {
    float const c_array[] = {2, 3, 1, 5, 4};
    REQUIRE(sam::segmented_find_minmax(context, c_array, sam::by_length(3), of_floats) == 2);
    REQUIRE(of_floats.to_host()[0].min.value == 1);
  }
  test::fenced_array<float> sums(2);
  test::fenced_array<int> count(1);
  test::fails(
      [&] {
        auto const four = test::on_backend(std::vector<float>(4));
        sam::segmented_inner_product(context, floats, four, sam::by_length(3), sums, count);
      },
      "sam::segmented_inner_product", "weights",
      "holds 4 items but in holds 5; both must hold the same number");
  auto const five = test::on_backend(std::vector<T>(5));
  auto const keys = test::on_backend(std::vector<std::int16_t>(5));
  test::fenced_array<std::int16_t> one(1);
  test::fails([&] { sam::find_minmax_by_key(context, keys, five, one, untouched, one, tens); },
              "sam::find_minmax_by_key", "count", "overlaps unique_keys; the two must lie apart");
  REQUIRE((untouched.untouched() && one.untouched() && sums.untouched()));
}

/// A trivially copyable type without default constructor.
struct only_made {
  int value;
  SAM_FUNCTION explicit only_made(int v) : value(v) {}
};
struct add_made {
  SAM_FUNCTION only_made operator()(only_made a, only_made b) const {
    return only_made(a.value + b.value);
  }
};
template <class Context>
void check_only_made(Context& context) {
  if constexpr (!sam::engine::works_on_device<Context>) {
    for (index_t const n : {index_t{10}, index_t{300'000}}) {
      std::vector<only_made> const in(std::size_t(n), only_made(1));
      std::vector<only_made> out(std::size_t(n / 5), only_made(-1));
      std::vector<int> count(1);
      sam::segmented_reduce(context, in, sam::by_length(5), out, count, add_made{}, only_made(0));
      context.wait();
      REQUIRE(count[0] == n / 5);
      for (only_made const& total : out)
        REQUIRE(total.value == 5);
      std::vector<int> const keys(std::size_t(n), 7);
      std::vector<int> each(1);
      std::vector<only_made> all(1, only_made(-1));
      sam::reduce_by_key(context, keys, in, each, all, count, add_made{});
      context.wait();
      REQUIRE((each[0] == 7 && count[0] == 1 && all[0].value == n));
    }
  }
}

TEST_CASE("what is reduced need not be default constructible", "[segmented]") {
  auto context = test::each_context();
  check_only_made(context);
}

using test::fails;

TEST_CASE("outputs that do not fit the segments are an error, and nothing is written",
          "[segmented]") {
  auto c = test::each_context();
  auto const in = test::on_backend(std::vector<int>(100, 1));
  test::fenced_array<int> out(100), half(50), count(1);
  auto const offsets = test::on_backend(std::vector<int>{0, 50, 100});
  fails([&] { sam::segmented_reduce(c, in, sam::by_offsets(offsets), half); }, "out",
        "holds 50 items but must hold 2, one for each segment");
  fails([&] { sam::segmented_reduce(c, in, sam::by_heads(in), out, half); }, "count",
        "holds 50 items; it must hold 1");
  fails([&] { sam::reduce_by_key(c, in, in, out, out, count); }, "unique_keys",
        "overlaps out; the two must lie apart");
  fails([&] { sam::reduce_by_key(c, out, in, std::span(out.data() + 1, 99), half, count); },
        "unique_keys",
        "overlaps keys without being the same array; pass the same items to work in place, or "
        "memory apart from keys");
  fails(
      [&] {
        sam::reduce_by_key(c, out, in, half, out, count,
                           sam::carried_by<sam::carry::reduce_then_scan>(sam::scan_policy<>{}));
      },
      "out",
      "is keys, but " + std::string(c.name()) +
          " loads such items twice; pass memory apart from keys");
  auto const words = test::on_backend(std::vector<std::uint32_t>(4, 1));
  sam::packed_bits const bits{words, 99};
  fails([&] { sam::segmented_reduce(c, in, sam::by_heads(bits), out, count); }, "heads",
        "holds 99 bits but must hold 100, one for each item of in");
  REQUIRE((out.untouched() && half.untouched() && count.untouched()));
}

}  // namespace
