// SPDX-License-Identifier: MIT
// Tests segmented scans against their references: descriptions of segments, densities, types,
// operators, bounds, directions, sizes.
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "segments.hpp"
#include "support.hpp"

#include <limits>
#include <random>
#include <tuple>

namespace {

using sam::index_t;
using test::densities;
using test::density;
using test::form;
using test::random_heads;
using test::said;
using test::say;
using test::way;

/// Calls use(segments) with a description in the back end's memory, one item off the cache lines.
template <way How, class Use>
void with_segments(said const& all, Use use) {
  if constexpr (How == way::heads) {
    auto const flags = test::on_backend(all.heads, 1);
    use(sam::by_heads(flags));
  } else if constexpr (How == way::packed) {
    auto const words = test::on_backend(all.words, 1);
    use(sam::by_heads(sam::packed_bits(words)));
  } else if constexpr (How == way::offsets) {
    auto const offsets = test::on_backend(all.offsets, 1);
    use(sam::by_checked_offsets(offsets));
  } else {
    auto const keys = test::on_backend(all.keys, 1);
    use(sam::by_keys(keys));
  }
}

template <form Kind, class Context, class In, class Segments, class Out, class Policy, class T>
void scan(Context& context, In const& in, Segments const& segments, Out&& out, Policy policy,
          T init) {
  if constexpr (Kind == form::inclusive)
    sam::segmented_inclusive_scan(context, in, segments, out, policy);
  else if constexpr (Kind == form::inclusive_from)
    sam::segmented_inclusive_scan(context, in, segments, out, policy, init);
  else
    sam::segmented_exclusive_scan(context, in, segments, out, policy, init);
  context.wait();
}

template <form Kind, class T, class Policy>
std::vector<T> expected(std::vector<T> const& items, std::vector<std::uint8_t> const& heads,
                        Policy policy, T init) {
  if constexpr (Kind == form::exclusive)
    return sam::reference::segmented_exclusive_scan(items, heads, policy, init);
  else
    return sam::reference::segmented_inclusive_scan(
        items, heads, policy,
        Kind == form::inclusive ? std::optional<T>() : std::optional<T>(init));
}

/// True for the cases that are also tested on threads. Threads affect all item types alike, so that
/// few types suffice.
template <way How, class T, class Policy>
inline constexpr bool on_threads_too = How == way::heads&& Policy::order == 1 &&
                                       (std::is_same_v<T, std::int32_t> ||
                                        std::is_same_v<T, test::affine>);

template <way How, form Kind, class T, class Policy>
void check(test::engine_context& context, std::vector<T> const& items,
           std::vector<std::uint8_t> const& begins, Policy policy, T init, std::uint64_t seed) {
  bool const forward = Policy::heading == sam::direction::forward;
  auto const all = say(How, begins, policy.components, forward, seed);
  auto const wanted = expected<Kind>(items, all.heads, policy, init);
  with_segments<How>(all, [&](auto const& segments) {
    auto const on = [&](auto& where) {
      return [&](void const* in, void* out) {
        std::span const from(static_cast<T const*>(in), items.size());
        std::span const to(static_cast<T*>(out), items.size());
        scan<Kind>(where, from, segments, to, policy, init);
      };
    };
    test::check_scan(on(context), test::forget_type(items), test::forget_type(wanted));
    if constexpr (on_threads_too<How, T, Policy>)
      test::also_on_threads(context, [&](auto& crowd) {
        test::check_scan_apart(on(crowd), test::forget_type(items), test::forget_type(wanted));
      });
  });
}

/// One entry of a list of test cases.
template <class T, way How, class Policy, form Kind = form::inclusive>
struct segmented_case {
  using item = T;
  using policy = Policy;
  static constexpr way how = How;
  static constexpr form kind = Kind;
};

template <class Operator = sam::plus, int Order = 1, int TupleSize = 1>
using ahead = sam::scan_policy<Operator, Order, TupleSize>;
template <class Operator = sam::plus, int Order = 1, int TupleSize = 1>
using back =
    sam::scan_policy<Operator, Order, TupleSize, sam::carry::decoupled, sam::direction::backward>;

/// Returns the edges of the engine's scan of pairs or, if it has a segmented kernel, of that
/// kernel.
template <class T, class Policy>
std::set<index_t> sizes_for(Policy const& policy) {
  using pair = sam::engine::segmented_value<T, sam::detail::heads_beside<T>>;
  using op = sam::engine::segmented<typename Policy::op_type>;
  auto const pass = sam::engine::resolve_policy<sam::engine::bound::inclusive>(
      sam::scan_policy<op, 1, Policy::tuple_size>{{policy.op}, policy.components},
      sam::engine::from_nothing{});
  std::set<index_t> sizes;
  if constexpr (sam::host::fits_segments<std::remove_const_t<decltype(pass)>, T>) {
    test::edges at{1, sam::host::lanes<T>, sam::host::tuning::parallel_bytes / index_t{sizeof(T)}};
    test::add_kernel_edges<T>(
        sam::host::segmented_kernel<pair, std::remove_const_t<decltype(pass)>>(pass), at);
    sizes = at.sizes();
  } else {
    sizes = test::sizes_at_every_edge<pair>(pass);
  }
  test::backend_bytes::add_edges<pair>(pass, sizes);
  return sizes;
}

constexpr int any = sam::run_time_tuple;
using cases = std::tuple<
    segmented_case<std::int32_t, way::heads, ahead<>>,
    segmented_case<std::int32_t, way::packed, back<>, form::exclusive>,
    segmented_case<std::int32_t, way::offsets, ahead<>, form::exclusive>,
    segmented_case<std::int32_t, way::keys, ahead<>, form::inclusive_from>,
    segmented_case<std::uint8_t, way::heads, ahead<>, form::exclusive>,
    segmented_case<std::uint8_t, way::keys, back<test::saturating_plus>>,
    segmented_case<std::int8_t, way::heads, ahead<test::rightmost>, form::inclusive_from>,
    segmented_case<std::int16_t, way::keys, back<sam::maximum>>,
    segmented_case<std::uint32_t, way::heads, back<test::plus_modulo>, form::inclusive_from>,
    segmented_case<std::int64_t, way::offsets, back<test::rightmost>, form::inclusive_from>,
    segmented_case<test::affine, way::heads, back<test::compose>, form::exclusive>,
    segmented_case<test::heisenberg<std::uint32_t>, way::keys, ahead<test::heisenberg_product>,
                   form::exclusive>,
    segmented_case<test::falls, way::packed, ahead<test::join_runs>>,
    segmented_case<std::int32_t, way::heads, ahead<sam::plus, 3, 2>, form::exclusive>,
    segmented_case<std::int32_t, way::offsets, back<sam::plus, 2, 3>, form::inclusive_from>,
    segmented_case<std::int64_t, way::keys, back<sam::plus, 1, any>>>;

TEMPLATE_LIST_TEST_CASE("segmented scans equal their references", "[segmented]", cases) {
  using T = typename TestType::item;
  using op = typename TestType::policy::op_type;
  auto context = test::each_context();
  typename TestType::policy policy;
  if (TestType::policy::tuple_size == any)
    policy.components = 5;
  auto const init = test::random_items<T, op>(4, test::seed_for(-1))[3];
  int turn = 0;
  for (index_t const n : sizes_for<T>(policy))
    for (density const many : densities) {
      if (n > 1000 && ++turn % 5 != 0)  // large sizes skip most densities; each gets its turn
        continue;
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(many), seed, sizeof(T));
      auto const items = test::random_items<T, op>(n, seed);
      check<TestType::how, TestType::kind>(context, items, random_heads(n, many, seed), policy,
                                           init, seed);
    }
}

