// SPDX-License-Identifier: MIT
// Tests scans that continue from a state, and numbers of items in memory, by the GPU kernels on
// fibers.
#include <sam/compact.hpp>
#include <sam/find_runs.hpp>
#include <sam/gather.hpp>
#include <sam/inputs.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/run_length.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/unique.hpp>

#include "items.hpp"
#include "simt/cluster_context.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace {

using sam::index_t;
using sam::engine::bound;

template <class Op, int Order = 1, int TupleSize = 1,
          sam::direction Heading = sam::direction::forward, class Carry = sam::carry::decoupled>
using policy = sam::scan_policy<Op, Order, TupleSize, Carry, Heading>;

template <class Context, class T, class Policy, bound Bound = bound::inclusive>
struct state_case {
  using context = Context;
  using item = T;
  using policy = Policy;
  using state = sam::scan_state<T, Policy, Bound>;
};
using tiles32 = simt::context<32>;
using tiles64 = simt::context<64>;
using tall32 = simt::context<32, simt::block_config<2, 70, 2>>;
using cluster = simt::cluster_context<32>;

template <class Case>
void check(typename Case::context& context, index_t n, index_t number) {
  using T = typename Case::item;
  using state = typename Case::state;
  CAPTURE(n, number);
  typename Case::policy const p;
  auto const items = test::random_items<T, typename Case::policy::op_type>(n, test::seed_for(n));
  auto const taken = std::min(n, number);
  std::vector<T> const some(items.begin(), items.begin() + taken);
  auto wanted_state = state::starting_from(
      test::random_items<T, typename Case::policy::op_type>(4, test::seed_for(1))[3]);
  std::vector<state> const before{wanted_state};
  std::vector<state> after(1);
  std::vector<index_t> const counts{number};
  auto const wanted = sam::reference::continue_scan(some, p, wanted_state);
  auto const scan = [&](auto const& in, auto& out, auto const& from, auto& to) {
    if constexpr (state::kind == bound::inclusive)
      sam::inclusive_scan(context, in, out, p, from, to);
    else
      sam::exclusive_scan(context, in, out, p, from, to);
  };
  simt::fenced<T> out(items, 1);
  scan(sam::counted(out, counts), out, before, after);
  std::vector<T> const got(out.data(), out.data() + taken);
  REQUIRE(test::differences(got, wanted) == "");
  REQUIRE(out.intact());
  std::vector<T> again(some.size(), some[0]);
  auto variable = before[0];
  if constexpr (sizeof(state) <= sam::engine::most_result_bytes) {
    scan(some, again, variable, variable);
    REQUIRE(test::differences(again, wanted) == "");
  } else {
    scan(some, again, before, after);
    variable = after[0];
  }
  for (state const& is : {after[0], variable}) {
    REQUIRE(is.items == wanted_state.items);
    for (index_t k = 0; k < state::components; ++k)
      REQUIRE(test::differences(std::vector<T>{is.value(k)},
                                std::vector<T>{wanted_state.value(k)}) == "");
  }
}

using cases = std::tuple<
    state_case<tiles32, std::int32_t, policy<sam::plus>>,
    state_case<tiles64, std::uint8_t, policy<sam::plus, 2, 3, sam::direction::backward>,
               bound::exclusive>,
    state_case<tiles32, test::affine, policy<test::compose, 1, 5>, bound::exclusive>,
    state_case<tiles32, test::heisenberg<std::uint64_t>, policy<test::heisenberg_product>,
               bound::exclusive>,
    state_case<tiles32, std::int32_t,
               policy<sam::plus, 1, 3, sam::direction::forward, sam::carry::scan_then_propagate>>,
    state_case<tiles32, std::int16_t, policy<sam::maximum, 1, 40>>,
    state_case<cluster, std::int32_t, policy<sam::plus, 1, 2>, bound::exclusive>>;

