// SPDX-License-Identifier: MIT
// Tests primitives with two outputs or with more output than input: unique_by_key and run-length
// coding.
#include <sam/find_runs.hpp>
#include <sam/inputs.hpp>
#include <sam/run_length.hpp>
#include <sam/unique.hpp>

#include "compaction.hpp"

#include <functional>
#include <set>
#include <tuple>

namespace {

using sam::index_t;
using test::random_bytes, test::share, test::shares, test::three_bytes, test::twenty_four_bytes;
using test::same_first_byte;

/// Checks that the call writes `first` and `second` to the fronts of arrays of the given sizes, and
/// the count, as check_apart does for a single output.
template <class Context, class A, class B, class Call>
void check_both(Context& context, std::pair<std::vector<A>, std::vector<B>> const& kept,
                index_t first_room, index_t second_room, index_t shift, Call call) {
  CAPTURE(first_room, second_room, shift);
  test::fenced_array<A> first(first_room, shift);
  test::fenced_array<B> second(second_room, 1);
  test::fenced_array<index_t> count(1);
  auto const first_before = first.to_host();
  auto const second_before = second.to_host();
  call(first, second, count);
  context.wait();
  REQUIRE(test::differences(first.to_host(), test::written_over(first_before, kept.first)) == "");
  REQUIRE(test::differences(second.to_host(), test::written_over(second_before, kept.second)) ==
          "");
  REQUIRE(count.to_host()[0] == static_cast<index_t>(kept.first.size()));
  REQUIRE((first.fences_intact() && second.fences_intact() && count.fences_intact()));
}

template <class Context, class T>
void check_unique_by_key(Context& context, std::vector<T> const& keys, std::uint64_t seed) {
  using V = std::int16_t;
  same_first_byte<T> const equal;
  auto const n = static_cast<index_t>(keys.size());
  auto const values = test::random_items<V>(n, seed);
  auto const kept = sam::reference::unique_by_key(keys, values, equal);
  auto const some = static_cast<index_t>(kept.first.size()) / 2;
  auto const k = test::on_backend(keys, 1);
  auto const v = test::on_backend(values, 3);
  auto const apart = [&](auto& keys_out, auto& values_out, auto& count) {
    sam::unique_by_key(context, k, v, keys_out, values_out, count, equal);
  };
  check_both(context, kept, n, n, 0, apart);
  check_both(context, kept, some, n + 3, 1, apart);
  check_both(context, kept, n, some, 1, apart);
  if constexpr (sam::engine::loads_items_once<Context, sam::detail::marked<T>>) {
    auto keys_in_place = test::on_backend(keys, 1);
    auto values_in_place = test::on_backend(values, 1);
    index_t const count = sam::unique_by_key(context, keys_in_place, values_in_place, keys_in_place,
                                             values_in_place, equal);
    REQUIRE(count == static_cast<index_t>(kept.first.size()));
    REQUIRE(test::differences(keys_in_place.to_host(), test::written_over(keys, kept.first)) == "");
    REQUIRE(test::differences(values_in_place.to_host(), test::written_over(values, kept.second)) ==
            "");
    REQUIRE((keys_in_place.fences_intact() && values_in_place.fences_intact()));
  }
}

template <class Length, class Context, class T>
void check_encode(Context& context, std::vector<T> const& items) {
  same_first_byte<T> const equal;
  auto const n = static_cast<index_t>(items.size());
  auto const runs = sam::reference::run_length_encode<Length>(items, equal);
  auto const number = static_cast<index_t>(runs.first.size());
  auto const in = test::on_backend(items, 1);
  auto const apart = [&](auto& values, auto& lengths, auto& count) {
    sam::run_length_encode(context, in, values, lengths, count, equal);
  };
  check_both(context, runs, n, n, 1, apart);
  check_both(context, runs, number, number, 0, apart);
  check_both(context, runs, number / 2, number / 3, 1, apart);
  check_both(context, runs, 0, number, 0, apart);
  if constexpr (sam::engine::loads_items_once<Context, sam::detail::headed<T>>) {
    auto in_place = test::on_backend(items, 1);
    test::fenced_array<Length> lengths(number);
    REQUIRE(sam::run_length_encode(context, in_place, in_place, lengths, equal) == number);
    REQUIRE(test::differences(in_place.to_host(), test::written_over(items, runs.first)) == "");
    REQUIRE(test::differences(lengths.to_host(), runs.second) == "");
    REQUIRE((in_place.fences_intact() && lengths.fences_intact()));
  }
}

template <class Context, class T>
void check_find(Context& context, std::vector<T> const& items) {
  same_first_byte<T> const equal;
  auto const n = static_cast<index_t>(items.size());
  auto const runs = sam::reference::find_runs<std::int32_t>(items, equal);
  auto const number = static_cast<index_t>(runs.first.size());
  auto const in = test::on_backend(items, 1);
  auto const apart = [&](auto& offsets, auto& lengths, auto& count) {
    sam::find_runs(context, in, offsets, lengths, count, equal);
  };
  check_both(context, runs, n, n, 1, apart);
  check_both(context, runs, number, number / 2, 0, apart);
  check_both(context, runs, 0, number, 1, apart);
}

template <class Length, class Context, class T>
void check_decode(Context& context, std::vector<T> const& values,
                  std::vector<Length> const& lengths) {
  auto const items = sam::reference::run_length_decode(values, lengths);
  auto const total = static_cast<index_t>(items.size());
  auto const v = test::on_backend(values, 1);
  auto const l = test::on_backend(lengths, 1);
  for (index_t const buffer :
       {total, total + 1, total + 100, total / 2, total / 2 + 31, index_t{0}}) {
    CAPTURE(buffer, total);
    test::fenced_array<T> out(buffer, 1);
    test::fenced_array<index_t> count(1);
    auto const before = out.to_host();
    sam::run_length_decode(context, v, l, out, count);
    context.wait();
    REQUIRE(test::differences(out.to_host(), test::written_over(before, items)) == "");
    REQUIRE(count.to_host()[0] == total);
    REQUIRE((out.fences_intact() && count.fences_intact()));
  }
  test::fenced_array<T> out(total);
  REQUIRE(sam::run_length_decode(context, v, l, out) == total);
}

/// The distribution of run lengths to decode.
enum class lengths { one, short_ones, many_empty, one_long, around_a_word, to_ends_of_words };

/// Returns lengths of runs with about n items in total.
template <class Length>
std::vector<Length> random_lengths(index_t n, lengths kind, std::uint64_t seed) {
  test::generator bits(seed);
  std::vector<Length> all;
  for (index_t sum = 0; sum < n; sum += static_cast<index_t>(all.back())) {
    auto const length = [&]() -> index_t {
      auto const some = static_cast<index_t>(bits() >> 8);
      switch (kind) {
      case lengths::one:
        return 1;
      case lengths::short_ones:
        return some % 8;
      case lengths::many_empty:
        return some % 40 == 0 ? some / 64 % 100 : 0;
      case lengths::one_long:
        return sum == 3 ? n - 3 : 1;
      case lengths::around_a_word:
        return 31 + some % 3;
      case lengths::to_ends_of_words:  // or empty
        return some % 3 == 0 ? 32 - sum % 32 : 0;
      }
      return 0;
    }();
    all.push_back(static_cast<Length>(length));
  }
  all.resize(all.size() + 40);  // empty runs at the end
  return all;
}
constexpr lengths all_lengths[] = {lengths::one,           lengths::short_ones,
                                   lengths::many_empty,    lengths::one_long,
                                   lengths::around_a_word, lengths::to_ends_of_words};

template <class Context>
void check_all(Context& context, index_t n, share kept) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, static_cast<int>(kept), seed);
  check_unique_by_key(context, random_bytes<std::int32_t>(n, kept, seed), seed);
  check_encode<std::int64_t>(context, random_bytes<std::int8_t>(n, kept, seed));
  check_encode<std::uint32_t>(context, random_bytes<std::int32_t>(n, kept, seed));
  check_encode<std::int32_t>(context, random_bytes<twenty_four_bytes>(n, kept, seed));
  check_find(context, random_bytes<std::int32_t>(n, kept, seed));
}

