// SPDX-License-Identifier: MIT
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::carry {

/// Decoupled look-back: walk back over aggregates until a total is found, then come forward again.
/// The walk only looks; the aggregates are appended on the way forward, so that the result does not
/// depend on where the walk happened to end.
/// Source: Merrill, Garland, NVR-2016-002; the way forward is ours.
struct lookback {
  static constexpr auto totals = asked_totals::named;

  template <carry_mailbox Mailbox>
  SAM_FUNCTION static void announce(Mailbox& mail, index_t tile) {
    mail.publish_local(tile);
  }

  template <carry_mailbox Mailbox>
  SAM_FUNCTION static void before(Mailbox& mail, index_t tile, typename Mailbox::state& known) {
    index_t const floor = sam::max_of(mail.floor(tile), mail.folded(known));
    index_t const from = mail.latest_total(floor, tile);
    if (from > mail.folded(known))
      mail.read_total(from - 1, known);
    mail.append_locals(tile, known);
  }
};
static_assert(single_pass_scheme<lookback>);

}  // namespace sam::carry