TEMPLATE_LIST_TEST_CASE("scans on fibers continue from a state", "[simt]", cases) {
  typename TestType::context context = [] {
    if constexpr (std::is_same_v<typename TestType::context, cluster>)
      return cluster(test::seed_for(3));
    else
      return typename TestType::context(3, test::seed_for(3));
  }();
  for (index_t const n : {1, 2, 97, 1000})
    for (index_t const number : {index_t{1}, n / 2 + 1, n + 3})
      check<TestType>(context, n, number);
}

/// Adds numbers up to 1000. It has no identity, nor a carry algebra.
struct plus_to_1000 {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return std::min(a + b, std::uint32_t{1000});
  }
};
/// Checks a scan and a reduction of the first `number` of n items, which are combined as State's
/// type.
template <class Stored, class State, class Context>
void check_accumulated(Context& context, index_t n, index_t number) {
  using T = typename State::value_type;
  CAPTURE(n, number);
  typename State::policy_type const plain;
  auto const policy = sam::accumulate_in<T>(plain);
  std::vector<Stored> items;
  for (auto const x : test::random_items<std::uint32_t, sam::plus>(n, test::seed_for(n)))
    items.push_back(static_cast<Stored>(x % 100));
  std::vector<T> const some(items.begin(), items.begin() + std::min(n, number));
  std::vector<index_t> const counts{number};
  auto wanted_state = State::starting_from(77);
  std::vector<State> const before{wanted_state};
  std::vector<State> after(1), reduced(1);
  auto const sums = sam::reference::continue_scan(some, plain, wanted_state);
  auto wanted = items;
  std::transform(sums.begin(), sums.end(), wanted.begin(),
                 [](T const& x) { return static_cast<Stored>(x); });
  simt::fenced<Stored> out(items, 1), again(items, 1);
  auto const scan = [&](auto& to, auto const& start) {
    if constexpr (State::kind == bound::inclusive)
      sam::inclusive_scan(context, sam::counted(to, counts), to, policy, start);
    else
      sam::exclusive_scan(context, sam::counted(to, counts), to, policy, start);
  };
  scan(out, T{77});
  if constexpr (State::kind == bound::inclusive)
    sam::inclusive_scan(context, sam::counted(again, counts), again, policy, before, after);
  else
    sam::exclusive_scan(context, sam::counted(again, counts), again, policy, before, after);
  for (auto const* got : {&out, &again}) {
    REQUIRE(std::equal(wanted.begin(), wanted.end(), got->data()));
    REQUIRE(got->intact());
  }
  REQUIRE(after[0].items == wanted_state.items);
  for (index_t k = 0; k < State::order * State::components; ++k)
    REQUIRE(after[0].values.at[k] == wanted_state.values.at[k]);
  if constexpr (State::order == 1 && State::policy_type::heading == sam::direction::forward) {
    std::vector<Stored> totals(std::size_t{State::components});
    sam::reduce(context, sam::counted(items, counts), totals, policy, T{77});
    sam::reduce(context, sam::counted(items, counts), policy, before, reduced);
    auto const all = sam::reference::reduce(some, plain, T{77});
    for (index_t k = 0; k < State::components; ++k) {
      REQUIRE(totals[static_cast<std::size_t>(k)] ==
              static_cast<Stored>(all[static_cast<std::size_t>(k)]));
      REQUIRE(reduced[0].value(k) == wanted_state.value(k));
    }
  }
}

// A state of two doubles needs a deeper ring than that of the default context.
TEMPLATE_TEST_CASE("counted items and states on fibers are combined in another type", "[simt]",
                   (simt::context<32, simt::block_config<2, 3, 2>, 512>),
                   (simt::context<64, simt::block_config<2, 3, 2>, 512>)) {
  TestType context(3, test::seed_for(19));
  constexpr auto back = sam::direction::backward;
  for (index_t const n : {1, 97, 1000, 3001})
    for (index_t const number : {index_t{0}, index_t{1}, n / 2 + 1, n + 3}) {
      check_accumulated<float, sam::scan_state<double, policy<sam::plus>>>(context, n, number);
      check_accumulated<float, sam::scan_state<double, policy<sam::plus, 2>>>(context, n, number);
      check_accumulated<std::int8_t,
                        sam::exclusive_scan_state<std::int32_t, policy<sam::plus, 1, 3, back>>>(
          context, n, number);
      check_accumulated<std::uint8_t,
                        sam::exclusive_scan_state<std::uint32_t, policy<plus_to_1000, 1, 2>>>(
          context, n, number);
    }
}

