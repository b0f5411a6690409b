// SPDX-License-Identifier: MIT
// A Spin model of how teams of blocks, which all run at the same time, exchange counts for one segment after the other
// (backends/sam/gpu/sort/segmented/blocks_per_segment.hpp). tests/model/check runs it.
//
// A list has E entries or fewer. A segment has from 1 to B of them, one after the other, in any order of segments. Block b
// of B takes entries b, b + B and so on. In each of ROUNDS rounds, the blocks of a segment store their counts, meet, read
// the counts of one another, and meet again. A count must be that of the segment and round. A store may become visible to
// other blocks at any later time. Block 0 may hold a count of another block in its cache from any earlier time. The first
// fence of a meeting waits until the block's stores are visible. The second one empties the cache.
//
// Options, by -D:
//
// B, E, ROUNDS  blocks, most entries, and rounds of a segment
// FAULT         introduces one of these faults. NO_FENCE: no fence before a block is counted. NO_FENCE_BEHIND: none after it.
//               ONE_MEETING: blocks do not meet again once they have read. MORE: a segment may have B + 1 entries. APART: the
//               blocks run one after the other. BACKWARDS: block 0 takes its entries in descending order. SHORT: a block waits
//               for one fewer than all.
#define NOTHING B
#ifdef MORE
#define MOST (B + 1)
#else
#define MOST B
#endif

byte slot[B];  // the counts of each block, as all blocks see them
byte late[B];  // a store that is not yet visible
byte cached_at = NOTHING, cached;
byte part[E], parts[E], come[E], entries, ended;
#define stamp (1 + first * ROUNDS + round)
#define found(i) (b == 0 && cached_at == (i) -> cached : slot[i])

proctype memory(byte i) {
end:
  do
  :: atomic { late[i] != 0 -> slot[i] = late[i]; late[i] = 0 }
  od
}

proctype cache() {
  byte i;
end:
  do
  :: atomic { cached_at == NOTHING -> select(i : 1 .. B - 1); cached_at = i; cached = slot[i]; i = 0 }
  od
}

inline meet() {
#ifndef NO_FENCE
  late[b] == 0;
#endif
  d_step { come[first]++; awaited = awaited + count }
#ifdef SHORT
  come[first] + 1 >= awaited;
#else
  come[first] >= awaited;
#endif
#ifndef NO_FENCE_BEHIND
  d_step { cached_at = (b == 0 -> NOTHING : cached_at); cached = (b == 0 -> 0 : cached) }
#endif
}

proctype block(byte b) {
  byte k, first, count, awaited, round, i;
#ifdef APART
  ended == b;
#endif
  k = b;
#ifdef BACKWARDS
  do
  :: b == 0 && k + B < entries -> k = k + B
  :: else -> break
  od;
#endif
  do
  :: k < entries ->
    d_step { first = k - part[k]; count = parts[k]; awaited = 0; round = 0 }
    do
    :: round < ROUNDS && count > 1 ->
      late[b] = stamp;
      meet();
      i = 0;
      do
      :: i < count -> atomic { assert((first + i) % B == b || found((first + i) % B) == stamp); i++ }
      :: else -> break
      od;
#ifndef ONE_MEETING
      meet();
#endif
      round++
    :: else -> break
    od;
#ifdef BACKWARDS
    if
    :: b == 0 && k == 0 -> break
    :: b == 0 && k > 0 -> k = k - B
    :: else -> k = k + B
    fi
#else
    k = k + B
#endif
  :: else -> break
  od;
  ended++
}

init {
  byte i, p;
  atomic {
    do
    :: entries < E ->
      select(p : 1 .. MOST);
      if
      :: entries + p <= E ->
        for (i : 0 .. p - 1) { part[entries + i] = i; parts[entries + i] = p }
        entries = entries + p
      :: else -> break
      fi
    :: break
    od;
    for (i : 0 .. B - 1) { run memory(i) }
    run cache();
    for (i : 0 .. B - 1) { run block(i) }
  }
  ended == B
}