template <class Context>
void check_decode(Context& context, index_t n) {
  for (lengths const kind : all_lengths) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, static_cast<int>(kind), seed);
    auto const runs = random_lengths<std::int32_t>(n, kind, seed);
    auto const number = static_cast<index_t>(runs.size());
    check_decode(context, random_bytes<std::int8_t>(number, share::half, seed), runs);
    check_decode(context, random_bytes<twenty_four_bytes>(number, share::half, seed),
                 random_lengths<std::int64_t>(n, kind, seed));
  }
}

TEST_CASE("unique_by_key and run_length_encode equal their references", "[run_length]") {
  auto context = test::each_context();
  auto sizes = test::sizes_when_packed<std::int32_t>();
  sizes.merge(test::sizes_when_packed<std::int16_t>());
  using counts = sam::engine::segmented_value<std::uint32_t, std::uint32_t>;
  sizes.merge(test::sizes_when_held<counts>(
      sam::engine::resolve_policy<sam::engine::bound::exclusive>(
          sam::scan_policy<sam::engine::segmented_and_counted<sam::plus>>{},
          sam::engine::from_value<counts>{{0, 0}}),
      sizeof(sam::detail::headed<std::int32_t>)));
  for (index_t const n : test::sizes_when_packed<std::int32_t>())
    sizes.insert(n);
  for (index_t const n : sizes)
    for (share const kept : shares)  // of neighbours of an edge, one is even and one is odd
      if (n < 1000 || kept == (n % 2 == 0 ? share::half : share::runs))
        check_all(context, n, kept);
}

TEST_CASE("run_length_decode equals its reference", "[run_length]") {
  auto context = test::each_context();
  std::set<index_t> sizes{1, 31, 32, 33, 64, 1000, 20'011, 100'003};
  for (std::size_t const size : {sizeof(std::int8_t), sizeof(twenty_four_bytes)}) {
    index_t const edge = sam::host::tuning::made_bytes / static_cast<index_t>(size);
    sizes.merge(std::set<index_t>{edge - 1, edge, edge + 1});
  }
  for (index_t const n : sizes)
    check_decode(context, n);
}

