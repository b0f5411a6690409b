// SPDX-License-Identifier: MIT
// A Spin model of how the blocks of a cluster send one another their aggregates
// (backends/sam/gpu/few_items/one_cluster_kernel.hpp). tests/model/check runs it.
//
// Each of K blocks prepares its counter of words, and waits until all blocks have begun. It loads its items, sends a word
// to each later block, and waits for a word of each earlier one. Then it may overwrite items of blocks whose words it
// has, and ends. A word is stored and counted in the memory of its receiver at any later time, whether or not its sender
// has ended. No word may come to a block that has not prepared its counter or that has ended.
//
// Options, by -D:
//
// K      blocks
// TOTALS all blocks send to all, themselves included, as in partitions
// FAULT  introduces one of these faults. NO_BEGIN: a block does not wait until all have begun. HASTY: it does not wait
//        for the last word. APART: a word is counted before it is stored. LATE_LOAD: items are loaded after the words
//        are sent.
#ifdef TOTALS
#define EXPECTED(b) K
#define FIRST(b) 0
#else
#define EXPECTED(b) (b)
#define FIRST(b) ((b) + 1)
#endif

bool prepared[K], loaded[K], ended[K], word[K * K];
byte begun, come[K];

proctype message(byte from, to) {
#ifdef APART
  atomic { assert(prepared[to] && !ended[to]); come[to]++ }
  word[to * K + from] = true
#else
  d_step { assert(prepared[to] && !ended[to]); word[to * K + from] = true; come[to]++ }
#endif
}

proctype block(byte b) {
  byte i;
  prepared[b] = true;
  begun++;
#ifndef LATE_LOAD
  loaded[b] = true;
#endif
#ifndef NO_BEGIN
  begun == K;
#endif
  for (i : FIRST(b) .. K - 1) { run message(b, i) }
#ifdef LATE_LOAD
  loaded[b] = true;
#endif
#ifdef HASTY
  come[b] + 1 >= EXPECTED(b);
#else
  come[b] == EXPECTED(b);
#endif
  for (i : 0 .. K - 1) {
    if
    :: i < EXPECTED(b) -> assert(word[b * K + i] && loaded[i])
    :: else
    fi
  }
  ended[b] = true
}

init {
  byte i;
  atomic {
    for (i : 0 .. K - 1) { run block(i) }
  }
}