// Full cache lines bypass the caches, as vectors or through a ring, forward or backward.
using large_cases = std::tuple<
    segmented_case<std::int32_t, way::heads, ahead<>>,
    segmented_case<std::int32_t, way::packed, back<>, form::exclusive>,
    segmented_case<std::int64_t, way::heads, back<test::rightmost>, form::inclusive_from>,
    segmented_case<double, way::keys, ahead<sam::maximum>, form::exclusive>>;

TEMPLATE_LIST_TEST_CASE("segmented scans that bypass the caches arrive whole", "[segmented]",
                        large_cases) {
  using T = typename TestType::item;
  using op = typename TestType::policy::op_type;
  auto context = test::each_context();
  auto const init = test::random_items<T, op>(4, test::seed_for(-1))[3];
  for (auto const& [many, extra] :
       {std::pair{density::some, -1}, {density::rare, 0}, {density::some, 4711}}) {
    index_t const n = sam::host::tuning::streaming_bytes / index_t{sizeof(T)} + extra;
    auto const seed = test::seed_for(n);
    CAPTURE(n, static_cast<int>(many), seed);
    check<TestType::how, TestType::kind>(context, test::random_items<T, op>(n, seed),
                                         random_heads(n, many, seed), typename TestType::policy{},
                                         init, seed);
  }
}

