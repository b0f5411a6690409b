// SPDX-License-Identifier: MIT
// Adds sums of order 2, for which CUB is called twice, and sums of 3-tuples, for which CUB scans
// structs, to the grid.
#include <sam/scan.hpp>

#include "grid.hpp"
#include <cub/device/device_scan.cuh>

namespace grid {

struct three {
  std::int32_t x, y, z;
};
struct add_three {
  SAM_FUNCTION three operator()(three a, three b) const {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
};

template <class Policy>
problem make_sums(arena& memory, index_t n, int slots) {
  using T = std::int32_t;
  index_t const whole = n / Policy::tuple_size * Policy::tuple_size;
  auto const in = grid::take_random<T>(memory, whole, slots);
  auto const out = grid::take_slots<T>(memory, whole, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::inclusive_scan(context(), grid::constant((*in)[s]), (*out)[s], Policy{});
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    if constexpr (Policy::tuple_size == 3) {
      return cub::DeviceScan::InclusiveScan(
          t, bytes, reinterpret_cast<three const*>((*in)[s].data()),
          reinterpret_cast<three*>((*out)[s].data()), add_three{}, int(whole / 3), on);
    } else {
      cudaError_t const first =
          cub::DeviceScan::InclusiveSum(t, bytes, (*in)[s].data(), (*out)[s].data(), int(n), on);
      return first != cudaSuccess || t == nullptr
                 ? first
                 : cub::DeviceScan::InclusiveSum(t, bytes, (*out)[s].data(), (*out)[s].data(),
                                                 int(n), on);
    }
  });
  p.bytes = whole * index_t{sizeof(T)};
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

void add_tuples(families& all) {
  all.push_back({"inclusive_scan of order 2", "int32", "", 4, index_t{1} << 30,
                 &make_sums<sam::scan_policy<sam::plus, 2, 1>>});
  all.push_back({"inclusive_scan of 3-tuples", "int32", "", 4, index_t{1} << 30,
                 &make_sums<sam::scan_policy<sam::plus, 1, 3>>});
}

}  // namespace grid
