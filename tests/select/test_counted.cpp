// SPDX-License-Identifier: MIT
// Tests calls other than scans whose number of items lies in memory, and reductions that continue
// from a state.
#include <sam/compact.hpp>
#include <sam/find_runs.hpp>
#include <sam/histogram.hpp>
#include <sam/inputs.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/unique.hpp>

#include "support.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace {

using sam::index_t;

struct is_odd {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};
struct is_third {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 3 == 0; }
};
struct plus_one {
  SAM_FUNCTION std::int64_t operator()(std::uint32_t x) const { return std::int64_t{x} + 1; }
};

std::vector<std::uint32_t> some_items(index_t n) {
  test::generator bits{test::seed_for(n)};
  std::vector<std::uint32_t> items;
  for (index_t i = 0; i < n; ++i)
    items.push_back(static_cast<std::uint32_t>(bits() % 5));
  return items;
}
std::vector<std::uint32_t> first(std::vector<std::uint32_t> items, index_t number) {
  items.resize(
      static_cast<std::size_t>(std::clamp(number, index_t{0}, static_cast<index_t>(items.size()))));
  return items;
}

template <class Context>
void check_selections(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto const items = some_items(n);
  auto const taken = first(items, number);
  auto const counts = test::on_backend(std::vector<index_t>{number});
  auto const in = test::on_backend(items, 1);
  auto const flags = test::on_backend(items);
  auto const check = [&](auto const& wanted, auto const& call) {
    using T = typename std::remove_cvref_t<decltype(wanted)>::value_type;
    test::fenced_array<T> out(n, 1);
    test::fenced_array<index_t> count(1);
    call(out, count);
    context.wait();
    REQUIRE(count.to_host()[0] == static_cast<index_t>(wanted.size()));
    auto got = out.to_host();
    got.resize(wanted.size());
    REQUIRE(got == wanted);
    REQUIRE(out.fences_intact());
    REQUIRE(count.fences_intact());
  };
  std::vector<std::uint32_t> odd, distinct, set;
  std::vector<index_t> indices;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i] % 2 != 0) {
      odd.push_back(taken[i]);
      indices.push_back(static_cast<index_t>(i));
    }
    if (taken[i] != 0)
      set.push_back(taken[i]);
    if (i == 0 || taken[i] != taken[i - 1])
      distinct.push_back(taken[i]);
  }
  check(odd, [&](auto& out, auto& count) {
    sam::compact(context, sam::counted(in, counts), out, is_odd{}, count);
  });
  check(set, [&](auto& out, auto& count) {
    sam::compact_flagged(context, sam::counted(in, counts), flags, out, count);
  });
  check(indices, [&](auto& out, auto& count) {
    sam::compact_indices(context, sam::counted(in, counts), out, is_odd{}, count);
  });
  check(distinct, [&](auto& out, auto& count) {
    sam::unique(context, sam::counted(in, counts), out, count);
  });
  if (n > 0 && sam::engine::loads_items_once<Context, sam::detail::marked<std::uint32_t>>) {
    auto in_place = test::on_backend(items);
    REQUIRE(sam::compact(context, sam::counted(in_place, counts), in_place, is_odd{}) ==
            static_cast<index_t>(odd.size()));
    auto got = in_place.to_host();
    got.resize(odd.size());
    REQUIRE(got == odd);
  }
}

/// Checks that an array that held only `rest` begins with the wanted items, and holds `rest` still
/// behind them.
template <class T>
void check_front(test::fenced_array<T> const& out, std::vector<T> wanted, T rest) {
  wanted.resize(out.size(), rest);
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(out.fences_intact());
}

constexpr std::uint32_t rest = 77;

struct wide_value {
  std::uint32_t x[22];
};

