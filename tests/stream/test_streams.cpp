// SPDX-License-Identifier: MIT
// Tests that scans of streams have the same bits however a stream is cut into arrays.
#include <sam/inputs.hpp>
#include <sam/linear_recurrence.hpp>
#include <sam/outputs.hpp>
#include <sam/reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/stream_state.hpp>

#include "support.hpp"

#include <cmath>
#include <tuple>

namespace {

using sam::index_t;
using sam::engine::bound;
using test::part;

template <class Operator, int Order = 1, int TupleSize = 1,
          sam::direction Direction = sam::direction::forward>
using policy = sam::scan_policy<Operator, Order, TupleSize, sam::carry::decoupled, Direction>;
constexpr auto back = sam::direction::backward;

template <class T, class Policy, bound Bound = bound::inclusive>
struct stream_case {
  using item = T;
  using policy = Policy;
  using state = sam::stream_state<T, Policy, Bound>;
  static constexpr bound kind = Bound;
};

/// Adds numbers, and has no identity.
struct plain_sum {
  SAM_FUNCTION float operator()(float a, float b) const { return a + b; }
};

/// A value so large that tiles have groups of one level only.
struct many_floats {
  float at[40];
  friend bool operator==(many_floats const&, many_floats const&) = default;
};
struct sum_of_many {
  SAM_FUNCTION many_floats operator()(many_floats const& a, many_floats const& b) const {
    many_floats sum;
    for (int k = 0; k < 40; ++k)
      sum.at[k] = a.at[k] + b.at[k];
    return sum;
  }
};

/// A complex number, whose products compilers may fuse with sums.
struct complex_number {
  float re, im;
};
struct complex_product {
  SAM_FUNCTION complex_number operator()(complex_number const& a, complex_number const& b) const {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

// Tiles of three, two and one levels; one panel and several; orders, directions and bounds;
// operators with and without an identity, commutative and not.
using cases =
    std::tuple<stream_case<float, policy<sam::plus>>,  //
               stream_case<float, policy<sam::plus, 1, 1, back>, bound::exclusive>,
               stream_case<double, policy<sam::plus, 2, 3>>,
               stream_case<float, policy<sam::plus, 3, 2, back>, bound::exclusive>,
               stream_case<float, policy<sam::plus, 1, 100>>,
               stream_case<float, policy<plain_sum, 1, 40, back>>,
               stream_case<float, policy<plain_sum>, bound::exclusive>,
               stream_case<std::int32_t, policy<sam::plus, 2>>,
               stream_case<test::affine, policy<test::compose, 1, 3, back>, bound::exclusive>,
               stream_case<test::heisenberg<std::uint64_t>, policy<test::heisenberg_product>>,
               stream_case<many_floats, policy<sum_of_many, 1, 2>>>;

template <class Case>
using item_of = typename Case::item;

/// Returns a number of any of many magnitudes, so that each other grouping gives other sums.
template <class T>
T any_magnitude(test::generator& bits) {
  auto const digits = static_cast<T>(bits() % 2001) - 1000;
  return std::ldexp(digits, static_cast<int>(bits() % 24) - 20);
}
template <class Case>
std::vector<item_of<Case>> items_of(index_t n) {
  using T = item_of<Case>;
  test::generator bits{test::seed_for(n)};
  std::vector<T> items(static_cast<std::size_t>(n));
  if constexpr (std::is_floating_point_v<T>) {
    for (T& x : items)
      x = any_magnitude<T>(bits);
  } else if constexpr (std::is_same_v<T, many_floats>) {
    for (T& x : items)
      for (float& each : x.at)
        each = any_magnitude<float>(bits);
  } else {
    items = test::random_items<T, typename Case::policy::op_type>(n, test::seed_for(n));
  }
  return items;
}

template <class Case>
typename Case::state first_state() {
  if constexpr (Case::kind == bound::inclusive)
    return {};
  else
    return Case::state::starting_from(items_of<Case>(4)[3]);
}

template <class Case, class Context, class In, class Out, class Before, class After>
void scan_on(Context& context, In const& in, Out&& out, Before const& before, After&& after) {
  typename Case::policy const policy;
  if constexpr (Case::kind == bound::inclusive)
    sam::inclusive_scan(context, in, out, policy, before, after);
  else
    sam::exclusive_scan(context, in, out, policy, before, after);
}

template <class T>
index_t first_difference(std::vector<T> const& a, std::vector<T> const& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!test::same_bits(a[i], b[i]))
      return static_cast<index_t>(i);
  return -1;
}
/// Compares all values that a state has.
template <class State>
bool same_state(State const& a, State const& b) {
  if (a.items != b.items)
    return false;
  for (int round = 0; round < State::order; ++round)
    for (index_t k = 0; k < State::components; ++k) {
      index_t const row = (a.items + k) / State::components;
      for (int level = 0; level < State::levels; ++level)
        if (sam::engine::groups_before(row, level) != 0 &&
            !test::same_bits(a.group(round, level, k), b.group(round, level, k)))
          return false;
      if (row > 0 && !test::same_bits(a.result(round, k), b.result(round, k)))
        return false;
    }
  return true;
}

/// Returns sizes of pieces of n items: some empty, some at the edges of groups, some long.
std::vector<index_t> pieces_of(index_t n, std::uint64_t seed) {
  test::generator bits{seed};
  std::vector<index_t> sizes{0};
  while (n > 0) {
    index_t const most[] = {5, 40, 4097, n, n};
    index_t const limit = most[bits() % 5];
    sizes.push_back(
        std::min(n, static_cast<index_t>(bits() % static_cast<std::uint64_t>(limit + 1))));
    n -= sizes.back();
  }
  return sizes;
}

/// Scans n items in pieces, from states in the back end's memory, out of place or in place, and
/// reduces them. Checks all bits of every output and every state.
template <class Case, class Context>
void check_pieces(Context& context, index_t n) {
  using T = item_of<Case>;
  using state = typename Case::state;
  constexpr bool forward = Case::policy::heading == sam::direction::forward;
  auto const items = items_of<Case>(n);
  auto whole_state = first_state<Case>();
  auto const whole = sam::reference::continue_scan(items, typename Case::policy{}, whole_state);
  auto wanted_state = first_state<Case>();
  std::array<test::fenced_array<state>, 2> memory{
      test::fenced_array<state>(std::vector<state>{wanted_state}, 0), test::fenced_array<state>(1)};
  index_t done = 0;
  std::size_t turn = 0;
  for (index_t const count : pieces_of(n, test::seed_for(n))) {
    CAPTURE(n, done, count);
    index_t const begin = forward ? done : n - done - count;
    auto const piece = part(items, begin, count);
    sam::reference::continue_scan(piece, typename Case::policy{}, wanted_state);
    auto in = test::on_backend(piece, 1);
    test::fenced_array<T> apart(count);
    auto& out = turn % 2 == 0 ? apart : in;
    auto& after = memory[(turn + 1) % 2];
    if constexpr (Case::policy::order == 1 && forward && Case::kind == bound::inclusive) {
      test::fenced_array<state> reduced(1);
      sam::reduce(context, in, typename Case::policy{}, memory[turn % 2], reduced);
      context.wait();
      REQUIRE(same_state(wanted_state, reduced.to_host()[0]));
    }
    scan_on<Case>(context, in, out, memory[turn % 2], after);
    context.wait();
    REQUIRE(first_difference(out.to_host(), part(whole, begin, count)) == -1);
    REQUIRE((out.fences_intact() && after.fences_intact()));
    REQUIRE(same_state(wanted_state, after.to_host()[0]));
    done += count;
    ++turn;
  }
  REQUIRE(same_state(whole_state, wanted_state));
}

TEMPLATE_LIST_TEST_CASE("a stream in pieces has the bits of one scan", "[scan][stream]", cases) {
  test::engine_context context;
  for (index_t const n : {0, 1, 15, 16, 17, 255, 256, 257, 4096, 20'011})
    check_pieces<TestType>(context, n);
  test::also_on_serial(context, [](auto& alone) { check_pieces<TestType>(alone, 5'003); });
  test::also_on_threads(context, [](auto& crowd) { check_pieces<TestType>(crowd, 70'001); });
}

using plain_float = stream_case<float, policy<sam::plus>>;

/// Returns a state behind so many rows of each component and one item more, with groups on all
/// levels that may have some.
template <class Case>
typename Case::state state_behind(index_t rows) {
  using state = typename Case::state;
  auto const values = items_of<Case>(state::levels + 1);
  state at;
  at.items = rows * state::components + 1;
  for (int round = 0; round < state::order; ++round)
    for (index_t k = 0; k < state::components; ++k)
      for (int level = 0; level <= state::levels; ++level)
        at.group(round, level, k) = values[static_cast<std::size_t>(level)];
  return at;
}

using far_cases = std::tuple<plain_float, stream_case<double, policy<sam::plus, 2, 3>>,
                             stream_case<float, policy<sam::plus, 1, 1, back>, bound::exclusive>>;

TEMPLATE_LIST_TEST_CASE("a stream has any number of items", "[scan][stream]", far_cases) {
  test::engine_context context;
  using state = typename TestType::state;
  // Groups of all levels become complete in the first array, or few do.
  for (index_t const rows : {(index_t{1} << 48) - 5, (index_t{1} << 48) - 3'000,
                             (index_t{1} << 32) - 17, index_t{0x7654'3210'fedc}}) {
    CAPTURE(rows);
    auto const items = items_of<TestType>(13'001);
    auto wanted_state = state_behind<TestType>(rows);
    auto const before = test::on_backend(std::vector<state>{wanted_state});
    auto const wanted =
        sam::reference::continue_scan(items, typename TestType::policy{}, wanted_state);
    auto in = test::on_backend(items);
    test::fenced_array<state> after(1);
    scan_on<TestType>(context, in, in, before, after);
    context.wait();
    REQUIRE(first_difference(in.to_host(), wanted) == -1);
    REQUIRE(same_state(wanted_state, after.to_host()[0]));
  }
}

using counted_cases =
    std::tuple<plain_float, stream_case<float, policy<sam::plus, 2, 3, back>, bound::exclusive>>;

TEMPLATE_LIST_TEST_CASE("a stream takes its number of items from memory", "[scan][stream]",
                        counted_cases) {
  test::engine_context context;
  using state = typename TestType::state;
  constexpr bool forward = TestType::policy::heading == sam::direction::forward;
  auto const items = items_of<TestType>(9'000);
  auto const in = test::on_backend(items);
  for (index_t const number : {-3, 0, 1, 4'095, 4'096, 8'999, 9'000, 9'001}) {
    CAPTURE(number);
    index_t const taken = std::clamp<index_t>(number, 0, 9'000);
    auto const counts = test::on_backend(std::vector<index_t>{number});
    auto wanted_state = state::starting_from(3.5f);
    auto const before = test::on_backend(std::vector<state>{wanted_state});
    auto wanted = sam::reference::continue_scan(part(items, 0, taken), typename TestType::policy{},
                                                wanted_state);
    auto const rest = part(items, taken, 9'000 - taken);
    wanted.insert(wanted.end(), rest.begin(), rest.end());
    auto out = test::on_backend(items, 1);
    test::fenced_array<state> after(1), reduced(1);
    scan_on<TestType>(context, sam::counted(in, counts), out, before, after);
    context.wait();
    REQUIRE(first_difference(out.to_host(), wanted) == -1);
    REQUIRE((out.fences_intact() && after.fences_intact()));
    REQUIRE(same_state(wanted_state, after.to_host()[0]));
    if constexpr (forward) {
      sam::reduce(context, sam::counted(in, counts), sam::plus{}, before, reduced);
      context.wait();
      REQUIRE(same_state(wanted_state, reduced.to_host()[0]));
    }
  }
}

TEST_CASE("a call of a stream needs no more memory than is measured", "[scan][stream]") {
  sam::default_context context;
  using state = plain_float::state;
  state before = state::starting_from(1);
  before.items = 4'095;
  auto const in = test::on_backend(items_of<plain_float>(16'383));
  test::fenced_array<float> out(16'383);
  test::fenced_array<state> after(1);
  auto const call = [&] { sam::inclusive_scan(context, in, out, sam::plus{}, before, after); };
  index_t const wanted = context.held_bytes() + context.bytes_for(call);
  call();
  context.wait();
  REQUIRE(context.held_bytes() <= wanted);
}

struct half_of {
  SAM_FUNCTION float operator()(float x) const { return x / 2; }
};

TEST_CASE("a stream is computed and combined in another type", "[scan][stream]") {
  test::engine_context context;
  using sums = policy<sam::plus, 2, 3>;
  using state = sam::stream_state<double, sums>;
  auto const items = items_of<plain_float>(5'001);
  auto const in = test::on_backend(items);
  state at, wanted_state;
  test::fenced_array<float> out(5'001);
  sam::inclusive_scan(context, sam::transformed(in, half_of{}), sam::transformed_to(out, half_of{}),
                      sam::accumulate_in<double>(sums{}), at, at);
  std::vector<double> halves;
  for (float const x : items)
    halves.push_back(x / 2);
  std::vector<float> wanted;
  for (double const y : sam::reference::continue_scan(halves, sums{}, wanted_state))
    wanted.push_back(static_cast<float>(y) / 2);
  REQUIRE(first_difference(out.to_host(), wanted) == -1);
  REQUIRE(same_state(wanted_state, at));
  REQUIRE(test::same_bits(at.value(2), wanted_state.value(2)));
  REQUIRE(at.phase() == 0);
}

// --- Segments ------------------------------------------------------------------------------------

/// Scans segments of a stream in pieces. segments(begin, count) returns those of a piece.
template <bound Bound, class State, class Segments>
void check_segments(index_t n, std::vector<bool> const& heads, Segments const& segments) {
  test::engine_context context;
  auto const items = items_of<plain_float>(n);
  using pair = typename State::group_type;
  std::vector<pair> pairs;
  for (index_t i = 0; i < n; ++i)
    pairs.push_back({items[static_cast<std::size_t>(i)], heads[static_cast<std::size_t>(i)]});
  sam::stream_state<pair, sam::scan_policy<sam::engine::segmented<sam::plus>>> wanted_state;
  auto const scanned = sam::reference::continue_scan(
      pairs, sam::scan_policy<sam::engine::segmented<sam::plus>>{}, wanted_state);
  sam::exclusive_stream_state<pair, sam::scan_policy<sam::engine::segmented<sam::plus>>> all;
  auto const exclusive = sam::reference::continue_scan(
      pairs, sam::scan_policy<sam::engine::segmented<sam::plus>>{}, all);
  State at;
  index_t done = 0;
  for (index_t const count : pieces_of(n, test::seed_for(n))) {
    CAPTURE(n, done, count);
    auto in = test::on_backend(part(items, done, count), 1);
    test::fenced_array<float> out(count);
    segments(done, count, [&](auto const& piece) {
      if constexpr (Bound == bound::inclusive)
        sam::segmented_inclusive_scan(context, in, piece, out, sam::plus{}, at, at);
      else
        sam::segmented_exclusive_scan(context, in, piece, out, sam::plus{}, at, at);
    });
    std::vector<float> wanted;
    for (auto k = static_cast<std::size_t>(done); k < static_cast<std::size_t>(done + count); ++k)
      wanted.push_back(Bound == bound::inclusive ? scanned[k].value
                       : heads[k] || k == 0      ? 0
                                                 : exclusive[k].value);
    REQUIRE(first_difference(out.to_host(), wanted) == -1);
    done += count;
    REQUIRE(at.items == done);
    if (done > 0)
      REQUIRE(test::same_bits(at.value(), scanned[static_cast<std::size_t>(done - 1)].value));
  }
}

TEST_CASE("segments of a stream in pieces have the bits of one scan", "[scan][stream]") {
  index_t const n = 20'011;
  auto const random = test::random_items<std::uint32_t>(n, 7);
  std::vector<std::uint8_t> flags;
  std::vector<std::uint32_t> keys;
  std::vector<bool> heads, by_length, by_keys;
  for (index_t i = 0; i < n; ++i) {
    flags.push_back(random[static_cast<std::size_t>(i)] % 100 == 0);
    heads.push_back(flags.back() != 0);
    by_length.push_back(i % 1'000 == 0);
    keys.push_back((keys.empty() ? 0 : keys.back()) + flags.back());
    by_keys.push_back(i == 0 || flags.back() != 0);
  }
  using state = sam::segmented_stream_state<float>;
  auto const by_flags = [&](index_t begin, index_t count, auto const& use) {
    auto const piece = test::on_backend(part(flags, begin, count));
    use(sam::by_heads(piece));
  };
  check_segments<bound::inclusive, state>(n, heads, by_flags);
  check_segments<bound::exclusive, state>(n, heads, by_flags);
  check_segments<bound::inclusive, state>(
      n, by_length, [&](index_t, index_t, auto const& use) { use(sam::by_length(1'000)); });
  using keyed_state = sam::keyed_stream_state<float, std::uint32_t>;
  auto const of_keys = [&](index_t begin, index_t count, auto const& use) {
    auto const piece = test::on_backend(part(keys, begin, count));
    use(sam::by_keys(piece));
  };
  check_segments<bound::inclusive, keyed_state>(n, by_keys, of_keys);
  check_segments<bound::exclusive, keyed_state>(n, by_keys, of_keys);
}

TEST_CASE("exclusive scans of a stream's segments begin with nothing", "[scan][stream]") {
  test::engine_context context;
  auto const in = test::on_backend(std::vector<float>{1, 2, 3, 4, 5});
  auto const flags = test::on_backend(std::vector<std::uint8_t>{0, 0, 1, 0, 0});
  test::fenced_array<float> out(5);
  sam::segmented_stream_state<float> at;
  for (float const first : {0.0f, 12.0f}) {
    sam::segmented_exclusive_scan(context, in, sam::by_heads(flags), out, sam::plus{}, at, at);
    REQUIRE(out.to_host() == std::vector<float>{first, first + 1, 0, 3, 7});
    REQUIRE(at.value() == 12);
  }
  at = sam::segmented_stream_state<float>::starting_from(20);
  sam::segmented_exclusive_scan(context, in, sam::by_heads(flags), out, sam::plus{}, at, at);
  REQUIRE(out.to_host() == std::vector<float>{20, 21, 0, 3, 7});
}

TEST_CASE("a stream keeps its last key", "[scan][stream]") {
  test::engine_context context;
  auto const in = test::on_backend(std::vector<float>{1, 2, 3});
  auto const keys = test::on_backend(std::vector<int>{7, 8, 8});
  test::fenced_array<float> out(3);
  sam::keyed_stream_state<float, int> at;
  for (index_t const number : {2, 0, 3}) {
    auto const counts = test::on_backend(std::vector<index_t>{number});
    sam::segmented_inclusive_scan(context, sam::counted(in, counts), sam::by_keys(keys), out,
                                  sam::plus{}, at, at);
    REQUIRE(at.key() == 8);
    REQUIRE(at.value() == (number == 3 ? 5 : 2));
  }
  REQUIRE(at.items == 5);
}

// --- Recurrences ---------------------------------------------------------------------------------

/// Checks that pieces have the bits of the whole, and that these are near other results. run(begin,
/// count, out, at) computes a piece and its state.
template <class State, class Run>
void check_outputs(index_t n, State const& first, std::vector<double> const& near, Run const& run) {
  auto whole_state = first;
  test::fenced_array<double> whole_out(n);
  run(index_t{0}, n, whole_out, whole_state);
  auto const whole = whole_out.to_host();
  for (std::size_t i = 0; i < whole.size(); ++i)
    REQUIRE(std::abs(whole[i] - near[i]) <= 1e-9 * (1 + std::abs(near[i])));
  auto at = first;
  index_t done = 0;
  for (index_t const count : pieces_of(n, test::seed_for(n))) {
    CAPTURE(n, done, count);
    test::fenced_array<double> out(count);
    run(done, count, out, at);
    REQUIRE(first_difference(out.to_host(), part(whole, done, count)) == -1);
    done += count;
  }
  REQUIRE(same_state(whole_state, at));
}

TEST_CASE("recurrences of a stream have the bits of one", "[recurrence][stream]") {
  test::engine_context context;
  index_t const n = 20'011;
  using numbers = stream_case<double, policy<sam::plus>>;
  auto const b = items_of<numbers>(n);
  std::vector<double> a;
  for (double const x : items_of<numbers>(n + 1))
    a.push_back(std::remainder(x, 1.0));
  using state = sam::recurrence_stream_state<double>;
  std::vector<double> near;
  double last = 2.5;
  for (index_t i = 0; i < n; ++i)
    near.push_back(last = a[static_cast<std::size_t>(i)] * last + b[static_cast<std::size_t>(i)]);
  check_outputs(n, state::starting_from({0, 2.5}), near,
                [&](index_t begin, index_t count, auto& out, state& at) {
                  auto const factors = test::on_backend(part(a, begin, count));
                  auto const terms = test::on_backend(part(b, begin, count), 1);
                  sam::linear_recurrence(context, factors, terms, out, at, at);
                  REQUIRE((count == 0 || at.value().b == out.to_host().back()));
                });
}

template <std::size_t Q>
void check_filter(std::array<double, Q> const& coefficients, std::array<double, Q> const& before) {
  test::engine_context context;
  index_t const n = 20'011;
  auto const items = items_of<stream_case<double, policy<sam::plus>>>(n);
  auto const in = test::on_backend(items);
  test::fenced_array<double> near(n);
  sam::linear_filter(context, in, coefficients, near, before);
  context.wait();
  check_outputs(n, sam::filter_stream_behind(coefficients, before), near.to_host(),
                [&](index_t begin, index_t count, auto& out, auto& at) {
                  auto const piece = test::on_backend(part(items, begin, count), 1);
                  sam::linear_filter(context, piece, coefficients, out, at, at);
                });
}

TEST_CASE("filters of a stream have the bits of one", "[recurrence][stream]") {
  check_filter<1>({0.75}, {2});
  check_filter<2>({0.5, 0.25}, {1, -2});
}

TEST_CASE("streams of products have the same bits however they are cut", "[scan][stream]") {
  test::engine_context context;
  index_t const n = 20'011;
  using numbers = stream_case<float, policy<sam::plus>>;
  std::vector<complex_number> items;
  for (float const x : items_of<numbers>(n)) {
    float const angle = x * 64;
    items.push_back({std::cos(angle), std::sin(angle)});
  }
  auto const in = test::on_backend(items);
  test::fenced_array<complex_number> all(n);
  sam::stream_state<complex_number, sam::scan_policy<complex_product>> of_all, at, reduced;
  sam::inclusive_scan(context, in, all, complex_product{}, of_all, of_all);
  sam::reduce(context, in, complex_product{}, reduced, reduced);
  auto const whole = all.to_host();
  REQUIRE(same_state(of_all, reduced));
  index_t done = 0;
  for (index_t const count : pieces_of(n, test::seed_for(n))) {
    CAPTURE(done, count);
    auto const piece = test::on_backend(part(items, done, count));
    test::fenced_array<complex_number> out(count);
    sam::inclusive_scan(context, piece, out, complex_product{}, at, at);
    REQUIRE(first_difference(out.to_host(), part(whole, done, count)) == -1);
    done += count;
  }
  REQUIRE(same_state(of_all, at));
}

struct times_third {
  SAM_FUNCTION float operator()(float x) const { return x * 0.3f; }
};

TEST_CASE("streams of computed items have the same bits however they are cut", "[scan][stream]") {
  test::engine_context context;
  index_t const n = 20'011;
  auto const items = items_of<plain_float>(n);
  auto const in = test::on_backend(items);
  test::fenced_array<float> all(n);
  sam::stream_state<float> of_all, at;
  sam::inclusive_scan(context, sam::transformed(in, times_third{}), all, sam::plus{}, of_all,
                      of_all);
  auto const whole = all.to_host();
  index_t done = 0;
  for (index_t const count : pieces_of(n, test::seed_for(n))) {
    CAPTURE(done, count);
    auto const piece = test::on_backend(part(items, done, count));
    test::fenced_array<float> out(count);
    sam::inclusive_scan(context, sam::transformed(piece, times_third{}), out, sam::plus{}, at, at);
    REQUIRE(first_difference(out.to_host(), part(whole, done, count)) == -1);
    done += count;
  }
  REQUIRE(same_state(of_all, at));
}

// --- Arguments -----------------------------------------------------------------------------------

TEST_CASE("scans of streams check their arguments", "[scan][stream]") {
  test::engine_context context;
  using state = sam::stream_state<float>;
  auto const in = test::on_backend(std::vector<float>(10, 1));
  test::fenced_array<float> out(10);
  test::fenced_array<state> two(2), one(1), other(1);
  state at;
  auto const scan = [&](auto const& from, auto& before, auto& after) {
    return [&] { sam::inclusive_scan(context, from, out, sam::plus{}, before, after); };
  };
  test::fails(scan(in, two, at), "before", "holds 2 items but must hold 1, one state");
  test::fails(scan(in, at, two), "after", "holds 2 items but must hold 1, one state");
  test::fails(scan(in, one, one), "after", "overlaps before; the two must lie apart");
  using maps = sam::recurrence_stream_state<float>;
  test::fenced_array<maps> map(1), maps_of_two(2);
  test::fails([&] { sam::linear_recurrence(context, in, in, out, map, map); }, "after",
              "overlaps before; the two must lie apart");
  test::fails([&] { sam::linear_recurrence(context, in, in, out, map, maps_of_two); }, "after",
              "holds 2 items but must hold 1, one state");
  REQUIRE(out.untouched());
  REQUIRE(other.untouched());
}

}  // namespace
