// SPDX-License-Identifier: MIT
// Calls on Views by every engine of every execution space that Kokkos was built with: the native
// one, and the fallback.
#include <sam/kokkos/backend.hpp>
#include <sam/reference.hpp>
#include <sam/sam.hpp>

#include "spaces.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using sam::index_t;
using test::contexts;
template <class Space>
using view = Kokkos::View<std::int32_t*, Space>;

struct is_odd {
  SAM_FUNCTION bool operator()(std::int32_t x) const { return x % 2 != 0; }
};
/// Returns the last operand that is not 0. It does not commute.
struct follow {
  SAM_FUNCTION std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    return b != 0 ? b : a;
  }
};

std::vector<std::int32_t> some_integers(index_t n) {
  std::vector<std::int32_t> items(static_cast<std::size_t>(n));
  std::uint32_t x = 1;
  for (auto& item : items)
    item = static_cast<std::int32_t>((x = x * 1664525 + 1013904223) >> 22);
  return items;
}
template <class Space>
view<Space> on_space(std::vector<std::int32_t> const& items) {
  view<Space> there("there", items.size());
  Kokkos::View<std::int32_t const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const here(
      items.data(), items.size());
  Kokkos::deep_copy(there, here);
  return there;
}
template <class Space>
std::vector<std::int32_t> to_host(view<Space> there) {
  std::vector<std::int32_t> items(there.size());
  Kokkos::View<std::int32_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const here(items.data(),
                                                                                     items.size());
  Kokkos::deep_copy(here, there);
  return items;
}

}  // namespace

static_assert(sam::kokkos::basic_context<test::default_space>::engine ==
              sam::kokkos::native_engine<test::default_space>);
static_assert(test::fallback<test::default_space>::engine == sam::kokkos::engine_kind::fallback);

TEMPLATE_LIST_TEST_CASE("every engine of a space computes what a loop does", "", contexts) {
  using space = typename TestType::execution_space;
  TestType context;
  for (index_t const n : {1, 31, 1000, 65'537}) {
    CAPTURE(n);
    auto const items = some_integers(n);
    view<space> const in = on_space<space>(items), out("out", items.size());
    auto wanted = items;

    std::partial_sum(items.begin(), items.end(), wanted.begin());
    sam::inclusive_scan(context, in, out);
    context.wait();
    REQUIRE(to_host<space>(out) == wanted);

    sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 2>{});
    context.wait();
    std::partial_sum(wanted.begin(), wanted.end(), wanted.begin(), sam::plus{});
    REQUIRE(to_host<space>(out) == wanted);

    sam::exclusive_scan(context, in, out, sam::maximum{}, -1);
    context.wait();
    std::exclusive_scan(items.begin(), items.end(), wanted.begin(), -1,
                        [](auto a, auto b) { return std::max(a, b); });
    REQUIRE(to_host<space>(out) == wanted);

    REQUIRE(sam::reduce<std::int32_t>(context, in) ==
            std::accumulate(items.begin(), items.end(), 0));

    index_t const kept = sam::compact(context, in, out, is_odd{});
    wanted.clear();
    std::copy_if(items.begin(), items.end(), std::back_inserter(wanted), is_odd{});
    REQUIRE(kept == static_cast<index_t>(wanted.size()));
    auto front = to_host<space>(out);
    front.resize(wanted.size());
    REQUIRE(front == wanted);

    sam::segmented_inclusive_scan(context, in, sam::by_length(100), out);
    context.wait();
    wanted = items;
    for (std::size_t i = 1; i < wanted.size(); ++i)
      wanted[i] += i % 100 == 0 ? 0 : wanted[i - 1];
    REQUIRE(to_host<space>(out) == wanted);
  }
}

