// SPDX-License-Identifier: MIT
// How the totals of tiles travel between the blocks that work on them.
//
// A single-pass scheme is three functions over a mailbox, written once for all back ends: the same
// text runs in a kernel and on host threads. A multi-pass scheme is a name; a back end gives it
// its passes.
#pragma once

#include <sam/portable.hpp>

#include <concepts>

namespace sam {

/// Which totals a scheme reads: those of any tiles, those that floor and latest_total named, or
/// those at floors. A mailbox may leave out the others. A scheme says so by a member `totals`.
enum class asked_totals { any, named, at_floors };

/// What a single-pass scheme may ask of a back end's mailbox. `state` is the back end's type for
/// the aggregate of a run of tiles; a tile's own aggregate is `local`, everything up to and
/// including a tile is its `total`. Totals are the mailbox's to publish, those at least that the
/// scheme asks for.
///
/// folded(state)       tiles that `state` covers: 0 when nothing is known yet
/// floor(tile)         the smallest number of tiles from which `tile` may still be reached by
///                     locals: earlier ones may have been overwritten. Tiles come in ascending
///                     order
/// read_total(t, s)    waits for the total of tile t and copies it to s, which then covers t + 1
/// append_locals(t, s) waits for the locals of the tiles from where s stands up to, not including,
///                     t, and appends them in tile order
/// latest_total(f, t)  how many tiles the latest of the totals covers that are there before tile
///                     t, or f if it would cover fewer
/// publish_local(t)    makes the block's aggregate of tile t visible
template <class M>
concept carry_mailbox = requires(M mail, typename M::state& known, index_t tile) {
  { mail.folded(known) } -> std::same_as<index_t>;
  { mail.floor(tile) } -> std::same_as<index_t>;
  mail.read_total(tile, known);
  mail.append_locals(tile, known);
  { mail.latest_total(tile, tile) } -> std::same_as<index_t>;
  mail.publish_local(tile);
};

namespace archetype {
struct mailbox {
  struct state {};
  index_t folded(state const&) const;
  index_t floor(index_t) const;
  void read_total(index_t, state&) const;
  void append_locals(index_t, state&) const;
  index_t latest_total(index_t, index_t) const;
  void publish_local(index_t) const;
};
static_assert(carry_mailbox<mailbox>);
}  // namespace archetype

/// announce   as soon as a tile's own aggregate is known: publish it, or don't
/// before     bring `known` from wherever it stands up to all tiles before `tile`, from a total or
///            from `known` itself. Mailboxes append in an order that depends on the tiles alone, so
///            the bits do not depend on where a scheme happened to start
template <class C>
concept single_pass_scheme = requires(archetype::mailbox mail, archetype::mailbox::state& known,
                                      index_t tile) {
  C::announce(mail, tile);
  C::before(mail, tile, known);
};

template <class C>
inline constexpr asked_totals totals_asked_by = [] {
  if constexpr (requires { C::totals; })
    return C::totals;
  else
    return asked_totals::any;
}();

template <class C>
concept multi_pass_scheme = requires {
  requires(C::passes > 1);
};

template <class C>
concept carry_scheme = single_pass_scheme<C> || multi_pass_scheme<C>;

}  // namespace sam
