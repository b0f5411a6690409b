// SPDX-License-Identifier: MIT
// Adds reductions and inner products to the grid.
#include <sam/inner_product.hpp>
#include <sam/reduce.hpp>

#include "grid.hpp"
#include <cub/device/device_reduce.cuh>
#include <cuda/iterator>

namespace grid {

template <class T>
void add_reduction(families& all, char const* items) {
  all.push_back(
      {"reduce", items, "", sizeof(T), index_t{1} << 30, [](arena& memory, index_t n, int slots) {
         auto const in = grid::take_random<T>(memory, n, slots);
         auto const out = grid::take_slots<T>(memory, 1, slots);
         problem p;
         p.sam = [=](cudaStream_t, int s) {
           sam::reduce(context(), grid::constant((*in)[s]), (*out)[s]);
         };
         p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on,
                                                  int s) {
           return cub::DeviceReduce::Sum(t, bytes, (*in)[s].data(), (*out)[s].data(), int(n), on);
         });
         p.bytes = n * index_t{sizeof(T)};
         p.in = grid::input(in);
         if (std::is_integral_v<T>)
           p.out = grid::output(out);
         return p;
       }});
}

/// The product of item i of two arrays.
struct product_at {
  float const *a, *b;
  SAM_FUNCTION float operator()(index_t i) const { return a[i] * b[i]; }
};
problem make_inner_product(arena& memory, index_t n, int slots) {
  auto const a = grid::take_random<float>(memory, n, slots);
  auto const b = grid::take_random<float>(memory, n, slots);
  auto const out = grid::take_slots<float>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::inner_product(context(), grid::constant((*a)[s]), grid::constant((*b)[s]), (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    auto const products = cuda::transform_iterator(cuda::counting_iterator<index_t>(0),
                                                   product_at{(*a)[s].data(), (*b)[s].data()});
    return cub::DeviceReduce::Sum(t, bytes, products, (*out)[s].data(), n, on);
  });
  p.bytes = n * 8;
  p.in = grid::input(a);
  return p;
}

void add_reductions(families& all) {
  add_reduction<std::int32_t>(all, "int32");
  add_reduction<double>(all, "double");
  all.push_back({"inner_product", "float, float", "", 8, index_t{1} << 28, &make_inner_product});
}

}  // namespace grid