template <class Context>
void check_groups(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto const items = some_items(n);
  auto const taken = first(items, number);
  auto const counts = test::on_backend(std::vector<index_t>{number});
  auto const in = test::on_backend(items, 1);
  std::vector<std::uint32_t> const before(items.size(), rest);
  auto const into = [&](std::vector<std::uint32_t> const& wanted, auto const& call) {
    auto out = test::on_backend(before, 1);
    call(out);
    context.wait();
    check_front(out, wanted, rest);
  };
  test::fenced_array<index_t> count(1), two(2);
  auto const counted = sam::counted(in, counts);

  auto parted = taken;
  auto const odd = std::stable_partition(parted.begin(), parted.end(), is_odd{});
  into(parted, [&](auto& out) { sam::partition(context, counted, out, is_odd{}, count); });
  REQUIRE(count.to_host()[0] == odd - parted.begin());
  auto const third = std::stable_partition(odd, parted.end(), is_third{});
  into(parted, [&](auto& out) {
    sam::three_way_partition(context, counted, out, is_odd{}, is_third{}, two);
  });
  REQUIRE(two.to_host() == std::vector<index_t>{odd - parted.begin(), third - odd});

  std::vector<std::uint32_t> firsts, lengths, sums, order, heads;
  for (std::size_t i = 0; i < items.size(); ++i)
    order.push_back(static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (i == 0 || taken[i] != taken[i - 1])
      firsts.push_back(taken[i]), lengths.push_back(0), sums.push_back(0),
          heads.push_back(order[i]);
    ++lengths.back();
    sums.back() += order[i];
  }
  auto const values = test::on_backend(order, 2);
  auto const runs = static_cast<index_t>(firsts.size());
  into(firsts, [&](auto& keys) {
    into(lengths, [&](auto& out) { sam::run_length_encode(context, counted, keys, out, count); });
  });
  REQUIRE(count.to_host()[0] == runs);
  into(firsts, [&](auto& keys) {
    into(sums, [&](auto& out) { sam::reduce_by_key(context, counted, values, keys, out, count); });
  });
  REQUIRE(count.to_host()[0] == runs);
  std::vector<std::uint32_t> begins, sizes_of_runs;
  for (std::size_t k = 0; k < heads.size(); ++k)
    if (lengths[k] > 1)
      begins.push_back(heads[k]), sizes_of_runs.push_back(lengths[k]);
  into(begins, [&](auto& offsets) {
    into(sizes_of_runs, [&](auto& out) { sam::find_runs(context, counted, offsets, out, count); });
  });
  REQUIRE(count.to_host()[0] == static_cast<index_t>(begins.size()));
  auto keys = test::on_backend(before), out = test::on_backend(before);
  sam::unique_by_key(context, counted, values, keys, out, count);
  context.wait();
  REQUIRE(count.to_host()[0] == runs);
  REQUIRE(first(keys.to_host(), runs) == firsts);
  REQUIRE(first(out.to_host(), runs) == heads);

  // A pair of a key and such a value has as many bytes as a GPU keeps in shared memory, 96.
  std::vector<wide_value> wides(items.size());
  for (std::size_t i = 0; i < wides.size(); ++i)
    wides[i].x[21] = order[i];
  auto const wide_values = test::on_backend(wides);
  auto wide_out = test::on_backend(std::vector<wide_value>(items.size()));
  sam::unique_by_key(context, counted, wide_values, keys, wide_out, count);
  context.wait();
  REQUIRE(count.to_host()[0] == runs);
  REQUIRE(first(keys.to_host(), runs) == firsts);
  auto const kept = wide_out.to_host();
  for (std::size_t k = 0; k < heads.size(); ++k)
    REQUIRE(kept[k].x[21] == heads[k]);
}

template <class Context>
void check_sorts(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto items = some_items(n);
  for (std::uint32_t& x : items)
    x *= 0x1234'5678;
  auto const taken = first(items, number);
  auto const counts = test::on_backend(std::vector<index_t>{number});
  auto const in = test::on_backend(items, 1);
  auto const counted = sam::counted(in, counts);
  std::vector<std::uint32_t> const before(items.size(), rest);
  auto order = before;
  std::iota(order.begin(), order.end(), 0);
  auto const values = test::on_backend(order, 2);
  order.resize(taken.size());
  auto sorted = taken;
  std::sort(sorted.begin(), sorted.end());

  auto out = test::on_backend(before, 1);
  sam::radix_sort(context, counted, out);
  context.wait();
  check_front(out, sorted, rest);
  auto in_place = test::on_backend(items);
  sam::radix_sort(context, sam::counted(in_place, counts), in_place);
  context.wait();
  auto both = items;
  std::copy(sorted.begin(), sorted.end(), both.begin());
  REQUIRE(test::differences(in_place.to_host(), both) == "");

  // Descending; equal keys keep their order.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return items[a] > items[b]; });
  std::reverse(sorted.begin(), sorted.end());
  auto keys_out = test::on_backend(before), values_out = test::on_backend(before, 1);
  sam::radix_sort_pairs(context, counted, values, keys_out, values_out,
                        {.order = sam::sort_order::descending});
  context.wait();
  check_front(keys_out, sorted, rest);
  check_front(values_out, order, rest);
  auto indices = test::on_backend(before);
  sam::radix_argsort(context, counted, indices, {.order = sam::sort_order::descending});
  context.wait();
  check_front(indices, order, rest);
}

