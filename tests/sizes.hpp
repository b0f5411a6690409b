// SPDX-License-Identifier: MIT
#pragma once

#include <sam/host/run.hpp>
#include <sam/host/simd.hpp>

#include <set>

namespace test {

using sam::index_t;

/// How many threads the tests use beside the back end: rings wrap for them at small n.
inline constexpr int several = 3;

/// The sizes at which the host engine changes what it does with items of T under a pass: vectors,
/// groups of vectors or of streams (granules), pieces, tiles, a ring that is full and one that
/// wraps; of wide tuples, blocks of columns. Other back ends are as good as blind at their edges
/// only if they have some of their own.
template <class T, class Pass>
std::set<index_t> sizes_at_every_edge(Pass const& pass) {
  using sam::host::tuning;
  constexpr auto bytes = index_t{sizeof(T)};
  std::set<index_t> sizes{0, 1, 2, 3, 100};
  auto const around = [&](index_t edge) {
    for (index_t const n : {edge - 1, edge, edge + 1})
      if (n >= 0)
        sizes.insert(n);
  };
  index_t const s = pass.components;
  around(s);
  sizes.insert(3 * s + s / 2);
  around(sam::host::lanes<T>);
  around(tuning::parallel_bytes / bytes);
  if (Pass::tuple_size == sam::run_time_tuple && sam::host::are_wide<T>(s)) {
    around(tuning::piece_bytes / bytes / 2);
    around(5 * s);
    return sizes;
  }
  sam::host::with_kernel<T>(pass, [&](auto const& kernel) {
    auto const shape = sam::host::shape::of<T>(0, kernel);
    index_t const tile = shape.tiles.size;
    index_t const ring = 2 * sam::host::ring<T>::window_for(several);
    around(kernel.granule());
    around(shape.piece);
    sizes.insert(shape.piece + kernel.granule() + 5);
    around(tile);
    sizes.insert(2 * tile + shape.piece + 3);
    sizes.insert(3 * tile);
    sizes.insert(ring * tile + 1);
    sizes.insert((ring + 3) * tile - 7);
  });
  return sizes;
}

}  // namespace test
