// SPDX-License-Identifier: MIT
// A Spin model of how the blocks of a cluster exchange the runs that they merge
// (backends/sam/gpu/sort/merge/cluster_merge_sort.hpp). tests/model/check runs it.
//
// In each round every block stores its merged run in one half of its memory, in turn, and waits at a barrier for all
// blocks. Then it reads what it merges next from any block. There is one barrier a round, so fast blocks may store for
// the next round while others still read. A block's memory is gone when it ends, so it waits until all have read for
// the last time. Every value read must be of the current round.
//
// A barrier has two steps: arrive, and wait until all have arrived. A block's stores are visible to others by the time
// it arrives, if the arrival has release semantics.
//
// Options, by -D:
//
// K, ROUNDS  blocks, and number of merges
// DELAY      a store may become visible at any later time
// FAULT      introduces one of these faults. ONE_HALF: all rounds use the same half. HASTY: a block reads before all
//            have stored. LEAVE: it ends before all have read. RELAXED: it arrives before its stores are visible.
#ifdef ONE_HALF
#define half_of(b, r) half[(b) * 2]
#else
#define half_of(b, r) half[(b) * 2 + (r) % 2]
#endif
#define GONE 255

byte half[2 * K];  // the round whose run each half holds
byte arrived[ROUNDS + 2], ended;

#ifdef DELAY
byte late[K];  // the round whose items are not yet visible
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
