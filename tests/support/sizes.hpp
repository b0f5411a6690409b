// SPDX-License-Identifier: MIT
// The sizes at which the host engine changes its algorithm, for tests around them.
#pragma once

#include <sam/host/jobs/segment_flags.hpp>
#include <sam/host/scan/run.hpp>
#include <sam/host/simd/simd.hpp>

#include <set>

namespace test {

using sam::index_t;

/// The number of threads in tests of contexts other than the back end's. With so few, descriptor
/// rings wrap at small n.
inline constexpr int several = 3;

/// The numbers of items at which the host engine changes its algorithm.
struct edges {
  index_t components, vector, parallel;
  index_t columns = 0;  // in a block of columns; 0 unless tuples are wide
  index_t granule = 0, piece = 0, tile = 0, ring = 0;

  std::set<index_t> sizes() const {
    std::set<index_t> sizes{0, 1, 2, 3, 100, 3 * components + components / 2};
    auto const around = [&](index_t edge) {
      for (index_t const n : {edge - 1, edge, edge + 1})
        if (n >= 0)
          sizes.insert(n);
    };
    for (index_t const edge : {components, vector, parallel})
      around(edge);
    if (columns != 0) {
      around(columns);
      around(5 * components);
      return sizes;
    }
    for (index_t const edge : {granule, piece, tile})
      around(edge);
    sizes.insert({piece + granule + 5, 2 * tile + piece + 3, 3 * tile, ring * tile + 1,
                  (ring + 3) * tile - 7});
    return sizes;
  }
};

/// Sets the edges that depend on the kernel.
template <class V, class Kernel>
void add_kernel_edges(Kernel const& kernel, edges& at) {
  auto const config = sam::host::tile_config::of<V>(0, kernel);
  at.granule = kernel.granule();
  at.piece = config.piece;
  at.tile = config.tiles.size;
  at.ring = 2 * sam::host::ring<V>::depth_for(several);
}
/// Returns the sizes at which the host engine changes how it processes items of T for a policy.
/// These are sizes of vectors, of groups of vectors or streams (granules), of pieces and tiles, and
/// of a descriptor ring that is full or wraps. For wide tuples, they are sizes of blocks of
/// columns. Other back ends have their edges elsewhere and must add them.
template <class T, class Pass>
std::set<index_t> sizes_at_every_edge(Pass const& pass) {
  using sam::host::tuning;
  constexpr auto bytes = index_t{sizeof(T)};
  edges at{pass.components, sam::host::lanes<T>, tuning::parallel_bytes / bytes};
  if (Pass::tuple_size == sam::run_time_tuple && sam::host::are_wide<T>(pass.components))
    at.columns = tuning::piece_bytes / bytes / 2;
  else
    sam::host::with_kernel<T>(pass, [&](auto const& kernel) { add_kernel_edges<T>(kernel, at); });
  return at.sizes();
}

}  // namespace test
