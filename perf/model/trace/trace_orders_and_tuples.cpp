// SPDX-License-Identifier: MIT
// Records scans of higher orders and of tuples.
#include <sam/scan.hpp>

#include "cases.hpp"

namespace memory_trace {

void trace_orders_and_tuples() {
  using sam::plus, sam::scan_policy;
  record_scan<std::int32_t, tile<8, 53>, scan_policy<plus, 2>>("scan int32, order 2");
  record_scan<std::int32_t, tile<8, 45>, scan_policy<plus, 8>>("scan int32, order 8");
  record_scan<std::int32_t, tile<8, 53>, scan_policy<plus, 1, 2>>("scan int32, tuples of 2");
  record_scan<std::int32_t, tile<12, 33>, scan_policy<plus, 1, 5>>("scan int32, tuples of 5");
  record_scan<std::int32_t, tile<8, 53>, scan_policy<plus, 1, 8>>("scan int32, tuples of 8");
  record_scan<std::int32_t, tile<10, 79>, scan_policy<plus, 1, 17>>("scan int32, tuples of 17");
}

}  // namespace memory_trace
