// SPDX-License-Identifier: MIT
// A Spin model of how the blocks of a launch find the greatest of their values in one word (raise_in_one_word in
// backends/sam/gpu/grid/exchange.hpp). tests/model/check runs it.
//
// Each launch has from 1 to K blocks, whose values are 0, for none, to V. A block with a value raises the word to it by one
// access, which leaves 0 for the number of blocks if it changes the word. The block then adds to the number by another access:
// itself, and the blocks whose number its first access took away. The block that finds the number of all has the greatest
// value, and stores zero for the next launch. That store may become visible at any later time, but before the launch ends.
//
// Options, by -D:
//
// K, V, LAUNCHES  the most blocks, the greatest value, and launches one after the other
// FAULT           introduces one of these faults. LOSE: blocks whose number was taken away are not counted again. AGAIN: they
//                 are counted again though the word was not changed. EARLY: a block is counted before it raises the word.
//                 NO_RESET: zero is not stored.

byte greatest, come;  // the word
bool is_late;         // the store of zero is not yet visible
byte blocks, launch, ended, stored, wanted;

inline raise() {
  if
  :: value > 0 ->
     atomic {
       if
       :: value > greatest ->
#ifndef LOSE
          number = number + come;
#endif
          greatest = value; come = 0
       :: else ->
#ifdef AGAIN
          number = number + come;
#endif
          skip
       fi
     }
  :: else
  fi
}

inline count() {
  atomic { come = come + number; all = come; found = greatest }
  if
  :: all == blocks ->
     assert(found == wanted);
     stored++;
#ifndef NO_RESET
     is_late = true
#endif
  :: else
  fi
}

proctype memory() {
end:
  do
  :: atomic { is_late -> greatest = 0; come = 0; is_late = false }
  od
}

proctype block(byte value) {
  byte number = 1, all, found;
#ifdef EARLY
  count();
  number = 0;
  raise()
#else
  raise();
  count()
#endif
  ;
  ended++
}

init {
  byte i, value;
  run memory();
  for (launch : 1 .. LAUNCHES) {
    atomic {
      select(blocks : 1 .. K);
      wanted = 0;
      for (i : 1 .. blocks) {
        select(value : 0 .. V);
        if :: value > wanted -> wanted = value :: else fi;
        run block(value)
      }
    }
    ended == blocks;
    d_step {
      if :: is_late -> greatest = 0; come = 0; is_late = false :: else fi;
      ended = 0
    }
    assert(stored == 1);
    stored = 0
  }
}
