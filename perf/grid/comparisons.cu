// SPDX-License-Identifier: MIT
// Adds sorts by a comparison, and merges, to the grid.
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>

#include "grid.hpp"
#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>

namespace grid {

/// An order that no radix sort knows: by < of the keys, as a function object of a caller.
struct by_value {
  template <class T>
  SAM_FUNCTION bool operator()(T a, T b) const {
    return a < b;
  }
};

template <class T, class Less>
problem make_merge_sort(arena& memory, index_t n, int slots) {
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::merge_sort(context(), grid::constant((*in)[s]), (*out)[s], Less{});
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceMergeSort::SortKeysCopy(t, bytes, (*in)[s].data(), (*out)[s].data(), n,
                                              Less{}, on);
  });
  p.bytes = n * index_t{sizeof(T)};
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

template <class Key, class Value>
problem make_merge_sort_pairs(arena& memory, index_t n, int slots) {
  auto const in = grid::take_random<Key>(memory, n, slots);
  auto const values = grid::take_random<Value>(memory, n, slots);
  auto const out = grid::take_slots<Key>(memory, n, slots);
  auto const values_out = grid::take_slots<Value>(memory, n, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::merge_sort_pairs(context(), grid::constant((*in)[s]), grid::constant((*values)[s]),
                          (*out)[s], (*values_out)[s], by_value{});
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceMergeSort::SortPairsCopy(t, bytes, (*in)[s].data(), (*values)[s].data(),
                                               (*out)[s].data(), (*values_out)[s].data(), n,
                                               by_value{}, on);
  });
  p.bytes = n * index_t{sizeof(Key) + sizeof(Value)};
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

/// Merges two halves, which are sorted.
template <class T>
problem make_merge(arena& memory, index_t n, int slots) {
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  index_t const half = n / 2;
  for (auto const items : *in)
    for (auto const part : {items.first(std::size_t(half)), items.subspan(std::size_t(half))})
      sam::merge_sort(context(), part, part);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    auto const items = grid::constant((*in)[s]);
    sam::merge(context(), items.first(std::size_t(half)), items.subspan(std::size_t(half)),
               (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    T const* const items = (*in)[s].data();
    return cub::DeviceMerge::MergeKeys(t, bytes, items, half, items + half, n - half,
                                       (*out)[s].data(), by_value{}, on);
  });
  p.bytes = n * index_t{sizeof(T)};
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

void add_comparisons(families& all) {
  constexpr index_t most = index_t{1} << 28;
  using u32 = std::uint32_t;
  all.push_back({"merge_sort by <", "uint32", "", 4, most, &make_merge_sort<u32, sam::less>});
  all.push_back({"merge_sort by an order", "uint32", "", 4, most, &make_merge_sort<u32, by_value>});
  all.push_back(
      {"merge_sort by an order", "double", "", 8, most, &make_merge_sort<double, by_value>});
  all.push_back({"merge_sort_pairs by an order", "uint32, uint32", "", 8, most,
                 &make_merge_sort_pairs<u32, u32>});
  all.push_back({"merge", "uint32", "", 4, most, &make_merge<u32>});
  all.push_back({"merge", "double", "", 8, most, &make_merge<double>});
}

}  // namespace grid
