// SPDX-License-Identifier: MIT
// Adds reductions by key and by segment of what is computed from items to the grid: both extremes,
// of all items too, products, counts, searches and tests. CUB reduces what an iterator computes.
#include <sam/find_by_key.hpp>
#include <sam/minmax.hpp>
#include <sam/segmented_find.hpp>
#include <sam/segmented_inner_product.hpp>
#include <sam/segmented_minmax.hpp>

#include "grid.hpp"
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/iterator>
#include <cuda/std/functional>

#include <limits>

namespace grid {

using key = std::uint32_t;
using extremes = sam::min_and_max<float>;
using located_extremes = sam::minmax_values<float>;

struct is_odd {
  SAM_FUNCTION bool operator()(std::int32_t x) const { return (x & 1) != 0; }
};
struct wider {
  SAM_FUNCTION extremes operator()(extremes const& a, extremes const& b) const {
    return {b.min < a.min ? b.min : a.min, a.max < b.max ? b.max : a.max};
  }
  SAM_FUNCTION located_extremes operator()(located_extremes const& a,
                                           located_extremes const& b) const {
    return {b.min.value < a.min.value ? b.min : a.min, a.max.value < b.max.value ? b.max : a.max};
  }
};
struct all_are {
  SAM_FUNCTION std::int32_t operator()(std::int32_t a, std::int32_t b) const { return a & b; }
};

// These make the items that CUB reduces.
struct as_extremes {
  float const* in;
  SAM_FUNCTION extremes operator()(index_t i) const { return {in[i], in[i]}; }
};
struct both_of_item {
  SAM_FUNCTION extremes operator()(float x) const { return {x, x}; }
};
struct as_located {
  float const* in;
  SAM_FUNCTION located_extremes operator()(index_t i) const { return {{in[i], i}, {in[i], i}}; }
};
struct as_product {
  std::int32_t const *a, *b;
  SAM_FUNCTION std::int32_t operator()(index_t i) const { return a[i] * b[i]; }
};
struct as_count {
  std::int32_t const* in;
  SAM_FUNCTION std::int32_t operator()(index_t i) const { return is_odd{}(in[i]) ? 1 : 0; }
};
struct as_place {
  std::int32_t const* in;
  SAM_FUNCTION std::int32_t operator()(index_t i) const {
    return is_odd{}(in[i]) ? std::int32_t(i) : std::numeric_limits<std::int32_t>::max();
  }
};
struct as_order {
  std::int32_t const* in;
  key const* keys;
  SAM_FUNCTION std::int32_t operator()(index_t i) const {
    return i == 0 || keys[i] != keys[i - 1] || in[i - 1] <= in[i] ? 1 : 0;
  }
};
/// Orders items within segments: does not know where these begin.
struct as_order_of_neighbours {
  std::int32_t const* in;
  SAM_FUNCTION std::int32_t operator()(index_t i) const {
    return i == 0 || in[i - 1] <= in[i] ? 1 : 0;
  }
};
struct any_is {
  SAM_FUNCTION std::int32_t operator()(std::int32_t a, std::int32_t b) const { return a | b; }
};
template <class F>
auto computed(F const& f) {
  return cuda::transform_iterator(cuda::counting_iterator<index_t>(0), f);
}

/// Makes a reduction by key. of(in, keys) returns what CUB reduces by `op`, and by(keys, in,
/// firsts, out, count) calls sam.
template <class T, class Total, class Op, class Of, class By>
problem make_by_key(arena& memory, index_t n, int slots, Of const& of, By const& by) {
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const keys = grid::take_slots<key>(memory, n, slots);
  for (int s = 0; s < slots; ++s)
    grid::fill_runs((*keys)[s].data(), n, 100, s);
  auto const firsts = grid::take_slots<key>(memory, n, slots);
  auto const out = grid::take_slots<Total>(memory, n, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    by(grid::constant((*keys)[s]), grid::constant((*in)[s]), (*firsts)[s], (*out)[s], (*count)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceReduce::ReduceByKey(t, bytes, (*keys)[s].data(), (*firsts)[s].data(),
                                          grid::computed(of((*in)[s].data(), (*keys)[s].data())),
                                          (*out)[s].data(), (*count)[s].data(), Op{}, int(n), on);
  });
  p.bytes = n * 8;
  p.in = grid::input(in);
  return p;
}

/// Makes a reduction of segments by offsets.
template <class T, class Op, class Total, class Of, class By>
problem make_by_segment(arena& memory, index_t n, int slots, index_t length, Total const& start,
                        Of const& of, By const& by) {
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const offsets = std::make_shared<std::vector<std::span<std::int32_t>>>();
  auto const out = std::make_shared<std::vector<std::span<Total>>>();
  for (int s = 0; s < slots; ++s) {
    offsets->push_back(grid::fill_offsets(memory, n, length, std::uint32_t(s + 1)));
    out->push_back(memory.take<Total>(index_t(offsets->back().size()) - 1));
  }
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    by(grid::constant((*in)[s]), sam::by_offsets(grid::constant((*offsets)[s])), (*out)[s]);
  };
  p.cub = grid::with_temporary(
      memory,
      [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
        auto const* const begin = (*offsets)[s].data();
        return cub::DeviceSegmentedReduce::Reduce(t, bytes, grid::computed(of((*in)[s].data())),
                                                  (*out)[s].data(), std::int64_t((*out)[s].size()),
                                                  begin, begin + 1, Op{}, start, on);
      },
      slots);
  p.bytes = n * index_t{sizeof(T)};
  p.in = grid::input(in);
  return p;
}

