// SPDX-License-Identifier: MIT
// Defines the multi-pass carry schemes, in which no block waits for another within a pass.
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::inline v0_1::carry {

/// Reduces every tile, scans the aggregates, then scans every tile from its exclusive prefix. It
/// reads the input twice, 3n traffic. No block waits for another within a pass, so it also runs on
/// devices without forward progress guarantees. Source: Dotsenko et al., "Fast scan algorithms on
/// graphics processors", ICS 2008.
struct reduce_then_scan {
  static constexpr int passes = 2;
};

/// Scans every tile by itself, scans the aggregates, then combines every item with its tile's
/// exclusive prefix: the textbook three phases, 4n traffic. The last phase regroups operands, so
/// floats may differ in the last bits from the other schemes, but never from run to run.
/// Source: the hierarchical algorithm of Maleki, Yang, Burtscher, PLDI 2016, figure 1.
struct scan_then_propagate {
  static constexpr int passes = 3;
};

/// The carry scheme for jobs that do not store every scan value, so that prefixes cannot be added
/// to stored values later. These are reductions, and segmented scans, whose stored values do not
/// show where segments begin.
template <carry_scheme Scheme>
using without_stored_values =
    std::conditional_t<std::is_same_v<Scheme, scan_then_propagate>, reduce_then_scan, Scheme>;

static_assert(multi_pass_scheme<reduce_then_scan> && multi_pass_scheme<scan_then_propagate>);

}  // namespace sam::inline v0_1::carry
