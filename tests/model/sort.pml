// SPDX-License-Identifier: MIT
// A Spin model of how the blocks of a onesweep sort find the output positions of their tiles, with the same descriptor
// words in each digit pass (backends/sam/gpu/sort/onesweep/onesweep_kernel.hpp). It includes the first kernel, which
// clears the words and plans the passes (backends/sam/gpu/sort/digit_histogram.hpp). tests/model/check runs it.
//
// There is one digit value. That is enough, since a tile publishes its counts of all digit values before it looks back
// for any, so that they do not wait for one another. Tile t has t + 1 items in the first pass, and two more in each
// further pass.
//
// A wait without end is a deadlock. The exclusive prefix that a block computes is compared, modulo 256, with the right
// one. At the end of a pass each word must be an inclusive prefix and each full group complete, since the next pass
// distinguishes its own words from these. A pass must not write the memory that it reads. The last pass must leave the
// result where it belongs, sorted by all digits. The model chooses freely which digits keys differ in, so that it
// explores every plan. It also chooses whether keys that differ in at most one digit are determined by it, so that a
// fill may write them. Before the first sort the words hold plausible stale values.
//
// A word has a state and a count in one, and a group's word has a sum and the number of additions. So accesses are
// relaxed. Words that are loaded together may each be seen as at any time of this pass, in any order. A tile's count
// and its addition to the group take effect in either order: see DELAY. A block that needs a single word waits for it.
// The model assumes that stores to one word keep their order, that no addition is lost, and that waiting for a kernel
// makes all its writes visible.
//
// A kernel may start once all blocks of the previous kernel have triggered it or have ended; then it waits until that
// kernel is over. A waiting block does nothing to the previous kernel except occupy a place, and by then the previous
// kernel's blocks are all resident. So starting and having waited are one step. Two sets of processes alternate as the
// blocks of a kernel.
//
// Options, by -D:
//
// K          blocks of a kernel, of which one or all are resident at a time
// TILES, G   tiles of a pass, and of a group
// LOOK_BACK  words that are loaded at a time; half as many groups
// PLACES     digits of a key
// IN_PLACE   1: the result belongs where the keys are
// SORTS      number of sorts
// DELAY      an addition to a group's word may take effect at any later time, after stores that follow it
// FAULT      introduces one of these faults. COMPLETE=: that many additions make a group complete. LAST=: the word of
//            a group's last tile is looked for that many tiles too high. NO_FLIP: the parity is always 0. FLIP_ALL:
//            passes that sort nothing change the parity. NO_CLEAR: the words are not cleared. HASTY_CLEAR, HASTY_PASS,
//            HASTY_IDLE: the first kernel, a pass, or a pass without work does not wait. DEALT: block b has tiles b, b
//            + K, and so on. BACKWARDS: a block claims two tiles and sorts the second first. ONE_CLAIM, ONE_GROUP: all
//            passes share a claim counter, or the words of groups. NO_FIRST: tile 0 publishes an aggregate.
//            EARLY_PREFIX: other tiles publish an inclusive prefix. SPLIT, SPLIT_ADD: a word changes in two steps.
//            PASS_OVER: a missing word counts as nothing. TWICE: the digit's offset is also added to an inclusive
//            prefix. NO_COPY: the final copy is left out.
//
// These are not faults, since they only cost time: claiming tiles ahead, publishing no aggregates, and publishing no
// inclusive prefix for the last tile.
#ifndef IN_PLACE
#define IN_PLACE 0
#endif
#ifndef SORTS
#define SORTS 1
#endif
#ifndef COMPLETE
#define COMPLETE G
#endif
#ifndef LAST
#define LAST 0
#endif
#define NOTHING 0
#define AGGREGATE 1
#define PREFIX 2
#define SORT 1
#define COPY 2
#define FILL 3
#define NONE 255

#define GROUPS ((TILES + G - 1) / G)
#define STEPS (PLACES + IN_PLACE * (PLACES % 2))
#define KERNELS (SORTS * (STEPS + 1))
#define AHEAD (LOOK_BACK > 1 -> LOOK_BACK / 2 : 1)

typedef tile_word { byte state, count }
typedef group_word { byte added, sum }
typedef step { byte what, from, to, parity }
tile_word words[TILES];
group_word groups[PLACES * GROUPS];
byte claims[PLACES];
step steps[STEPS];
byte resident, started[KERNELS], counted, sent[KERNELS], left[KERNELS];
byte sorts, sorted[3];  // digits to sort by, and the number of digits by which each array is sorted

// The first kernel of a sort counts digits. The others are its passes.
#define is_first(k) ((k) % (STEPS + 1) == 0)
#define pass (kernel % (STEPS + 1) - 1)
#define is_over(k) (left[k] == K)
#if defined(HASTY_CLEAR)
#define need_not_wait is_first(kernel)
#elif defined(HASTY_PASS)
#define need_not_wait (!is_first(kernel) && pass > 0)
#elif defined(HASTY_IDLE)
#define need_not_wait (!is_first(kernel) && pass > 0 && steps[pass].what == NOTHING)
#else
#define need_not_wait false
#endif
#define may_start \
  (resident > 0 && (kernel == 0 || (started[kernel - 1] == K && (need_not_wait || is_over(kernel - 1)))))

