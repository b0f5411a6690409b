// SPDX-License-Identifier: MIT
// Tests scans that continue from a state, and scans whose number of items lies in memory.
#include <sam/outputs.hpp>
#include <sam/scan_state.hpp>

#include "support.hpp"

#include <cstring>
#include <tuple>

namespace {

using sam::index_t;
using sam::engine::bound;
using test::form;
using test::part;

template <class Operator, int Order = 1, int TupleSize = 1,
          sam::direction Direction = sam::direction::forward, class Carry = sam::carry::decoupled>
using policy = sam::scan_policy<Operator, Order, TupleSize, Carry, Direction>;
constexpr auto back = sam::direction::backward;

struct twice {
  SAM_FUNCTION long long operator()(int x) const { return 2 * x; }
};

template <class T, class Policy, bound Bound = bound::inclusive>
struct state_case {
  using item = T;
  using policy = Policy;
  using state = sam::scan_state<T, Policy, Bound>;
  static constexpr bound kind = Bound;
};

// Widths, orders, tuple sizes, directions, bounds and carry schemes; operators with and without an
// identity, commutative and not, with and without the carry algebra.
using cases = std::tuple<
    state_case<std::int32_t, policy<sam::plus>>,  //
    state_case<std::uint8_t, policy<sam::plus, 1, 1, back>, bound::exclusive>,
    state_case<std::int64_t, policy<sam::plus, 1, 3>>,
    state_case<std::uint16_t, policy<sam::plus, 3, 2>>,
    state_case<std::uint32_t, policy<sam::plus, 2, 1, back>, bound::exclusive>,
    state_case<std::int32_t, policy<sam::plus, 8, 5>, bound::exclusive>,
    state_case<double, policy<sam::plus, 1, 4, back>>,
    state_case<float, policy<sam::minimum, 2, 3>>,
    state_case<std::int16_t, policy<sam::maximum>, bound::exclusive>,
    state_case<std::uint64_t, policy<sam::bit_xor, 2, 7>>,
    state_case<test::affine, policy<test::compose, 1, 3, back>, bound::exclusive>,
    state_case<test::affine, policy<test::compose, 2>>,
    state_case<test::falls, policy<test::join_runs, 1, 2>>,
    state_case<test::heisenberg<std::uint64_t>, policy<test::heisenberg_product>, bound::exclusive>,
    state_case<std::int32_t,
               policy<sam::plus, 1, 1, sam::direction::forward, sam::carry::reduce_then_scan>,
               bound::exclusive>,
    state_case<std::int32_t,
               policy<sam::plus, 2, 1, sam::direction::forward, sam::carry::scan_then_propagate>>>;

template <class Case>
using item_of = typename Case::item;

/// Returns random items, the same for each policy.
template <class Case>
std::vector<item_of<Case>> items_of(index_t n) {
  return test::random_items<item_of<Case>, typename Case::policy::op_type>(n, test::seed_for(n));
}
/// Returns a state before the first item: a default one or, where an exclusive scan needs one, one
/// with an initial value.
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

/// True if states in variables are tested. A device can return only small ones, and compiles a
/// kernel of each job, so there one type stands for all.
template <class State>
inline constexpr bool tries_variable = sizeof(State) <= sam::engine::most_result_bytes &&
                                       (test::backend_bytes::on_host ||
                                        std::is_same_v<typename State::value_type, std::int32_t>);

/// Compares all values that a state has.
template <class State>
bool same_state(State const& a, State const& b) {
  if (a.items != b.items)
    return false;
  for (int r = 0; r < State::order; ++r)
    for (index_t k = 0; k < State::components; ++k)
      if (a.has(k) &&
          !(a.values.at[r * State::components + k] == b.values.at[r * State::components + k]))
        return false;
  return true;
}

/// Returns sizes of pieces of n items: some empty, some shorter than a tuple, some long.
std::vector<index_t> pieces_of(index_t n, std::uint64_t seed) {
  test::generator bits{seed};
  std::vector<index_t> sizes{0};
  while (n > 0) {
    auto const most = static_cast<std::uint64_t>(bits() % 3 == 0 ? 5 : n);
    sizes.push_back(std::min(n, static_cast<index_t>(bits() % (most + 1))));
    n -= sizes.back();
  }
  return sizes;
}

/// Scans n items in pieces, with states in variables or in the back end's memory, out of place or
/// in place. Checks every output and every state.
template <class Case, class Context>
void check_pieces(Context& context, index_t n, bool in_memory) {
  using T = item_of<Case>;
  using state = typename Case::state;
  constexpr bool forward = Case::policy::heading == sam::direction::forward;
  auto const items = items_of<Case>(n);
  auto wanted_state = first_state<Case>();
  auto variable = wanted_state;
  std::array<test::fenced_array<state>, 2> memory{
      test::fenced_array<state>(std::vector<state>{variable}, 0), test::fenced_array<state>(1)};
  index_t done = 0;
  std::size_t turn = 0;
  for (index_t const count : pieces_of(n, test::seed_for(n))) {
    CAPTURE(n, done, count, in_memory);
    index_t const begin = forward ? done : n - done - count;
    auto const piece = part(items, begin, count);
    auto const wanted = sam::reference::continue_scan(piece, typename Case::policy{}, wanted_state);
    auto in = test::on_backend(piece, 1);
    test::fenced_array<T> apart(count);
    auto& out = turn % 2 == 0 ? apart : in;
    if (in_memory)
      scan_on<Case>(context, in, out, memory[turn % 2], memory[(turn + 1) % 2]);
    else if constexpr (tries_variable<state>)
      scan_on<Case>(context, in, out, variable, variable);
    context.wait();
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
    if (in_memory) {
      REQUIRE(memory[(turn + 1) % 2].fences_intact());
      variable = memory[(turn + 1) % 2].to_host()[0];
    }
    REQUIRE(same_state(wanted_state, variable));
    done += count;
    ++turn;
  }
}

index_t const sizes[] = {0, 1, 2, 7, 100, 1025, 20'011};

TEMPLATE_LIST_TEST_CASE("scans in pieces equal one scan", "[scan][state]", cases) {
  test::engine_context context;
  for (index_t const n : sizes) {
    if (tries_variable<typename TestType::state>)
      check_pieces<TestType>(context, n, false);
    check_pieces<TestType>(context, n, true);
  }
  test::also_on_serial(context, [](auto& alone) { check_pieces<TestType>(alone, 5'003, true); });
  test::also_on_threads(context, [](auto& crowd) { check_pieces<TestType>(crowd, 300'007, true); });
}

TEST_CASE("pieces have the bits of one scan", "[scan][state]") {
  test::engine_context context;
  sam::scan_policy<sam::plus, 3, 2> const policy;
  using state = sam::scan_state<std::uint32_t, sam::scan_policy<sam::plus, 3, 2>>;
  auto const items = test::random_items<std::uint32_t, sam::plus>(70'001, 1);
  auto const whole = sam::reference::inclusive_scan(items, policy);
  state at;
  for (index_t done = 0; done < 70'001; done += 7'777) {
    auto const piece = part(items, done, std::min<index_t>(7'777, 70'001 - done));
    auto const in = test::on_backend(piece);
    test::fenced_array<std::uint32_t> out(static_cast<index_t>(piece.size()));
    sam::inclusive_scan(context, in, out, policy, at, at);
    context.wait();
    REQUIRE(out.to_host() == part(whole, done, static_cast<index_t>(piece.size())));
  }
  REQUIRE(at.items == 70'001);
  REQUIRE(at.value(1) == whole.back());
}

TEST_CASE("a transform runs before the state is combined", "[scan][state]") {
  test::engine_context context;
  auto const in = test::on_backend(std::vector<int>{1, 2, 3});
  test::fenced_array<long long> out(3);
  auto at = sam::scan_state<long long>::starting_from(100);
  sam::transform_inclusive_scan(context, in, out, twice{}, sam::plus{}, at, at);
  context.wait();
  REQUIRE(out.to_host() == std::vector<long long>{102, 106, 112});
  sam::transform_exclusive_scan(context, in, out, twice{}, sam::plus{}, at, at);
  context.wait();
  REQUIRE(out.to_host() == std::vector<long long>{112, 114, 118});
  REQUIRE(at.value() == 124);
}

/// Checks scans of the first `number` of n items.
template <class Case, class N, class Context>
void check_counted(Context& context, index_t n, N number) {
  using T = item_of<Case>;
  CAPTURE(n, number);
  typename Case::policy const policy;
  auto const items = items_of<Case>(n);
  auto const taken = std::clamp(static_cast<index_t>(number), index_t{0}, n);
  auto const counts = test::on_backend(std::vector<N>{number});
  auto const in = test::on_backend(items);
  auto wanted_state = first_state<Case>();
  auto const before = test::on_backend(std::vector<typename Case::state>{wanted_state});
  test::fenced_array<typename Case::state> after(1);
  auto const wanted = sam::reference::continue_scan(part(items, 0, taken), policy, wanted_state);
  auto const check = [&](test::fenced_array<T>& out) {
    context.wait();
    auto const got = out.to_host();
    REQUIRE(test::differences(part(got, 0, taken), wanted) == "");
    REQUIRE(test::differences(part(got, taken, n - taken), part(items, taken, n - taken)) == "");
    REQUIRE(out.fences_intact());
  };
  auto out = test::on_backend(items);
  scan_on<Case>(context, sam::counted(in, counts), out, before, after);
  check(out);
  REQUIRE(same_state(wanted_state, after.to_host()[0]));
  REQUIRE(after.fences_intact());
  // Without states, from a start.
  auto again = test::on_backend(items);
  if constexpr (Case::kind == bound::inclusive)
    sam::inclusive_scan(context, sam::counted(again, counts), again, policy);
  else
    sam::exclusive_scan(context, sam::counted(again, counts), again, policy, items_of<Case>(4)[3]);
  check(again);
}

using counted_cases =
    std::tuple<state_case<std::int32_t, policy<sam::plus>>,
               state_case<std::uint8_t, policy<sam::plus, 3, 2, back>, bound::exclusive>,
               state_case<float, policy<sam::minimum, 2, 3>>,
               state_case<test::affine, policy<test::compose, 2, 3>>,
               state_case<test::falls, policy<test::join_runs, 1, 2, back>>,
               state_case<test::heisenberg<std::uint64_t>, policy<test::heisenberg_product>,
                          bound::exclusive>>;

TEMPLATE_LIST_TEST_CASE("a scan takes its number of items from memory", "[scan][state]",
                        counted_cases) {
  test::engine_context context;
  for (index_t const n : {0, 1, 2, 1025, 20'011})
    for (index_t const number : {index_t{-3}, index_t{0}, index_t{1}, n / 3, n - 1, n, n + 5})
      check_counted<TestType, index_t>(context, n, number);
  check_counted<TestType, std::uint32_t>(context, 100, 0xffff'ffffu);
  check_counted<TestType, std::uint8_t>(context, 300, std::uint8_t{200});
  test::also_on_threads(
      context, [](auto& crowd) { check_counted<TestType, index_t>(crowd, 300'007, 200'003); });
}

/// Adds numbers up to 1000. It has no identity, nor a carry algebra.
struct plus_to_1000 {
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return a + b < 1000 ? a + b : 1000;
  }
};

/// A scan of Stored in which items are combined as T.
template <class Stored, class T, class Policy, bound Bound = bound::inclusive>
struct accumulated_case : state_case<T, Policy, Bound> {
  using stored = Stored;
};

/// Returns whole numbers below 100. Sums of few of them need more bits than Stored has.
template <class Stored>
std::vector<Stored> small_numbers(index_t n) {
  std::vector<Stored> items;
  for (auto const x : test::random_items<std::uint32_t>(n, test::seed_for(n)))
    items.push_back(static_cast<Stored>(x % 100));
  return items;
}

/// Continues a scan from `state` by items that are combined as Case's item type.
template <class Case, class Stored = typename Case::stored>
std::vector<Stored> continue_accumulated(std::vector<Stored> items, typename Case::state& state) {
  using T = item_of<Case>;
  auto const sums = sam::reference::continue_scan(std::vector<T>(items.begin(), items.end()),
                                                  typename Case::policy{}, state);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = static_cast<Stored>(sums[i]);
  return items;
}

/// Checks scans of the first `number` of n items, from a start and from a state, and of the others
/// from the state behind them.
template <class Case, class Context>
void check_accumulated(Context& context, index_t n, index_t number) {
  using T = item_of<Case>;
  using stored = typename Case::stored;
  CAPTURE(n, number);
  auto const policy = sam::accumulate_in<T>(typename Case::policy{});
  auto const items = small_numbers<stored>(n);
  auto const taken = std::clamp(number, index_t{0}, n);
  auto const counts = test::on_backend(std::vector<index_t>{number});
  T const init = 77;
  auto wanted_state = Case::state::starting_from(init);
  auto const before = test::on_backend(std::vector<typename Case::state>{wanted_state});
  test::fenced_array<typename Case::state> middle(1), after(1);
  auto const scan = [&](auto const& in, auto& out, auto&... rest) {
    if constexpr (Case::kind == bound::inclusive)
      sam::inclusive_scan(context, in, out, policy, rest...);
    else
      sam::exclusive_scan(context, in, out, policy, rest...);
  };
  auto const check = [&](auto const& out, std::vector<stored> wanted) {
    context.wait();
    wanted.insert(wanted.end(), items.begin() + static_cast<index_t>(wanted.size()), items.end());
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
  };
  auto const wanted = continue_accumulated<Case>(part(items, 0, taken), wanted_state);
  if constexpr (Case::policy::order == 1 || sam::engine::has_algebra<T, typename Case::policy>) {
    auto out = test::on_backend(items, 1);  // otherwise, a back end may round each round
    scan(sam::counted(out, counts), out, init);
    check(out, wanted);
  }
  auto again = test::on_backend(items);
  scan(sam::counted(again, counts), again, before, middle);
  check(again, wanted);
  REQUIRE(same_state(wanted_state, middle.to_host()[0]));
  auto const others = part(items, taken, n - taken);
  auto rest = test::on_backend(others, 1);
  scan(rest, rest, middle, after);
  context.wait();
  REQUIRE(test::differences(rest.to_host(), continue_accumulated<Case>(others, wanted_state)) ==
          "");
  REQUIRE((rest.fences_intact() && middle.fences_intact() && after.fences_intact()));
  REQUIRE(same_state(wanted_state, after.to_host()[0]));
}

using accumulated_cases = std::tuple<
    accumulated_case<float, double, policy<sam::plus, 2, 2>>,
    accumulated_case<std::int8_t, std::int32_t, policy<sam::plus, 1, 3, back>, bound::exclusive>,
    accumulated_case<std::int8_t, std::int32_t, policy<sam::plus>>,
    accumulated_case<std::uint8_t, std::uint32_t, policy<plus_to_1000, 2>>,
    accumulated_case<std::uint8_t, std::uint32_t, policy<plus_to_1000, 1, 2, back>,
                     bound::exclusive>>;

TEMPLATE_LIST_TEST_CASE("counted items and states are combined in another type", "[scan][state]",
                        accumulated_cases) {
  test::engine_context context;
  for (index_t const n : {0, 1, 2, 1025, 20'011})
    for (index_t const number : {index_t{-3}, index_t{0}, index_t{1}, n / 3, n - 1, n, n + 5})
      check_accumulated<TestType>(context, n, number);
  test::also_on_serial(context,
                       [](auto& alone) { check_accumulated<TestType>(alone, 5'003, 3'001); });
  test::also_on_threads(context,
                        [](auto& crowd) { check_accumulated<TestType>(crowd, 300'007, 200'003); });
}

struct third {
  SAM_FUNCTION float operator()(float x) const { return x / 3; }
};

TEST_CASE("results of another type than states go to a computed output", "[scan][state]") {
  test::engine_context context;
  using sums = policy<sam::plus, 2>;
  using wide_case = accumulated_case<float, double, sums>;
  auto const items = small_numbers<float>(5'000);
  auto const in = test::on_backend(items);
  test::fenced_array<float> out(5'000);
  wide_case::state at, wanted_state;
  sam::inclusive_scan(context, in, sam::transformed_to(out, third{}),
                      sam::accumulate_in<double>(sums{}), at, at);
  auto wanted = continue_accumulated<wide_case>(items, wanted_state);
  for (float& x : wanted)
    x /= 3;
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(same_state(wanted_state, at));
}

TEST_CASE("scans with states check their arguments", "[scan][state]") {
  test::engine_context context;
  using state = sam::scan_state<int>;
  auto const in = test::on_backend(std::vector<int>(10, 1));
  test::fenced_array<int> out(10);
  test::fenced_array<state> two(2), one(1), other(1);
  state at;
  auto const scan = [&](auto const& from, auto& before, auto& after) {
    return [&] { sam::inclusive_scan(context, from, out, sam::plus{}, before, after); };
  };
  test::fails(scan(in, two, at), "before", "holds 2 items but must hold 1, one state");
  test::fails(scan(in, at, two), "after", "holds 2 items but must hold 1, one state");
  test::fails(scan(in, one, one), "after", "overlaps before; the two must lie apart");
  std::span<state> const null(static_cast<state*>(nullptr), 1);
  test::fails(scan(in, null, at), "before", "is a null pointer but should hold 1 items");
  test::fails(scan(in, at, null), "after", "is a null pointer but should hold 1 items");
  test::fenced_array<index_t> counts(2);
  test::fails(scan(sam::counted(in, counts), one, other), "number",
              "holds 2 items but must hold 1, the number of items of in");
  auto const number = std::span<int const>(out.data(), 1);
  test::fails(scan(sam::counted(in, number), one, other), "out",
              "overlaps number; the two must lie apart");
  REQUIRE(out.untouched());
  REQUIRE(other.untouched());
}

}  // namespace
