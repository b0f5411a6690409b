// SPDX-License-Identifier: MIT
// A Spin model of the look-back warp of backends/sam/gpu/carry/ordered_lookback.hpp, on the exchange of exchange.pml.
// Each block has one such warp, which adds up aggregates in groups, from left to right.
//
// SCHEME    DECOUPLED, LOOKBACK, or CHAINED
// LANES     how many groups back a tile looks for an inclusive prefix before it looks again
// G         tiles of a group; INTERVAL is 1 for CHAINED, G for LOOKBACK, and a multiple of G for DECOUPLED
#define DECOUPLED 0
#define CHAINED 1
#define LOOKBACK 2
#define LOOKBACK_WARPS 1
#ifndef LANES
#define LANES 2
#endif
#if SCHEME == CHAINED
#define INTERVAL 1
#define NO_AGGREGATES
#elif SCHEME == LOOKBACK
#define INTERVAL G
#endif
#define has_prefix(t) (!is_last(t) && (within(t) + 1) % INTERVAL == 0)
#include "exchange.pml"
#define floor(t) (start_of(t) + floor_of(within(t), 0, (INTERVAL > G -> INTERVAL : G)))
#define max(x, y) ((x) > (y) -> (x) : (y))
#define aligned (start_of(tile) + within(tile) / G * G)

inline read_prefix(t) {
  atomic {
    there(prefixes, slot(t), number(t)) -> folded = t + 1; sum = prefixes.value[slot(t)]; upto = folded; carry = sum
  }
}

// The warp reads a group again for the next tile if the current tile lies within it.
inline append_aggregates() {
  do
  :: upto == tile -> break
  :: upto < tile ->
    atomic {
      there(aggregates, slot(upto), number(upto)) -> carry = carry + aggregates.value[slot(upto)]; upto++;
      if
      :: within(upto) % G == 0 -> folded = upto; sum = carry
      :: else
      fi
    }
  od
}

// Any published inclusive prefix will do. None is needed if the floor is within reach.
inline latest_prefix() {
  atomic {
    from = max(floor(tile), folded);
    if
    :: aligned <= from + LANES * G
    :: aligned > from && there(prefixes, slot(aligned - 1), number(aligned - 1)) -> from = aligned
    :: aligned > from + G && there(prefixes, slot(aligned - G - 1), number(aligned - G - 1)) -> from = aligned - G
    fi
  }
}

inline learn_what_lies_before() {
#if defined(J) && !defined(NO_RESTART)
  if
  :: folded < start_of(tile) -> folded = start_of(tile); sum = 0
  :: else
  fi;
#endif
  upto = folded; carry = sum;
#if SCHEME == CHAINED
  if
  :: folded < tile -> read_prefix(tile - 1)
  :: else
  fi
#else
#if SCHEME == DECOUPLED
  from = floor(tile);
#else
  latest_prefix();
#endif
  if
  :: folded < from -> read_prefix(from - 1)
  :: else
  fi;
  from = 0;
  append_aggregates()
#endif
}

inline finish() {
  d_step {
#ifndef FAULT
    for (upto : floor(tile) .. tile) {
      assert(kept(aggregates, slot(upto), number(upto)));
      assert(upto == start_of(tile) || kept(prefixes, slot(upto - 1), number(upto - 1)))
    }
#endif
    upto = 0; carry = 0
  }
  count(tile)
}

proctype lookback_warp(byte b; byte c) {
  byte tile, folded, sum, upto, carry, from, at;
  do
  :: together {
      held[b]?tile;
      if
      :: tile == NONE -> break
      :: else
      fi;
#ifdef EARLY
      finish();
#endif
      learn_what_lies_before();
      assert(is_sum_before(carry, tile));
      if
      :: has_prefix(tile) -> store_prefix(slot(tile), number(tile), carry + aggregate_of(tile))
      :: else
      fi
    };
    together {
      fence();
#ifndef EARLY
      finish()
#endif
    }
  od;
  leave();
  all_done(b)
}