struct is_odd {
  bool operator()(std::int32_t x) const { return x % 2 != 0; }
};

/// Numbers of items that there may be and that there are, around the ends of tiles: one of deep32
/// has 192 items, one of deep64 384.
constexpr std::array<index_t, 2> sizes_and_numbers[] = {
    {1, 0},      {1, 1},      {97, 0},     {97, 48},    {97, 97},    {1000, 0},   {1000, 1},
    {1000, 191}, {1000, 192}, {1000, 193}, {1000, 384}, {1000, 385}, {1000, 500}, {1000, 1000}};

TEMPLATE_TEST_CASE("selections and reductions on fibers count in memory", "[simt]", tiles32,
                   tiles64, tall32) {
  TestType context(3, test::seed_for(5));
  for (auto const [n, number] : sizes_and_numbers) {
    CAPTURE(n, number);
    auto const items = test::random_items<std::int32_t, sam::plus>(n, test::seed_for(n));
    std::vector<std::int32_t> const some(items.begin(), items.begin() + number);
    std::vector<std::int32_t> odd;
    for (std::int32_t const x : some)
      if (is_odd{}(x))
        odd.push_back(x);
    std::vector<index_t> const counts{number};
    std::vector<std::int32_t> out(items.size()), sums(3);
    std::vector<index_t> count(1);
    sam::compact(context, sam::counted(items, counts), out, is_odd{}, count);
    REQUIRE(count[0] == static_cast<index_t>(odd.size()));
    REQUIRE(std::equal(odd.begin(), odd.end(), out.begin()));
    sam::scan_policy<sam::plus, 1, 3> const p;
    sam::reduce(context, sam::counted(items, counts), sums, p);
    REQUIRE(sums == sam::reference::reduce(some, p, 0));
  }
}

struct is_small {
  bool operator()(std::int32_t x) const { return x < 2; }
};
template <class T>
bool begins_with(std::vector<T> const& all, std::vector<T> const& wanted, T rest) {
  return std::equal(wanted.begin(), wanted.end(), all.begin()) &&
         std::all_of(all.begin() + static_cast<std::ptrdiff_t>(wanted.size()), all.end(),
                     [&](T const& x) { return x == rest; });
}

// The sums of three kinds need a ring of more tiles.
using deep32 = simt::context<32, simt::block_config<2, 3, 2>, 512>;
using deep64 = simt::context<64, simt::block_config<2, 3, 2>, 512>;

