// SPDX-License-Identifier: MIT
// A Spin model of how the last block of a launch finds out that it is the last, and sees the stores of all blocks
// (backends/sam/gpu/grid/last_block.hpp). tests/model/check runs it.
//
// Each of K blocks has two threads, which store one value each. They meet at a barrier, thread 0 counts the block, and
// they meet again. Then the threads of the last block read the values of all threads. The values must be of this
// launch, and only one block may read them. A store may become visible to other blocks at any later time. A block may
// hold in its cache a value from any earlier time; the model has a cache for block 0 alone, since all blocks are
// alike. The first fence waits until the stores of its own thread, and of the threads that it has met, are visible.
// The second fence empties the cache. Both also happen between launches.
//
// With -DAPART, fences are not cumulative, as on AMD GPUs: a fence waits for the stores of its own thread only. Stores go
// to the L2 cache of the block's part of the GPU first, and later, or at a fence of a thread of that part, to where all
// blocks see them. So each thread waits, before the barrier, until its own store is in L2 (order_before_barrier). An
// order waits like a fence, and writes no cache back.
//
// With -DSEARCHES, blocks count twice, as those that share long segments do
// (backends/sam/gpu/segmented/reduce_each_segment.hpp): for a segment, then for the launch. In the first launch offsets
// are wrong, so that any blocks may miss the first count. The last block of the second one clears the first, unless all
// say that they have missed it.
//
// Options, by -D:
//
// K, LAUNCHES  blocks, and launches one after the other
// SEARCHES     blocks count for a segment, and may miss that count in the first launch
// APART        fences are not cumulative
// FAULT        introduces one of these faults. NO_ORDER: threads do not wait for their stores before the barrier.
//              ORDER_ONLY: an order in place of the first fence. Both need APART. NO_FENCE: no fence before a block is counted. NO_FENCE_BEHIND: none
//              after it. EARLY: thread 0 counts before the other thread has arrived. HASTY: the other thread does not
//              wait to learn if the block is the last. NO_RESET: the counter is not reset. ONE_LESS: the last block
//              but one takes itself for the last. NO_CLEAR: the last block of the launch clears nothing. EACH_CLEARS: each block does.
//              EARLY_LEFT: a block counts for the launch first. These need SEARCHES.
#define THREADS (2 * K)
#define NOTHING THREADS
#ifdef ONE_LESS
#define ALL (K - 1)
#else
#define ALL K
#endif

byte left[THREADS];  // the launch that stored the value, visible to all
byte late[THREADS];  // a store that is not yet visible
byte in_l2[THREADS];  // a store that only blocks of its part see; without APART, nothing
byte cached_at = NOTHING, cached;  // block 0 caches at most one value
byte met[3 * K], come, left_launch, looked, ended, launch;
bool is_last[K], is_last_of_all[K];
bool misses[K], found_any;  // with SEARCHES
#define found(b, i) ((b) == 0 && cached_at == (i) -> cached : left[i])

proctype memory(byte i) {
end:
  do
#ifdef APART
  :: atomic { late[i] != 0 -> in_l2[i] = late[i]; late[i] = 0 }
  :: atomic { in_l2[i] != 0 -> left[i] = in_l2[i]; in_l2[i] = 0 }
#else
  :: atomic { late[i] != 0 -> left[i] = late[i]; late[i] = 0 }
#endif
  od
}

proctype cache() {
  byte i;
end:
  do
  :: atomic {
       cached_at == NOTHING -> select(i : 2 .. THREADS - 1);  // a value of another block
       cached_at = i; cached = left[i]; i = 0
     }
  od
}

inline count_for_launch() {
  d_step { met[2 * K + b]++ }
  if
  :: t == 0 ->
    met[2 * K + b] == 2;
#ifdef EACH_CLEARS
    come = 0;
#endif
    d_step {
      left_launch++; is_last_of_all[b] = left_launch == K; found_any = found_any || !misses[b];
      left_launch = (is_last_of_all[b] -> 0 : left_launch)
    }
    if
#ifndef NO_CLEAR
    :: is_last_of_all[b] && found_any -> come = 0
#endif
    :: else
    fi
  :: else
  fi
}