struct bin_of {
  SAM_FUNCTION index_t operator()(std::uint32_t x) const { return index_t{x} - 1; }
};

index_t const sizes[] = {0, 1, 2, 1025, 20'011};

TEST_CASE("partitions, runs and sorts take their number of items from memory", "[counted]") {
  test::engine_context context;
  for (index_t const n : sizes)
    for (index_t const number : {index_t{-1}, index_t{0}, index_t{1}, n / 3, n - 1, n, n + 5}) {
      check_groups(context, n, number);
      check_sorts(context, n, number);
    }
  test::also_on_serial(context, [](auto& alone) { check_groups(alone, 5'003, 3'001); });
  test::also_on_threads(context, [](auto& crowd) {
    check_groups(crowd, 300'007, 200'003);
    check_sorts(crowd, 300'007, 200'003);
  });
  // So many that GPUs group them by tiles, and a number within a tile.
  index_t const n = 600'011;
  for (index_t const number : {index_t{0}, index_t{1}, n / 2, n})
    check_groups(context, n, number);
}

TEST_CASE("a compaction, a sort and a reduction by key pass their counts without a wait",
          "[counted]") {
  test::engine_context context;
  index_t const n = 200'003;
  auto items = some_items(n);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = items[i] << 10 | static_cast<std::uint32_t>(i % 7);
  std::vector<std::uint32_t> odd, keys, ones;
  for (std::uint32_t const x : items)
    if (is_odd{}(x))
      odd.push_back(x);
  std::sort(odd.begin(), odd.end());
  for (std::size_t i = 0; i < odd.size(); ++i) {
    if (i == 0 || odd[i] != odd[i - 1])
      keys.push_back(odd[i]), ones.push_back(0);
    ++ones.back();
  }
  auto const in = test::on_backend(items);
  auto const values = test::on_backend(std::vector<std::uint32_t>(items.size(), 1));
  test::fenced_array<std::uint32_t> kept(n), sorted(n), unique_keys(n), sums(n);
  test::fenced_array<int> left(1), runs(1);
  sam::compact(context, in, kept, is_odd{}, left);
  sam::radix_sort(context, sam::counted(kept, left), sorted);
  sam::reduce_by_key(context, sam::counted(sorted, left), values, unique_keys, sums, runs);
  context.wait();
  auto const found = index_t{runs.to_host()[0]};
  REQUIRE(found == static_cast<index_t>(keys.size()));
  REQUIRE(first(unique_keys.to_host(), found) == keys);
  REQUIRE(first(sums.to_host(), found) == ones);
}

TEST_CASE("selections take their number of items from memory", "[counted]") {
  test::engine_context context;
  for (index_t const n : sizes)
    for (index_t const number : {index_t{-1}, index_t{0}, index_t{1}, n / 3, n - 1, n, n + 5})
      check_selections(context, n, number);
  test::also_on_serial(context, [](auto& alone) { check_selections(alone, 5'003, 3'001); });
  test::also_on_threads(context, [](auto& crowd) { check_selections(crowd, 300'007, 200'003); });
}

/// Items that no tile in shared memory holds.
struct wide {
  std::uint32_t number;
  std::uint32_t others[127] = {};
};
struct is_wide_odd {
  SAM_FUNCTION bool operator()(wide const& x) const { return x.number % 2 != 0; }
};
TEST_CASE("indices of wide items take their number from memory", "[counted]") {
  auto context = test::each_context();
  for (index_t const number : {-1, 0, 1, 300, 1000}) {
    std::vector<wide> items;
    std::vector<int> wanted;
    for (std::uint32_t i = 0; i < 700; ++i) {
      items.push_back({i / 3});
      if (i / 3 % 2 != 0 && static_cast<index_t>(i) < number)
        wanted.push_back(static_cast<int>(i));
    }
    auto const in = test::on_backend(items);
    auto const numbers = test::on_backend(std::vector<index_t>{number});
    test::fenced_array<int> out(700);
    test::fenced_array<index_t> count(1);
    sam::compact_indices(context, sam::counted(in, numbers), out, is_wide_odd{}, count);
    context.wait();
    REQUIRE(count.to_host()[0] == static_cast<index_t>(wanted.size()));
    auto got = out.to_host();
    got.resize(wanted.size());
    REQUIRE(got == wanted);
  }
}

TEST_CASE("compactions append to earlier ones", "[counted]") {
  test::engine_context context;
  index_t const n = 20'011;
  auto const items = some_items(n);
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t const x : items)
    if (is_odd{}(x))
      wanted.push_back(x);
  auto const kept = static_cast<index_t>(wanted.size());
  for (index_t const size : {n, kept, kept / 2}) {
    test::fenced_array<std::uint32_t> out(size, 1), again(size);
    std::array<test::fenced_array<index_t>, 2> counts{test::on_backend(std::vector<index_t>{0}),
                                                      test::fenced_array<index_t>(1)};
    index_t variable = 0;
    std::size_t turn = 0;
    index_t begin = 0;
    for (index_t const count : {index_t{7}, index_t{0}, index_t{9'000}, index_t{1}, n - 9'008}) {
      std::vector<std::uint32_t> const piece(items.begin() + begin, items.begin() + begin + count);
      auto const in = test::on_backend(piece);
      sam::compact(context, in, out, is_odd{}, counts[turn % 2], counts[(turn + 1) % 2]);
      sam::compact(context, in, again, is_odd{}, variable, variable);
      begin += count;
      ++turn;
      context.wait();
    }
    REQUIRE(variable == kept);
    REQUIRE(counts[turn % 2].to_host()[0] == kept);
    auto const fit = std::min(size, kept);
    auto const head = first(wanted, fit);
    REQUIRE(first(out.to_host(), fit) == head);
    REQUIRE(first(again.to_host(), fit) == head);
    REQUIRE(out.fences_intact());
    REQUIRE(again.fences_intact());
  }
}

template <class T, class Policy>
struct reduction {
  using item = T;
  using policy = Policy;
};
using reductions = std::tuple<
    reduction<std::int32_t, sam::scan_policy<sam::plus>>,
    reduction<std::uint8_t, sam::scan_policy<sam::plus, 1, 3>>,
    reduction<double, sam::scan_policy<sam::plus>>,
    reduction<float, sam::scan_policy<sam::minimum, 1, 2>>,
    reduction<test::affine, sam::scan_policy<test::compose, 1, 5>>,
    reduction<test::falls, sam::scan_policy<test::join_runs>>,
    reduction<test::heisenberg<std::uint64_t>, sam::scan_policy<test::heisenberg_product, 1, 2>>>;

template <class Case, class Context>
void check_reductions(Context& context, index_t n, index_t number) {
  using T = typename Case::item;
  using policy = typename Case::policy;
  using state = sam::scan_state<T, policy>;
  CAPTURE(n, number);
  policy const p;
  auto const items = test::random_items<T, typename policy::op_type>(n, test::seed_for(n));
  auto const init = test::random_items<T, typename policy::op_type>(4, 7)[3];
  auto const taken = static_cast<std::size_t>(std::clamp(number, index_t{0}, n));
  std::vector<T> const some(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(taken));
  auto const counts = test::on_backend(std::vector<index_t>{number});
  auto const in = test::on_backend(items);
  test::fenced_array<T> out(p.components);
  sam::reduce(context, sam::counted(in, counts), out, p, init);
  context.wait();
  REQUIRE(test::differences(out.to_host(), sam::reference::reduce(some, p, init)) == "");
  if constexpr (sam::has_identity<typename policy::op_type, T>) {
    sam::reduce(context, sam::counted(in, counts), out, p);
    context.wait();
    auto const empty = sam::empty_of<T>(p.op);
    REQUIRE(test::differences(out.to_host(), sam::reference::reduce(some, p, empty)) == "");
  }
  // From one state to another, by a known number of items and by one in memory.
  for (bool const is_known : {true, false}) {
    CAPTURE(is_known);
    auto wanted = state::starting_from(init);
    auto const states = test::on_backend(std::vector<state>{wanted});
    test::fenced_array<state> end(1);
    auto const part = test::on_backend(some);
    if (is_known)
      sam::reduce(context, part, p, states, end);
    else
      sam::reduce(context, sam::counted(in, counts), p, states, end);
    context.wait();
    sam::reference::continue_scan(some, p, wanted);
    auto const got = end.to_host()[0];
    REQUIRE(got.items == wanted.items);
    for (index_t k = 0; k < p.components; ++k)
      REQUIRE(test::differences(std::vector<T>{got.value(k)}, std::vector<T>{wanted.value(k)}) ==
              "");
    REQUIRE(end.fences_intact());
  }
}

TEMPLATE_LIST_TEST_CASE("reductions take their number of items from memory", "[counted]",
                        reductions) {
  test::engine_context context;
  for (index_t const n : sizes)
    for (index_t const number : {index_t{-1}, index_t{0}, index_t{1}, n / 3, n - 1, n, n + 5})
      check_reductions<TestType>(context, n, number);
  test::also_on_serial(context,
                       [](auto& alone) { check_reductions<TestType>(alone, 5'003, 3'001); });
  test::also_on_threads(context,
                        [](auto& crowd) { check_reductions<TestType>(crowd, 300'007, 200'003); });
}

/// Adds numbers up to 1000. It has no identity.
struct plus_to_1000 {
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return a + b < 1000 ? a + b : 1000;
  }
};

