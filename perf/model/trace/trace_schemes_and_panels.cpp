// SPDX-License-Identifier: MIT
// Records scans under the other carry schemes, over column panels, and backward.
#include <sam/scan.hpp>

#include "cases.hpp"

namespace memory_trace {

void trace_schemes_and_panels() {
  using namespace sam::carry;
  using sam::plus, sam::scan_policy;
  constexpr auto forward = sam::direction::forward, backward = sam::direction::backward;
  using int32 = tile<8, 53>;
  record_scan<std::int32_t, int32, scan_policy<plus, 1, 1, decoupled, backward>>(
      "scan int32, backward");
  record_scan<std::int32_t, int32, scan_policy<plus, 1, 1, lookback>>("scan int32, lookback");
  record_scan<std::int32_t, int32, scan_policy<plus, 1, 1, reduce_then_scan>>(
      "scan int32, reduce_then_scan");
  record_scan<std::int32_t, int32, scan_policy<plus, 1, 1, scan_then_propagate>>(
      "scan int32, scan_then_propagate");

  using panels = scan_policy<plus, 1, sam::run_time_tuple, decoupled, forward>;
  for (index_t const components : {index_t{3}, index_t{40}}) {
    panels policy;
    policy.components = components;
    record_scan<std::int32_t, tile<6, 65>>(
        "scan int32, tuples of " + std::to_string(components) + " by panels", policy, 6 * 65 * 32);
  }
}

}  // namespace memory_trace
