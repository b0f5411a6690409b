// SPDX-License-Identifier: MIT
// Adds scans of a 16-byte struct under an operator that does not commute to the grid, and linear
// recurrences.
#include <sam/linear_recurrence.hpp>
#include <sam/scan.hpp>

#include "grid.hpp"
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

namespace grid {

/// An affine map modulo 2^64. Maps compose from left to right.
struct alignas(16) map {
  std::uint64_t factor, term;
};
struct compose {
  SAM_FUNCTION map operator()(map a, map b) const {
    return {a.factor * b.factor, a.term * b.factor + b.term};
  }
};

/// A step x -> factor * x + term of a recurrence. CUB scans steps, which are made as it loads; what
/// it stores of each is the term.
struct step {
  float factor, term;
};
struct as_step {
  SAM_FUNCTION step operator()(thrust::tuple<float, float> const& x) const {
    return {thrust::get<0>(x), thrust::get<1>(x)};
  }
};
struct compose_steps {
  SAM_FUNCTION step operator()(step a, step b) const {
    return {a.factor * b.factor, a.term * b.factor + b.term};
  }
};
struct term_of {
  SAM_FUNCTION float operator()(step x) const { return x.term; }
};
problem make_recurrence(arena& memory, index_t n, int slots) {
  auto const factors = grid::take_random<float>(memory, n, slots);
  auto const terms = grid::take_random<float>(memory, n, slots);
  auto const out = grid::take_slots<float>(memory, n, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::linear_recurrence(context(), grid::constant((*factors)[s]), grid::constant((*terms)[s]),
                           (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    auto const pairs =
        thrust::make_zip_iterator(thrust::make_tuple((*factors)[s].data(), (*terms)[s].data()));
    return cub::DeviceScan::InclusiveScan(
        t, bytes, thrust::make_transform_iterator(pairs, as_step{}),
        thrust::make_transform_output_iterator((*out)[s].data(), term_of{}), compose_steps{},
        int(n), on);
  });
  p.bytes = n * 6;  // two arrays are read and one is written
  p.in = grid::input(factors);
  return p;
}

void add_wide_scans(families& all) {
  all.push_back({"linear_recurrence", "float", "", 8, index_t{1} << 30, &make_recurrence});
  all.push_back({"inclusive_scan", "16-byte struct", "", sizeof(map), index_t{1} << 30,
                 [](arena& memory, index_t n, int slots) {
                   auto const in = grid::take_random<map>(memory, n, slots);
                   auto const out = grid::take_slots<map>(memory, n, slots);
                   problem p;
                   p.sam = [=](cudaStream_t, int s) {
                     sam::inclusive_scan(context(), grid::constant((*in)[s]), (*out)[s], compose{});
                   };
                   p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes,
                                                            cudaStream_t on, int s) {
                     return cub::DeviceScan::InclusiveScan(t, bytes, (*in)[s].data(),
                                                           (*out)[s].data(), compose{}, int(n), on);
                   });
                   p.bytes = n * index_t{sizeof(map)};
                   p.in = grid::input(in);
                   p.out = grid::output(out);
                   return p;
                 }});
}

}  // namespace grid