TEMPLATE_LIST_TEST_CASE("every engine of a space sorts and makes histograms", "", contexts) {
  using space = typename TestType::execution_space;
  TestType context;
  for (index_t const n : {1, 255, 256, 257, 10'000}) {
    CAPTURE(n);
    auto const items = some_integers(n);
    auto const size = items.size();
    view<space> const in = on_space<space>(items), out("out", size), counts("counts", 4),
                      indices("indices", size);

    std::vector<std::int32_t> wanted(4);
    for (std::int32_t const x : items)
      ++wanted[static_cast<std::size_t>(x / 256)];
    sam::histogram(context, in, counts, sam::even_bins(0, 1024));
    context.wait();
    REQUIRE(to_host<space>(counts) == wanted);

    wanted = items;
    std::sort(wanted.begin(), wanted.end());
    sam::radix_sort(context, in, out);
    context.wait();
    REQUIRE(to_host<space>(out) == wanted);
    // By 3 passes of 4 bits, in place; then by 2.
    for (int const bits : {12, 8}) {
      Kokkos::deep_copy(out, in);
      sam::radix_sort(context, out, out, {.bits = {0, bits}});
      context.wait();
      wanted = items;
      std::stable_sort(wanted.begin(), wanted.end(),
                       [&](auto a, auto b) { return a % (1 << bits) < b % (1 << bits); });
      REQUIRE(to_host<space>(out) == wanted);
    }
    std::vector<std::int32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
      return items[static_cast<std::size_t>(a)] < items[static_cast<std::size_t>(b)];
    });
    sam::radix_argsort(context, in, indices);
    context.wait();
    REQUIRE(to_host<space>(indices) == order);

    sam::radix_sort_pairs(context, in, in, out, indices, {.order = sam::sort_order::descending});
    context.wait();
    wanted = items;
    std::sort(wanted.begin(), wanted.end(), std::greater<>{});
    REQUIRE(to_host<space>(out) == wanted);
    REQUIRE(to_host<space>(indices) == wanted);

    sam::segmented_radix_sort(context, in, sam::by_length(100), out);
    context.wait();
    wanted = items;
    for (std::size_t begin = 0; begin < size; begin += 100)
      std::sort(wanted.begin() + static_cast<std::ptrdiff_t>(begin),
                wanted.begin() + static_cast<std::ptrdiff_t>(std::min(size, begin + 100)));
    REQUIRE(to_host<space>(out) == wanted);
  }
}

// A team of the fallback handles several tiles where there are many.
TEMPLATE_LIST_TEST_CASE("every engine of a space scans and sorts many items", "", contexts) {
  using space = typename TestType::execution_space;
  TestType context;
  auto const items = some_integers(8'000'003);
  view<space> const in = on_space<space>(items), out("out", items.size());

  auto wanted = items;
  std::partial_sum(items.begin(), items.end(), wanted.begin(), sam::plus{});
  sam::inclusive_scan(context, in, out);
  context.wait();
  REQUIRE((to_host<space>(out) == wanted));
  REQUIRE(sam::reduce(context, in) == wanted.back());

  std::partial_sum(wanted.begin(), wanted.end(), wanted.begin(), sam::plus{});
  sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 2>{});
  context.wait();
  REQUIRE((to_host<space>(out) == wanted));

  wanted = items;
  for (std::size_t i = 3; i < wanted.size(); ++i)
    wanted[i] = follow{}(wanted[i - 3], wanted[i]);
  sam::inclusive_scan(context, in, out, sam::scan_policy<follow, 1, 3>{});
  context.wait();
  REQUIRE((to_host<space>(out) == wanted));

  wanted = items;
  std::sort(wanted.begin(), wanted.end());
  sam::radix_sort(context, in, out);
  context.wait();
  REQUIRE((to_host<space>(out) == wanted));
}

TEMPLATE_LIST_TEST_CASE("every engine of a space gives streams the same bits", "", contexts) {
  using space = typename TestType::execution_space;
  using floats = Kokkos::View<float*, space>;
  using state = sam::stream_state<float>;
  TestType context;
  index_t const n = 30'011;
  std::vector<float> items;
  for (std::int32_t const x : some_integers(n))
    items.push_back(static_cast<float>(x) / 7);
  state wanted_state;
  auto const wanted = sam::reference::continue_scan(items, sam::scan_policy<>{}, wanted_state);
  floats const in("in", items.size()), out("out", items.size());
  Kokkos::View<float*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const here(items.data(),
                                                                              items.size());
  Kokkos::deep_copy(in, here);
  state at;
  index_t done = 0;
  for (index_t const count : {9'999, 17, 19'995}) {
    auto const part = std::pair(done, done + count);
    sam::inclusive_scan(context, Kokkos::subview(in, part), Kokkos::subview(out, part), sam::plus{},
                        at, at);
    done += count;
  }
  Kokkos::deep_copy(here, out);
  REQUIRE(items == wanted);
  REQUIRE(at.items == n);
  REQUIRE(at.value() == wanted.back());
}
