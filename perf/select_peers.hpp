// SPDX-License-Identifier: MIT
// Compaction and partition by other libraries that are installed, as peers. All peers take the same
// description: item i is value(i) and goes to list part(i). `Parts` lists are written, in order,
// and items of other parts are dropped.
#pragma once

#include <sam/portable.hpp>

#include <array>
#include <cstddef>

#if __has_include(<oneapi/tbb/parallel_scan.h>)
#define SAM_PEER_TBB 1
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_scan.h>
#endif
#if __has_include(<parlay/primitives.h>)
#define SAM_PEER_PARLAY 1
#include <parlay/primitives.h>
#endif

namespace perf {

using sam::index_t;

/// The number of items in each list so far. For several lists, the last count is not stored: it
/// follows from i.
template <int Parts>
struct ranks {
  static constexpr int counted = Parts > 1 ? Parts - 1 : 1;
  std::array<index_t, counted> of{};

  SAM_FUNCTION friend ranks operator+(ranks a, ranks const& b) {
    for (int k = 0; k < counted; ++k)
      a.of[k] += b.of[k];
    return a;
  }
  SAM_FUNCTION void add(int part) {
    for (int k = 0; k < counted; ++k)
      of[k] += part == k ? 1 : 0;
  }
  template <class Value, class T>
  SAM_FUNCTION void put(index_t i, int part, Value const& value,
                        std::array<T*, 3> const& to) const {
    if (part < counted) {
      to[part][of[part]] = value(i);
    } else if (Parts > 1) {
      index_t rank = i;
      for (int k = 0; k < counted; ++k)
        rank -= of[k];
      to[counted][rank] = value(i);
    }
  }
};

/// A plain loop on one thread.
struct serial_select {
  static constexpr char const* name = "serial";
  template <int Parts, class Part, class Value, class T>
  static void select(index_t n, Part part, Value value, std::array<T*, 3> const& to) {
    ranks<Parts> before;
    for (index_t i = 0; i < n; ++i) {
      int const p = part(i);
      before.put(i, p, value, to);
      before.add(p);
    }
  }
};

#ifdef SAM_PEER_TBB
struct tbb_select {
  static constexpr char const* name = "tbb";
  template <int Parts, class Part, class Value, class T>
  static void select(index_t n, Part part, Value value, std::array<T*, 3> const& to) {
    tbb::parallel_scan(
        tbb::blocked_range<index_t>(0, n), ranks<Parts>{},
        [=](tbb::blocked_range<index_t> const& r, ranks<Parts> before, bool is_final) {
          if (is_final)
            for (index_t i = r.begin(); i < r.end(); ++i) {
              int const p = part(i);
              before.put(i, p, value, to);
              before.add(p);
            }
          else
            for (index_t i = r.begin(); i < r.end(); ++i)
              before.add(part(i));
          return before;
        },
        [](ranks<Parts> const& a, ranks<Parts> const& b) { return a + b; });
  }
};
#endif

#ifdef SAM_PEER_PARLAY
/// Packs one list after the other, because ParlayLib has no partition.
struct parlay_pack {
  static constexpr char const* name = "parlay";
  template <int Parts, class Part, class Value, class T>
  static void select(index_t n, Part part, Value value, std::array<T*, 3> const& to) {
    auto const count = static_cast<std::size_t>(n);
    auto const values = parlay::delayed_tabulate(
        count, [=](std::size_t i) { return value(static_cast<index_t>(i)); });
    for (int k = 0; k < Parts; ++k) {
      auto* const list = to[static_cast<std::size_t>(k)];
      parlay::pack_into_uninitialized(
          values,
          parlay::delayed_tabulate(
              count, [=](std::size_t i) { return part(static_cast<index_t>(i)) == k; }),
          parlay::make_slice(list, list + n));
    }
  }
};
#endif

}  // namespace perf

#include "backend_select_peers.hpp"  // of the back end's folder

namespace perf {

/// Calls use(peer) for every available peer.
template <class Use>
void for_each_select_peer(Use use) {
  use(serial_select{});
#ifdef SAM_PEER_TBB
  use(tbb_select{});
#endif
#ifdef SAM_PEER_PARLAY
  use(parlay_pack{});
#endif
  for_each_select_peer_of_backend(use);
}

}  // namespace perf
