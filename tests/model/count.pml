// SPDX-License-Identifier: MIT
// A Spin model of the cluster counting sort (backends/sam/gpu/sort/counting/cluster_counting_sort.hpp), in which the
// blocks of a cluster count few keys and write them in place. tests/model/check runs it.
//
// Each block reads all keys. It counts the keys of its own range of digits, and the keys less than that range. Then
// there are two ways to write. With OWN a block writes the keys that it has counted. Otherwise each block writes an
// equal share of the output: the blocks that counted these keys mark in its memory where each digit begins, and which
// digit continues from the previous share. The model chooses the keys freely, so that it explores all inputs. The
// output must be the same keys in order. Stale marks hold plausible values at first.
//
// A barrier has two steps: arrive, and wait until all have arrived. A block's stores to other blocks' memory take
// effect by the time it arrives, if the arrival has release semantics.
//
// Options, by -D:
//
// K, SHARE  blocks, and keys in each share
// N         keys, fewer than K * SHARE
// EACH      digits in the range of each block
// OWN       blocks write the keys that they have counted
// DELAY     a store to another block's memory may take effect at any later time, after stores that follow it
// FAULT     introduces one of these faults. EARLY: a block marks before others have cleared their marks. HASTY: it
//           writes before others have read and marked. RELAXED: it arrives before its stores have taken effect.
//           SILENT: no block learns which digit continues. NEXT_ONLY: only the next block learns it.
#ifndef N
#define N (K * SHARE)
#endif
#define DIGITS (K * EACH)

byte keys[N], mark[K * SHARE + K];  // marks of all shares, then the digit that continues into each
#define before(b) mark[K * SHARE + (b)]
byte there_are[DIGITS], arrived[2], ended;

#ifdef DELAY
typedef late_store { bool on; byte at, digit }
late_store late[K];
#define all_done(b) (!late[b].on)

proctype memory(byte b) {
end:
  do
  :: atomic { late[b].on -> mark[late[b].at] = late[b].digit; late[b].on = false; late[b].at = 0; late[b].digit = 0 }
  od
}
#else
#define all_done(b) true
#endif

inline store(place, with) {
#ifdef DELAY
  if
  :: all_done(b) -> d_step { late[b].on = true; late[b].at = place; late[b].digit = with }
  :: mark[place] = with
  fi
#else
  mark[place] = with
#endif
}

proctype block(byte b) {
  byte i, d, k, less, all, from, upto, last, count[EACH];
#ifndef OWN
  d_step {
    for (i : b * SHARE .. (b + 1) * SHARE - 1) { mark[i] = 0 }
    before(b) = 0
  }
  arrived[0]++;
#endif
  for (i : 0 .. N - 1) {
    d_step {
      if
      :: keys[i] / EACH == b -> count[keys[i] % EACH]++; all++
      :: keys[i] / EACH < b -> less++
      :: else
      fi
    }
  }
  from = less;
#ifdef OWN
  upto = less + all;
#else
#ifndef EARLY
  arrived[0] == K;
#endif
  for (d : 0 .. EACH - 1) {
    if
    :: count[d] > 0 ->
      store(from, b * EACH + d);
#ifndef SILENT
#ifdef NEXT_ONLY
      upto = from / SHARE + 1;
      if
      :: upto <= (from + count[d] - 1) / SHARE -> store(K * SHARE + upto, b * EACH + d)
      :: else
      fi;
#else
      for (k : from / SHARE + 1 .. (from + count[d] - 1) / SHARE) { store(K * SHARE + k, b * EACH + d) }
#endif
#endif
      from = from + count[d]
    :: else
    fi
  }
#ifndef RELAXED
  all_done(b);
#endif
#endif
  arrived[1]++;
#ifndef HASTY
  arrived[1] == K;
#endif
#ifdef OWN
  for (d : 0 .. EACH - 1) {
    for (k : 1 .. count[d]) { keys[from] = b * EACH + d; from++ }
  }
  assert(from == upto);
#else
  last = before(b);
  for (i : b * SHARE .. (b + 1) * SHARE - 1) {
    atomic {
      if
      :: i < N ->
        last = (mark[i] > last -> mark[i] : last);
        keys[i] = last
      :: else
      fi
    }
  }
#endif
  ended++
}

init {
  byte i, d;
  for (i : 0 .. N - 1) {
    select(d : 0 .. DIGITS - 1);
    atomic { keys[i] = d; there_are[d]++ }
  }
  atomic {
    for (i : 0 .. K * SHARE - 1) { mark[i] = DIGITS - 1 }
    for (i : 0 .. K - 1) {
      before(i) = DIGITS - 1;
      run block(i);
#ifdef DELAY
      run memory(i)
#endif
    }
  }
  ended == K;
  d_step {
    for (i : 0 .. N - 1) {
      assert(i == 0 || keys[i - 1] <= keys[i]);
      there_are[keys[i]]--
    }
    for (d : 0 .. DIGITS - 1) { assert(there_are[d] == 0) }
  }
}
