// SPDX-License-Identifier: MIT
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::carry {

/// LightScan's scheme: wait for the total of the tile before, nothing else: one word read per
/// tile, and a chain through all blocks.
/// Source: Liu, Aluru, "LightScan", 2016, section III.
struct chained {
  template <carry_mailbox Mailbox>
  SAM_FUNCTION static void announce(Mailbox&, index_t) {}

  template <carry_mailbox Mailbox>
  SAM_FUNCTION static void before(Mailbox& mail, index_t tile, typename Mailbox::state& known) {
    // A total never covers less than `known`: both come from tiles before this one.
    if (mail.folded(known) < tile) {
      mail.read_total(tile - 1, known);
    }
  }
};
static_assert(single_pass_scheme<chained>);

}  // namespace sam::carry