proctype thread(byte b, t) {
  byte i;
#ifdef SEARCHES
  if
  :: misses[b] -> goto counted
  :: else
  fi;
#ifdef EARLY_LEFT
  count_for_launch();
#endif
#endif
#if defined(APART) && !defined(NO_ORDER)
  late[2 * b + t] = launch;
  d_step { late[2 * b + t] == 0 -> met[b]++ }
#else
  d_step { late[2 * b + t] = launch; met[b]++ }
#endif
#ifdef EARLY
  t == 0 || met[b] == 2;
#else
  met[b] == 2;
#endif
  if
  :: t == 0 ->
#if defined(APART) && !defined(NO_FENCE)
    late[2 * b] == 0;
#ifndef ORDER_ONLY
    d_step {
      left[2 * b] = (in_l2[2 * b] != 0 -> in_l2[2 * b] : left[2 * b]); in_l2[2 * b] = 0;
      left[2 * b + 1] = (in_l2[2 * b + 1] != 0 -> in_l2[2 * b + 1] : left[2 * b + 1]); in_l2[2 * b + 1] = 0
    }
#endif
#elif !defined(NO_FENCE)
    late[2 * b] == 0 && late[2 * b + 1] == 0;
#endif
    d_step { come++; is_last[b] = come == ALL }
    d_step {
#ifndef NO_FENCE_BEHIND
      cached_at = (b == 0 -> NOTHING : cached_at); cached = (b == 0 -> 0 : cached);
#endif
#ifndef NO_RESET
      come = (is_last[b] -> 0 : come);
#endif
      met[K + b]++
    }
  :: else -> met[K + b]++
  fi;
#ifdef HASTY
  t == 1 || met[K + b] == 2;
#else
  met[K + b] == 2;
#endif
  if
  :: is_last[b] ->
    for (i : 0 .. THREADS - 1) {
      if
      :: atomic { i / 2 != b -> assert(found(b, i) == launch) }
      :: i / 2 == b  // values of its own block, whose threads it has met
      fi
    }
    atomic { i = 0; looked++ }
  :: else
  fi;
counted:
  skip;
#ifdef SEARCHES
#ifdef EARLY_LEFT
  if
  :: misses[b] -> count_for_launch()
  :: else
  fi;
#else
  count_for_launch();
#endif
#endif
  ended++
}

init {
  byte i, missing;
  atomic {
    for (i : 0 .. THREADS - 1) { run memory(i) }
    run cache()
  }
  for (launch : 1 .. LAUNCHES) {
#ifdef SEARCHES
    missing = 0;
    for (i : 0 .. K - 1) {
      if
      :: launch == 1 -> atomic { misses[i] = true; missing++ }
      :: misses[i] = false
      fi
    }
#endif
    atomic {
      for (i : 0 .. THREADS - 1) { run thread(i / 2, i % 2) }
    }
    ended == THREADS;
    assert(looked == (missing == 0 -> 2 : 0));
    d_step {
      for (i : 0 .. THREADS - 1) {
        if
        :: late[i] != 0 -> left[i] = late[i]; late[i] = 0; in_l2[i] = 0
        :: late[i] == 0 && in_l2[i] != 0 -> left[i] = in_l2[i]; in_l2[i] = 0
        :: else
        fi
      }
      for (i : 0 .. K - 1) { met[i] = 0; met[K + i] = 0; met[2 * K + i] = 0; is_last[i] = false }
      cached_at = NOTHING; cached = 0; looked = 0; ended = 0
    }
#ifdef SEARCHES
    found_any = false;
    assert(come == 0 && left_launch == 0)
#endif
  }
}
