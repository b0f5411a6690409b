// SPDX-License-Identifier: MIT
// Tests sorts and selections by a comparison, merges and searches of sorted arrays against the
// references.
#include <sam/binary_search.hpp>
#include <sam/inputs.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/partial_sort.hpp>
#include <sam/segmented_merge_sort.hpp>

#include "support.hpp"

#include <algorithm>
#include <limits>

namespace {

using sam::index_t;

/// An item without a default constructor, which compares by a part of it.
struct record {
  int key;
  int mark;
  std::int16_t more;
  record(int k, int m) : key(k), mark(m), more(7) {}
};
struct by_key {
  SAM_FUNCTION bool operator()(record const& a, record const& b) const { return a.key < b.key; }
};
struct by_last_digit {
  template <class T>
  SAM_FUNCTION bool operator()(T a, T b) const {
    return static_cast<int>(a) % 10 < static_cast<int>(b) % 10;
  }
};

enum class keys_are { random, few, rising, falling, equal };

template <class T>
std::vector<T> make_keys(index_t n, keys_are what) {
  std::vector<T> keys;
  test::generator bits(test::seed_for(n));
  for (index_t i = 0; i < n; ++i) {
    auto x = static_cast<index_t>(bits() % 100'000);
    if (what == keys_are::few)
      x %= 7;
    else if (what == keys_are::rising)
      x = i / 2;
    else if (what == keys_are::falling)
      x = n - i;
    else if (what == keys_are::equal)
      x = 5;
    if constexpr (std::is_same_v<T, record>)
      keys.emplace_back(static_cast<int>(x), static_cast<int>(i));
    else
      keys.push_back(static_cast<T>(x));
  }
  return keys;
}

template <class T>
bool same(std::vector<T> const& a, std::vector<T> const& b) {
  if constexpr (std::is_same_v<T, record>)
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](auto const& x, auto const& y) {
      return x.key == y.key && x.mark == y.mark && x.more == y.more;
    });
  else
    return a == b;
}

/// Checks all sorts of one array, apart and in place.
template <class T, class Context, class Less>
void check_sorts(Context& context, std::vector<T> const& keys, Less less) {
  auto const n = static_cast<index_t>(keys.size());
  auto const order = sam::reference::merge_argsort<std::uint32_t>(keys, less);
  auto const wanted = sam::reference::in_order(keys, order);
  auto const values = test::random_items<std::int16_t>(n, test::seed_for(n));
  auto const wanted_values = sam::reference::in_order(values, order);
  auto in = test::on_backend(keys, 1);
  auto in_values = test::on_backend(values, 1);
  test::fenced_array<T> out(n), keys_out(n);
  test::fenced_array<std::int16_t> values_out(n);
  test::fenced_array<std::uint32_t> indices(n, 1);
  sam::merge_sort(context, in, out, less);
  sam::merge_argsort(context, in, indices, less);
  sam::merge_sort_pairs(context, in, in_values, keys_out, values_out, less);
  context.wait();
  REQUIRE(same(out.to_host(), wanted));
  REQUIRE(indices.to_host() == order);
  REQUIRE(same(keys_out.to_host(), wanted));
  REQUIRE(values_out.to_host() == wanted_values);
  auto alone = test::on_backend(keys);
  sam::merge_sort(context, alone, alone, less);
  sam::merge_sort_pairs(context, in, in_values, in, in_values, less);
  context.wait();
  REQUIRE(same(alone.to_host(), wanted));
  REQUIRE(same(in.to_host(), wanted));
  REQUIRE(in_values.to_host() == wanted_values);
  REQUIRE((out.fences_intact() && keys_out.fences_intact() && values_out.fences_intact()));
  REQUIRE((alone.fences_intact() && in.fences_intact() && indices.fences_intact()));
}

/// Sizes around those of the network, of chunks and of the GPU's tiles.
constexpr index_t sizes[] = {0,    1,    2,    3,    4,      5,      7,       8,      31,   33,
                             63,   64,   65,   255,  1023,   1025,   1792,    2816,   2817, 4096,
                             4352, 4353, 8193, 9000, 16'385, 50'000, 131'073, 200'001};

