// SPDX-License-Identifier: MIT
// A Spin model of the look-back warps of backends/sam/gpu/carry/strided_lookback.hpp, on the exchange of exchange.pml.
// Each block has one or two such warps, and each of their lanes adds up the tiles of its class. The first warp counts
// tiles and leaves for the whole block.
//
// LOOKBACK_WARPS  look-back warps of a block
// RUNS      lanes of a warp
// FAULT     those of exchange.pml, or one of these. SPARE=: the floor leaves that many tiles for the slots of a
//           checkpoint. HASTY: the other look-back warp arrives before it publishes. ALSO_FIRST=1: the first tile has
//           a checkpoint.
#define CLASSES (LOOKBACK_WARPS * RUNS)
#ifndef SPARE
#define SPARE CLASSES
#endif
#ifndef ALSO_FIRST
#define ALSO_FIRST 0
#endif
#define has_prefix(t) (!is_last(t) && within(t) % INTERVAL == 0 && (within(t) > 0 || ALSO_FIRST))
#include "exchange.pml"
#define floor(t) (start_of(t) + floor_of(within(t), SPARE, INTERVAL))
#define lanes_class(lane) (c * RUNS + (lane))
#define first_from(t, lane) ((t) + (CLASSES + lanes_class(lane) - within(t) % CLASSES) % CLASSES)

chan parts[K * LOOKBACK_WARPS] = [AHEAD + 1] of { byte };

inline read_checkpoint(t) {
  for (lane : 0 .. RUNS - 1) {
    atomic {
      there(prefixes, slot(t + lanes_class(lane)), number(t)) ->
      sum[lane] = prefixes.value[slot(t + lanes_class(lane))]
    }
  }
}

inline append_aggregates() {
  for (lane : 0 .. RUNS - 1) {
    upto = first_from(folded, lane);
    do
    :: upto >= tile -> break
    :: upto < tile ->
      atomic {
        there(aggregates, slot(upto), number(upto)) ->
        sum[lane] = sum[lane] + aggregates.value[slot(upto)]; upto = upto + CLASSES
      }
    od;
    carry = carry + sum[lane]
  }
}

inline learn_what_lies_before() {
#if defined(J) && !defined(NO_RESTART)
  if
  :: folded < start_of(tile) ->
    folded = start_of(tile);
    for (lane : 0 .. RUNS - 1) { sum[lane] = 0 }
    lane = 0
  :: else
  fi;
#endif
  if
  :: folded < floor(tile) -> read_checkpoint(floor(tile)); folded = floor(tile)
  :: else
  fi;
  append_aggregates();
  folded = tile; upto = 0
}

inline publish_checkpoint() {
  if
  :: has_prefix(tile) ->
    for (lane : 0 .. RUNS - 1) { store_prefix(slot(tile + lanes_class(lane)), number(tile), sum[lane]) }
  :: else
  fi;
  lane = 0
}

inline finish() {
  d_step {
#ifndef FAULT
    for (upto : floor(tile) .. tile) { assert(kept(aggregates, slot(upto), number(upto))) }
    for (upto : floor(tile) .. floor(tile) + CLASSES - 1) {
      assert(floor(tile) == start_of(tile) || kept(prefixes, slot(upto), number(floor(tile))))
    }
#endif
    upto = 0; carry = 0
  }
  count(tile)
}

proctype lookback_warp(byte b; byte c) {
  byte tile, folded, sum[RUNS], lane, upto, carry, part, at;
  do
  :: together {
      held[warp(b, c)]?tile;
      if
      :: tile == NONE -> break
      :: else
      fi;
#ifdef EARLY
      if
      :: c == 0 -> finish()
      :: else
      fi;
#endif
      learn_what_lies_before();
#ifdef HASTY
      if
      :: c > 0 -> parts[warp(b, c)]!carry; carry = 0
      :: else
      fi
    };
    together {
#endif
      publish_checkpoint()
    };
    together {
      fence();
#if LOOKBACK_WARPS > 1
      if
      :: c > 0 ->
#ifndef HASTY
        parts[warp(b, c)]!carry; carry = 0
#endif
      :: else ->
        parts[warp(b, 1)]?part; carry = carry + part; part = 0
#endif
        assert(is_sum_before(carry, tile));
#ifndef EARLY
        finish()
#else
        carry = 0
#endif
#if LOOKBACK_WARPS > 1
      fi
#endif
    }
  od;
  if
  :: c == 0 -> leave(); all_done(b)
  :: else
  fi
}
