// SPDX-License-Identifier: MIT
// A Spin model of how blocks that all run at the same time exchange counts
// (backends/sam/gpu/grid/exchange.hpp). tests/model/check runs it.
//
// Each launch has from 1 to K blocks. A block reads the number of earlier launches, writes its count with the sequence
// number of the launch to its word, and to the words that no block of this launch has. Then it waits until the word of
// each block has that sequence number, and the count must be that block's, of this launch. Block 0 has then seen the
// words of all, and counts the launch. A store may become visible to other blocks at any later time, but before the
// launch ends. Sequence numbers have one bit: a word is never older than the launch before.
//
// Options, by -D:
//
// K, LAUNCHES  the most blocks, and launches one after the other
// FAULT        introduces one of these faults. NO_REFRESH: words of no block are not written. EARLY: block 0 counts the
//              launch before it has seen all words. SPLIT: a sequence number is seen before the count. APART: the blocks do
//              not all run at the same time, but one after the other.
byte count[K], sequence[K];            // the words, as all blocks see them
byte late_count[K], late_sequence[K];  // stores that are not yet visible
bool is_late[K];
byte launches, blocks, launch, ended;

inline publish(w) {
  d_step { late_count[w] = launch; late_sequence[w] = seq; is_late[w] = true }
}

proctype memory(byte w) {
end:
  do
#ifdef SPLIT
  :: atomic { is_late[w] -> sequence[w] = late_sequence[w] }
#endif
  :: atomic { is_late[w] -> count[w] = late_count[w]; sequence[w] = late_sequence[w]; is_late[w] = false }
  od
}

proctype block(byte b) {
  byte seq, w;
#ifdef APART
  ended == b;
#endif
  seq = (launches + 1) % 2;
  w = b;
  do
  :: w < K ->
    publish(w);
#ifdef NO_REFRESH
    break
#else
    w = w + blocks
#endif
  :: else -> break
  od;
#ifdef EARLY
  if :: b == 0 -> launches = seq :: else fi;
#endif
  w = 0;
  do
  :: w < blocks -> atomic { sequence[w] == seq -> assert(count[w] == launch); w++ }
  :: else -> break
  od;
#ifndef EARLY
  if :: b == 0 -> launches = seq :: else fi;
#endif
  ended++
}

init {
  byte i;
  atomic { for (i : 0 .. K - 1) { run memory(i) } }
  for (launch : 1 .. LAUNCHES) {
    atomic {
      select(blocks : 1 .. K);
      for (i : 0 .. blocks - 1) { run block(i) }
    }
    ended == blocks;
    d_step {
      for (i : 0 .. K - 1) {
        if
        :: is_late[i] -> count[i] = late_count[i]; sequence[i] = late_sequence[i]; is_late[i] = false
        :: else
        fi
      }
      ended = 0
    }
  }
}
