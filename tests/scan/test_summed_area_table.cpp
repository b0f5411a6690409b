// SPDX-License-Identifier: MIT
// Tests summed-area tables, and sums of boxes computed from them, against plain loops.
#include <sam/inputs.hpp>
#include <sam/summed_area_table.hpp>

#include "support.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace {

using sam::index_t;

struct shape {
  index_t height, width;
};
constexpr shape shapes[] = {{0, 5},      {1, 1},     {1, 1000},  {1000, 1},  {3, 5},
                            {7, 64},     {65, 33},   {2, 70001}, {257, 300}, {40000, 2},
                            {1000, 333}, {3, 30000}, {97, 4099}, {10001, 31}};

template <class Context, class In, class Out>
void make(bool exclusive, Context& context, In const& in, index_t width, Out&& out) {
  if (exclusive)
    sam::exclusive_summed_area_table(context, in, width, out);
  else
    sam::summed_area_table(context, in, width, out);
  context.wait();
}

template <class T, class In>
void check(test::engine_context& context, shape const& image, bool exclusive) {
  index_t const n = image.height * image.width;
  auto const seed = test::seed_for(n);
  CAPTURE(image.height, image.width, exclusive, seed, sizeof(T));
  auto const items = test::random_items<In>(n, seed);
  auto const wanted = sam::reference::summed_area_table<T>(items, image.width, exclusive);
  auto const in = test::on_backend(items, 1);
  test::fenced_array<T> out(n, 3);
  make(exclusive, context, in, image.width, out);
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(out.fences_intact());
  if constexpr (std::is_same_v<T, In>) {
    auto in_place = test::on_backend(items, 1);
    make(exclusive, context, in_place, image.width, in_place);
    REQUIRE(test::differences(in_place.to_host(), wanted) == "");
    REQUIRE(in_place.fences_intact());
  }
  test::also_on_threads(context, [&](auto& crowd) {
    std::vector<T> ours(wanted.size());
    make(exclusive, crowd, items, image.width, ours);
    REQUIRE(test::differences(ours, wanted) == "");
  });
}

using types =
    std::tuple<std::pair<std::int32_t, std::int32_t>, std::pair<std::uint64_t, std::uint8_t>,
               std::pair<std::uint8_t, std::uint8_t>>;

TEMPLATE_LIST_TEST_CASE("summed-area tables equal a plain loop", "[summed_area_table]", types) {
  using T = typename TestType::first_type;
  using In = typename TestType::second_type;
  auto context = test::each_context();
  for (shape const& image : shapes)
    for (bool const exclusive : {false, true})
      check<T, In>(context, image, exclusive);
}

struct doubled {
  SAM_FUNCTION std::int32_t operator()(std::int32_t x) const { return 2 * (x % 1000); }
};

template <class Context>
void check_first(Context& context, shape const& image, index_t number, bool exclusive) {
  index_t const n = image.height * image.width;
  CAPTURE(image.height, image.width, number, exclusive);
  auto const items = test::random_items<std::int32_t>(n, test::seed_for(n));
  std::vector<std::int32_t> computed;
  for (auto const x : items)
    computed.push_back(std::ssize(computed) < number ? doubled{}(x) : 0);
  auto wanted = sam::reference::summed_area_table<std::int32_t>(computed, image.width, exclusive);
  auto const there = test::on_backend(items);
  auto const in = sam::transformed(there, doubled{});
  auto const counts = test::on_backend(std::vector<index_t>{number});
  auto out = test::on_backend(std::vector<std::int32_t>(wanted.size(), 77), 1);
  make(exclusive, context, sam::counted(in, counts), image.width, out);
  for (auto i = std::max(number, index_t{0}); i < n; ++i)
    wanted[static_cast<std::size_t>(i)] = 77;
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(out.fences_intact());
}

TEST_CASE("tables are made of as many computed items as memory says", "[summed_area_table]") {
  test::engine_context context;
  for (shape const& image : {shape{0, 5}, {1, 1000}, {1000, 1}, {65, 33}, {2, 7001}})
    for (index_t const number : {index_t{-1}, index_t{7}, image.height * image.width / 3 + 1,
                                 image.height * image.width + 1})
      for (bool const exclusive : {false, true}) {
        check_first(context, image, number, exclusive);
        if constexpr (test::backend_bytes::on_host) {
          test::like_a_device device;
          check_first(device, image, number, exclusive);
        }
      }
}

