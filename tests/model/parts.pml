// SPDX-License-Identifier: MIT
// A Spin model of how P CPU workers share a scan that is split in P + 1 parts
// (backends/sam/host/scan/in_cache_scan.hpp). tests/model/check runs it.
//
// Worker w takes its own share of a step, and then shares that no worker has taken. When all shares of the first step
// are done, the exclusive prefix of each part must be known; at the end each part must have been scanned once. A wait
// without end is a deadlock. Accesses are sequentially consistent. A flag only says that a share is taken. Finished
// shares are counted by release additions, which an acquire load reads.
//
// Options, by -D:
//
// P          workers
// ONE_BY_ONE each worker begins when the previous one has ended, as on a pool of one thread
// FAULT      introduces one of these faults. OWN_ONLY: a worker takes only its own share. APART: it tests a flag in
//            one step and sets it in another. EARLY: it counts a share before it is done. HASTY: it does not wait for
//            the others.

bool taken[2 * P]
bool reduced[P]    // part 0 is scanned instead
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
      // The prefix of a part needs part 0 and all parts up to it.
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
