// SPDX-License-Identifier: MIT
// Records scans of several types and tile sizes.
#include <sam/linear_recurrence.hpp>
#include <sam/scan.hpp>

#include "cases.hpp"

namespace memory_trace {

void trace_scans() {
  record_scan<std::int32_t, tile<8, 53>>("scan int32");
  record_scan<std::int32_t, tile<8, 19, 2>>("scan int32, small tile");
  record_scan<std::int64_t, tile<8, 25>>("scan int64");
  record_scan<std::int16_t, tile<8, 110>>("scan int16");
  record_scan<std::int8_t, tile<8, 220>>("scan int8");
  record_scan<double, tile<12, 17>>("scan double");
  // Tile sizes that the back end does not use, to show what they would cost.
  record_scan<std::int32_t, tile<8, 52>>("scan int32, 52 items a thread (not used)");
  record_scan<std::int32_t, tile<8, 48>>("scan int32, 48 items a thread (not used)");

  index_t const n = 2 * 8 * 32 * 53;
  auto const in = random_array<std::int32_t>(n);
  array<std::int32_t> out(n);
  auto const context = make_context<tile<8, 53>>();
  record("scan int32, exclusive", n, *context, [&] { sam::exclusive_scan(*context, in, out); });

  index_t const of_pairs = 2 * 8 * 32 * 25;
  auto const a = random_array<float>(of_pairs, 2), b = random_array<float>(of_pairs);
  array<float> x(of_pairs);
  auto const of_recurrence = make_context<tile<8, 25>>();
  record("linear recurrence float", of_pairs, *of_recurrence,
         [&] { sam::linear_recurrence(*of_recurrence, a, b, x); });
}

}  // namespace memory_trace