TEST_CASE("a box's sum is what its items add up to", "[summed_area_table]") {
  auto context = test::each_context();
  index_t const height = 31, width = 47;
  auto const seed = test::seed_for(0);
  CAPTURE(seed);
  auto const items = test::random_items<std::int32_t>(height * width, seed);
  auto const in = test::on_backend(items);
  test::fenced_array<std::int32_t> whole(height * width), before(height * width);
  sam::summed_area_table(context, in, width, whole);
  sam::exclusive_summed_area_table(context, in, width, before);
  context.wait();
  auto const table = whole.to_host(), exclusive = before.to_host();
  test::generator bits{seed};
  for (int k = 0; k < 2000; ++k) {
    auto const between = [&](index_t low, index_t high) {
      return low + static_cast<index_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
    };
    index_t const top = between(0, height), bottom = between(top, height);
    index_t const left = between(0, width), right = between(left, width);
    CAPTURE(top, left, bottom, right);
    auto const sum = sam::reference::box_sum<std::int32_t>(items, width, top, left, bottom, right);
    REQUIRE(sam::box_sum(table.data(), width, top, left, bottom, right) == sum);
    if (bottom < height && right < width)
      REQUIRE(sam::exclusive_box_sum(exclusive.data(), width, top, left, bottom, right) == sum);
  }
}

/// Each item passes at most one addition for each column and one for each row, on its way into an
/// item of the table.
TEMPLATE_TEST_CASE("tables of floats are no further off than a plain loop may be",
                   "[summed_area_table]", float, double) {
  using T = TestType;
  auto context = test::each_context();
  index_t const height = 300, width = 401;
  auto const seed = test::seed_for(height);
  CAPTURE(seed);
  auto const items = test::random_reals<T>(height * width, seed);
  auto magnitudes = items;
  for (T& x : magnitudes)
    x = std::fabs(x);
  auto const exact = sam::reference::summed_area_table<long double>(items, width, false);
  auto const largest = sam::reference::summed_area_table<long double>(magnitudes, width, false);
  auto const in = test::on_backend(items, 1);
  test::fenced_array<T> out(height * width);
  sam::summed_area_table(context, in, width, out);
  context.wait();
  auto const got = out.to_host();
  for (index_t y = 0; y < height; ++y)
    for (index_t x = 0; x < width; ++x) {
      auto const i = static_cast<std::size_t>(y * width + x);
      double const roundings = static_cast<double>(x + y) * std::numeric_limits<T>::epsilon() / 2;
      auto const bound = std::expm1(roundings * 1.001) * largest[i];
      auto const error = std::fabs(static_cast<long double>(got[i]) - exact[i]);
      if (!(error <= bound)) {
        CAPTURE(x, y, error, bound);
        FAIL("an item is further off than a plain loop may be");
      }
    }
  test::also_on_threads(context, [&](auto& crowd) {
    std::vector<T> ours(items.size());
    sam::summed_area_table(crowd, items, width, ours);
    REQUIRE(test::differences(ours, got) == "");
  });
}

void fails(std::function<void()> const& call, std::string const& argument,
           std::string const& problem) {
  test::fails(call, "summed_area_table", argument, problem);
}

TEST_CASE("an image that does not fit is an error, and nothing is written", "[summed_area_table]") {
  auto c = test::each_context();
  auto const in = test::on_backend(std::vector<int>(100, 1));
  test::fenced_array<int> out(100);
  auto const ours = test::as_span(out);
  fails([&] { sam::summed_area_table(c, in, 0, out); }, "width", "is 0; it must be at least 1");
  fails([&] { sam::exclusive_summed_area_table(c, in, -3, out); }, "width",
        "is -3; it must be at least 1");
  fails([&] { sam::summed_area_table(c, in, 30, out); }, "width",
        "is 30; in holds 100 items, which are no whole rows of so many");
  fails([&] { sam::summed_area_table(c, in, 10, ours.first(90)); }, "out",
        "holds 90 items but in holds 100; both must hold the same number");
  fails([&] { sam::summed_area_table(c, ours.first(90), 10, ours.last(90)); }, "out",
        "overlaps in without being the same array; pass the same items to work in place, or "
        "memory apart from in");
  REQUIRE(out.untouched());
}

}  // namespace
