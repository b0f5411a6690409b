// SPDX-License-Identifier: MIT
// Tests searches, counts and extreme items against the references.
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/inner_product.hpp>
#include <sam/minmax.hpp>

#include "support.hpp"

#include <limits>

namespace {

using sam::index_t;

/// The sizes at which the host engine and the GPU kernels change their algorithm.
std::vector<index_t> sizes(std::size_t item_bytes) {
  auto const bytes = static_cast<index_t>(item_bytes);
  index_t const block = (16 << 10) / bytes, tile = (64 << 10) / bytes, lanes = 256 / bytes;
  return {1,         2,     63,        64,       65,       lanes - 1,    lanes,  lanes + 1,
          block - 1, block, block + 1, tile - 1, tile + 1, 7 * tile + 5, 100'003};
}

/// An item without a default constructor, which compares by a part of it.
struct record {
  int key;
  int mark;
  record(int k, int m) : key(k), mark(m) {}
  static record random(test::generator& bits) {
    int const mark = static_cast<int>(bits() % 1000);
    return {static_cast<int>(bits() % 50), mark};
  }
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

template <class T>
std::vector<T> items_for(index_t n, std::uint64_t seed, int kind) {
  auto items = test::random_items<T>(n, seed);
  if constexpr (std::is_arithmetic_v<T>) {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (kind == 1)  // rises: every block has a new maximum
        items[i] = static_cast<T>(i / 3);
      else if (kind == 2)
        items[i] = static_cast<T>(items[i] == T(0));
  }
  return items;
}

/// Checks all forms under one comparison, with references under the orders of both extremes.
template <class T, class Context, class Min, class Max, class... Less>
void check_extremes(Context& context, std::vector<T> const& items, Min min, Max max, Less... less) {
  auto const in = test::on_backend(items, 1);
  index_t const low = sam::reference::find_extreme(items, min);
  index_t const high = sam::reference::find_extreme(items, max);
  REQUIRE(sam::argmin(context, in, less...) == low);
  REQUIRE(sam::argmax(context, in, less...) == high);
  test::fenced_array<std::uint32_t> index(1);
  sam::argmin(context, in, index, less...);
  test::fenced_array<sam::indexed_value<T>> least(1), greatest(1);
  sam::find_min(context, in, least, less...);
  sam::find_max(context, in, greatest, less...);
  test::fenced_array<sam::minmax_values<T>> both(1);
  sam::find_minmax(context, in, both, less...);
  context.wait();
  auto const same = [&](sam::indexed_value<T> const& x, index_t i) {
    return x.index == i &&
           std::memcmp(&x.value, &items[static_cast<std::size_t>(i)], sizeof(T)) == 0;
  };
  REQUIRE(index.to_host()[0] == static_cast<std::uint32_t>(low));
  REQUIRE(same(least.to_host()[0], low));
  REQUIRE(same(greatest.to_host()[0], high));
  REQUIRE(same(both.to_host()[0].min, low));
  REQUIRE(same(both.to_host()[0].max, high));
  REQUIRE((index.fences_intact() && least.fences_intact() && both.fences_intact()));
}

TEMPLATE_TEST_CASE("extreme items are the first ones", "[find]", std::int8_t, std::uint16_t, int,
                   std::uint64_t, float, double) {
  using T = TestType;
  auto context = test::each_context();
  for (index_t const n : sizes(sizeof(T)))
    for (int const kind : {0, 1, 2}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, seed, kind);
      auto const items = items_for<T>(n, seed, kind);
      sam::less const less;
      sam::greater const greater;
      check_extremes(context, items, less, greater);
      if (n < 5000 && kind == 0)
        check_extremes(
            context, items, by_last_digit{}, [](T a, T b) { return by_last_digit{}(b, a); },
            by_last_digit{});
    }
}

TEST_CASE("items without a default constructor have extremes too", "[find]") {
  auto context = test::each_context();
  for (index_t const n : {1, 100, 5000, 100'003}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const items = test::random_items<record>(n, seed);
    check_extremes(
        context, items, by_key{}, [](record a, record b) { return by_key{}(b, a); }, by_key{});
    test::also_on_threads(context, [&](auto& crowd) {
      check_extremes(
          crowd, items, by_key{}, [](record a, record b) { return by_key{}(b, a); }, by_key{});
    });
  }
}

TEMPLATE_TEST_CASE("the first NaN is the extreme item, and zeros are equal", "[find]", float,
                   double) {
  auto context = test::each_context();
  auto const nan = std::numeric_limits<TestType>::quiet_NaN();
  for (index_t const n : {3, 100, 20'000}) {
    std::vector<TestType> items(static_cast<std::size_t>(n), TestType(0));
    items[1] = TestType(-0.0);
    auto const zeros = test::on_backend(items);
    REQUIRE(sam::argmin(context, zeros) == 0);
    REQUIRE(sam::argmax(context, zeros) == 0);
    items[static_cast<std::size_t>(n - 1)] = items[static_cast<std::size_t>(n / 2)] = nan;
    items[static_cast<std::size_t>(n - 2)] = std::numeric_limits<TestType>::infinity();
    if (n == 3)
      items[0] = TestType(5);
    auto const in = test::on_backend(items);
    index_t const first = sam::reference::find_if(items, [](TestType x) { return x != x; });
    REQUIRE(sam::argmin(context, in) == first);
    REQUIRE(sam::argmax(context, in) == first);
    REQUIRE(sam::find_minmax(context, in).max.index == first);
  }
}

/// Checks all forms of minmax. The results have the bits of the reference, but for a NaN.
template <class Context, class T>
void check_minmax(Context& context, std::vector<T> const& items) {
  auto const in = test::on_backend(items, 1);
  auto const [least, most] = sam::reference::minmax(items);
  auto const nan = sam::detail::from_float<T>(std::numeric_limits<float>::quiet_NaN());
  bool const is_nan = least != least;
  T const wanted[] = {is_nan ? nan : least, is_nan ? nan : most};
  auto const same = [&](T const& min, T const& max) {
    return std::memcmp(&min, &wanted[0], sizeof(T)) == 0 &&
           std::memcmp(&max, &wanted[1], sizeof(T)) == 0;
  };
  auto const check = [&](auto& where) {
    auto const found = sam::minmax(where, in);
    REQUIRE(same(found.min, found.max));
    test::fenced_array<sam::min_and_max<T>> both(1);
    test::fenced_array<T> min(1), max(1, 1);
    sam::min_and_max<T> variable{};
    sam::minmax(where, in, both);
    sam::minmax(where, in, sam::zipped_to(min, max));
    sam::minmax(where, in, variable);
    where.wait();
    REQUIRE(same(both.to_host()[0].min, both.to_host()[0].max));
    REQUIRE(same(min.to_host()[0], max.to_host()[0]));
    REQUIRE(same(variable.min, variable.max));
    REQUIRE((both.fences_intact() && min.fences_intact() && max.fences_intact()));
  };
  check(context);
  test::also_on_threads(context, check);
}

TEMPLATE_TEST_CASE("minmax equals its reference", "[find]", std::int8_t, std::uint16_t, int,
                   std::uint64_t, float, double) {
  using T = TestType;
  auto context = test::each_context();
  check_minmax(context, std::vector<T>{});
  for (index_t const n : sizes(sizeof(T)))
    for (int const kind : {0, 1, 2}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, seed, kind);
      check_minmax(context, items_for<T>(n, seed, kind));
    }
}

TEMPLATE_TEST_CASE("minmax tells zeros apart, and a NaN anywhere is both results", "[find]", float,
                   double) {
  using T = TestType;
  auto context = test::each_context();
  auto const infinity = std::numeric_limits<T>::infinity();
  auto const nan = -std::numeric_limits<T>::quiet_NaN();
  for (index_t const n : {1, 2, 40, 5000, 40'001})
    for (index_t const at : {index_t{0}, n / 2, n - 1}) {
      CAPTURE(n, at);
      auto const with = [&](T others, T one) {
        std::vector<T> items(static_cast<std::size_t>(n), others);
        items[static_cast<std::size_t>(at)] = one;
        check_minmax(context, items);
      };
      with(T(0), T(-0.0));
      with(T(-0.0), T(0));
      with(T(-0.0), T(1));
      with(T(0), T(-1));
      with(infinity, T(7));
      with(-infinity, -infinity);
      with(T(3), nan);
      with(T(-0.0), nan);
      with(nan, T(1));
    }
}

#ifdef SAM_HAS_FLOAT16
TEST_CASE("minmax finds extremes of floats of 16 bits", "[find]") {
  using half = sam::detail::float16;
  auto context = test::each_context();
  for (index_t const n : {1, 63, 200, 20'001}) {
    std::vector<half> items;
    for (float const x : test::random_reals<float>(n, test::seed_for(n)))
      items.push_back(static_cast<half>(x));
    check_minmax(context, items);
    items[static_cast<std::size_t>(n / 3)] = static_cast<half>(std::nanf(""));
    check_minmax(context, items);
  }
}
#endif

struct negated {
  SAM_FUNCTION std::int64_t operator()(int x) const { return -std::int64_t{x}; }
};
struct width_of {
  SAM_FUNCTION int operator()(sam::min_and_max<std::int8_t> const& x) const {
    return x.max - x.min;
  }
};

TEST_CASE("minmax takes computed and counted inputs, and gives computed outputs", "[find]") {
  auto context = test::each_context();
  for (index_t const n : {1, 100, 5000, 100'003})
    for (index_t const taken : {index_t{0}, index_t{1}, n / 2, n}) {
      CAPTURE(n, taken);
      auto const items = test::random_items<int>(n, test::seed_for(n));
      auto const in = test::on_backend(items, 1),
                 number = test::on_backend(std::vector<int>{static_cast<int>(taken)});
      auto const first = std::vector<int>(items.begin(), items.begin() + taken);
      auto const [least, most] = sam::reference::minmax(first);
      auto const found = sam::minmax(context, sam::counted(in, number));
      REQUIRE((found.min == least && found.max == most));
      auto const computed = sam::transformed(in, negated{});
      auto const of_first = sam::minmax(context, sam::counted(computed, number));
      if (taken > 0)
        REQUIRE((of_first.min == -std::int64_t{most} && of_first.max == -std::int64_t{least}));
      else
        REQUIRE(of_first.min == std::numeric_limits<std::int64_t>::max());
    }
  auto const bytes = test::on_backend(std::vector<std::int8_t>{3, -7, 100, 0});
  test::fenced_array<int> width(1);
  sam::minmax(context, bytes, sam::transformed_to(width, width_of{}));
  context.wait();
  REQUIRE(width.to_host()[0] == 107);
  if constexpr (test::backend_bytes::on_host) {
    double const c_array[] = {2, -1, 5};
    REQUIRE(sam::minmax(context, c_array) == sam::min_and_max<double>{-1, 5});
  }
}

struct is_wanted {
  int wanted;
  template <class T>
  SAM_FUNCTION bool operator()(T const& x) const {
    return static_cast<int>(x) == wanted;
  }
};
struct is_odd {
  template <class T>
  SAM_FUNCTION bool operator()(T const& x) const {
    return static_cast<int>(x) % 2 != 0;
  }
};

TEMPLATE_TEST_CASE("find_if, count_if and tests of items equal their references", "[find]",
                   std::int8_t, int, double) {
  using T = TestType;
  auto context = test::each_context();
  auto all_sizes = sizes(sizeof(T));
  all_sizes.push_back(0);
  for (index_t const n : all_sizes) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    std::vector<T> items(static_cast<std::size_t>(n), T(2));
    std::vector<index_t> places{n};
    if (n > 0)
      places = {0, n / 3, n - 1, n};
    for (index_t const place : places) {
      auto with_one = items;
      for (index_t const i : {place, place + 1, (place + n) / 2})
        if (i < n)
          with_one[static_cast<std::size_t>(i)] = T(7);
      auto const in = test::on_backend(with_one, 1);
      auto const check = [&](auto& where) {
        REQUIRE(sam::find_if(where, in, is_wanted{7}) == place);
        test::fenced_array<index_t> found(1);
        sam::find_if(where, in, is_wanted{7}, found);
        test::fenced_array<bool> any(1);
        sam::any_of(where, in, is_wanted{7}, any);
        test::fenced_array<std::int32_t> none(1), all(1);
        sam::none_of(where, in, is_wanted{7}, none);
        sam::all_of(where, in, is_wanted{2}, all);
        where.wait();
        REQUIRE(found.to_host()[0] == place);
        REQUIRE(any.to_host()[0] == (place < n));
        REQUIRE(none.to_host()[0] == (place < n ? 0 : 1));
        REQUIRE(all.to_host()[0] == (place < n ? 0 : 1));
      };
      check(context);
      test::also_on_threads(context, check);
    }
    auto const random = test::random_items<T>(n, seed);
    auto const in = test::on_backend(random, 1);
    index_t const odd = sam::reference::count_if(random, is_odd{});
    std::int64_t count = -1;
    sam::count_if(context, in, is_odd{}, count);
    context.wait();
    REQUIRE(count == odd);
    REQUIRE(sam::count_if(context, in, is_odd{}) == odd);
    REQUIRE(sam::any_of(context, in, is_odd{}) == (odd > 0));
    REQUIRE(sam::all_of(context, in, is_odd{}) == (odd == n));
    REQUIRE(sam::none_of(context, in, is_odd{}) == (odd == 0));
  }
}

TEST_CASE("is_sorted finds a single descent anywhere", "[find]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 2, 64, 65, 4096, 20'000, 100'003}) {
    std::vector<int> items(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < items.size(); ++i)
      items[i] = static_cast<int>(i / 2);
    REQUIRE(sam::is_sorted(context, test::on_backend(items, 1)));
    REQUIRE(sam::is_sorted(context, test::on_backend(items), sam::greater{}) == (n < 3));
    for (index_t const at : {index_t{1}, n / 2, n - 1}) {
      if (at < 1 || at >= n)
        continue;
      CAPTURE(n, at);
      auto broken = items;
      broken[static_cast<std::size_t>(at)] = -1;
      REQUIRE(!sam::is_sorted(context, test::on_backend(broken, 1)));
      REQUIRE(sam::reference::is_sorted(broken, sam::less{}) == false);
    }
  }
}

TEST_CASE("inner_product equals its reference, and has the same bits on every run", "[find]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 2, 1000, 16'384, 65'537, 300'001}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const a = test::random_items<int>(n, seed), b = test::random_items<int>(n, seed + 1);
    auto const on_a = test::on_backend(a, 1), on_b = test::on_backend(b, 2);
    REQUIRE(sam::inner_product(context, on_a, on_b) == sam::reference::inner_product<int>(a, b));
    test::fenced_array<std::int64_t> wide(1);
    sam::inner_product(context, on_a, on_b, wide);
    context.wait();
    REQUIRE(wide.to_host()[0] == sam::reference::inner_product<std::int64_t>(a, b));
    auto const reals = test::on_backend(test::random_reals<float>(n, seed));
    float const once = sam::inner_product(context, reals, reals);
    REQUIRE(once == sam::inner_product(context, reals, reals));
    test::also_on_threads(
        context, [&](auto& crowd) { REQUIRE(once == sam::inner_product(crowd, reals, reals)); });
  }
}

TEST_CASE("searches refuse what has no answer", "[find]") {
  auto context = test::each_context();
  auto const none = test::on_backend(std::vector<int>{});
  auto const three = test::on_backend(std::vector<int>{1, 2, 3});
  auto const many = test::on_backend(std::vector<char>(1000));
  test::fenced_array<std::int8_t> small(1);
  test::fenced_array<int> two(2), one(1), other(1);
  char const* const empty = "holds no items, of which one could be the smallest or the largest";
  test::fails([&] { sam::argmin(context, none); }, "sam::argmin", "in", empty);
  test::fails([&] { sam::find_minmax(context, none); }, "sam::find_minmax", "in", empty);
  test::fails([&] { sam::argmax(context, many, small); }, "sam::argmax", "out",
              "holds integers of up to 127 but may have to hold 999");
  test::fails([&] { sam::find_if(context, three, is_odd{}, two); }, "sam::find_if", "out",
              "holds 2 items; it must hold 1");
  test::fails([&] { sam::inner_product(context, three, none); }, "sam::inner_product", "b",
              "holds 0 items but a holds 3; both must hold the same number");
  test::fenced_array<sam::min_and_max<int>> two_pairs(2);
  test::fails([&] { sam::minmax(context, three, two_pairs); }, "sam::minmax", "out",
              "holds 2 items but must hold 1, the result");
  test::fails([&] { sam::minmax(context, three, sam::zipped_to(two, one)); }, "sam::minmax", "out",
              "zips outputs of 2 and of 1 items; all must hold the same number");
  test::fails([&] { sam::minmax(context, test::as_span(one), sam::zipped_to(one, other)); },
              "sam::minmax", "out", "overlaps in; the two must lie apart");
  test::fails([&] { sam::minmax(context, sam::counted(three, one), sam::zipped_to(other, one)); },
              "sam::minmax", "out", "overlaps number; the two must lie apart");
  REQUIRE((small.untouched() && two.untouched() && two_pairs.untouched()));
  REQUIRE((one.untouched() && other.untouched()));
}

}  // namespace