TEMPLATE_TEST_CASE("partitions and runs on fibers count in memory", "[simt]", deep32, deep64) {
  TestType context(3, test::seed_for(7));
  for (auto const [n, number] : sizes_and_numbers) {
    CAPTURE(n, number);
    auto items = test::random_items<std::int32_t, sam::plus>(n, test::seed_for(n));
    for (std::int32_t& x : items)
      x = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) % 5);
    std::vector<std::int32_t> const some(items.begin(), items.begin() + number);
    std::vector<index_t> const counts{number};
    std::vector<std::int32_t> const poison(items.size(), -7);
    std::vector<index_t> count(1), two(2);
    auto const into = [&](auto const& call) {
      auto out = poison;
      count[0] = -1;
      call(out);
      return out;
    };

    auto wanted = some;
    auto const odd = std::stable_partition(wanted.begin(), wanted.end(), is_odd{});
    auto out = into([&](auto& to) {
      sam::partition(context, sam::counted(items, counts), to, is_odd{}, count);
    });
    REQUIRE(begins_with(out, wanted, -7));
    REQUIRE(count[0] == odd - wanted.begin());
    auto const small = std::stable_partition(odd, wanted.end(), is_small{});
    out = into([&](auto& to) {
      sam::three_way_partition(context, sam::counted(items, counts), to, is_odd{}, is_small{}, two);
    });
    REQUIRE(begins_with(out, wanted, -7));
    REQUIRE(two == std::vector<index_t>{odd - wanted.begin(), small - odd});

    std::vector<std::int32_t> firsts, lengths, sums;
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (i == 0 || some[i] != some[i - 1])
        firsts.push_back(some[i]), lengths.push_back(0), sums.push_back(0);
      ++lengths.back();
      sums.back() += static_cast<std::int32_t>(i);
    }
    std::vector<std::int32_t> order(items.size());
    std::iota(order.begin(), order.end(), 0);
    auto keys = poison;
    out = into([&](auto& to) {
      sam::run_length_encode(context, sam::counted(items, counts), keys, to, count);
    });
    REQUIRE(begins_with(keys, firsts, -7));
    REQUIRE(begins_with(out, lengths, -7));
    REQUIRE(count[0] == static_cast<index_t>(firsts.size()));
    keys = poison;
    out = into([&](auto& to) {
      sam::reduce_by_key(context, sam::counted(items, counts), order, keys, to, count);
    });
    REQUIRE(begins_with(keys, firsts, -7));
    REQUIRE(begins_with(out, sums, -7));
    REQUIRE(count[0] == static_cast<index_t>(firsts.size()));
    std::vector<std::int32_t> begins, sizes;
    for (std::size_t i = 0, k = 0; k < lengths.size(); i += std::size_t(lengths[k]), ++k)
      if (lengths[k] > 1)
        begins.push_back(std::int32_t(i)), sizes.push_back(lengths[k]);
    keys = poison;
    out = into(
        [&](auto& to) { sam::find_runs(context, sam::counted(items, counts), keys, to, count); });
    REQUIRE(begins_with(keys, begins, -7));
    REQUIRE(begins_with(out, sizes, -7));
    REQUIRE(count[0] == static_cast<index_t>(begins.size()));
    keys = poison;
    count[0] = -1;
    sam::unique_by_key(context, sam::counted(items, counts), order, keys, out, count);
    REQUIRE(begins_with(keys, firsts, -7));
    REQUIRE(count[0] == static_cast<index_t>(firsts.size()));
  }
}

/// An input that notes the largest index that is loaded.
struct noted_index {
  index_t* largest;
  std::int32_t operator()(index_t i) const {
    *largest = std::max(*largest, i);
    return static_cast<std::int32_t>(i / 7);
  }
};

TEST_CASE("scans on fibers end with the last tile of counted items", "[simt]") {
  deep32 context(3, test::seed_for(17));
  index_t const n = 1000, number = 193, end = 2 * 192;
  std::vector<index_t> const counts{number};
  std::vector<std::int32_t> out(n), totals(n);
  std::vector<index_t> count(1);
  index_t largest = -1;
  auto const all = sam::generated(n, noted_index{&largest});
  auto const items = sam::counted(all, counts);
  auto const ends = [&] { return std::exchange(largest, -1) < end; };
  sam::inclusive_scan(context, items, out);
  REQUIRE(ends());
  std::vector<sam::scan_state<std::int32_t>> const before(1);
  std::vector<sam::scan_state<std::int32_t>> after(1);
  sam::inclusive_scan(context, items, out, sam::plus{}, before, after);
  REQUIRE(ends());
  REQUIRE(after[0].items == number);
  sam::run_length_encode(context, items, out, totals, count);
  REQUIRE(ends());
  REQUIRE(count[0] == sam::engine::div_up(number, 7));
}