/// Checks reductions that combine items as T and store results as Stored.
template <class Stored, class T, class Policy, class Context>
void check_accumulated(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  Policy const plain;
  auto const policy = sam::accumulate_in<T>(plain);
  std::vector<Stored> items;  // few of their sums fit in Stored
  for (auto const x : test::random_items<std::uint32_t>(n, test::seed_for(n)))
    items.push_back(static_cast<Stored>(x % (sizeof(Stored) == 1 ? 100u : 1u << 24)));
  std::vector<T> const some(items.begin(), items.begin() + std::clamp(number, index_t{0}, n));
  auto const counts = test::on_backend(std::vector<index_t>{number});
  auto const in = test::on_backend(items, 1);
  std::vector<Stored> const poison(std::size_t{Policy::tuple_size}, Stored{7});
  auto const check = [&](test::fenced_array<Stored> const& out, std::vector<T> const& wanted) {
    context.wait();
    REQUIRE(test::differences(out.to_host(), std::vector<Stored>(wanted.begin(), wanted.end())) ==
            "");
    REQUIRE(out.fences_intact());
  };
  T const init = 77;
  auto out = test::on_backend(poison, 1);
  sam::reduce(context, sam::counted(in, counts), out, policy, init);
  check(out, sam::reference::reduce(some, plain, init));
  if constexpr (sam::has_identity<typename Policy::op_type, T>) {
    sam::reduce(context, sam::counted(in, counts), out, policy);
    check(out, sam::reference::reduce(some, plain, T{0}));
  }
  using state = sam::scan_state<T, Policy>;
  auto wanted = state::starting_from(init);
  auto const before = test::on_backend(std::vector<state>{wanted});
  test::fenced_array<state> after(1);
  sam::reduce(context, sam::counted(in, counts), policy, before, after);
  context.wait();
  sam::reference::continue_scan(some, plain, wanted);
  for (index_t k = 0; k < plain.components; ++k)
    REQUIRE(after.to_host()[0].value(k) == wanted.value(k));
}