TEMPLATE_TEST_CASE("offsets of any integer type lie at any address", "[segmented]", std::uint8_t,
                   std::int16_t, std::uint32_t, std::int64_t) {
  auto context = test::each_context();
  index_t const most = std::numeric_limits<TestType>::max();
  for (density const many : densities)
    for (index_t const place : {0, 1, 2, 3, 5, 15}) {
      index_t const n = sam::engine::min_of(most, index_t{place == 5 ? 300'007 : 100'003});
      auto const seed = test::seed_for(n + place);
      CAPTURE(n, place, static_cast<int>(many), seed, sizeof(TestType));
      auto const items = test::random_items<std::int32_t>(n, seed);
      auto const all = say(way::offsets, random_heads(n, many, seed), 1, true, seed);
      auto const offsets =
          test::on_backend(std::vector<TestType>(all.offsets.begin(), all.offsets.end()), place);
      auto const in = test::on_backend(items);
      test::fenced_array<std::int32_t> out(n);
      sam::segmented_inclusive_scan(context, in, sam::by_offsets(offsets), out);
      context.wait();
      REQUIRE(test::differences(
                  out.to_host(),
                  expected<form::inclusive>(items, all.heads, sam::scan_policy<>{}, 0)) == "");
    }
}

TEST_CASE("every carry scheme gives the same segmented sums", "[segmented]") {
  auto context = test::each_context();
  index_t const n = 300'007;
  auto const seed = test::seed_for(n);
  CAPTURE(seed);
  auto const items = test::random_items<std::int32_t>(n, seed);
  auto const heads = random_heads(n, density::rare, seed);
  auto const under = [&](auto scheme) {
    using carry = decltype(scheme);
    check<way::heads, form::inclusive>(context, items, heads,
                                       sam::carried_by<carry>(sam::scan_policy<>{}), 0, seed);
  };
  under(sam::carry::chained{});
  under(sam::carry::lookback{});
  under(sam::carry::reduce_then_scan{});
  under(sam::carry::scan_then_propagate{});

  auto const reals = test::on_backend(test::random_reals<float>(n, seed));
  auto const flags = test::on_backend(heads);
  auto const bits_under = [&](auto scheme) {
    test::fenced_array<float> out(n);
    sam::segmented_inclusive_scan(context, reals, sam::by_heads(flags), out,
                                  sam::carried_by<decltype(scheme)>(sam::scan_policy<>{}));
    context.wait();
    return out.to_host();
  };
  if constexpr (test::backend_bytes::on_host)  // on the host, all schemes give the same bits
    REQUIRE(test::differences(bits_under(sam::carry::reduce_then_scan{}),
                              bits_under(sam::carry::decoupled{})) == "");
}

TEST_CASE("flags may be bools, keys be compared as one likes, offsets of any integer type",
          "[segmented]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<int>{1, 2, 3, 4});
  test::fenced_array<int> out(4);
  auto const gives = [&](std::vector<int> const& wanted) {
    context.wait();
    REQUIRE(out.to_host() == wanted);
  };
  auto const flags = test::on_backend(std::vector<std::uint8_t>{0, 0, 1, 0});
  std::span<bool const> const bools(reinterpret_cast<bool const*>(flags.data()), 4);
  sam::segmented_inclusive_scan(context, in, sam::by_heads(bools), out);
  gives({1, 3, 3, 7});
  auto const offsets = test::on_backend(std::vector<std::int64_t>{0, 1, 1, 4});
  sam::segmented_exclusive_scan(context, in, sam::by_offsets(offsets), out);
  gives({0, 0, 2, 5});
  auto const keys = test::on_backend(std::vector<double>{1.5, 1.5, 2.5, 2.5});
  sam::segmented_inclusive_scan(context, in, sam::by_keys(keys, test::rightmost{}), out);
  gives({1, 3, 6, 10});  // all keys are equal: none is 0
  sam::segmented_inclusive_scan(context, in, sam::by_keys(keys), out);
  gives({1, 3, 3, 7});
}

