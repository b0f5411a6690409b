// SPDX-License-Identifier: MIT
// Carry schemes and scan policies that are chosen at run time.
#pragma once

#include <sam/context.hpp>
#include <sam/scan_policy.hpp>

#include "engine.hpp"

namespace sam::tool {

/// A carry scheme that is chosen at run time, so that kernels are compiled once and not once per
/// scheme. The cost is one branch per tile.
struct chosen_scheme {
  static inline carry_scheme choice = carry_scheme::decoupled;

  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void announce(Descriptors& descriptors, index_t tile) {
    if (choice == carry_scheme::chained)
      carry::chained::announce(descriptors, tile);
    else if (choice == carry_scheme::lookback)
      carry::lookback::announce(descriptors, tile);
    else
      carry::decoupled::announce(descriptors, tile);
  }

  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    if (choice == carry_scheme::chained)
      carry::chained::exclusive_prefix(descriptors, tile, known);
    else if (choice == carry_scheme::lookback)
      carry::lookback::exclusive_prefix(descriptors, tile, known);
    else
      carry::decoupled::exclusive_prefix(descriptors, tile, known);
  }
};
static_assert(single_pass_scheme<chosen_scheme>);

/// Calls use(policy) with a scan policy of the tool. On a CPU, it is a single-pass policy for
/// tuples of any size with the chosen scheme. A device's kernel has scheme and tuple size compiled
/// in, which takes a second each. So a device scans only single items, and tuples of audio with the
/// default scheme, in one pass. Orders above 1 have no other options on a device.
template <int Order, bool Audio = false, class Context, class Operator, class Use>
void with_policy(Context const&, index_t tuple_size, Operator op, Use use) {
  if constexpr (!has_own_memory<Context>) {
    use(carried_by<chosen_scheme>(tuples_of<Order>(tuple_size, op)));
  } else {
    bool const is_default = chosen_scheme::choice == carry_scheme::decoupled;
    scan_policy<Operator, Order> const single{op};
    if constexpr (Audio)
      if (is_default)
        return use(tuples_of<Order>(tuple_size, op));
    if constexpr (Order == 1) {
      if (tuple_size > 1)
        return use(carried_by<carry::reduce_then_scan>(tuples_of(tuple_size, op)));
      if (chosen_scheme::choice == carry_scheme::chained)
        return use(carried_by<carry::chained>(single));
      if (chosen_scheme::choice == carry_scheme::lookback)
        return use(carried_by<carry::lookback>(single));
    }
    use(single);
  }
}

}  // namespace sam::tool