#define count_of(t) ((t) + 1 + 2 * pass)
#define begin (100 + 10 * pass)
#define all_before(t) (begin + (t) * ((t) + 1) / 2 + 2 * pass * (t))
#define flipped(s) ((s) ^ (steps[pass].parity * PREFIX))
#ifdef ONE_CLAIM
#define next_tile claims[0]
#else
#define next_tile claims[pass]
#endif
#ifdef ONE_GROUP
#define group_at(g) (g)
#else
#define group_at(g) (pass * GROUPS + (g))
#endif

inline publish(s, c) {
#ifdef SPLIT
  words[tile].state = flipped(s);
  words[tile].count = c
#else
  d_step { words[tile].state = flipped(s); words[tile].count = c }
#endif
}

inline add_to(g, c) {
#ifdef SPLIT_ADD
  groups[g].added++;
  groups[g].sum = groups[g].sum + c
#else
  d_step { groups[g].added++; groups[g].sum = groups[g].sum + c }
#endif
}

#ifdef DELAY
typedef addition { bool on; byte at, count }
addition late[2 * K];
#define mine late[2 * b + kernel % 2]
#define all_done (!mine.on)

proctype memory(byte i) {
end:
  do
  :: atomic {
      late[i].on -> groups[late[i].at].added++; groups[late[i].at].sum = groups[late[i].at].sum + late[i].count;
      late[i].on = 0; late[i].at = 0; late[i].count = 0
    }
  od
}
inline add() {
  if
  :: add_to(group_at(tile / G), count_of(tile))
  :: atomic { all_done -> mine.on = 1; mine.at = group_at(tile / G); mine.count = count_of(tile) }
  fi
}
#else
#define all_done true
inline add() { add_to(group_at(tile / G), count_of(tile)) }
#endif

inline publish_count() {
  if
#ifndef NO_FIRST
  :: tile == 0 -> publish(PREFIX, begin + count_of(0))
  :: tile > 0 ->
#else
  :: true ->
#endif
#ifdef EARLY_PREFIX
    publish(PREFIX, count_of(tile))
#else
    publish(AGGREGATE, count_of(tile))
#endif
  fi
}

// Words are loaded from the last one backwards. A block sees the published ones among them, or only some of these.
#define is_asked(most) (used < asked && used < most)
#define word_back words[tile / G * G + to_go - 1]
#define state_back flipped(word_back.state)
#define group_back groups[group_at(to_go - 1)]
#define last_word_back words[to_go * G - 1 + LAST]
#define is_known_back (flipped(last_word_back.state) >= PREFIX)
#define is_complete_back (group_back.added == COMPLETE)
#define stop_here (asked > 1 || used > 0)

inline add_up_tiles() {
  to_go = tile % G; asked = to_go;
  do
  :: asked == 0 -> break
  :: atomic {
      asked > 1 || (asked == 1 && state_back != NOTHING) ->
      do
      :: !is_asked(LOOK_BACK) -> break
      :: is_asked(LOOK_BACK) && state_back == AGGREGATE -> sum = sum + word_back.count; used++; to_go--
      :: is_asked(LOOK_BACK) && state_back >= PREFIX -> sum = sum + word_back.count; is_known = true; break
      :: is_asked(LOOK_BACK) && state_back == PREFIX && tile / G * G + to_go > 1 ->  // its earlier aggregate
        sum = sum + count_of(tile / G * G + to_go - 1); used++; to_go--
#ifdef PASS_OVER
      :: is_asked(LOOK_BACK) && state_back == NOTHING -> used++; to_go--
#endif
      :: is_asked(LOOK_BACK) && stop_here -> break
      od;
      asked = (is_known -> 0 : (used == 0 -> 1 : to_go)); used = 0
    }
  od
}
inline add_up_groups() {
  to_go = tile / G; asked = to_go;
  do
  :: asked == 0 -> break
  :: atomic {
      asked > 1 || (asked == 1 && (is_known_back || is_complete_back)) ->
      do
      :: !is_asked(AHEAD) -> break
      :: is_asked(AHEAD) && is_known_back -> sum = sum + last_word_back.count; is_known = true; break
      :: is_asked(AHEAD) && is_complete_back -> sum = sum + group_back.sum; used++; to_go--
      :: is_asked(AHEAD) && stop_here -> break
      od;
      asked = (is_known -> 0 : (used == 0 -> 1 : to_go)); used = 0
    }
  od
}
inline look_back() {
  add_up_tiles();
  if
  :: is_known
  :: else -> add_up_groups()
  fi;
  atomic {
    if
#ifndef TWICE
    :: is_known
#endif
    :: else -> sum = sum + begin
    fi;
    to_go = 0; is_known = false
  }
}

inline claim() {
#if defined(DEALT)
  tile = (tile == NONE -> b : tile + K)
#elif defined(BACKWARDS)
  if
  :: kept != NONE -> tile = kept; kept = NONE
  :: else ->
    atomic {
      tile = next_tile; next_tile++;
      if
      :: next_tile < TILES -> kept = tile; tile = next_tile; next_tile++
      :: else
      fi
    }
  fi
#else
  atomic { tile = next_tile; next_tile++ }
#endif
}

