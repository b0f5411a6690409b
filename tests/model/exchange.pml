// SPDX-License-Identifier: MIT
// A model of how the blocks of a pass exchange their carries (backends/sam/gpu/exchange.hpp and
// pass_kernel.hpp), for Spin; tests/model/check runs it.
//
// A tile's local is any number that tells it from others: tile t of launch l counts t + l + 1. Whatever
// waits for ever is a deadlock, and what a block takes for the sum before its tile is compared with what it
// must be. Launches follow one another and clear nothing. Options, by -D:
//
// SCHEME    DECOUPLED, CHAINED or LOOKBACK
// K         blocks of a launch, of which any number, but at least one, are resident at a time
// AHEAD     tiles that a block may have claimed besides the one it works on
// D, E, G   the window, tiles of an epoch, tiles of a group
// TILES     of the first launch; each further one has one more
// LAUNCHES  so many
// FINE      see `together`
// DELAY     stores of totals take effect at any time later, unless a release waits for them
// FAULT     one of them is there: SLOTS=, COUNTERS= of them; FLOOR= tiles too low; NO_ROOM, SPLIT, EARLY,
//           RELAXED, NO_PADDING, NO_BASE
#define DECOUPLED 0
#define CHAINED 1
#define LOOKBACK 2
#ifndef SLOTS
#define SLOTS (2 * D)
#endif
#ifndef COUNTERS
#define COUNTERS (4 * D / E)
#endif
#ifndef FLOOR
#define FLOOR 0
#endif
#define NONE 255

// Waits for what stays true once it is, then one thing that others see: nothing is lost by doing these in
// one go where nothing has to be waited for. Words stay, too, which `finish` asserts.
#ifdef FINE
#define together
#else
#define together atomic
#endif

typedef words { byte value[SLOTS]; byte sequence[SLOTS] }
words locals, totals;
byte base, claims, left, finished[COUNTERS];  // what stays from launch to launch
byte launch, tiles, resident;
chan held[K] = [AHEAD] of { byte };
chan delayed[K] = [1] of { byte, byte };  // a total's tile and value

#define slot(t) ((base + (t)) % SLOTS)
#define number(t) (base + (t) + 1)
#define there(w, t) (w.sequence[slot(t)] == number(t))
#define kept(w, t) (w.sequence[slot(t)] <= number(t))
#define counter(epoch) finished[(epoch) % COUNTERS]
#define complete(epoch) (counter(epoch) >= E * (1 + (epoch) / COUNTERS))
#define max(a, b) ((a) > (b) -> (a) : (b))
#define floor(t) ((t) < D + FLOOR -> 0 : ((t) - D - FLOOR + G) / G * G)
#define sum_before(t) ((t) * ((t) + 1) / 2 + (t) * launch)

inline write(w, t, v) {
#ifdef SPLIT
  w.sequence[slot(t)] = number(t);
  w.value[slot(t)] = v
#else
  d_step { w.value[slot(t)] = v; w.sequence[slot(t)] = number(t) }
#endif
}

inline make_room() {
  if
  :: tile < D
  :: else ->
    for (epoch : max(base / E, epochs) .. (base + tile - D) / E) { complete(epoch) }
    epochs = epoch; epoch = 0
  fi
}

inline read_total(t) {
  atomic { there(totals, t) -> folded = t + 1; sum = totals.value[slot(t)]; upto = folded; carry = sum }
}

// A group that the tile cuts short is read again for the next tile.
inline append_locals() {
  do
  :: upto == tile -> break
  :: upto < tile ->
    atomic {
      there(locals, upto) -> carry = carry + locals.value[slot(upto)]; upto++;
      if
      :: upto % G == 0 -> folded = upto; sum = carry
      :: else
      fi
    }
  od
}

// Down from the tile to a total that is there now, or to the floor.
inline latest_total() {
  d_step { from = tile / G * G; low = max(floor(tile), folded) };
  do
  :: atomic { from <= low -> from = low; low = 0; break }
  :: atomic { from > low && there(totals, from - 1) -> low = 0; break }
  :: atomic { from > low && !there(totals, from - 1) -> from = max(from - G, 0) }
  od
}

inline learn_what_lies_before() {
  upto = folded; carry = sum;
#if SCHEME == CHAINED
  if
  :: folded < tile -> read_total(tile - 1)
  :: else
  fi
#else
#if SCHEME == DECOUPLED
  from = floor(tile);
#endif
  if
  :: folded < from -> read_total(from - 1)
  :: else
  fi;
  from = 0;
  append_locals()
#endif
}

inline publish_total() {
#ifdef DELAY
  delayed[b]!tile, carry + tile + launch + 1
#else
  write(totals, tile, carry + tile + launch + 1)
#endif
}

inline finish() {
#if defined(DELAY) && !defined(RELAXED)
  empty(delayed[b]);  // the release
#endif
  d_step {
#ifndef FAULT
    for (upto : floor(tile) .. tile) { assert(kept(locals, upto)) }
    assert(floor(tile) == 0 || kept(totals, floor(tile) - 1));
    assert(tile == 0 || kept(totals, tile - 1));
#endif
    upto = 0; carry = 0;
    counter((base + tile) / E)++
  }
}

proctype loader(byte b) {
  atomic { resident > 0 -> resident-- }
  do
  :: atomic { nfull(held[b]) && claims < tiles -> held[b]!claims; claims++ }
  :: atomic { nfull(held[b]) && claims >= tiles -> held[b]!NONE; break }
  od
}

proctype carrier(byte b) {
  byte tile, folded, sum, upto, carry, from, low, epoch, epochs;
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
      if
      :: tile == tiles - 1  // nobody asks for the last
      :: else ->
#ifndef NO_ROOM
        make_room();
#endif
#if SCHEME != CHAINED
        write(locals, tile, tile + launch + 1)
#endif
      fi
    };
#if SCHEME == LOOKBACK
    latest_total();
#endif
    together {
      learn_what_lies_before();
      assert(carry == sum_before(tile));
      if
      :: tile == tiles - 1
      :: else -> publish_total()
      fi
    };
#ifndef EARLY
    finish()
#endif
  od;
  empty(delayed[b]);
  d_step {
    left++; resident++;
    if
    :: left < K
    :: else ->  // the last makes ready for the next launch
      claims = 0; left = 0;
#ifndef NO_BASE
      upto = base + tiles;
      base = (upto + E - 1) / E * E;
#ifndef NO_PADDING
      counter((base - 1) / E) = counter((base - 1) / E) + base - upto
#endif
#endif
    fi
  }
}

#ifdef DELAY
active [K] proctype memory() {
  byte tile, value;
end:
  do
  :: atomic { delayed[_pid]?tile, value -> write(totals, tile, value); tile = 0; value = 0 }
  od
}
#define OTHERS K + 1
#else
#define OTHERS 1
#endif

init {
  byte b;
  for (launch : 0 .. LAUNCHES - 1) {
    tiles = TILES + launch;
    select(resident : 1 .. K);
    atomic {
      for (b : 0 .. K - 1) { run loader(b); run carrier(b) }
      b = 0
    }
    _nr_pr == OTHERS
  }
}
