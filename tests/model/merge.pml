// SPDX-License-Identifier: MIT
// A Spin model of how the blocks of a cluster exchange merged runs
// (backends/sam/gpu/sort/merge/cluster_merge_sort.hpp). tests/model/check runs it.
//
// In each round, a block stores what it has merged in one half of its memory, alternately, waits until all blocks have
// stored, and then reads the runs that it merges next from any block. There is one barrier per round, so fast blocks
// may store for the next round while others still read. A block's memory disappears when the block ends, so it waits
// until all blocks have read for the last time. Everything read must be of the current round.
//
// A barrier has two steps: arrive and wait. With release semantics, a block's stores are visible to other blocks by
// the time it arrives.
//
// Options, by -D:
//
// K, ROUNDS  blocks, and rounds of merges
// DELAY      a block's stores may become visible at any later time
// FAULT      one planted fault: ONE_HALF, all rounds use the same half; HASTY, a block reads before all have stored;
//            LEAVE, it ends before all have read; RELAXED, it arrives before its stores are visible
#ifdef ONE_HALF
#define half_of(b, r) half[(b) * 2]
#else
#define half_of(b, r) half[(b) * 2 + (r) % 2]
#endif
#define GONE 255

byte half[2 * K];  // the round of the items in each half
byte arrived[ROUNDS + 2], ended;

#ifdef DELAY
byte late[K];  // the round of stores that are not yet visible
#define all_done(b) (late[b] == 0)

proctype memory(byte b) {
end:
  do
  :: atomic { late[b] != 0 -> half_of(b, late[b]) = late[b]; late[b] = 0 }
  od
}
#else
#define all_done(b) true
#endif

proctype block(byte b) {
  byte r, k;
  for (r : 1 .. ROUNDS) {
#ifdef DELAY
    all_done(b);
    late[b] = r;
#else
    half_of(b, r) = r;
#endif
#ifndef RELAXED
    all_done(b);
#endif
    arrived[r]++;
#ifndef HASTY
    arrived[r] == K;
#endif
    for (k : 0 .. K - 1) { assert(half_of(k, r) == r) }
  }
  arrived[ROUNDS + 1]++;
#ifndef LEAVE
  arrived[ROUNDS + 1] == K;
#endif
  atomic { half[b * 2] = GONE; half[b * 2 + 1] = GONE; ended++ }
}

init {
  byte i;
  atomic {
    for (i : 0 .. K - 1) {
      run block(i);
#ifdef DELAY
      run memory(i)
#endif
    }
  }
  ended == K
}