enum class letter : std::uint32_t {};

TEMPLATE_TEST_CASE("keys of any type differ where they are not equal", "[segmented]", std::uint8_t,
                   std::int16_t, letter, std::int32_t, unsigned long long, float, double) {
  using Key = TestType;
  auto context = test::each_context();
  std::vector<Key> some{Key(0), Key(1), Key(2)};
  if constexpr (std::is_floating_point_v<Key>)
    some = {Key(0), -Key(0), std::numeric_limits<Key>::quiet_NaN()};
  index_t const n = 5 * 64 + 7;
  auto const seed = test::seed_for(n);
  CAPTURE(seed, sizeof(Key));
  std::mt19937_64 bits(seed);
  std::vector<Key> keys;
  for (index_t i = 0; i < n; ++i)
    keys.push_back(i > 0 && bits() % 2 == 0 ? keys.back() : some[bits() % 3]);
  std::vector<std::uint8_t> begins, ends;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    begins.push_back(i == 0 || !(keys[i - 1] == keys[i]));
    ends.push_back(i + 1 == keys.size() || !(keys[i] == keys[i + 1]));
  }
  auto const items = test::random_items<std::int32_t, sam::plus>(n, seed);
  auto const in = test::on_backend(items);
  auto const there = test::on_backend(keys, 1);
  auto const check_heads = [&](std::vector<std::uint8_t> const& heads, auto policy) {
    test::fenced_array<std::int32_t> out(n);
    sam::segmented_inclusive_scan(context, in, sam::by_keys(there), out, policy);
    context.wait();
    REQUIRE(out.to_host() == expected<form::inclusive>(items, heads, policy, std::int32_t(0)));
  };
  check_heads(begins, ahead<>{});
  check_heads(ends, back<>{});
}