/// Finds both extremes of all items. CUB transforms each item as it reads it.
problem make_extremes(arena& memory, index_t n, int slots) {
  auto const in = grid::take_random<float>(memory, n, slots);
  auto const out = grid::take_slots<extremes>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) { sam::minmax(context(), grid::constant((*in)[s]), (*out)[s]); };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    float const end = std::numeric_limits<float>::infinity();
    return cub::DeviceReduce::TransformReduce(t, bytes, (*in)[s].data(), (*out)[s].data(), n,
                                              wider{}, both_of_item{}, extremes{end, -end}, on);
  });
  p.bytes = n * index_t{sizeof(float)};
  p.in = grid::input(in);
  return p;
}

void add_reductions_of(families& all) {
  using number = std::int32_t;
  constexpr index_t most = index_t{1} << 28;
  auto const by_key = [&](char const* name, char const* items, auto const& make) {
    all.push_back({name, items, "runs of 100", 8, most, make});
  };
  by_key("minmax_by_key", "uint32, float", [](arena& memory, index_t n, int slots) {
    return grid::make_by_key<float, extremes, wider>(
        memory, n, slots, [](float const* in, key const*) { return as_extremes{in}; },
        [](auto... a) { sam::minmax_by_key(context(), a...); });
  });
  by_key("find_minmax_by_key", "uint32, float", [](arena& memory, index_t n, int slots) {
    return grid::make_by_key<float, located_extremes, wider>(
        memory, n, slots, [](float const* in, key const*) { return as_located{in}; },
        [](auto... a) { sam::find_minmax_by_key(context(), a...); });
  });
  by_key("inner_product_by_key with itself", "uint32, int32",
         [](arena& memory, index_t n, int slots) {
           return grid::make_by_key<number, number, ::cuda::std::plus<>>(
               memory, n, slots,
               [](number const* in, key const*) {
                 return as_product{in, in};
               },
               [](auto keys, auto in, auto... a) {
                 sam::inner_product_by_key(context(), keys, in, in, a...);
               });
         });
  by_key("count_if_by_key", "uint32, int32", [](arena& memory, index_t n, int slots) {
    return grid::make_by_key<number, number, ::cuda::std::plus<>>(
        memory, n, slots, [](number const* in, key const*) { return as_count{in}; },
        [](auto keys, auto in, auto firsts, auto... a) {
          sam::count_if_by_key(context(), keys, in, firsts, is_odd{}, a...);
        });
  });
  by_key("find_if_by_key", "uint32, int32", [](arena& memory, index_t n, int slots) {
    return grid::make_by_key<number, number, ::cuda::minimum<>>(
        memory, n, slots, [](number const* in, key const*) { return as_place{in}; },
        [](auto keys, auto in, auto firsts, auto... a) {
          sam::find_if_by_key(context(), keys, in, firsts, is_odd{}, a...);
        });
  });
  by_key("any_of_by_key", "uint32, int32", [](arena& memory, index_t n, int slots) {
    return grid::make_by_key<number, number, any_is>(
        memory, n, slots, [](number const* in, key const*) { return as_count{in}; },
        [](auto keys, auto in, auto firsts, auto... a) {
          sam::any_of_by_key(context(), keys, in, firsts, is_odd{}, a...);
        });
  });
  by_key("is_sorted_by_key", "uint32, int32", [](arena& memory, index_t n, int slots) {
    return grid::make_by_key<number, number, all_are>(
        memory, n, slots,
        [](number const* in, key const* keys) {
          return as_order{in, keys};
        },
        [](auto... a) { sam::is_sorted_by_key(context(), a...); });
  });
  all.push_back({"minmax", "float", "", 4, most, &make_extremes});
  all.push_back({"segmented_minmax", "float", name_of_segments(100), 4, most,
                 [](arena& memory, index_t n, int slots) {
                   float const end = std::numeric_limits<float>::infinity();
                   return grid::make_by_segment<float, wider>(
                       memory, n, slots, 100, extremes{end, -end},
                       [](float const* in) { return as_extremes{in}; },
                       [](auto... a) { sam::segmented_minmax(context(), a...); });
                 }});
  all.push_back(
      {"segmented_inner_product with itself", "int32", name_of_segments(100), 4, most,
       [](arena& memory, index_t n, int slots) {
         return grid::make_by_segment<number, ::cuda::std::plus<>>(
             memory, n, slots, 100, number{0},
             [](number const* in) {
               return as_product{in, in};
             },
             [](auto in, auto... a) { sam::segmented_inner_product(context(), in, in, a...); });
       }});
  all.push_back({"segmented_count_if", "int32", name_of_segments(100), 4, most,
                 [](arena& memory, index_t n, int slots) {
                   return grid::make_by_segment<number, ::cuda::std::plus<>>(
                       memory, n, slots, 100, number{0},
                       [](number const* in) { return as_count{in}; },
                       [](auto in, auto segments, auto out) {
                         sam::segmented_count_if(context(), in, segments, is_odd{}, out);
                       });
                 }});
  all.push_back({"segmented_find_if", "int32", name_of_segments(100), 4, most,
                 [](arena& memory, index_t n, int slots) {
                   return grid::make_by_segment<number, ::cuda::minimum<>>(
                       memory, n, slots, 100, std::numeric_limits<number>::max(),
                       [](number const* in) { return as_place{in}; },
                       [](auto in, auto segments, auto out) {
                         sam::segmented_find_if(context(), in, segments, is_odd{}, out);
                       });
                 }});
  all.push_back({"segmented_any_of", "int32", name_of_segments(100), 4, most,
                 [](arena& memory, index_t n, int slots) {
                   return grid::make_by_segment<number, any_is>(
                       memory, n, slots, 100, number{0},
                       [](number const* in) { return as_count{in}; },
                       [](auto in, auto segments, auto out) {
                         sam::segmented_any_of(context(), in, segments, is_odd{}, out);
                       });
                 }});
  all.push_back({"segmented_is_sorted", "int32", name_of_segments(100), 4, most,
                 [](arena& memory, index_t n, int slots) {
                   return grid::make_by_segment<number, all_are>(
                       memory, n, slots, 100, number{1},
                       [](number const* in) { return as_order_of_neighbours{in}; },
                       [](auto... a) { sam::segmented_is_sorted(context(), a...); });
                 }});
  all.push_back({"segmented_find_minmax", "float", name_of_segments(100), 4, most,
                 [](arena& memory, index_t n, int slots) {
                   float const end = std::numeric_limits<float>::infinity();
                   return grid::make_by_segment<float, wider>(
                       memory, n, slots, 100, located_extremes{{end, -1}, {-end, -1}},
                       [](float const* in) { return as_located{in}; },
                       [](auto... a) { sam::segmented_find_minmax(context(), a...); });
                 }});
}

}  // namespace grid