TEST_CASE("run_length_decode equals its reference where the caches do not hold what it makes",
          "[run_length]") {
  auto context = test::each_context();
  index_t const n = sam::host::tuning::streaming_bytes / index_t{sizeof(twenty_four_bytes)} + 7;
  for (lengths const kind : {lengths::short_ones, lengths::one_long}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, static_cast<int>(kind), seed);
    auto const runs = random_lengths<std::int64_t>(n, kind, seed);
    check_decode(
        context,
        random_bytes<twenty_four_bytes>(static_cast<index_t>(runs.size()), share::half, seed),
        runs);
  }
}

TEST_CASE("runs equal their references on several threads", "[run_length]") {
  auto const context = test::each_context();
  test::also_on_threads(context, [](auto& crowd) {
    check_all(crowd, 200'003, share::half);
    check_all(crowd, 200'003, share::runs);
    check_decode(crowd, 150'001);
  });
}

TEST_CASE("lengths are integers of any width, and what one call encodes another decodes",
          "[run_length]") {
  auto context = test::each_context();
  auto const items = random_bytes<three_bytes>(255, share::runs, test::seed_for(1));
  auto const in = test::on_backend(items);
  test::fenced_array<three_bytes> values(255), out(255);
  test::fenced_array<std::uint8_t> lengths(255);
  same_first_byte<three_bytes> const equal;
  auto const runs =
      static_cast<std::size_t>(sam::run_length_encode(context, in, values, lengths, equal));
  index_t const total =
      sam::run_length_decode(context, test::as_span(values).first(runs),
                             test::as_span(lengths).first(runs), test::as_span(out));
  REQUIRE(total == 255);
  auto wanted = sam::reference::run_length_encode<std::uint8_t>(items, equal);
  REQUIRE(test::differences(out.to_host(),
                            sam::reference::run_length_decode(wanted.first, wanted.second)) == "");
}

struct half_of {
  SAM_FUNCTION int operator()(int x) const { return x / 2; }
};

TEST_CASE("runs of more than one item are found among computed items and the first of some",
          "[run_length]") {
  auto context = test::each_context();
  std::vector<int> const items{4, 4, 5, 6, 1, 1, 1, 8, 9, 9};
  auto const in = test::on_backend(items);
  test::fenced_array<std::uint8_t> offsets(5), lengths(5);
  auto const check = [&](index_t count, std::vector<std::uint8_t> const& wanted_offsets,
                         std::vector<std::uint8_t> const& wanted_lengths) {
    REQUIRE(count == static_cast<index_t>(wanted_offsets.size()));
    auto first = offsets.to_host(), second = lengths.to_host();
    first.resize(wanted_offsets.size()), second.resize(wanted_lengths.size());
    REQUIRE((first == wanted_offsets && second == wanted_lengths));
  };
  check(sam::find_runs(context, in, offsets, lengths), {0, 4, 8}, {2, 3, 2});
  check(sam::find_runs(context, sam::transformed(in, half_of{}), offsets, lengths), {0, 4, 7},
        {3, 3, 3});
  for (int const some : {0, 1, 2, 5, 6, 9}) {
    std::vector<int> const first(items.begin(), items.begin() + some);
    auto const number = test::on_backend(std::vector<int>{some});
    auto const wanted = sam::reference::find_runs<std::uint8_t>(first, std::equal_to{});
    check(sam::find_runs(context, sam::counted(in, number), offsets, lengths), wanted.first,
          wanted.second);
  }
  test::fenced_array<int> out(5);
  auto const many = test::on_backend(std::vector<int>(256));
  test::fails([&] { sam::find_runs(context, many, out, lengths); }, "sam::find_runs", "lengths",
              "holds integers of up to 255 but may have to hold 256");
  test::fails([&] { sam::find_runs(context, in, out, out); }, "sam::find_runs", "lengths",
              "overlaps offsets; the two must lie apart");
  REQUIRE(out.untouched());
}

TEST_CASE("no items have no runs, and no runs have no items", "[run_length]") {
  auto context = test::each_context();
  test::fenced_array<int> none(0), out(3), more(3);
  test::fenced_array<std::int16_t> count(1);
  sam::run_length_encode(context, none, out, more, count);
  context.wait();
  REQUIRE(count.to_host()[0] == 0);
  REQUIRE(sam::run_length_encode(context, none, out, more) == 0);
  REQUIRE(sam::find_runs(context, none, out, more) == 0);
  REQUIRE(sam::run_length_decode(context, none, none, out) == 0);
  REQUIRE(sam::unique_by_key(context, none, none, out, more) == 0);
  auto const empty = test::on_backend(std::vector<int>(1000));
  auto const values = test::on_backend(std::vector<int>(1000, 7));
  REQUIRE(sam::run_length_decode(context, values, empty, out) == 0);
  REQUIRE((out.untouched() && more.untouched()));
}

}  // namespace
