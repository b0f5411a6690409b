// SPDX-License-Identifier: MIT
// Adds sums of orders 2 and 8, for which CUB is called as often, and sums of tuples, for which CUB
// scans structs, to the grid.
#include <sam/scan.hpp>

#include "grid.hpp"
#include <cub/device/device_scan.cuh>

namespace grid {

template <int Size>
struct tuple_of {
  std::int32_t x[Size];
};
struct add_tuple {
  template <int Size>
  SAM_FUNCTION tuple_of<Size> operator()(tuple_of<Size> const& a, tuple_of<Size> const& b) const {
    tuple_of<Size> sum;
    for (int k = 0; k < Size; ++k)
      sum.x[k] = a.x[k] + b.x[k];
    return sum;
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
    constexpr int size = Policy::tuple_size;
    if constexpr (size > 1) {
      return cub::DeviceScan::InclusiveScan(
          t, bytes, reinterpret_cast<tuple_of<size> const*>((*in)[s].data()),
          reinterpret_cast<tuple_of<size>*>((*out)[s].data()), add_tuple{}, int(whole / size), on);
    } else {
      auto const* from = (*in)[s].data();
      cudaError_t error = cudaSuccess;
      for (int k = 0; k < Policy::order && error == cudaSuccess; ++k) {
        error = cub::DeviceScan::InclusiveSum(t, bytes, from, (*out)[s].data(), int(n), on);
        from = (*out)[s].data();
        if (t == nullptr)
          break;
      }
      return error;
    }
  });
  p.bytes = whole * index_t{sizeof(T)};
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

template <int Order, int TupleSize>
void add(families& all, char const* call) {
  all.push_back({call, "int32", "", 4, index_t{1} << 30,
                 &make_sums<sam::scan_policy<sam::plus, Order, TupleSize>>});
}

void add_tuples(families& all) {
  add<2, 1>(all, "inclusive_scan of order 2");
  add<8, 1>(all, "inclusive_scan of order 8");
  add<1, 2>(all, "inclusive_scan of 2-tuples");
  add<1, 3>(all, "inclusive_scan of 3-tuples");
  add<1, 5>(all, "inclusive_scan of 5-tuples");
}

}  // namespace grid
