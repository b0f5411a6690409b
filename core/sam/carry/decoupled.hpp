// SPDX-License-Identifier: MIT
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::carry {

/// SAM's scheme: publish each aggregate at once; to learn what lies before a tile, read the
/// aggregates since this block last knew. A write, then independent reads, so nothing is handed
/// from block to block. A block that fell far behind takes up the thread at a total. Source:
/// Maleki, Yang, Burtscher, PLDI 2016, section 2.2 and figure 2.
struct decoupled {
  static constexpr auto totals = asked_totals::at_floors;

  template <carry_mailbox Mailbox>
  SAM_FUNCTION static void announce(Mailbox& mail, index_t tile) {
    mail.publish_local(tile);
  }

  template <carry_mailbox Mailbox>
  SAM_FUNCTION static void before(Mailbox& mail, index_t tile, typename Mailbox::state& known) {
    if (mail.folded(known) < mail.floor(tile))
      mail.read_total(mail.floor(tile) - 1, known);
    mail.append_locals(tile, known);
  }
};
static_assert(single_pass_scheme<decoupled>);

}  // namespace sam::carry
