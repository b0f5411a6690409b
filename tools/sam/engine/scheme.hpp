// SPDX-License-Identifier: MIT
#pragma once

#include <sam/context.hpp>
#include <sam/scan_policy.hpp>

#include "engine.hpp"

namespace sam::tool {

/// A carry scheme that is chosen when the tool runs, so that every kernel is compiled once and not
/// once per scheme: what a scheme does per tile is worth a branch.
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

/// Calls use(policy) with the policy of one of the tool's scans: on a CPU one that passes once,
/// over tuples of any size, by that scheme. A kernel of a device knows both when it is compiled,
/// which takes a second; so what passes once are single items, and the audio's tuples by the
/// default scheme. Of an order above 1 nothing else may be asked of a device.
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
