// SPDX-License-Identifier: MIT
// A Spin model of how the blocks of a launch add up their values in one word (add_to_word and ends_word in
// backends/sam/gpu/grid/exchange.hpp). tests/model/check runs it. Each bin of a histogram has such a word.
//
// Each launch has from 1 to K blocks. A block adds its value and 1 to the word, by one access that returns what the word was
// before. The block that finds all others there has the sum of all, and stores zero for the next launch. That store may
// become visible at any later time, but before the launch ends. The values of different blocks are different bits, so that a
// sum tells whose values it has.
//
// Options, by -D:
//
// K, LAUNCHES  the most blocks, and launches one after the other
// FAULT        introduces one of these faults. SPLIT: the value and the number are added by two accesses. NO_RESET: zero is
//              not stored. ONE_LESS: the last block but one takes itself for the last.
#ifdef ONE_LESS
#define ALL (blocks - 1)
#else
#define ALL blocks
#endif

byte sum, come;  // the word
bool is_late;    // the store of zero is not yet visible
byte blocks, launch, ended, stored;

proctype memory() {
end:
  do
  :: atomic { is_late -> sum = 0; come = 0; is_late = false }
  od
}

proctype block(byte b) {
  byte all, number;
#ifdef SPLIT
  atomic { all = sum + (1 << b); sum = all }
  atomic { come++; number = come }
#else
  atomic { all = sum + (1 << b); sum = all; come++; number = come }
#endif
  if
  :: number == ALL ->
     assert(all == (1 << blocks) - 1);
     stored++;
#ifndef NO_RESET
     is_late = true
#endif
  :: else
  fi;
  ended++
}

init {
  byte i;
  run memory();
  for (launch : 1 .. LAUNCHES) {
    atomic {
      select(blocks : 1 .. K);
      for (i : 0 .. blocks - 1) { run block(i) }
    }
    ended == blocks;
    d_step {
      if :: is_late -> sum = 0; come = 0; is_late = false :: else fi;
      ended = 0
    }
    assert(stored == 1);
    stored = 0
  }
}