TEST_CASE("moves on fibers count in memory", "[simt]") {
  // So many items that a thread moves several, 32 apart.
  deep32 context(3, test::seed_for(23));
  index_t const n = (index_t{1} << 18) + 200, upto = 128 * 1000;
  std::vector<std::int32_t> items(n), order(n);
  for (index_t i = 0; i < n; ++i) {
    items[std::size_t(i)] = std::int32_t(i) + 1;
    order[std::size_t(i)] = std::int32_t(n - 1 - i);
  }
  for (index_t const number : {index_t{0}, index_t{1}, upto, upto + 1, upto + 31, upto + 32,
                               upto + 33, upto + 96, upto + 97, upto + 127, n - 1, n}) {
    CAPTURE(number);
    std::vector<index_t> const counts{number};
    std::vector<std::int32_t> wanted(n, -7), out(n, -7);
    for (index_t i = 0; i < number; ++i)
      wanted[std::size_t(i)] = items[std::size_t(n - 1 - i)];
    sam::gather(context, items, sam::counted(order, counts), out);
    REQUIRE(out == wanted);
    std::fill(wanted.begin(), wanted.end(), -7);
    std::fill(out.begin(), out.end(), -7);
    for (index_t i = 0; i < number; ++i)
      wanted[std::size_t(n - 1 - i)] = items[std::size_t(i)];
    sam::scatter(context, sam::counted(items, counts), order, out);
    REQUIRE(out == wanted);
  }
}

TEST_CASE("segments on fibers go on in the next array", "[simt]") {
  deep32 context(3, test::seed_for(13));
  index_t const n = 1000;
  auto items = test::random_items<std::int32_t, sam::plus>(n, test::seed_for(n));
  std::vector<std::uint8_t> heads;
  for (std::int32_t& x : items) {
    x = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) % 3);
    heads.push_back(static_cast<std::uint8_t>(x == 0));
  }
  auto const scanned = sam::reference::segmented_inclusive_scan(items, heads, sam::scan_policy{});
  std::vector<std::int32_t> keys, sums;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == 0 || items[i] != items[i - 1])
      keys.push_back(items[i]), sums.push_back(0);
    sums.back() += items[i];
  }
  using state = sam::scan_state<std::int32_t>;
  std::vector<state> at(3);
  std::vector<index_t> runs(3);
  std::vector<std::int32_t> unique_keys(items.size(), -7), totals(items.size(), -7), out(items);
  std::size_t const ends[] = {0, 331, items.size()};
  for (std::size_t turn = 0; turn < 2; ++turn) {
    auto const part = [&](auto& all) {
      return std::span(all).subspan(ends[turn], ends[turn + 1] - ends[turn]);
    };
    auto const one = [&](auto& all, std::size_t k) { return std::span(all).subspan(k, 1); };
    sam::segmented_inclusive_scan(context, part(items), sam::by_heads(part(heads)), part(out),
                                  sam::plus{}, one(at, turn), one(at, turn + 1));
    std::vector<index_t> const number{static_cast<index_t>(ends[turn + 1] - ends[turn])};
    std::span const rest = std::span(items).subspan(ends[turn]);
    sam::reduce_by_key(context, sam::counted(rest, number), rest, unique_keys, totals,
                       one(runs, turn), one(runs, turn + 1));
  }
  REQUIRE(out == scanned);
  REQUIRE(runs[2] == static_cast<index_t>(keys.size()));
  REQUIRE(begins_with(unique_keys, keys, -7));
  REQUIRE(begins_with(totals, sums, -7));
}

/// A context on fibers whose sorts are those of the standard library. If ReadsNumber, they take a
/// number of keys in memory; else callers wait for it.
template <bool ReadsNumber>
struct sorting_context : deep32 {
  using deep32::deep32;
  template <class Key, class Value, class Digits>
  void sort(sam::engine::sort_job<Key, Value, Digits> const& job) {
    std::vector<Key> const keys(job.keys, job.keys + job.n);
    std::vector<index_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) {
      return job.digits(keys[static_cast<std::size_t>(a)]) <
             job.digits(keys[static_cast<std::size_t>(b)]);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (job.sorted_keys != nullptr)
        job.sorted_keys[i] = keys[static_cast<std::size_t>(order[i])];
      if constexpr (std::is_integral_v<Value>)
        job.sorted_values[i] = static_cast<Value>(order[i]);
    }
  }
  template <class Key, class Value, class Digits>
  void sort_counted(sam::engine::sort_job<Key, Value, Digits> job,
                    sam::engine::number_in_memory const& number) requires ReadsNumber {
    job.n = number.upto(job.n);
    sort(job);
  }
};

