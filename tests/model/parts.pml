// SPDX-License-Identifier: MIT
// A model of how the workers of a CPU share a scan in one part more than there are of them
// (backends/sam/host/scan/in_cache_scan.hpp), for Spin; tests/model/check runs it.
//
// Worker w takes its own share of a step and then those that nobody has taken. When all shares of the first step are
// done, what lies before each part must be known, and at the end each part must have been scanned once. Whoever waits
// for ever is a deadlock. Accesses are in order: a flag only says who takes a share, and what is done is counted by
// additions that release what was written, for a load that acquires it.
//
// Options, by -D:
//
// P          workers
// ONE_BY_ONE each worker begins when the one before has ended, as on a pool that has one thread
// FAULT      one of them is there: OWN_ONLY, a worker takes no share but its own; APART, it looks at a flag in one step
//            and sets it in another; EARLY, it counts a share as done before it is; HASTY, it does not wait for others

bool taken[2 * P]
bool reduced[P]    // or scanned, if it is part 0
byte scanned[P + 1]
byte counted, ended

inline take(which) {
#ifdef APART
  if
  :: taken[which] -> mine = false
  :: else -> taken[which] = true; mine = true
  fi
#else
  atomic { mine = !taken[which]; taken[which] = true }
#endif
}

proctype worker(byte w) {
  byte k, s;
  bool mine;
#ifdef ONE_BY_ONE
  ended == w;
#endif
  k = 0;
  do
  :: k < P ->
    s = (w + k) % P;
    take(s);
    if
    :: mine ->
#ifdef EARLY
      counted++;
#endif
      if
      :: s == 0 -> scanned[0]++
      :: else
      fi;
      reduced[s] = true;
#ifndef EARLY
      counted++
#endif
    :: else
    fi;
#ifdef OWN_ONLY
    break;
#endif
    k++
  :: else -> break
  od;
#ifndef HASTY
  counted == P;
#endif
  k = 0;
  do
  :: k < P ->
    s = (w + k) % P;
    take(P + s);
    if
    :: mine ->
      s = (s == 0 -> P : s);
      // What lies before the part: part 0 and all up to it.
      d_step {
        byte before = 0;
        do
        :: before < s -> assert(reduced[before]); before++
        :: else -> break
        od
      }
      scanned[s]++
    :: else
    fi;
    k++
  :: else -> break
  od;
  ended++
}

init {
  byte w = 0;
  atomic {
    do
    :: w < P -> run worker(w); w++
    :: else -> break
    od
  }
  ended == P;
  w = 0;
  do
  :: w <= P -> assert(scanned[w] == 1); w++
  :: else -> break
  od
}
