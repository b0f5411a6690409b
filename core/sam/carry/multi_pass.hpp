// SPDX-License-Identifier: MIT
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::carry {

/// Reduce every tile, combine the aggregates, then scan every tile from what lies before it: reads
/// the input twice, 3n traffic. No block waits for another inside a pass, so it also serves
/// devices that promise no forward progress.
/// Source: Dotsenko et al., "Fast scan algorithms on graphics processors", ICS 2008.
struct reduce_then_scan {
  static constexpr int passes = 2;
};

/// Scan every tile by itself, combine the totals, then bring them into every item: the textbook
/// three phases, 4n traffic. The last step regroups, so floats may differ in the last bits from
/// the other schemes (never from run to run).
/// Source: the hierarchical algorithm of Maleki, Yang, Burtscher, PLDI 2016, figure 1.
struct scan_then_propagate {
  static constexpr int passes = 3;
};

/// The scheme for jobs that do not store every scanned value, so that none can be brought into them
/// later: reductions, and segmented scans, whose stored values do not tell where heads are.
template <carry_scheme Scheme>
using without_stored_values =
    std::conditional_t<std::is_same_v<Scheme, scan_then_propagate>, reduce_then_scan, Scheme>;

static_assert(multi_pass_scheme<reduce_then_scan> && multi_pass_scheme<scan_then_propagate>);

}  // namespace sam::carry