TEMPLATE_TEST_CASE("sorts on a device count in memory", "[simt]", sorting_context<true>,
                   sorting_context<false>) {
  TestType context(3, test::seed_for(11));
  for (index_t const n : {1, 97, 1000})
    for (index_t const number : {index_t{0}, index_t{1}, n / 2, n, n + 7}) {
      CAPTURE(n, number);
      std::vector<float> items;
      test::generator bits{test::seed_for(n)};
      float const special[] = {0.f, -0.f, std::numeric_limits<float>::quiet_NaN(), 1.f, -2.f};
      for (index_t i = 0; i < n; ++i)
        items.push_back(special[bits() % 5]);
      auto const taken = static_cast<std::size_t>(std::min(n, number));
      std::vector<index_t> const counts{number};
      auto const key = [&](int i) {
        float const x = items[static_cast<std::size_t>(i)];
        return x != x ? 3.f : x;
      };
      std::vector<int> order(taken);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) > key(b); });
      std::vector<float> wanted;
      for (int const i : order)
        wanted.push_back(items[static_cast<std::size_t>(i)]);
      wanted.resize(items.size(), 5.f);
      order.resize(items.size(), -7);
      sam::sort_options<float, int> const pairs{.order = sam::sort_order::descending,
                                                .floats = sam::float_order::numeric};
      sam::sort_options<float> const alone{.order = pairs.order, .floats = pairs.floats};
      std::vector<int> indices(items.size(), -7);
      sam::radix_argsort(context, sam::counted(items, counts), indices, pairs);
      REQUIRE(indices == order);
      std::vector<float> out(items.size(), 5.f);
      sam::radix_sort(context, sam::counted(items, counts), out, alone);
      REQUIRE(std::memcmp(out.data(), wanted.data(), wanted.size() * sizeof(float)) == 0);
    }
}

template <class Context, int TupleSize>
struct stream_case {
  using context = Context;
  static constexpr int tuple_size = TupleSize;
};
using stream_cases =
    std::tuple<stream_case<tiles32, 1>, stream_case<tiles64, 1>, stream_case<tiles32, 5>>;

TEMPLATE_LIST_TEST_CASE("streams on fibers have the bits of one scan", "[simt]", stream_cases) {
  typename TestType::context context(3, 1);
  using sums = sam::scan_policy<sam::plus, 1, TestType::tuple_size>;
  using state = sam::stream_state<float, sums>;
  std::vector<float> items;
  for (auto const x : test::random_items<std::uint16_t>(31'003, 1))
    items.push_back(static_cast<float>(x) / 7);
  state wanted_state;
  auto const wanted = sam::reference::continue_scan(items, sums{}, wanted_state);
  std::array<state, 2> states;
  std::size_t done = 0, turn = 0;
  for (std::size_t const count : {std::size_t{3}, std::size_t{4'100}, std::size_t{26'900}}) {
    std::span<float> const part(items.data() + done, count);
    sam::inclusive_scan(context, part, part, sums{}, std::span(&states[turn], 1),
                        std::span(&states[1 - turn], 1));
    turn = 1 - turn;
    done += count;
  }
  REQUIRE(done == items.size());
  REQUIRE(test::differences(items, wanted) == "");
  REQUIRE(states[turn].items == wanted_state.items);
  for (index_t k = 0; k < TestType::tuple_size; ++k)
    REQUIRE(states[turn].value(k) == wanted_state.value(k));
}

}  // namespace
