// SPDX-License-Identifier: MIT
// A Spin model of how CPU workers stop when one of them fails (backends/sam/host/memory/pool.hpp). tests/model/check
// runs it.
//
// Each of P workers claims tiles, waits for the inclusive prefix of the previous tile, and publishes its own. A user's
// callable may throw before the prefix is published. The first exception is stored and a flag is raised. Waiting
// workers leave by an internal exception of the library, which must never be the stored one. The caller rethrows the
// stored exception when all workers have ended.
//
// Options, by -D:
//
// P, TILES  workers and tiles
// FAULT     introduces one of these faults. NO_LOOK: a waiting worker does not check the flag. RAISED_FIRST: the flag
//           is raised before the exception is stored. HASTY: the caller does not wait for all workers.
#define NOBODY 255

bool published[TILES];
bool captured, raised;
byte claims, ended, failures;
byte kept = NOBODY;  // the worker whose exception is stored

proctype worker(byte w) {
  byte tile;
  bool taken, own;  // own: a user's exception, not the library's
next:
  atomic { tile = claims; claims++ }
  if
  :: tile >= TILES -> goto done
  :: else
  fi;
  if
  :: atomic { true -> own = true; failures++ }
    goto failed
  :: true
  fi;
  if
  :: tile == 0 || published[tile - 1]
#ifndef NO_LOOK
  :: raised -> goto failed
#endif
  fi;
  published[tile] = true;
  goto next;
failed:
#ifdef RAISED_FIRST
  raised = true;
#endif
  atomic { taken = captured; captured = true }
  if
  :: !taken ->
    assert(own);
    kept = w
  :: else
  fi;
  raised = true;
done:
  ended++
}

init {
  byte w;
  atomic {
    for (w : 0 .. P - 1) { run worker(w) }
  }
#ifndef HASTY
  ended == P;
#endif
  atomic {
    assert((kept != NOBODY) == (failures > 0));
    if
    :: kept == NOBODY ->
      for (w : 0 .. TILES - 1) { assert(published[w]) }
    :: else
    fi
  }
}
