// SPDX-License-Identifier: MIT
// Adds sums of scalar items to the grid, inclusive and exclusive.
#include <sam/scan.hpp>

#include "grid.hpp"
#include <cub/device/device_scan.cuh>

namespace grid {

template <class T>
void add_sums(families& all, char const* items) {
  all.push_back({"inclusive_scan", items, "", sizeof(T), index_t{1} << 30,
                 [](arena& memory, index_t n, int slots) {
                   auto const in = grid::take_random<T>(memory, n, slots);
                   auto const out = grid::take_slots<T>(memory, n, slots);
                   problem p;
                   p.sam = [=](cudaStream_t, int s) {
                     sam::inclusive_scan(context(), grid::constant((*in)[s]), (*out)[s]);
                   };
                   p.cub = grid::with_temporary(
                       memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
                         return cub::DeviceScan::InclusiveSum(t, bytes, (*in)[s].data(),
                                                              (*out)[s].data(), int(n), on);
                       });
                   p.bytes = n * index_t{sizeof(T)};
                   p.in = grid::input(in);
                   if (std::is_integral_v<T>)
                     p.out = grid::output(out);
                   return p;
                 }});
}

problem make_exclusive_sums(arena& memory, index_t n, int slots) {
  using T = std::int32_t;
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::exclusive_scan(context(), grid::constant((*in)[s]), (*out)[s], T{0});
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceScan::ExclusiveSum(t, bytes, (*in)[s].data(), (*out)[s].data(), int(n), on);
  });
  p.bytes = n * 4;
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

void add_scans(families& all) {
  all.push_back({"exclusive_scan", "int32", "", 4, index_t{1} << 30, &make_exclusive_sums});
  add_sums<std::int32_t>(all, "int32");
  add_sums<std::int64_t>(all, "int64");
  add_sums<float>(all, "float");
  add_sums<double>(all, "double");
  add_sums<std::int8_t>(all, "int8");
}

}  // namespace grid
