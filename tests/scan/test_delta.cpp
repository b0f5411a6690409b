// SPDX-License-Identifier: MIT
// Tests difference codes, and operations on neighbouring items.
#include <sam/adjacent_difference.hpp>
#include <sam/delta.hpp>

#include "support.hpp"

namespace {

using sam::index_t;

/// Encodes and decodes with one order and tuple size, out of place and in place.
template <int Order, class T, class Context>
void check_round_trip(Context& context, index_t n, index_t tuple_size) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, tuple_size, Order, sizeof(T), seed);
  auto const items = test::random_items<T>(n, seed);
  auto const wanted = sam::reference::delta_encode(items, Order, tuple_size);

  auto const in = test::on_backend(items, 1);
  test::fenced_array<T> encoded(n), decoded(n, 1);
  sam::delta_encode<Order>(context, in, encoded, tuple_size);
  sam::delta_decode<Order>(context, encoded, decoded, tuple_size);
  context.wait();
  REQUIRE(test::differences(encoded.to_host(), wanted) == "");
  REQUIRE(test::differences(decoded.to_host(), items) == "");
  REQUIRE((encoded.fences_intact() && decoded.fences_intact()));

  auto in_place = test::on_backend(items, 1);
  sam::delta_encode<Order>(context, in_place, in_place, tuple_size);
  context.wait();
  REQUIRE(test::differences(in_place.to_host(), wanted) == "");
  sam::delta_decode<Order>(context, in_place, in_place, tuple_size);
  context.wait();
  REQUIRE(test::differences(in_place.to_host(), items) == "");
  REQUIRE(in_place.fences_intact());
}

// All widths, signed and unsigned, with orders 1 to 3. Tuple sizes are 1 to 5, a long one, and one
// that counts as wide.
TEMPLATE_TEST_CASE("decoding undoes encoding, and encoding equals its reference", "[delta]",
                   std::uint8_t, std::int16_t, std::int32_t, std::uint64_t) {
  using T = TestType;
  constexpr int order = sizeof(T) == 4 ? 1 : sizeof(T) == 8 ? 3 : 2;
  auto context = test::each_context();
  index_t const tile = sam::host::tuning::tile_bytes / index_t{sizeof(T)};
  for (index_t const n : {index_t{0}, index_t{1}, index_t{7}, tile + 1, 9 * tile + 5})
    for (index_t const tuple_size : {1, 2, 3, 4, 5, 1000, 20000})
      check_round_trip<order, T>(context, n, tuple_size);
  test::also_on_threads(context, [&](auto& crowd) {
    check_round_trip<order, T>(crowd, 20 * tile + 3, 1);
    check_round_trip<order, T>(crowd, 20 * tile + 3, 77);
  });
}

