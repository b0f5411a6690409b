// SPDX-License-Identifier: MIT
// Adds scans of a 16-byte struct under an operator that does not commute to the grid.
#include <sam/scan.hpp>

#include "grid.hpp"
#include <cub/device/device_scan.cuh>

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

void add_wide_scans(families& all) {
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
