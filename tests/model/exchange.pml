// SPDX-License-Identifier: MIT
// A Spin model of how the blocks of a scan exchange aggregates and inclusive prefixes through the descriptor ring
// (backends/sam/gpu/carry/descriptor_ring.hpp, scan_kernel/ and scan/tile_scheduler.hpp). This file has the
// part that all look-backs share. ordered.pml and strided.pml include it and add the look-back warps; followed.pml
// adds those of a reduction. tests/model/check runs them.
//
// A tile's aggregate (AGGREGATES) is a number that identifies it: tile t of launch l has t + l + 1. A wait without end is
// a deadlock. The exclusive prefix that a block computes is compared, modulo 256, with the right one. Launches follow
// one another. At the end of each, no word may have a generation number that is still to come, and all other state
// must be as at the start. So the result of a launch does not depend on earlier launches.
//
// A store takes effect at once, except with DELAY. In all cases a block that sees a tile counted is assumed to see all
// earlier actions of the counting block, through an acquire load or through a relaxed load and a fence. EARLY and
// RELAXED remove one half of this assumption, NO_WAIT_FOR_SLOT the other.
//
// Options, by -D:
//
// K         blocks of a launch, of which one or all are resident at a time
// AHEAD     tiles that a block may have claimed besides the one that its look-back warps process
// D, E      ring depth, and tiles of an epoch
// INTERVAL  tiles from one published inclusive prefix (PREFIXES) to the next
// TILES     tiles of the first launch; each further launch has MORE more, or 1
// LAUNCHES  number of launches
// COUNTED   the number of tiles lies in memory, so that the last one is published as the others are
// ENOUGH    limit of the base: words are cleared and generation numbers start again before it is reached
// J         tiles of a column panel: the ring holds the tiles of one panel after another, each with a sum of its own,
//           as in backends/sam/gpu/warp/column_panels.hpp. With LEFT_OUT every other panel lacks its last tile
// FINE      see `together`
// DELAY     a warp's store of AGGREGATES, PREFIXES or COUNTS may take effect at any later time, after stores that follow it,
//           unless a fence waits for it
// FAULT     introduces one of these faults. SLOTS=, COUNTERS=: that many of them. FLOOR=: the floor is that many tiles
//           too low. ROUND_DOWN: the floor is rounded down. NO_WAIT_FOR_SLOT, SPLIT, EARLY, RELAXED, NO_PADDING, NO_BASE,
//           NO_CLEAR, NO_LAST_FENCE. With panels also NO_WAIT_FOR_LAST_SLOT, NO_WAIT_FOR_SLOT for their last tiles, and NO_RESTART: a
//           look-back warp carries its sum on to the next panel.
#define AGGREGATES 1
#define PREFIXES 2
#define COUNTS 3
#ifndef SLOTS
#define SLOTS (2 * D)
#endif
#ifndef COUNTERS
#define COUNTERS (4 * D / E)
#endif
#ifndef FLOOR
#define FLOOR 0
#endif
#ifndef MORE
#define MORE 1
#endif
#ifndef ENOUGH
#define ENOUGH 255
#endif
#define NONE 255

// One atomic step that waits for a condition that stays true, and then makes one change visible to others. Merging the
// two loses no behaviour where there is nothing to wait for. Words also stay valid, which `finish` asserts.
#ifdef FINE
#define together
#else
#define together atomic
#endif

typedef words { byte value[SLOTS]; byte sequence[SLOTS] }
words aggregates, prefixes;
byte base, claims, left, finished[COUNTERS];  // state that persists from launch to launch
byte launch, tiles, resident;
chan held[K * LOOKBACK_WARPS] = [AHEAD] of { byte };

