// SPDX-License-Identifier: MIT
// A Spin model of a reduction, in which only the last row of a scan is stored, on the exchange of exchange.pml. The
// block that has claimed tile 0 follows all others (backends/sam/gpu/scan/reduce_epilogue.hpp, scan_kernel/lookback_warps.hpp). No
// block holds a tile after publishing it. The last tile has two words, in AGGREGATES and in PREFIXES.
//
// FAULT     those of exchange.pml, or one of these. ONE_READ: the follower does not wait for the second word.
//           NO_COUNT: tiles are not counted before the end. HASTY_LEAVE: the follower leaves while it may still claim
//           a tile.
#define LOOKBACK_WARPS 1
#define has_prefix(t) false
#define nobody_asks_for(t) false
#define also_store(t) \
  c = 0; \
  if \
  :: is_last(t) -> store_prefix(slot(t), number(t), 1) \
  :: else \
  fi
#include "exchange.pml"

bool claims_no_more[K];

inline count_up_to(t) {
  d_step {
    do
    :: done < (t) -> counter((base + done) / E)++; done++
    :: else -> break
    od
  }
}

proctype follower(byte b) {
  byte upto, sum, done, at;
  do
  :: upto < tiles - 1 ->
    together {
      there(aggregates, slot(upto), number(upto)) -> sum = sum + aggregates.value[slot(upto)]; upto++;
      if
      :: upto % E == 0 ->
#ifndef NO_COUNT
        count_up_to(upto)
#else
        true
#endif
      :: else
      fi
    }
  :: else -> break
  od;
  together {
    there(aggregates, slot(upto), number(upto));
#ifndef ONE_READ
    there(prefixes, slot(upto), number(upto));
#endif
    assert(kept(prefixes, slot(upto), number(upto)) && prefixes.value[slot(upto)] == 1);
    assert(is_sum_before(sum, upto));
    count_up_to(tiles)
  };
#ifndef HASTY_LEAVE
  claims_no_more[b];
#endif
  leave();
  all_done(b)
}

proctype lookback_warp(byte b; byte c) {
  byte tile, at;
  bool follows;
  claims_no_more[b] = false;
  do
  :: together {
      held[b]?tile;
      if
      :: tile == NONE -> break
      :: tile == 0 -> follows = true; run follower(b)
      :: else
      fi
    }
  od;
  if
  :: follows -> claims_no_more[b] = true
  :: else -> leave(); all_done(b)
  fi
}
