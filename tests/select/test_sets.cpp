// SPDX-License-Identifier: MIT
// Tests set operations on sorted arrays against the references.
#include <sam/set_operations.hpp>

#include "compaction.hpp"
#include "support.hpp"

#include <algorithm>

namespace {

using sam::index_t;

/// An item without a default constructor, which compares by a part of it.
struct record {
  int key;
  int mark;
  std::int32_t more;
  record(int k, int m) : key(k), mark(m), more(7) {}
  bool operator==(record const&) const = default;
};
struct by_key {
  SAM_FUNCTION bool operator()(record const& a, record const& b) const { return a.key < b.key; }
};
/// Orders numbers by a part of them, so that items are told apart although they are equal.
struct by_tens {
  SAM_FUNCTION bool operator()(std::int32_t a, std::int32_t b) const { return b / 10 < a / 10; }
};

/// Returns n sorted items whose keys are below `limit`; `mark` tells both arrays apart.
template <class T, class Less>
std::vector<T> make_set(index_t n, index_t limit, int mark, Less less) {
  std::vector<T> items;
  test::generator bits(test::seed_for(n + mark));
  for (index_t i = 0; i < n; ++i) {
    auto const key = static_cast<int>(bits() % static_cast<std::uint64_t>(limit));
    if constexpr (std::is_same_v<T, record>)
      items.emplace_back(key, mark * 1'000'000 + static_cast<int>(i));
    else
      items.push_back(static_cast<T>(10 * key + mark));
  }
  std::stable_sort(items.begin(), items.end(), less);
  return items;
}

template <class Context, class T, class Less>
void check_sets(Context& context, std::vector<T> const& a, std::vector<T> const& b, Less less) {
  auto const n_a = static_cast<index_t>(a.size()), n_b = static_cast<index_t>(b.size());
  auto const on_a = test::on_backend(a, 1), on_b = test::on_backend(b);
  auto const check = [&](std::vector<T> const& wanted, index_t most, auto const& call) {
    auto const size = static_cast<index_t>(wanted.size());
    test::check_apart<index_t>(wanted, most, 1, [&](auto& out, auto& count) {
      call(out, count);
      context.wait();
    });
    test::check_apart<std::int32_t>(wanted, size / 2, 0, [&](auto& out, auto& count) {
      call(out, count);
      context.wait();
    });
  };
  namespace wanted = sam::reference;
  check(wanted::set_union(a, b, less), n_a + n_b,
        [&](auto& out, auto& count) { sam::set_union(context, on_a, on_b, out, count, less); });
  check(wanted::set_intersection(a, b, less), n_a, [&](auto& out, auto& count) {
    sam::set_intersection(context, on_a, on_b, out, count, less);
  });
  check(wanted::set_difference(a, b, less), n_a, [&](auto& out, auto& count) {
    sam::set_difference(context, on_a, on_b, out, count, less);
  });
  check(wanted::set_symmetric_difference(a, b, less), n_a + n_b, [&](auto& out, auto& count) {
    sam::set_symmetric_difference(context, on_a, on_b, out, count, less);
  });
}

TEMPLATE_TEST_CASE("set operations equal their references", "[sets]", std::int32_t, record) {
  using less = std::conditional_t<std::is_same_v<TestType, record>, by_key, by_tens>;
  auto context = test::each_context();
  for (index_t const n : {0, 1, 2, 33, 1025, 9000})
    for (index_t const m : {index_t{0}, index_t{1}, n, n / 3 + 5})
      for (index_t const limit : {index_t{1}, index_t{40}, 2 * n + 1}) {
        CAPTURE(n, m, limit);
        auto const a = make_set<TestType>(n, limit, 1, less{});
        auto const b = make_set<TestType>(m, limit, 2, less{});
        check_sets(context, a, b, less{});
        check_sets(context, b, a, less{});
        check_sets(context, a, a, less{});
      }
  auto const many = make_set<TestType>(100'001, 150'000, 1, less{});
  auto const few = make_set<TestType>(70'003, 150'000, 2, less{});
  check_sets(context, many, few, less{});
  // Runs of equal items go on through many tiles, and few blocks take many.
  check_sets(context, make_set<TestType>(60'000, 3, 1, less{}), few, less{});
  auto const check_limited = [&](auto& limited) {
    if constexpr (requires { limited.limit_blocks(2); }) {
      limited.limit_blocks(2);
      check_sets(limited, make_set<TestType>(60'000, 1, 1, less{}),
                 make_set<TestType>(50'000, 2, 2, less{}), less{});
      limited.limit_blocks(0);
    }
  };
  check_limited(context);
  test::also_on_threads(context, [&](auto& crowd) {
    check_sets(crowd, many, few, less{});
    check_sets(crowd, few, make_set<TestType>(100'001, 300, 1, less{}), less{});
  });
}

TEST_CASE("set operations by key move the values of the keys that they keep", "[sets]") {
  auto context = test::each_context();
  sam::less const less;
  for (index_t const n : {0, 1, 700, 20'000}) {
    CAPTURE(n);
    index_t const m = n / 2 + 3;
    std::vector<record> a, b;
    std::vector<std::int32_t> keys_a, keys_b;
    std::vector<std::int16_t> values_a, values_b;
    auto const split = [](std::vector<record> const& from, auto& keys, auto& values) {
      for (record const& x : from) {
        keys.push_back(x.key);
        values.push_back(static_cast<std::int16_t>(x.mark % 30'011));
      }
    };
    a = make_set<record>(n, n / 4 + 1, 1, by_key{});
    b = make_set<record>(m, n / 4 + 1, 2, by_key{});
    split(a, keys_a, values_a);
    split(b, keys_b, values_b);
    auto const ka = test::on_backend(keys_a, 1), kb = test::on_backend(keys_b);
    auto const va = test::on_backend(values_a), vb = test::on_backend(values_b, 1);
    auto const check = [&](auto const& wanted, auto const& call) {
      auto const size = static_cast<index_t>(wanted.first.size());
      test::fenced_array<std::int32_t> keys_out(size, 1);
      test::fenced_array<std::int16_t> values_out(size);
      test::fenced_array<index_t> count(1);
      call(keys_out, values_out, count);
      context.wait();
      REQUIRE(count.to_host()[0] == size);
      REQUIRE(keys_out.to_host() == wanted.first);
      REQUIRE(values_out.to_host() == wanted.second);
      REQUIRE((keys_out.fences_intact() && values_out.fences_intact() && count.fences_intact()));
    };
    namespace wanted = sam::reference;
    check(wanted::set_union_by_key(keys_a, values_a, keys_b, values_b, less),
          [&](auto& keys, auto& values, auto& count) {
            sam::set_union_by_key(context, ka, va, kb, vb, keys, values, count, less);
          });
    check(wanted::set_intersection_by_key(keys_a, values_a, keys_b, less),
          [&](auto& keys, auto& values, auto& count) {
            sam::set_intersection_by_key(context, ka, va, kb, keys, values, count, less);
          });
    check(wanted::set_difference_by_key(keys_a, values_a, keys_b, less),
          [&](auto& keys, auto& values, auto& count) {
            sam::set_difference_by_key(context, ka, va, kb, keys, values, count);
          });
    check(wanted::set_symmetric_difference_by_key(keys_a, values_a, keys_b, values_b, less),
          [&](auto& keys, auto& values, auto& count) {
            sam::set_symmetric_difference_by_key(context, ka, va, kb, vb, keys, values, count);
          });
  }
}

TEST_CASE("set operations take counted keys", "[sets]") {
  auto context = test::each_context();
  sam::less const less;
  auto const a = make_set<std::int32_t>(20'000, 9'000, 1, less);
  auto const b = make_set<std::int32_t>(12'000, 9'000, 1, less);
  auto const on_a = test::on_backend(a), on_b = test::on_backend(b, 1);
  for (index_t const n : {0, 1, 9'001, 20'000}) {
    CAPTURE(n);
    std::vector<std::int32_t> const first(a.begin(), a.begin() + n);
    auto const number = test::on_backend(std::vector<index_t>{n});
    auto const wanted = sam::reference::set_union(first, b, less);
    auto const size = static_cast<index_t>(wanted.size());
    test::fenced_array<std::int32_t> keys(size), values(size, 1);
    test::fenced_array<index_t> count(1);
    sam::set_union(context, sam::counted(on_a, number), on_b, keys, count);
    context.wait();
    REQUIRE(count.to_host()[0] == size);
    REQUIRE(keys.to_host() == wanted);
    sam::set_union_by_key(context, sam::counted(on_a, number), on_a, on_b, on_b, keys, values,
                          count);
    context.wait();
    REQUIRE((keys.to_host() == wanted && values.to_host() == wanted));
    REQUIRE((keys.fences_intact() && values.fences_intact() && count.fences_intact()));
  }
}

struct no_order {
  SAM_FUNCTION bool operator()(std::int32_t a, std::int32_t b) const {
    return (static_cast<std::uint32_t>(a) + 3 * static_cast<std::uint32_t>(b)) % 4 > 1;
  }
};
TEST_CASE("set operations of unsorted arrays write nothing outside of out", "[sets]") {
  auto context = test::each_context();
  auto const items = test::random_items<std::int32_t, sam::plus>(30'000, 5);
  auto const a = test::on_backend(items), b = test::on_backend(items, 1);
  test::fenced_array<std::int32_t> all(60'000), common(30'000);
  test::fenced_array<index_t> count(1);
  sam::set_union(context, a, b, all, count, no_order{});
  sam::set_difference(context, a, b, common, count, no_order{});
  sam::set_union(context, a, b, all, count);
  context.wait();
  REQUIRE((all.fences_intact() && common.fences_intact() && count.fences_intact()));
}

TEST_CASE("set operations return their count and check their arrays", "[sets]") {
  auto context = test::each_context();
  auto const a = test::on_backend(std::vector<std::int32_t>{1, 2, 2, 3});
  auto const b = test::on_backend(std::vector<std::int32_t>{2, 3, 4});
  test::fenced_array<std::int32_t> out(7), more(7);
  sam::less const order{};
  int number = 0;
  REQUIRE(sam::set_union(context, a, b, out) == 5);
  REQUIRE(sam::set_intersection(context, a, b, out, sam::less{}) == 2);
  REQUIRE(sam::set_difference(context, a, a, out, order) == 0);
  sam::set_symmetric_difference(context, a, b, out, number);
  context.wait();
  REQUIRE(number == 3);
  REQUIRE(sam::set_difference_by_key(context, a, a, b, out, more) == 2);
  REQUIRE(sam::set_union_by_key(context, a, a, b, b, out, more, sam::less{}) == 5);

  test::fenced_array<std::int32_t> untouched(7), two(2);
  test::fenced_array<std::int8_t> narrow(1);
  auto const all = test::as_span(untouched);
  auto const many = test::on_backend(std::vector<std::int32_t>(100, 1));
  test::fails([&] { sam::set_union(context, all.first(3), b, all.last(5), number); },
              "sam::set_union", "out", "overlaps a; the two must lie apart");
  test::fails([&] { sam::set_intersection(context, a, all.first(3), all.first(3), number); },
              "sam::set_intersection", "out", "overlaps b; the two must lie apart");
  test::fails([&] { sam::set_difference(context, a, b, untouched, two); }, "sam::set_difference",
              "count", "holds 2 items; it must hold 1");
  test::fails([&] { sam::set_symmetric_difference(context, many, many, untouched, narrow); },
              "sam::set_symmetric_difference", "count",
              "holds integers of up to 127 but may have to hold 200");
  test::fails([&] { sam::set_union_by_key(context, a, b, b, b, untouched, more, number); },
              "sam::set_union_by_key", "values_a",
              "holds 3 items but keys_a holds 4; both must hold the same number");
  test::fails([&] { sam::set_difference_by_key(context, a, a, b, untouched, untouched, number); },
              "sam::set_difference_by_key", "values_out",
              "overlaps keys_out; the two must lie apart");
  REQUIRE((untouched.untouched() && two.untouched() && narrow.untouched()));
}

}  // namespace