TEMPLATE_TEST_CASE("sorts by comparisons equal their references", "[merge]", float, double,
                   record) {
  using less = std::conditional_t<std::is_same_v<TestType, record>, by_key, sam::less>;
  auto context = test::each_context();
  for (index_t const n : sizes)
    for (auto const what :
         {keys_are::random, keys_are::few, keys_are::rising, keys_are::falling, keys_are::equal}) {
      if (n > 10'000 && what != keys_are::random && what != keys_are::few)
        continue;
      CAPTURE(n, static_cast<int>(what));
      auto const keys = make_keys<TestType>(n, what);
      check_sorts(context, keys, less{});
      if (what == keys_are::few)
        test::also_on_threads(context, [&](auto& crowd) { check_sorts(crowd, keys, less{}); });
    }
}

struct row_of {
  SAM_FUNCTION index_t operator()(index_t i) const { return i / 300; }
};
/// Sorts segments, of which the first ones and the first items count, apart and in place.
template <class Context>
void check_segmented_sorts(Context& context, index_t n, index_t taken) {
  CAPTURE(n, taken);
  auto const keys = make_keys<record>(n, keys_are::few);
  std::vector<std::uint8_t> heads(keys.size()), rows(keys.size());
  std::vector<index_t> offsets{0};
  test::generator bits(test::seed_for(n));
  for (std::size_t i = 0; i < heads.size(); ++i) {
    heads[i] = bits() % 100 == 0;
    rows[i] = i % 300 == 0;
    if (heads[i])
      offsets.insert(offsets.end(), 1 + bits() % 2, static_cast<index_t>(i));
  }
  offsets.push_back(n);
  auto const segments = static_cast<index_t>(offsets.size()) - 1;
  offsets.insert(offsets.end(), {3, -8});  // past their number
  std::vector<record> const first(keys.begin(), keys.begin() + taken);
  auto const wanted_of = [&](auto const& begins) {
    auto order = sam::reference::segmented_merge_argsort<index_t>(first, begins, by_key{});
    for (index_t i = taken; i < n; ++i)
      order.push_back(i);
    return order;
  };
  auto const order = wanted_of(heads), in_rows = wanted_of(rows);
  auto const in = test::on_backend(keys, 1);
  auto const flags = test::on_backend(heads);
  auto const of_heads = test::on_backend(offsets);
  auto const number = test::on_backend(std::vector<index_t>{taken});
  auto const of_segments = test::on_backend(std::vector<index_t>{segments});
  auto const some = sam::counted(in, number);
  std::vector<index_t> indices(keys.size());
  for (std::size_t i = 0; i < indices.size(); ++i)
    indices[i] = static_cast<index_t>(i);
  auto out = test::on_backend(keys, 1), alone = test::on_backend(keys);
  auto by_row = test::on_backend(keys, 1);
  auto values = test::on_backend(indices), sorted = test::on_backend(indices);
  sam::segmented_merge_sort(context, sam::counted(alone, number), sam::by_heads(flags), alone,
                            by_key{});
  sam::segmented_merge_sort_pairs(context, some, values,
                                  sam::by_offsets(sam::counted(of_heads, of_segments)), out, values,
                                  by_key{});
  sam::segmented_merge_argsort(context, some, sam::by_length(300), sorted, by_key{});
  auto const computed = sam::strided(in, 1);
  sam::segmented_merge_sort(context, sam::counted(computed, number),
                            sam::by_keys(sam::generated(n, row_of{})), by_row, by_key{});
  context.wait();
  REQUIRE(same(alone.to_host(), sam::reference::in_order(keys, order)));
  REQUIRE(same(out.to_host(), sam::reference::in_order(keys, order)));
  REQUIRE(values.to_host() == order);
  REQUIRE(sorted.to_host() == in_rows);
  REQUIRE(same(by_row.to_host(), sam::reference::in_order(keys, in_rows)));
  REQUIRE((out.fences_intact() && values.fences_intact() && by_row.fences_intact()));
}
TEST_CASE("sorts of segments by comparisons equal their references", "[merge]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 1000, 70'001})
    for (index_t const taken : {index_t{0}, n - n / 3, n})
      check_segmented_sorts(context, n, taken);
  test::also_like_a_device(context,
                           [](auto& device) { check_segmented_sorts(device, 70'001, 50'002); });
  auto const ints = test::on_backend(std::vector<int>{5, 3, 4, 1, 2});
  test::fenced_array<int> sorted(5), untouched(5);
  sam::segmented_merge_sort(context, ints, sam::by_length(3), sorted, sam::greater{});
  context.wait();
  REQUIRE(sorted.to_host() == std::vector<int>{5, 4, 3, 2, 1});
  test::fails(
      [&] {
        sam::segmented_merge_sort(context, ints, sam::by_length(0), untouched, by_last_digit{});
      },
      "sam::segmented_merge_sort", "length", "is 0; it must be at least 1");
  REQUIRE(untouched.untouched());
}

TEST_CASE("integers are sorted by a caller's order, by < and by >", "[merge]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 100, 5000, 70'000}) {
    CAPTURE(n);
    auto const keys = make_keys<int>(n, keys_are::random);
    check_sorts(context, keys, by_last_digit{});
    check_sorts(context, keys, sam::less{});
    check_sorts(context, keys, sam::greater{});
  }
}

