// SPDX-License-Identifier: MIT
// Tests of linear recurrences, filters and summed-area tables by the GPU kernels, run on fibers.
#include <sam/linear_recurrence.hpp>
#include <sam/reference.hpp>
#include <sam/summed_area_table.hpp>

#include "items.hpp"
#include "simt/context.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using sam::index_t;

TEMPLATE_TEST_CASE_SIG("recurrences and filters equal a plain loop on fibers", "[simt]",
                       ((int Warp), Warp), 32, 64) {
  for (index_t const n : {1, 31, 192, 193, 777, 5000}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    simt::context<Warp> context(5, seed);
    auto const a = test::random_items<std::uint8_t>(n, seed);
    auto const b = test::random_items<std::int32_t>(n, seed + 1);
    std::vector<std::int32_t> out(b);
    sam::linear_recurrence(context, a, out, out, 5);
    REQUIRE(out == sam::reference::linear_recurrence(a, b, std::int32_t{5}));

    std::array<std::int64_t, 3> const c{3, -1, 7}, before{5, -6, 11};
    std::vector<std::int64_t> filtered(b.size());
    sam::linear_filter(context, b, c, filtered);
    REQUIRE(filtered == sam::reference::linear_filter(b, c, {}));
    sam::linear_filter(context, b, c, filtered, before);
    REQUIRE(filtered == sam::reference::linear_filter(b, c, before));
  }
}

TEMPLATE_TEST_CASE_SIG("summed-area tables equal a plain loop on fibers", "[simt]",
                       ((int Warp), Warp), 32, 64) {
  for (index_t const width : {1, 3, 32, 75, 1000})
    for (index_t const height : {1, 5, 70}) {
      index_t const n = height * width;
      auto const seed = test::seed_for(n);
      CAPTURE(height, width, seed);
      simt::context<Warp> context(3, seed);
      auto const ordered_key = test::random_items<std::int16_t>(n, seed);
      std::vector<std::int32_t> table(ordered_key.size());
      sam::summed_area_table(context, ordered_key, width, table);
      REQUIRE(table == sam::reference::summed_area_table<std::int32_t>(ordered_key, width, false));
      sam::exclusive_summed_area_table(context, ordered_key, width, table);
      REQUIRE(table == sam::reference::summed_area_table<std::int32_t>(ordered_key, width, true));
    }
}

}  // namespace
