// SPDX-License-Identifier: MIT
// A model of how the last block of a launch finds out that it is, and sees what all have left
// (backends/sam/gpu/grid/last_block.hpp), for Spin; tests/model/check runs it.
//
// Each of K blocks has two threads, which leave something each. They meet at a barrier, the first one counts the block,
// they meet again, and those of the last block look at what all threads of the launch have left: it must be of this
// launch, and one block only must look. What a thread stores may be seen by other blocks at any time later, and a block
// may have in a cache what it has found somewhere at any time before; block 0 will do, for all are alike. The first
// fence waits until all is seen that its thread and those whom it has met have stored, the second one empties the cache,
// and both happen between launches.
//
// Options, by -D:
//
// K, LAUNCHES  blocks, and launches one after the other
// FAULT        one of them is there: NO_FENCE, blocks are counted without a fence before; NO_FENCE_BEHIND, or behind;
//              EARLY, before the other thread has come; HASTY, that does not wait to hear whether the block is the last;
//              NO_RESET, the counter stays as it is; ONE_LESS, the last block but one takes itself for the last
#define THREADS (2 * K)
#define NOTHING THREADS
#ifdef ONE_LESS
#define ALL (K - 1)
#else
#define ALL K
#endif

byte left[THREADS];  // the launch that it is of, as seen by all
byte late[THREADS];  // the same on its way
byte cached_at = NOTHING, cached;  // at most one, by block 0
byte met[2 * K], come, looked, ended, launch;
bool is_last[K];
#define found(b, i) ((b) == 0 && cached_at == (i) -> cached : left[i])

proctype memory(byte i) {
end:
  do
  :: atomic { late[i] != 0 -> left[i] = late[i]; late[i] = 0 }
  od
}

proctype cache() {
  byte i;
end:
  do
  :: atomic {
       cached_at == NOTHING -> select(i : 2 .. THREADS - 1);  // of another block
       cached_at = i; cached = left[i]; i = 0
     }
  od
}

proctype thread(byte b, t) {
  byte i;
  d_step { late[2 * b + t] = launch; met[b]++ }
#ifdef EARLY
  t == 0 || met[b] == 2;
#else
  met[b] == 2;
#endif
  if
  :: t == 0 ->
#ifndef NO_FENCE
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
      :: i / 2 == b  // its own block's, which it has met
      fi
    }
    atomic { i = 0; looked++; ended++ }
  :: else -> ended++
  fi
}

init {
  byte i;
  atomic {
    for (i : 0 .. THREADS - 1) { run memory(i) }
    run cache()
  }
  for (launch : 1 .. LAUNCHES) {
    atomic {
      for (i : 0 .. THREADS - 1) { run thread(i / 2, i % 2) }
    }
    ended == THREADS;
    assert(looked == 2);
    d_step {
      for (i : 0 .. THREADS - 1) {
        if
        :: late[i] != 0 -> left[i] = late[i]; late[i] = 0
        :: else
        fi
      }
      for (i : 0 .. K - 1) { met[i] = 0; met[K + i] = 0; is_last[i] = false }
      cached_at = NOTHING; cached = 0; looked = 0; ended = 0
    }
  }
}