TEST_CASE("reductions of counted items combine them in another type", "[counted]") {
  test::engine_context context;
  for (index_t const n : sizes)
    for (index_t const number : {index_t{-1}, index_t{0}, index_t{1}, n / 3, n - 1, n, n + 5}) {
      check_accumulated<float, double, sam::scan_policy<sam::plus>>(context, n, number);
      check_accumulated<std::int8_t, std::int32_t, sam::scan_policy<sam::plus, 1, 3>>(context, n,
                                                                                      number);
      check_accumulated<std::uint8_t, std::uint32_t, sam::scan_policy<plus_to_1000, 1, 2>>(
          context, n, number);
    }
  test::also_on_serial(context, [](auto& alone) {
    check_accumulated<float, double, sam::scan_policy<sam::plus>>(alone, 5'003, 3'001);
  });
}

TEST_CASE("a compaction passes its count to later calls without a wait", "[counted]") {
  test::engine_context context;
  auto const items = some_items(30'011);
  std::vector<std::uint32_t> wanted;
  std::int64_t sum = 0;
  for (std::uint32_t const x : items)
    if (is_odd{}(x) && is_third{}(x)) {
      wanted.push_back(x);
      sum += plus_one{}(x);
    }
  auto const in = test::on_backend(items);
  test::fenced_array<std::uint32_t> odd(30'011), both(30'011);
  test::fenced_array<std::int64_t> sums(30'011), total(1);
  test::fenced_array<int> odds(1), kept(1);
  sam::compact(context, in, odd, is_odd{}, odds);
  sam::compact(context, sam::counted(odd, odds), both, is_third{}, kept);
  sam::transform_inclusive_scan(context, sam::counted(both, kept), sums, plus_one{});
  sam::transform_reduce(context, sam::counted(both, kept), total, plus_one{});
  context.wait();
  auto const n = static_cast<std::size_t>(kept.to_host()[0]);
  REQUIRE(n == wanted.size());
  auto got = both.to_host();
  got.resize(n);
  REQUIRE(got == wanted);
  REQUIRE(total.to_host()[0] == sum);
  REQUIRE(sums.to_host()[n - 1] == sum);
}

/// Encodes and reduces runs in pieces, each behind those before.
template <class Context>
void check_appended_runs(Context& context, index_t n, bool in_memory) {
  CAPTURE(n, in_memory);
  auto items = some_items(n);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = i % 1000 < 400 ? 7 : items[i];  // some runs are longer than some pieces
  auto const maps = test::random_items<test::affine, test::compose>(n, test::seed_for(n));
  std::vector<std::uint32_t> firsts;
  std::vector<std::int32_t> lengths;
  std::vector<test::affine> products;
  for (std::size_t i = 0; i < items.size(); ++i) {
    bool const begins = i == 0 || items[i] != items[i - 1];
    if (begins)
      firsts.push_back(items[i]), lengths.push_back(0), products.push_back(maps[i]);
    else
      products.back() = test::compose{}(products.back(), maps[i]);
    ++lengths.back();
  }
  auto const runs = static_cast<index_t>(firsts.size());
  test::fenced_array<std::uint32_t> keys(n, 1), values(n);
  test::fenced_array<std::int32_t> run_sizes(n);
  test::fenced_array<test::affine> totals(n);
  std::array of_keys{test::on_backend(std::vector<int>{0}), test::on_backend(std::vector<int>{0})};
  std::array of_runs{test::on_backend(std::vector<int>{0}), test::on_backend(std::vector<int>{0})};
  std::size_t turn = 0;
  index_t begin = 0;
  for (index_t const count : {index_t{0}, index_t{3}, index_t{150}, index_t{1}, n}) {
    index_t const some = std::min(count, n - begin);
    index_t const more = in_memory ? std::min(index_t{9}, n - begin - some) : 0;
    auto const part = [&](auto const& all) {
      return test::on_backend(std::remove_cvref_t<decltype(all)>(
          all.begin() + begin, all.begin() + begin + some + more));
    };
    auto const in = part(items);
    auto const terms = part(maps);
    auto const number = test::on_backend(std::vector<index_t>{some});
    auto const append = [&](auto const& from) {
      if (in_memory) {
        sam::reduce_by_key(context, from, sam::strided(terms, 1), keys, totals, of_keys[turn % 2],
                           of_keys[(turn + 1) % 2], test::compose{});
        sam::run_length_encode(context, from, values, run_sizes, of_runs[turn % 2],
                               of_runs[(turn + 1) % 2]);
      } else {
        sam::reduce_by_key(context, from, terms, keys, totals, of_keys[turn % 2].to_host()[0],
                           of_keys[(turn + 1) % 2], test::compose{});
        sam::run_length_encode(context, from, values, run_sizes, of_runs[turn % 2].to_host()[0],
                               of_runs[(turn + 1) % 2]);
      }
      context.wait();
    };
    auto const computed = sam::strided(in, 1);
    if (in_memory)
      append(sam::counted(computed, number));
    else
      append(in);
    begin += some;
    ++turn;
  }
  auto const check_first = [&](auto const& array, auto const& wanted) {
    auto got = array.to_host();
    got.resize(wanted.size(), got[0]);
    REQUIRE(test::differences(got, wanted) == "");
    REQUIRE(array.fences_intact());
  };
  REQUIRE(of_keys[turn % 2].to_host()[0] == runs);
  REQUIRE(of_runs[turn % 2].to_host()[0] == runs);
  check_first(keys, firsts);
  check_first(totals, products);
  check_first(values, firsts);
  check_first(run_sizes, lengths);
}

TEST_CASE("a run goes on in the next array", "[counted]") {
  test::engine_context context;
  for (index_t const n : {3, 154, 155, 20'011})
    for (bool const in_memory : {false, true})
      check_appended_runs(context, n, in_memory);
  test::also_on_threads(context, [](auto& crowd) { check_appended_runs(crowd, 300'007, true); });
  auto const in = test::on_backend(std::vector<std::uint32_t>(10, 1));
  test::fenced_array<std::uint32_t> keys(10), out(10);
  test::fenced_array<index_t> count(1);
  test::fails([&] { sam::reduce_by_key(context, in, in, keys, out, -1, count); }, "before",
              "is -1; it must be at least 0");
  test::fails([&] { sam::reduce_by_key(context, in, in, keys, out, count, count); }, "count",
              "overlaps before; the two must lie apart");
  test::fails([&] { sam::run_length_encode(context, in, keys, out, -1, count); }, "before",
              "is -1; it must be at least 0");
  REQUIRE((keys.untouched() && out.untouched() && count.untouched()));
}

// The spans that are passed to sam::counted are gone when the call runs.
TEST_CASE("counted inputs hold spans", "[counted]") {
  auto const items = some_items(1000);
  auto const in = test::on_backend(items);
  auto const number = test::on_backend(std::vector<index_t>{700});
  auto const first_of = [&](std::size_t n) {
    std::span<std::uint32_t const> const some(in.data(), n);
    std::span<index_t const> const count(number.data(), 1);
    return sam::counted(some, count);
  };
  auto const from = first_of(900);
  test::engine_context context;
  REQUIRE(sam::reduce(context, from, sam::plus{}) ==
          std::accumulate(items.begin(), items.begin() + 700, std::uint32_t{0}));
}

TEST_CASE("counted inputs check their number", "[counted]") {
  test::engine_context context;
  auto in = test::on_backend(std::vector<std::uint32_t>(10, 1));
  test::fenced_array<std::uint32_t> out(10), number(1);
  test::fenced_array<index_t> two(2), count(1);
  test::fails([&] { sam::compact(context, sam::counted(in, two), out, is_odd{}, count); }, "number",
              "holds 2 items but must hold 1, the number of items of in");
  test::fails([&] { sam::compact(context, sam::counted(in, count), out, is_odd{}, count); },
              "count", "overlaps number; the two must lie apart");
  test::fails([&] { sam::reduce(context, sam::counted(in, number), number); }, "out",
              "overlaps number; the two must lie apart");
  test::fails([&] { sam::partition(context, sam::counted(in, number), out, is_odd{}, number); },
              "count", "overlaps number; the two must lie apart");
  test::fails([&] { sam::radix_sort(context, sam::counted(in, two), out); }, "number",
              "holds 2 items but must hold 1, the number of items of in");
  test::fails(
      [&] { sam::reduce_by_key(context, sam::counted(in, number), in, out, number, count); }, "out",
      "overlaps number; the two must lie apart");
  test::fails([&] { sam::histogram(context, sam::counted(in, number), number, bin_of{}); },
              "counts", "overlaps number; the two must lie apart");
  test::fails([&] { sam::compact(context, in, out, is_odd{}, two, count); }, "before",
              "holds 2 items but must hold 1, the number of items in out");
  test::fails([&] { sam::compact(context, in, out, is_odd{}, -1, count); }, "before",
              "is -1; it must be at least 0");
  test::fails([&] { sam::compact(context, in, out, is_odd{}, count, count); }, "count",
              "overlaps before; the two must lie apart");
  test::fails([&] { sam::compact(context, in, in, is_odd{}, 0, count); }, "out",
              "overlaps in; the two must lie apart");
  REQUIRE(out.untouched());
  REQUIRE(count.untouched());
  REQUIRE(number.untouched());
}

}  // namespace