/// Checks selections of k records, and of the one behind them.
template <class Context>
void check_selections(Context& context, std::vector<record> const& keys, std::vector<index_t> ks) {
  auto const n = static_cast<index_t>(keys.size());
  auto const first = sam::reference::merge_argsort<std::uint32_t>(keys, by_key{});
  auto const largest = sam::reference::top_k_indices<std::uint32_t>(
      keys, keys.size(), [](record const& a, record const& b) { return b.key < a.key; });
  auto const values = test::random_items<std::int16_t>(n, test::seed_for(n));
  auto const in = test::on_backend(keys, 1);
  auto const in_values = test::on_backend(values, 1);
  for (index_t const k : ks) {
    CAPTURE(n, k);
    auto const front = [k](std::vector<std::uint32_t> order) {
      order.resize(static_cast<std::size_t>(k));
      return order;
    };
    test::fenced_array<record> smallest(k, 1), out(k), keys_out(k), one(1);
    test::fenced_array<std::int16_t> values_out(k, 1);
    test::fenced_array<std::uint32_t> indices(k);
    sam::partial_sort(context, in, smallest, by_key{});
    sam::top_k(context, in, out, by_key{});
    sam::top_k_pairs(context, in, in_values, keys_out, values_out, by_key{});
    sam::top_k_indices(context, in, indices, by_key{});
    if (k < n)
      sam::nth_element(context, in, k, one, by_key{});
    context.wait();
    REQUIRE(same(smallest.to_host(), sam::reference::in_order(keys, front(first))));
    REQUIRE(same(out.to_host(), sam::reference::in_order(keys, front(largest))));
    REQUIRE(same(keys_out.to_host(), out.to_host()));
    REQUIRE(values_out.to_host() == sam::reference::in_order(values, front(largest)));
    REQUIRE(indices.to_host() == front(largest));
    if (k < n)
      REQUIRE(one.to_host()[0].mark == static_cast<int>(first[static_cast<std::size_t>(k)]));
    REQUIRE((smallest.fences_intact() && out.fences_intact() && keys_out.fences_intact()));
    REQUIRE((values_out.fences_intact() && indices.fences_intact() && one.fences_intact()));
  }
}