TEST_CASE("segments of one length need no array", "[segmented]") {
  index_t const far = index_t{1} << 40;
  for (index_t const length : {index_t{1}, index_t{2}, index_t{3}, index_t{48}, index_t{1000003},
                               far, far + 15, index_t{7} << 50}) {
    sam::detail::heads_by_length<sam::direction::forward> const ahead(length);
    sam::detail::heads_by_length<sam::direction::backward> const back(length);
    for (index_t const near : {index_t{100}, 3 * length, 5 * far / length * length})
      for (index_t i = sam::engine::max_of(0, near - 150); i < near + 150; ++i) {
        CAPTURE(length, i);
        REQUIRE(ahead.at(i) == (i % length == 0));
        REQUIRE(back.at(i) == (i % length == length - 1));
      }
  }
  index_t const most = sam::engine::highest_of<std::uint32_t>;
  for (index_t const length : {index_t{1}, index_t{2}, index_t{3}, index_t{48}, index_t{1000003},
                               most / 2, most / 2 + 1, most}) {
    sam::detail::heads_by_length<sam::direction::forward, std::uint32_t> const ahead(length);
    sam::detail::heads_by_length<sam::direction::backward, std::uint32_t> const back(length);
    for (index_t const near : {index_t{100}, most / 3 / length * length, most - 150})
      for (index_t i = sam::engine::max_of(0, near - 150);
           i < sam::engine::min_of(near + 150, most); ++i) {
        CAPTURE(length, i);
        REQUIRE(ahead.at(i) == (i % length == 0));
        REQUIRE(back.at(i) == (i % length == length - 1));
      }
  }
  auto context = test::each_context();
  auto const check_length = [&]<class Policy>(index_t n, index_t length, Policy policy) {
    CAPTURE(n, length);
    bool const forward = Policy::heading == sam::direction::forward;
    auto const items = test::random_items<std::int32_t>(n, test::seed_for(n));
    std::vector<std::uint8_t> heads(items.size());
    for (index_t i = 0; i < n; ++i)
      heads[static_cast<std::size_t>(i)] =
          (i / policy.components + (forward ? 0 : 1)) % length == 0 ? 1 : 0;
    auto const wanted = sam::reference::segmented_exclusive_scan(items, heads, policy, 5);
    auto const in = test::on_backend(items, 1);
    test::fenced_array<std::int32_t> out(n);
    sam::segmented_exclusive_scan(context, in, sam::by_length(length), out, policy, 5);
    context.wait();
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
  };
  for (index_t const length : {1, 2, 7, 64, 100, 4099, 100'000, 1'000'000})
    for (index_t const n : {63, 64, 1000, 200'003}) {
      check_length(n, length, ahead<>{});
      check_length(n, length, back<>{});
      check_length(n, length, ahead<sam::plus, 1, 3>{});
    }
}

TEST_CASE("items are converted to the type of the output", "[segmented]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<std::uint8_t>{200, 100, 50, 25});
  auto const flags = test::on_backend(std::vector<int>{0, 0, 0, -1});
  test::fenced_array<std::int32_t> out(4);
  sam::segmented_inclusive_scan(context, in, sam::by_heads(flags), out, ahead<sam::plus, 2>{});
  context.wait();
  REQUIRE(out.to_host() == std::vector<std::int32_t>{200, 500, 850, 25});
}

TEST_CASE("items of many tiles are converted as they are taken", "[segmented]") {
  auto context = test::each_context();
  index_t const n = 5 * sam::host::tuning::tile_bytes / index_t{sizeof(std::int32_t)} + 77;
  auto const seed = test::seed_for(n);
  CAPTURE(seed);
  auto const items = test::random_items<std::uint8_t>(n, seed);
  auto const flags = test::on_backend(random_heads(n, density::rare, seed));
  auto const scan = [&](auto const& from, auto policy) {
    auto const in = test::on_backend(from);
    test::fenced_array<std::int32_t> out(n);
    sam::segmented_inclusive_scan(context, in, sam::by_heads(flags), out, policy);
    context.wait();
    return out.to_host();
  };
  std::vector<std::int32_t> const converted(items.begin(), items.end());
  REQUIRE(test::differences(scan(items, ahead<>{}), scan(converted, ahead<>{})) == "");
  REQUIRE(test::differences(scan(items, back<>{}), scan(converted, back<>{})) == "");
}

/// An item passes at most one addition for each item before it in its segment. So the bound of
/// test_scan_floats.cpp holds, with the place in the segment as the row.
TEMPLATE_TEST_CASE("segmented sums of floats are no further off than a plain loop may be",
                   "[segmented]", float, double) {
  using T = TestType;
  auto context = test::each_context();
  for (density const many : {density::none, density::rare, density::some}) {
    index_t const n = 100'003;
    auto const seed = test::seed_for(n);
    CAPTURE(static_cast<int>(many), seed);
    auto const items = test::random_reals<T>(n, seed);
    auto const heads = random_heads(n, many, seed);
    auto const in = test::on_backend(items);
    auto const flags = test::on_backend(heads);
    test::fenced_array<T> out(n), totals(n);
    test::fenced_array<index_t> count(1);
    sam::segmented_inclusive_scan(context, in, sam::by_heads(flags), out);
    sam::segmented_reduce(context, in, sam::by_heads(flags), totals, count);
    context.wait();
    auto const got = out.to_host();
    auto const reduced = totals.to_host();
    std::size_t ended = 0;
    long double sum = 0, magnitude = 0;
    double const unit = std::numeric_limits<T>::epsilon() / 2;
    double rows = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (heads[i] != 0)
        sum = magnitude = 0, rows = 0;
      sum += static_cast<long double>(items[i]);
      magnitude += std::fabs(static_cast<long double>(items[i]));
      rows += 1;
      auto const bound =
          std::expm1(std::min(rows, 8 * std::sqrt(rows)) * unit * 1.0001) * magnitude;
      auto const check_error = [&](T value) {
        auto const error = std::fabs(static_cast<long double>(value) - sum);
        if (!(error <= bound)) {
          CAPTURE(i, rows, error, bound);
          FAIL("a sum is further off than a plain loop's may be");
        }
      };
      check_error(got[i]);
      if (i + 1 == items.size() || heads[i + 1] != 0)
        check_error(reduced[ended++]);
    }
    REQUIRE(count.to_host()[0] == static_cast<index_t>(ended));
  }
}

TEST_CASE("bits of segmented sums do not depend on the number of threads", "[segmented]") {
  index_t const n = 20 * sam::host::tuning::tile_bytes / index_t{sizeof(float)} + 77;
  auto const seed = test::seed_for(n);
  CAPTURE(seed);
  auto const items = test::random_reals<float>(n, seed);
  auto const heads = random_heads(n, density::rare, seed);
  auto const context = test::each_context();
  std::vector<float> alone, alone_reduced;
  for (int const workers : {1, 2, 5}) {
    auto const check_bits = [&](auto& crowd) {
      std::vector<float> out(items.size()), reduced(items.size());
      std::vector<index_t> count(1);
      sam::segmented_exclusive_scan(crowd, items, sam::by_heads(heads), out);
      sam::segmented_reduce(crowd, items, sam::by_heads(heads), reduced, count, sam::plus{}, 0.1f);
      if (workers == 1)
        alone = out, alone_reduced = reduced;
      REQUIRE(test::differences(out, alone) == "");
      REQUIRE(test::differences(reduced, alone_reduced) == "");
    };
    test::also_on_threads(context, check_bits, workers);
  }
}

/// A scan that combines items as T, and reads and stores them as Stored.
template <class T, class Policy, form Kind, class Stored = T>
struct going_on {
  using item = T;
  using stored = Stored;
  using policy = Policy;
  static constexpr form kind = Kind;
};
using cases_going_on =
    std::tuple<going_on<std::int32_t, sam::scan_policy<sam::plus>, form::inclusive>,
               going_on<test::affine, sam::scan_policy<test::compose>, form::exclusive>,
               going_on<test::falls, sam::scan_policy<test::join_runs>, form::inclusive>,
               going_on<std::int32_t, sam::scan_policy<sam::plus>, form::inclusive, std::int8_t>>;

/// Returns n items to read, which have the same values as T.
template <class Case>
std::vector<typename Case::stored> items_to_read(index_t n) {
  using T = typename Case::item;
  using stored = typename Case::stored;
  if constexpr (std::is_same_v<stored, T>) {
    return test::random_items<T, typename Case::policy::op_type>(n, test::seed_for(n));
  } else {
    std::vector<stored> items;
    for (auto const x : test::random_items<std::uint32_t>(n, test::seed_for(n)))
      items.push_back(static_cast<stored>(x % 100));
    return items;
  }
}

/// Scans n items in pieces, from state to state. The segments are given by flags, by bits or by
/// length.
template <class Case, class Context>
void check_going_on(Context& context, index_t n, index_t length) {
  using T = typename Case::item;
  using stored = typename Case::stored;
  using policy = typename Case::policy;
  using state = sam::scan_state<T, policy>;
  CAPTURE(n, length);
  auto const to_read = items_to_read<Case>(n);
  std::vector<T> const items(to_read.begin(), to_read.end());
  auto const option = [] {
    if constexpr (std::is_same_v<stored, T>)
      return policy{};
    else
      return sam::accumulate_in<T>(policy{});
  }();
  std::vector<std::uint8_t> heads(items.size());
  test::generator bits{test::seed_for(n + length)};
  for (std::size_t i = 0; i < heads.size(); ++i)
    heads[i] = length > 0 ? i % std::size_t(length) == 0 : bits() % 50 == 0;
  auto const sums = [&] {
    if constexpr (Case::kind == form::exclusive)
      return sam::reference::segmented_exclusive_scan(
          items, heads, policy{}, sam::empty_of<T>(sam::as_policy(policy{}).op));
    else
      return sam::reference::segmented_inclusive_scan(items, heads, policy{});
  }();
  std::vector<stored> wanted;
  for (T const& sum : sums)
    wanted.push_back(static_cast<stored>(sum));
  auto const part = [](auto const& all, index_t begin, index_t count) {
    return std::remove_cvref_t<decltype(all)>(all.begin() + begin, all.begin() + begin + count);
  };
  std::array memory{test::on_backend(std::vector<state>{state{}}),
                    test::on_backend(std::vector<state>{state{}})};
  index_t begin = 0;
  std::size_t turn = 0;
  for (index_t const count : {index_t{2}, index_t{0}, n / 3, index_t{1}, n}) {
    index_t const some = std::min(count, n - begin);
    auto in = test::on_backend(part(to_read, begin, some), 1);
    test::fenced_array<stored> apart(some);
    auto& out = turn % 2 == 0 ? apart : in;
    auto const& before = memory[turn % 2];
    auto& after = memory[(turn + 1) % 2];
    auto const flags = test::on_backend(part(heads, begin, some), 1);
    auto const scan_by = [&](auto const& segments) {
      if constexpr (Case::kind == form::exclusive)
        sam::segmented_exclusive_scan(context, in, segments, out, option, before, after);
      else
        sam::segmented_inclusive_scan(context, in, segments, out, option, before, after);
    };
    if (length > 0)
      scan_by(sam::by_length(length));
    else
      scan_by(sam::by_heads(flags));
    context.wait();
    CAPTURE(begin, some);
    REQUIRE(test::differences(out.to_host(), part(wanted, begin, some)) == "");
    REQUIRE((out.fences_intact() && after.fences_intact()));
    begin += some;
    REQUIRE(after.to_host()[0].items == begin);
    ++turn;
  }
}

TEMPLATE_LIST_TEST_CASE("a segment goes on in the next array", "[segmented]", cases_going_on) {
  test::engine_context context;
  for (index_t const n : {1, 7, 1000, 30'011})
    for (index_t const length : {0, 1, 13, 100'000})
      check_going_on<TestType>(context, n, length);
  test::also_on_threads(context, [](auto& crowd) { check_going_on<TestType>(crowd, 300'007, 0); });
}

/// Scans segments by keys in pieces, from state to state.
template <class T, class Op, class Context>
void check_keys_going_on(Context& context, index_t n) {
  CAPTURE(n);
  using state = sam::keyed_scan_state<T, std::uint8_t, sam::scan_policy<Op>>;
  auto const items = test::random_items<T, Op>(n, test::seed_for(n));
  std::vector<std::uint8_t> heads(items.size()), keys(items.size());
  test::generator bits{test::seed_for(n) + 1};
  for (std::size_t i = 0; i < heads.size(); ++i) {
    heads[i] = bits() % 50 == 0;
    keys[i] = static_cast<std::uint8_t>((i == 0 ? 0 : keys[i - 1]) + heads[i]);
  }
  auto const wanted =
      sam::reference::segmented_inclusive_scan(items, heads, sam::scan_policy<Op>{});
  auto const before = sam::reference::segmented_exclusive_scan(items, heads, sam::scan_policy<Op>{},
                                                               sam::empty_of<T>(Op{}));
  auto const part = [](auto const& all, index_t begin, index_t count) {
    return std::remove_cvref_t<decltype(all)>(all.begin() + begin, all.begin() + begin + count);
  };
  std::array memory{test::on_backend(std::vector<state>{state{}}),
                    test::on_backend(std::vector<state>{state{}})};
  state variable;
  index_t begin = 0;
  std::size_t turn = 0;
  for (index_t const count : {index_t{2}, index_t{0}, n / 3, index_t{1}, n}) {
    index_t const some = std::min(count, n - begin),
                  all = some + std::min<index_t>(9, n - begin - some);
    auto const in = test::on_backend(part(items, begin, all));
    auto const by = test::on_backend(part(keys, begin, all), 1);
    auto const number = test::on_backend(std::vector<index_t>{some});
    auto const first = sam::counted(in, number);
    auto out = test::on_backend(part(before, begin, all));
    auto out_before = test::on_backend(part(before, begin, all));
    sam::segmented_inclusive_scan(context, first, sam::by_keys(by), out, Op{}, memory[turn % 2],
                                  memory[(turn + 1) % 2]);
    sam::segmented_exclusive_scan(context, first, sam::by_keys(by), out_before, Op{}, variable,
                                  variable);
    context.wait();
    auto got = out.to_host();
    REQUIRE(test::differences(out_before.to_host(), part(before, begin, all)) == "");
    for (auto i = static_cast<std::size_t>(some); i < got.size(); ++i)
      REQUIRE(got[i] == before[static_cast<std::size_t>(begin) + i]);
    got.resize(static_cast<std::size_t>(some), T{});
    REQUIRE(test::differences(got, part(wanted, begin, some)) == "");
    begin += some;
    ++turn;
    REQUIRE(variable.items == begin);
    if (begin > 0)
      REQUIRE(variable.key() == keys[static_cast<std::size_t>(begin) - 1]);
  }
}

TEST_CASE("a segment by keys goes on in the next array", "[segmented]") {
  test::engine_context context;
  for (index_t const n : {1, 7, 30'011})
    check_keys_going_on<test::affine, test::compose>(context, n);
  if constexpr (test::backend_bytes::on_host) {
    test::like_a_device device;
    check_keys_going_on<test::affine, test::compose>(device, 30'011);
  }
}

TEST_CASE("no items in no segments are scanned to nothing", "[segmented]") {
  auto context = test::each_context();
  auto const no_segments = test::on_backend(std::vector<std::uint8_t>{0});
  test::fenced_array<int> const none(0);
  test::fenced_array<int> nothing(0);
  sam::segmented_inclusive_scan(context, none, sam::by_checked_offsets(no_segments), nothing);
  context.wait();
  REQUIRE(nothing.fences_intact());
}

// --- Errors --------------------------------------------------------------------------------------

using test::fails;

TEST_CASE("segments that do not fit are an error, and nothing is written", "[segmented]") {
  auto c = test::each_context();
  auto const in = test::on_backend(std::vector<int>(100, 1));
  test::fenced_array<int> out(100), half(50);
  auto const scan_by = [&](auto const& segments) {
    sam::segmented_inclusive_scan(c, in, segments, out);
  };
  auto const flags = test::on_backend(std::vector<std::uint8_t>(99));
  fails([&] { scan_by(sam::by_heads(flags)); }, "heads",
        "holds 99 items but must hold 100, one for each item of in");
  auto const words = test::on_backend(std::vector<std::uint32_t>(5));
  fails([&] { scan_by(sam::by_heads(sam::packed_bits(words))); }, "heads",
        "holds 5 items but must hold 4, a bit for each item of in");
  fails([&] { scan_by(sam::by_keys(flags)); }, "keys",
        "holds 99 items but must hold 100, one for each item of in");
  fails([&] { scan_by(sam::by_heads(test::as_span(out))); }, "heads",
        "overlaps out; the two must lie apart");
  test::fenced_array<std::int32_t> none(0);
  fails([&] { scan_by(sam::by_offsets(none)); }, "offsets",
        "holds no items; it must hold one more than there are segments");
  auto const wrong_at = [&](std::vector<std::int32_t> const& offsets, int item) {
    auto const there = test::on_backend(offsets);
    fails([&] { scan_by(sam::by_checked_offsets(there)); }, "offsets",
          "is wrong at item " + std::to_string(item) + " of " + std::to_string(offsets.size()) +
              "; it must begin with 0, never fall, and end with 100");
  };
  wrong_at({1, 50, 100}, 0);
  wrong_at({0, 50, 49, 100}, 2);
  wrong_at({0, 50, 99}, 2);
  wrong_at({0, -1, 100}, 1);
  using wide = sam::detail::int128;  // correct modulo 2^64
  auto const wide_offsets = test::on_backend(std::vector<wide>{0, (wide{1} << 64) + 40, 100});
  fails([&] { scan_by(sam::by_checked_offsets(wide_offsets)); }, "offsets",
        "is wrong at item 2 of 3; it must begin with 0, never fall, and end with 100");
  wrong_at({0}, 0);
  auto const many = test::on_backend(std::vector<int>(300, 1));
  test::fenced_array<int> out_of_many(300);
  auto const bytes = test::on_backend(std::vector<std::uint8_t>{0, 100, 255});
  fails([&] { sam::segmented_exclusive_scan(c, many, sam::by_offsets(bytes), out_of_many); },
        "offsets", "holds integers of up to 255 but may have to hold 300");
  fails([&] { sam::segmented_inclusive_scan(c, in, sam::by_heads(in), half); }, "out",
        "holds 50 items but in holds 100; both must hold the same number");
  fails([&] { scan_by(sam::by_length(0)); }, "length", "is 0; it must be at least 1");
  REQUIRE((out.untouched() && half.untouched() && out_of_many.untouched()));
}

}  // namespace