#define warp(b, c) ((b) * LOOKBACK_WARPS + (c))
#if LOOKBACK_WARPS > 1  // LOOKBACK_WARPS is 2
#define has_stage(b) (len(held[warp(b, 0)]) < AHEAD && len(held[warp(b, 1)]) < AHEAD)
#else
#define has_stage(b) (len(held[b]) < AHEAD)
#endif
#define slot(t) ((base + (t)) % SLOTS)
#define number(t) (base + (t) + 1)
#define there(w, s, n) (w.sequence[s] == n)
#define kept(w, s, n) (w.sequence[s] <= n)
#define counter(epoch) finished[(epoch) % COUNTERS]
#define complete(epoch) (counter(epoch) >= E * (1 + (epoch) / COUNTERS))
// No block reads the aggregate or the inclusive prefix of the last tile. Tiles of panels are counted from zero in
// every launch.
#ifdef J
#define start_of(t) ((t) / J * J)
#ifdef LEFT_OUT
#define is_left_out(t) ((t) % (2 * J) == 2 * J - 1)
#else
#define is_left_out(t) false
#endif
#define is_last(t) (((t) + 1) % J == 0 || is_left_out((t) + 1))
#define first_count 0
#define next_base (base + tiles)
#else
#define start_of(t) 0
#define is_left_out(t) false
#define is_last(t) ((t) == tiles - 1)
#define first_count base
#define next_base ((base + tiles + E - 1) / E * E)
#endif
#ifdef COUNTED
#define nobody_asks_for(t) false
#endif
#ifndef nobody_asks_for
#define nobody_asks_for(t) (is_last(t) || is_left_out(t))
#endif
#define within(t) ((t) - start_of(t))
#define aggregate_of(t) ((t) + launch + 1)
#define all_before(t) ((t) * ((t) + 1) / 2 + (t) * launch)
#define is_sum_before(x, t) (((all_before(t) - all_before(start_of(t)) - (x)) & 255) == 0)
// The first multiple of `step` greater than t - D + spare, in tiles of a panel.
#ifdef ROUND_DOWN
#define floor_of(t, spare, step) ((t) + 1 + (spare) <= D -> 0 : ((t) + 1 + (spare) - D) / (step) * (step))
#else
#define floor_of(t, spare, step) \
  ((t) + (spare) < D + FLOOR -> 0 : ((t) + (spare) - D - FLOOR + (step)) / (step) * (step))
#endif

inline store(w, s, n, v) {
#ifdef SPLIT
  w.sequence[s] = n;
  w.value[s] = v
#else
  d_step { w.value[s] = v; w.sequence[s] = n }
#endif
}

#ifdef DELAY
typedef delayed { bool on; byte at, number, value }
delayed late_aggregate[K], late_prefix[K * LOOKBACK_WARPS], late_count[K];

inline take_effect(late, w) {
  atomic {
    late.on -> w.value[late.at] = late.value; w.sequence[late.at] = late.number;
    late.on = 0; late.at = 0; late.number = 0; late.value = 0
  }
}

active [K] proctype memory() {
end:
  do
  :: take_effect(late_aggregate[_pid], aggregates)
  :: take_effect(late_prefix[warp(_pid, 0)], prefixes)
#if LOOKBACK_WARPS > 1
  :: take_effect(late_prefix[warp(_pid, 1)], prefixes)
#endif
  :: atomic {
      late_count[_pid].on -> finished[late_count[_pid].at]++; late_count[_pid].on = 0; late_count[_pid].at = 0
    }
  od
}
#define OTHERS K + 1

inline store_sometime(w, s, n, v, late) {
  if
  :: atomic { late.on -> store(w, s, n, v) }
  :: atomic { !late.on -> late.on = 1; late.at = s; late.number = n; late.value = v }
  fi
}
// The fence after an inclusive prefix. It waits for this warp's stores and for the aggregate of its tile, which
// reached it through barriers.
inline fence() {
#ifdef RELAXED
  true
#else
  !has_prefix(tile) || (!late_prefix[warp(b, c)].on && !(late_aggregate[b].on && late_aggregate[b].number <= number(tile)))
#endif
}
#if LOOKBACK_WARPS > 1
#define all_done(b) \
  (!late_aggregate[b].on && !late_prefix[warp(b, 0)].on && !late_prefix[warp(b, 1)].on && !late_count[b].on)
#else
#define all_done(b) (!late_aggregate[b].on && !late_prefix[b].on && !late_count[b].on)
#endif
#else
#define OTHERS 1
inline fence() { true }
#define all_done(b) true
#endif

inline store_aggregate(t) {
#if DELAY == AGGREGATES
  store_sometime(aggregates, slot(t), number(t), aggregate_of(t), late_aggregate[b])
#else
  store(aggregates, slot(t), number(t), aggregate_of(t))
#endif
}
inline store_prefix(s, n, v) {
#if DELAY == PREFIXES
  store_sometime(prefixes, s, n, v, late_prefix[warp(b, c)])
#else
  store(prefixes, s, n, v)
#endif
}

