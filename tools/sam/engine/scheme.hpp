// SPDX-License-Identifier: MIT
#pragma once

#include <sam/scan_policy.hpp>

#include "engine.hpp"

namespace sam::tool {

/// A carry scheme that is chosen when the tool runs, so that every kernel is compiled once and not
/// once per scheme: what a scheme does per tile is worth a branch.
struct chosen_scheme {
  static inline carry_scheme choice = carry_scheme::decoupled;

  template <carry_mailbox Mailbox>
  SAM_FUNCTION static void announce(Mailbox& mail, index_t tile) {
    if (choice == carry_scheme::chained)
      carry::chained::announce(mail, tile);
    else if (choice == carry_scheme::lookback)
      carry::lookback::announce(mail, tile);
    else
      carry::decoupled::announce(mail, tile);
  }

  template <carry_mailbox Mailbox>
  SAM_FUNCTION static void before(Mailbox& mail, index_t tile, typename Mailbox::state& known) {
    if (choice == carry_scheme::chained)
      carry::chained::before(mail, tile, known);
    else if (choice == carry_scheme::lookback)
      carry::lookback::before(mail, tile, known);
    else
      carry::decoupled::before(mail, tile, known);
  }
};
static_assert(single_pass_scheme<chosen_scheme>);

/// The policy of all of the tool's scans that pass once: tuples of any size, that scheme.
template <int Order, class Operator>
auto once(index_t tuple_size, Operator op) {
  return carried_by<chosen_scheme>(tuples_of<Order>(tuple_size, op));
}

}  // namespace sam::tool
