// SPDX-License-Identifier: MIT
// Adds differences of neighbours, compaction by a stencil, and moves by index to the grid.
#include <sam/adjacent_difference.hpp>
#include <sam/compact.hpp>
#include <sam/gather.hpp>
#include <sam/merge_sort.hpp>

#include "grid.hpp"
#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/scatter.h>

namespace grid {

template <class T>
problem make_difference(arena& memory, index_t n, int slots) {
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::adjacent_difference(context(), grid::constant((*in)[s]), (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(
        t, bytes, (*in)[s].data(), (*out)[s].data(), n, ::cuda::std::minus<>{}, on);
  });
  p.bytes = n * index_t{sizeof(T)};
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

struct is_high {
  SAM_FUNCTION bool operator()(std::uint8_t x) const { return x >= 128; }
};
problem make_stencil(arena& memory, index_t n, int slots) {
  using T = std::uint32_t;
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const stencil = grid::take_random<std::uint8_t>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::compact_by_stencil(context(), grid::constant((*in)[s]), grid::constant((*stencil)[s]),
                            (*out)[s], is_high{}, (*count)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceSelect::FlaggedIf(t, bytes, (*in)[s].data(), (*stencil)[s].data(),
                                        (*out)[s].data(), (*count)[s].data(), n, is_high{}, on);
  });
  p.bytes = n * 4;
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

/// Gathers or scatters by a random permutation.
template <bool Scatters>
problem make_move(arena& memory, index_t n, int slots) {
  using T = std::uint32_t;
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const indices = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  for (int s = 0; s < slots; ++s)  // the order of random keys
    sam::merge_argsort(context(), grid::constant((*in)[s]), (*indices)[s]);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    auto const from = grid::constant((*in)[s]), by = grid::constant((*indices)[s]);
    if constexpr (Scatters)
      sam::scatter(context(), from, by, (*out)[s]);
    else
      sam::gather(context(), from, by, (*out)[s]);
  };
  p.cub = [=](cudaStream_t on, int s) {
    auto const policy = thrust::cuda::par_nosync.on(on);
    T const *const from = (*in)[s].data(), *const by = (*indices)[s].data();
    if constexpr (Scatters)
      thrust::scatter(policy, from, from + n, by, (*out)[s].data());
    else
      thrust::gather(policy, by, by + n, from, (*out)[s].data());
  };
  p.bytes = n * 4;
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

void add_moves(families& all) {
  constexpr index_t most = index_t{1} << 30;
  all.push_back({"adjacent_difference", "int32", "", 4, most, &make_difference<std::int32_t>});
  all.push_back({"adjacent_difference", "double", "", 8, most, &make_difference<double>});
  all.push_back({"compact_by_stencil", "uint32", "", 4, most, &make_stencil});
  all.push_back({"gather at random", "uint32", "", 4, most, &make_move<false>});
  all.push_back({"scatter at random", "uint32", "", 4, most, &make_move<true>});
}

}  // namespace grid
