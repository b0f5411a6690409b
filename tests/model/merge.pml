// SPDX-License-Identifier: MIT
// A model of how the blocks of a cluster hand one another what they merge (backends/sam/gpu/sort/merge/cluster_merge_sort.hpp), for
// Spin; tests/model/check runs it.
//
// Round by round each block stores what it has merged in one half of its memory, by turns, waits until all have, and
// then reads what it merges next, of any block. There is one barrier a round: those who are fast may store for the next
// round while others still read. When a block ends its memory is gone, so it waits until all have read for the last
// time. What is read must be of that round.
//
// A barrier is two steps: to arrive, and to wait until all have. What a block has stored is seen by others by the time
// it arrives, if that releases it.
//
// Options, by -D:
//
// K, ROUNDS  blocks, and how often they merge
// DELAY      what a block has stored may be seen at any time later
// FAULT      one of them is there: ONE_HALF, all rounds have the same half; HASTY, a block reads before all have stored;
//            LEAVE, it ends before all have read; RELAXED, it arrives before what it has stored is seen
#ifdef ONE_HALF
#define half_of(b, r) half[(b) * 2]
#else
#define half_of(b, r) half[(b) * 2 + (r) % 2]
#endif
#define GONE 255

byte half[2 * K];  // of which round what lies there is
byte arrived[ROUNDS + 2], ended;

#ifdef DELAY
byte late[K];  // the round whose items are on their way
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