inline sort() {
  claim();
  do
  :: tile >= TILES -> break
  :: tile < TILES ->
    if
    :: publish_count(); add()
    :: add(); publish_count()
    fi;
    if
    :: tile == 0
    :: tile > 0 ->
      look_back();
      assert(((sum - all_before(tile)) & 255) == 0);
      publish(PREFIX, sum + count_of(tile))
    fi;
    atomic { sum = 0; sent[kernel]++; claim() }
  od;
  tile = NONE
}

inline clear_words() {
#ifndef NO_CLEAR
  for (i : 0 .. TILES - 1) {
    if
    :: i % K == b -> words[i].state = NOTHING; words[i].count = 0
    :: else
    fi
  }
  for (i : 0 .. PLACES * GROUPS - 1) {
    if
    :: i % K == b -> groups[i].added = 0; groups[i].sum = 0
    :: else
    fi
  }
#endif
  if
  :: b == 0 ->
    for (i : 0 .. PLACES - 1) { claims[i] = 0 }
  :: else
  fi;
  i = 0
}
inline plan() {
  sorts = 0;
  for (i : 0 .. PLACES - 1) {
    if
    :: steps[i].what = SORT; sorts++
    :: steps[i].what = NOTHING
    fi
  }
  fills = false;
  if
  :: sorts <= 1 -> fills = true
  :: true
  fi;
#ifdef NO_COPY
  copies = false;
#else
  copies = (sorts == 0 -> !IN_PLACE : IN_PLACE && sorts % 2 != 0 && !fills);
#endif
  to_go = sorts + copies;
  for (i : 0 .. STEPS - 1) {
    if
    :: i < PLACES && steps[i].what == SORT
    :: else ->
      steps[i].what = (copies -> COPY : NOTHING); copies = false
    fi;
    steps[i].from = from; steps[i].to = 0; steps[i].parity = parity;
    if
    :: steps[i].what == NOTHING
    :: else -> to_go--; steps[i].to = (to_go % 2 == 0 -> 1 : 2); from = steps[i].to
    fi;
#if defined(FLIP_ALL)
    parity = 1 - parity;
#elif !defined(NO_FLIP)
    if
    :: steps[i].what == SORT -> parity = 1 - parity
    :: else
    fi;
#endif
    if
    :: fills && steps[i].what != NOTHING -> steps[i].what = FILL
    :: else
    fi
  }
  sorted[0] = 0; sorted[1] = NONE; sorted[2] = NONE;
  i = 0; from = 0; parity = 0; fills = false
}

#define items_at(x) (IN_PLACE && (x) == 1 -> 0 : (x))
inline check_pass() {
  if
  :: steps[pass].what == NOTHING
  :: steps[pass].what == FILL -> sorted[items_at(steps[pass].to)] = sorts
  :: else ->
    assert(items_at(steps[pass].from) != items_at(steps[pass].to));
    sorted[items_at(steps[pass].to)] = sorted[items_at(steps[pass].from)] + (steps[pass].what == SORT)
  fi;
  if
  :: steps[pass].what != SORT
  :: else ->
    assert(sent[kernel] == TILES);
#ifndef FAULT
    assert(claims[pass] == TILES + K);
    for (i : 0 .. TILES - 1) { assert(flipped(words[i].state) == PREFIX) }
    for (i : 0 .. TILES / G - 1) { assert(groups[group_at(i)].added == G) }
    i = 0
#endif
  fi;
  assert(pass < STEPS - 1 || sorted[items_at(1)] == sorts)
}

proctype block(byte b; byte kernel) {
  byte tile = NONE, kept = NONE, sum, to_go, asked, used, i, from;
  bool is_known, copies, fills, parity;
  do
  :: kernel >= KERNELS && is_over(KERNELS - 1) -> break
  :: atomic { kernel < KERNELS && may_start -> resident--; started[kernel]++ };
    if
    :: is_first(kernel) ->
      atomic {
        clear_words();
        counted++;
        if
        :: counted == K -> counted = 0; plan()
        :: else
        fi
      }
    :: !is_first(kernel) && steps[pass].what == SORT -> sort()
    :: !is_first(kernel) && steps[pass].what != SORT
    fi;
    atomic {
      all_done -> resident++; left[kernel]++;
      if
      :: is_over(kernel) && !is_first(kernel) -> check_pass()
      :: else
      fi;
      kernel = kernel + 2
    }
  od
}

init {
  byte i;
  atomic {
    if
    :: resident = 1
    :: resident = 2 * K
    fi;
    for (i : 0 .. TILES - 1) { words[i].state = PREFIX; words[i].count = 77 }
    for (i : 0 .. PLACES * GROUPS - 1) { groups[i].added = G; groups[i].sum = 77 }
    for (i : 0 .. K - 1) { run block(i, 0); run block(i, 1) }
#ifdef DELAY
    for (i : 0 .. 2 * K - 1) { run memory(i) }
#endif
    i = 0
  }
}
