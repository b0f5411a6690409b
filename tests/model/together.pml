// SPDX-License-Identifier: MIT
// A Spin model of how the blocks of a launch exchange counts (backends/sam/gpu/grid/exchange.hpp). tests/model/check runs
// it.
//
// Each launch has from 1 to K blocks. A block reads the number of earlier launches, and writes its count with the sequence
// number of the launch to its word; in every second launch also to the words that no block of this launch has. Then it
// waits until the word of each block has that sequence number, and the count must be that block's, of this launch. Block 0
// has then seen the words of all, and counts the launch. A store may become visible to other blocks at any later time, but
// before the launch ends. There are four sequence numbers: a word is never older than the three launches before.
//
// With CLAIMED, blocks claim numbers. Only the block with the last number waits. It prepares the claims of the next launch,
// and counts the launch. Blocks need not run at the same time.
//
// With WORDS, each launch has from as many tiles as blocks up to WORDS, and a block publishes a word for each of its tiles, as in
// backends/sam/gpu/scan/reduce_tiles_kernel.hpp. The last block waits for the words of all tiles.
//
// Options, by -D:
//
// K, LAUNCHES  the most blocks, and launches one after the other
// CLAIMED, WORDS  see above
// APART        the blocks do not all run at the same time, but one after the other: a fault unless CLAIMED
// FAULT        introduces one of these faults. NO_REFRESH: words of no block are not written. EARLY: the launch is counted
//              before all words are seen. SPLIT: a sequence number is seen before the count. DEALT: numbers are dealt out
//              in another order than that in which blocks begin. NO_RESET: claims are not prepared for the next launch.
#define NUMBERS 4
#ifdef WORDS
#define first_word p
#else
#define WORDS K
#define ONE_WORD_EACH
#define first_word b
#endif
#ifdef NO_REFRESH
#define refreshes false
#else
#define refreshes (seq % 2 == 0)
#endif
byte count[WORDS], sequence[WORDS];            // the words, as all blocks see them
byte late_count[WORDS], late_sequence[WORDS];  // stores that are not yet visible
bool is_late[WORDS];
byte launches, claims, blocks, published, launch, ended;

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

#ifdef CLAIMED
#define COUNTS (b == blocks - 1)
#else
#define COUNTS (b == 0)
#endif

proctype block(byte p) {
  byte b, seq, w, end;
#ifdef APART
  ended == p;
#endif
#ifdef CLAIMED
#ifdef DEALT
  b = blocks - 1 - p;
#else
  atomic { b = claims; claims++ }
#ifndef NO_RESET
  if :: b == blocks - 1 -> claims = 0 :: else fi;
#endif
#endif
#else
  b = p;
#endif
  seq = (launches + 1) % NUMBERS;
  w = first_word;
  do
  :: w < WORDS && (w < published || refreshes) -> publish(w); w = w + blocks
  :: else -> break
  od;
#ifdef EARLY
  if :: COUNTS -> launches = seq :: else fi;
#endif
  w = 0;
  end = published;
#ifdef CLAIMED
  if :: !COUNTS -> end = 0 :: else fi;
#endif
  do
  :: w < end -> atomic { sequence[w] == seq -> assert(count[w] == launch); w++ }
  :: else -> break
  od;
#ifndef EARLY
  if :: COUNTS -> launches = seq :: else fi;
#endif
  ended++
}

init {
  byte i;
  atomic { for (i : 0 .. WORDS - 1) { run memory(i) } }
  for (launch : 1 .. LAUNCHES) {
    atomic {
      select(blocks : 1 .. K);
#ifdef ONE_WORD_EACH
      published = blocks;
#else
      select(published : blocks .. WORDS);
#endif
      for (i : 0 .. blocks - 1) { run block(i) }
    }
    ended == blocks;
    d_step {
      for (i : 0 .. WORDS - 1) {
        if
        :: is_late[i] -> count[i] = late_count[i]; sequence[i] = late_sequence[i]; is_late[i] = false
        :: else
        fi
      }
      ended = 0
    }
  }
}