// The model leaves out that a warp remembers complete epochs or looks for them beforehand: complete epochs remain
// complete.
inline wait_for_slot() {
#ifdef NO_WAIT_FOR_SLOT
  true
#else
  if
  :: tile < D
  :: else ->
    for (epoch : first_count / E .. (first_count + tile - D) / E) { complete(epoch) }
    epoch = 0
  fi
#endif
}

inline count_one(t) {
#if DELAY == COUNTS
  if
  :: late_count[b].on -> counter((first_count + t) / E)++
  :: atomic {
      !late_count[b].on -> late_count[b].on = 1; late_count[b].at = (first_count + t) / E % COUNTERS
    }
  fi
#else
  counter((first_count + t) / E)++
#endif
}
inline count(t) {
  count_one(t);
  if
  :: is_left_out(t + 1) -> count_one(t + 1)
  :: else
  fi
}

proctype publisher(byte b) {
  byte tile, c, epoch;
  atomic { resident > 0 -> resident-- }
  do
  :: atomic { has_stage(b) && claims < tiles -> tile = claims; claims++ };
    together {
#if defined(J) && !defined(NO_WAIT_FOR_LAST_SLOT)
      if
      :: is_left_out(tile)
      :: else -> wait_for_slot()
      fi;
#endif
      if
      :: nobody_asks_for(tile)
      :: else ->
#if !defined(J) || defined(NO_WAIT_FOR_LAST_SLOT)
        wait_for_slot();
#endif
#ifndef NO_AGGREGATES
        store_aggregate(tile)
#ifdef also_store
        ;
        also_store(tile)
#endif
#else
        true
#endif
      fi;
      if
      :: is_left_out(tile)
      :: else ->
        for (c : 0 .. LOOKBACK_WARPS - 1) { held[warp(b, c)]!tile }
      fi;
      tile = 0; c = 0
    }
  :: atomic {
      has_stage(b) && claims >= tiles ->
      for (c : 0 .. LOOKBACK_WARPS - 1) { held[warp(b, c)]!NONE }
      break
    }
  od
}

// The last block resets the state for the next launch.
inline leave() {
#if defined(DELAY) && !defined(NO_LAST_FENCE)
#ifdef J
  all_done(b);
#else
  next_base < ENOUGH || all_done(b);
#endif
#endif
  d_step {
    left++; resident++;
    if
    :: left < K
    :: else ->
      claims = 0; left = 0;
#ifdef J
      for (at : 0 .. COUNTERS - 1) { finished[at] = 0 }
      at = 0;
#endif
      if
      :: next_base < ENOUGH ->
#ifndef NO_BASE
#if !defined(NO_PADDING) && !defined(J)
        counter((next_base - 1) / E) = counter((next_base - 1) / E) + next_base - base - tiles;
#endif
        base = next_base
#endif
      :: else ->
        base = 0;
        for (at : 0 .. SLOTS - 1) { clear(aggregates, at); clear(prefixes, at) }
        for (at : 0 .. COUNTERS - 1) { finished[at] = 0 }
        at = 0
      fi
    fi
  }
}
inline clear(w, s) {
#ifdef NO_CLEAR
  true
#else
  w.value[s] = 0; w.sequence[s] = 0
#endif
}

init {
  byte b, c;
  for (launch : 0 .. LAUNCHES - 1) {
    tiles = TILES + launch * MORE;
    if
    :: resident = 1
    :: resident = K
    fi;
    atomic {
      for (b : 0 .. K - 1) {
        run publisher(b);
        for (c : 0 .. LOOKBACK_WARPS - 1) { run lookback_warp(b, c) }
      }
    }
    _nr_pr == OTHERS;
#ifndef FAULT
    d_step {
      assert(claims == 0 && left == 0);
      for (b : 0 .. SLOTS - 1) { assert(aggregates.sequence[b] <= base && prefixes.sequence[b] <= base) }
      for (b : 0 .. COUNTERS - 1) {
        assert(finished[b] == E * ((first_count / E + COUNTERS - 1 - b) / COUNTERS))
      }
    }
#endif
    b = 0; c = 0
  }
}