TEST_CASE("selections by comparisons equal their references", "[merge]") {
  auto context = test::each_context();
  for (index_t const n : {1, 2, 65, 2817, 30'001, 262'144})
    for (auto const what : {keys_are::random, keys_are::few, keys_are::equal, keys_are::falling}) {
      if (n > 100'000 && (what == keys_are::equal || what == keys_are::falling))
        continue;
      auto const keys = make_keys<record>(n, what);
      if (n < 100'000)
        check_selections(context, keys, {0, 1, n / 50, n / 8, n / 8 + 1, n / 2, n});
      else  // on CPUs, of each of two runs, and among a part of the items
        check_selections(context, keys, {n / 64, n / 64 + 1, n / 5, n / 2});
      if (n == 2817 || (n == 262'144 && what == keys_are::few))
        test::also_on_threads(context, [&](auto& crowd) { check_selections(crowd, keys, {100}); });
    }
  // A sample misleads: only items that it takes are small.
  auto keys = make_keys<record>(300'000, keys_are::random);
  for (std::size_t i = 0; i < keys.size(); i += 18)
    keys[i].key = -static_cast<int>(i);
  check_selections(context, keys, {3000, 40'000});
}

TEST_CASE("selections of integers by < and > are those by their digits", "[merge]") {
  auto context = test::each_context();
  auto const keys = make_keys<int>(5000, keys_are::random);
  auto const in = test::on_backend(keys);
  test::fenced_array<int> smallest(9), largest(9), least(9);
  test::fenced_array<int> order(9);
  sam::partial_sort(context, in, smallest);
  sam::top_k(context, in, largest, sam::less{});
  sam::top_k_pairs(context, in, in, least, order, sam::greater{});
  context.wait();
  REQUIRE(smallest.to_host() == sam::reference::partial_sort(keys, 9, sam::less{}));
  REQUIRE(largest.to_host() == sam::reference::top_k(keys, 9, sam::greater{}));
  auto const [first, values] = sam::reference::top_k_pairs(keys, keys, 9, sam::less{});
  REQUIRE((least.to_host() == first && order.to_host() == values));
  REQUIRE(sam::nth_element(context, in, 10, by_last_digit{}) ==
          sam::reference::nth_element(keys, 10, by_last_digit{}));
  test::fenced_array<int> ten(10);
  test::fails([&] { sam::partial_sort(context, smallest, ten); }, "sam::partial_sort", "out",
              "holds 10 items, but in holds only 9");
  test::fails([&] { sam::top_k_indices(context, smallest, smallest, by_last_digit{}); },
              "sam::top_k_indices", "out", "overlaps keys; the two must lie apart");
  test::fails([&] { sam::nth_element(context, in, 5000, by_last_digit{}); }, "sam::nth_element",
              "rank", "is 5000; it must be in [0, 5000), as in holds 5000 items");
  REQUIRE(ten.untouched());
}

struct no_order {
  SAM_FUNCTION bool operator()(float a, float b) const {
    return static_cast<int>(a + 3 * b) % 2 != 0;
  }
};
TEST_CASE("an order that contradicts itself writes nothing outside of out", "[merge]") {
  auto context = test::each_context();
  for (index_t const n : {5, 1000, 40'000, 300'000}) {
    auto const keys = make_keys<float>(n, keys_are::random);
    auto const in = test::on_backend(keys);
    test::fenced_array<float> out(n), merged(2 * n), first(n / 70);
    sam::merge_sort(context, in, out, no_order{});
    sam::partial_sort(context, in, first, no_order{});
    sam::merge(context, in, in, merged, no_order{});
    context.wait();
    REQUIRE((out.fences_intact() && merged.fences_intact() && first.fences_intact()));
    test::fenced_array<float> nans(n);
    auto with_nan = keys;
    for (std::size_t i = 0; i < with_nan.size(); i += 3)
      with_nan[i] = std::numeric_limits<float>::quiet_NaN();
    sam::merge_sort(context, test::on_backend(with_nan), nans);
    context.wait();
    REQUIRE(nans.fences_intact());
  }
}

template <class T, class Context, class Less>
void check_merge(Context& context, std::vector<T> a, std::vector<T> b, Less less) {
  std::stable_sort(a.begin(), a.end(), less);
  std::stable_sort(b.begin(), b.end(), less);
  auto const n_a = static_cast<index_t>(a.size()), n_b = static_cast<index_t>(b.size());
  auto const on_a = test::on_backend(a, 1), on_b = test::on_backend(b);
  auto const wanted = sam::reference::merge(a, b, less);
  std::vector<double> of_a(a.size(), 1), of_b(b.size(), 2);
  auto const values_a = test::on_backend(of_a), values_b = test::on_backend(of_b, 1);
  test::fenced_array<T> out(n_a + n_b, 1), keys(n_a + n_b);
  test::fenced_array<double> values(n_a + n_b);
  sam::merge(context, on_a, on_b, out, less);
  sam::merge_by_key(context, on_a, values_a, on_b, values_b, keys, values, less);
  context.wait();
  REQUIRE(same(out.to_host(), wanted));
  REQUIRE(same(keys.to_host(), wanted));
  REQUIRE(values.to_host() == sam::reference::merge_by_key(a, of_a, b, of_b, less).second);
  REQUIRE((out.fences_intact() && keys.fences_intact() && values.fences_intact()));
}

TEMPLATE_TEST_CASE("merges equal their references", "[merge]", std::int32_t, double, record) {
  using less = std::conditional_t<std::is_same_v<TestType, record>, by_key, sam::less>;
  auto context = test::each_context();
  int turn = 0;
  for (index_t const n : {0, 1, 2, 17, 511, 4352, 20'000, 100'001})
    for (index_t const m : {index_t{0}, index_t{1}, n, n / 3 + 5})
      for (auto const what : {keys_are::random, keys_are::few, keys_are::equal}) {
        if (n > 50'000 && ++turn % 4 != 0)  // each kind of keys gets its turn
          continue;
        CAPTURE(n, m, static_cast<int>(what));
        auto const a = make_keys<TestType>(n, what), b = make_keys<TestType>(m, what);
        check_merge(context, a, b, less{});
        check_merge(context, b, a, less{});
        if (n == 20'000)
          test::also_on_threads(context, [&](auto& crowd) { check_merge(crowd, a, b, less{}); });
      }
}

template <class T, class Context, class Less>
void check_searches(Context& context, std::vector<T> sorted, std::vector<T> const& values,
                    Less less) {
  std::stable_sort(sorted.begin(), sorted.end(), less);
  auto const m = static_cast<index_t>(values.size());
  auto const in = test::on_backend(sorted, 1);
  auto const what = test::on_backend(values, 1);
  test::fenced_array<std::uint32_t> lower(m), upper(m, 1);
  test::fenced_array<std::int64_t> begins(m), ends(m);
  sam::lower_bound(context, in, what, lower, less);
  sam::upper_bound(context, in, what, upper, less);
  sam::equal_range(context, in, what, begins, ends, less);
  context.wait();
  std::vector<std::uint32_t> lowers, uppers;
  for (T const& x : values) {
    auto const [begin, end] = sam::reference::equal_range(sorted, x, less);
    lowers.push_back(static_cast<std::uint32_t>(begin));
    uppers.push_back(static_cast<std::uint32_t>(end));
  }
  REQUIRE(lower.to_host() == lowers);
  REQUIRE(upper.to_host() == uppers);
  REQUIRE(begins.to_host() == std::vector<std::int64_t>(lowers.begin(), lowers.end()));
  REQUIRE(ends.to_host() == std::vector<std::int64_t>(uppers.begin(), uppers.end()));
  REQUIRE((lower.fences_intact() && upper.fences_intact() && begins.fences_intact()));
}

TEMPLATE_TEST_CASE("searches of sorted arrays equal their references", "[merge]", std::uint8_t,
                   float, record) {
  using less = std::conditional_t<std::is_same_v<TestType, record>, by_key, sam::less>;
  auto context = test::each_context();
  for (index_t const n : {0, 1, 2, 3, 4, 7, 8, 9, 100, 1023, 1024, 1025})
    for (index_t const m : {0, 1, 33, 1000}) {
      CAPTURE(n, m);
      check_searches(context, make_keys<TestType>(n, keys_are::few),
                     make_keys<TestType>(m, keys_are::few), less{});
      check_searches(context, make_keys<TestType>(n, keys_are::random),
                     make_keys<TestType>(m, keys_are::random), less{});
    }
  // GPUs search for more than 2^18 values by larger tiles.
  auto values = make_keys<TestType>(300'000, keys_are::random);
  auto const sorted = make_keys<TestType>(33, keys_are::random);
  check_searches(context, sorted, values, less{});
  std::stable_sort(values.begin(), values.end(), less{});
  check_searches(context, sorted, values, less{});
}

TEST_CASE("merges and searches refuse arrays that do not fit", "[merge]") {
  auto context = test::each_context();
  auto const three = test::on_backend(std::vector<float>{1, 2, 3});
  test::fenced_array<float> two(2), six(6);
  test::fenced_array<int> of_two(2), of_three(3);
  test::fails([&] { sam::merge_sort(context, three, two); }, "sam::merge_sort", "out",
              "holds 2 items but in holds 3; both must hold the same number");
  test::fails([&] { sam::merge(context, three, three, two); }, "sam::merge", "out",
              "holds 2 items but must hold 6, the items of a and b");
  auto const all = test::as_span(six);
  test::fails([&] { sam::merge(context, all.first(3), all.last(3), six); }, "sam::merge", "out",
              "overlaps a; the two must lie apart");
  test::fails([&] { sam::merge_sort(context, all.first(4), all.last(4)); }, "out",
              "overlaps in without being the same array; pass the same items to work in place, or "
              "memory apart from in");
  test::fails([&] { sam::lower_bound(context, three, three, of_two); }, "sam::lower_bound", "out",
              "holds 2 items but values holds 3; both must hold the same number");
  test::fails([&] { sam::equal_range(context, three, three, of_three, of_three); },
              "sam::equal_range", "ends", "overlaps begins; the two must lie apart");
  REQUIRE((two.untouched() && six.untouched() && of_two.untouched() && of_three.untouched()));
}

}  // namespace