// Out of place, aligned outputs are stored in units of 16 bytes.
TEMPLATE_TEST_CASE("differences do not depend on where arrays lie", "[delta]", std::uint8_t,
                   std::uint16_t, std::int32_t, std::int64_t) {
  using T = TestType;
  auto context = test::each_context();
  for (index_t const n : {15, 16, 17, 2047, 2049, 10'000})
    for (index_t const tuple_size : {1, 2, 7}) {
      auto const items = test::random_items<T>(n, test::seed_for(n));
      auto const wanted = sam::reference::delta_encode(items, 1, tuple_size);
      for (index_t const from : {0, 1, 3})
        for (index_t const to : {0, 1}) {
          CAPTURE(n, tuple_size, from, to);
          auto const in = test::on_backend(items, from);
          test::fenced_array<T> out(n, to);
          sam::delta_encode(context, in, out, tuple_size);
          context.wait();
          REQUIRE(test::differences(out.to_host(), wanted) == "");
          REQUIRE(out.fences_intact());
        }
    }
}

TEST_CASE("the first items of every component are their own difference", "[delta]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<std::uint8_t>{5, 1, 6, 250, 4, 0});
  test::fenced_array<std::uint8_t> out(6);
  sam::delta_encode(context, in, out, 2);
  context.wait();
  REQUIRE(out.to_host() == std::vector<std::uint8_t>{5, 1, 1, 249, 254, 6});
  sam::delta_encode<2>(context, in, out);
  context.wait();
  REQUIRE(out.to_host() == std::vector<std::uint8_t>{5, 247, 9, 239, 22, 242});
}

template <class T, int Order, int TupleSize>
struct state_case {
  using state = sam::delta_state<T, Order, TupleSize>;
};

/// Encodes and decodes n items in pieces, from state to state.
template <class State, class Context>
void check_pieces(Context& context, index_t n, bool is_counted) {
  using T = typename State::value_type;
  CAPTURE(n, is_counted, State::order, State::components);
  auto const items = test::random_items<T>(n, test::seed_for(n));
  auto const wanted = sam::reference::delta_encode(items, State::order, State::components);
  State encoding, decoding;
  std::vector<State> one(1);  // g++ takes values on the stack for uninitialised
  State& wanted_state = one[0];
  auto at = test::on_backend(std::vector<State>{State{}});
  test::fenced_array<State> next(1);
  index_t begin = 0;
  for (index_t const count : {index_t{1}, index_t{0}, n / 3, index_t{4}, n - 5 - n / 3}) {
    auto const part = [&](std::vector<T> const& all, index_t more = 0) {
      auto const first = all.begin() + begin;
      return std::vector<T>(first, first + std::min(count + more, n - begin));
    };
    auto const piece = part(wanted);
    sam::reference::continue_scan(piece, typename State::policy_type{}, wanted_state);
    if (is_counted) {
      // By states in memory, with items past the number, in place.
      auto const number = test::on_backend(std::vector<index_t>{count});
      auto more = test::on_backend(part(items, 9), 1);
      auto rest = part(items, 9);
      std::copy(piece.begin(), piece.end(), rest.begin());
      sam::delta_encode(context, sam::counted(more, number), more, at, next);
      context.wait();
      REQUIRE(test::differences(more.to_host(), rest) == "");
      REQUIRE(next.fences_intact());
      std::swap(at, next);
      encoding = at.to_host()[0];
    } else {
      auto const in = test::on_backend(part(items), 1);
      test::fenced_array<T> out(count), back(count);
      sam::delta_encode(context, in, out, encoding, encoding);
      sam::delta_decode(context, out, back, decoding, decoding);
      context.wait();
      REQUIRE(test::differences(out.to_host(), piece) == "");
      REQUIRE(test::differences(back.to_host(), part(items)) == "");
      REQUIRE((out.fences_intact() && back.fences_intact()));
    }
    REQUIRE(encoding.items == wanted_state.items);
    for (int r = 0; r < State::order; ++r)
      for (index_t k = 0; k < State::components; ++k)
        if (encoding.has(k))
          REQUIRE(encoding.values.at[r * State::components + k] ==
                  wanted_state.values.at[r * State::components + k]);
    begin += count;
  }
}

TEMPLATE_TEST_CASE("differences go on from array to array", "[delta]",
                   (state_case<std::int32_t, 1, 1>), (state_case<std::uint16_t, 3, 2>)) {
  auto context = test::each_context();
  for (index_t const n : {12, 1000, 30'011})
    for (bool const is_counted : {false, true})
      check_pieces<typename TestType::state>(context, n, is_counted);
  test::also_on_threads(
      context, [](auto& crowd) { check_pieces<typename TestType::state>(crowd, 300'007, false); });
  using state = typename TestType::state;
  using T = typename state::value_type;
  auto in = test::on_backend(std::vector<T>(10));
  test::fenced_array<T> out(10);
  test::fenced_array<state> one(1), two(2);
  test::fails([&] { sam::delta_encode(context, in, out, two, one); }, "before",
              "holds 2 items but must hold 1, one state");
  test::fails([&] { sam::delta_encode(context, in, out, one, one); }, "after",
              "overlaps before; the two must lie apart");
  REQUIRE((out.untouched() && one.untouched()));
}

TEST_CASE("a polynomial of degree d has differences of order d + 1 that vanish", "[delta]") {
  constexpr index_t n = 100000;
  std::vector<std::int64_t> cubes;
  for (std::int64_t i = 0; i < n; ++i)
    cubes.push_back(i * i * i);
  auto context = test::each_context();
  auto array = test::on_backend(cubes);
  sam::delta_encode<4>(context, array, array);
  context.wait();
  auto const differences = array.to_host();
  REQUIRE(std::count(differences.begin() + 4, differences.end(), 0) == n - 4);
}

struct minus_twice {
  SAM_FUNCTION test::affine operator()(test::affine x, test::affine other) const {
    return {x.a - 2 * other.a, x.b + other.a};
  }
};

template <bool Right, class Context, class T, class Op>
void check_neighbours(Context& context, std::vector<T> const& items, Op op) {
  auto const n = static_cast<index_t>(items.size());
  CAPTURE(n, Right);
  auto const wanted = sam::reference::adjacent_difference(items, op, Right);
  auto const call = [&](auto const& in, auto& out) {
    if constexpr (Right)
      sam::adjacent_difference_right(context, in, out, op);
    else
      sam::adjacent_difference(context, in, out, op);
    context.wait();
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
  };
  auto in = test::on_backend(items, 1);
  test::fenced_array<T> out(n);
  call(in, out);
  call(in, in);
}

TEST_CASE("operations on neighbours equal their references", "[delta]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 2, 1025, 40'003}) {
    auto const maps = test::random_items<test::affine>(n, test::seed_for(n));
    auto const numbers = test::random_items<double>(n, test::seed_for(n));
    check_neighbours<false>(context, maps, minus_twice{});
    check_neighbours<true>(context, maps, minus_twice{});
    check_neighbours<false>(context, numbers, sam::detail::subtract{});
    check_neighbours<true>(context, numbers, sam::detail::subtract{});
  }
  test::also_on_threads(context, [](auto& crowd) {
    auto const maps = test::random_items<test::affine>(300'007, 3);
    check_neighbours<false>(crowd, maps, minus_twice{});
    check_neighbours<true>(crowd, maps, minus_twice{});
  });
}

TEST_CASE("differences of neighbours wrap around, and check their arrays", "[delta]") {
  auto context = test::each_context();
  auto in = test::on_backend(std::vector<std::uint8_t>{5, 1, 6});
  test::fenced_array<std::uint8_t> out(3), two(2);
  sam::adjacent_difference(context, in, out);
  context.wait();
  REQUIRE(out.to_host() == std::vector<std::uint8_t>{5, 252, 5});
  sam::adjacent_difference_right(context, in, out);
  context.wait();
  REQUIRE(out.to_host() == std::vector<std::uint8_t>{4, 251, 6});
  test::fails([&] { sam::adjacent_difference(context, in, two); }, "sam::adjacent_difference",
              "out", "holds 2 items but in holds 3; both must hold the same number");
  test::fenced_array<std::uint8_t> three(3);
  auto const some = test::as_span(three);
  test::fails([&] { sam::adjacent_difference_right(context, some.first(2), some.last(2)); },
              "sam::adjacent_difference_right", "out",
              "overlaps in without being the same array; pass the same items to work in place, or "
              "memory apart from in");
  REQUIRE((two.untouched() && three.untouched()));
}

}  // namespace
