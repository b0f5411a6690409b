// SPDX-License-Identifier: MIT
// Adds extreme items of whole arrays, segments and keys, first matches, medians and selections from
// rows to the grid.
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_top_k.hpp>
#include <sam/top_k.hpp>

#include "grid.hpp"
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/iterator>
#include <cuda/std/functional>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#if CUB_VERSION >= 300600
#include <cub/device/device_batched_topk.cuh>
#include <cub/device/device_find.cuh>
#endif

namespace grid {

/// Thrust waits for the result, so that a graph holds only sam's call.
template <class T>
problem make_minmax(arena& memory, index_t n, int slots) {
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<sam::minmax_values<T>>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::find_minmax(context(), grid::constant((*in)[s]), (*out)[s]);
  };
  p.cub = [=](cudaStream_t on, int s) {
    T const* const items = (*in)[s].data();
    thrust::minmax_element(thrust::cuda::par.on(on), items, items + n);
  };
  p.bytes = n * index_t{sizeof(T)};
  p.in = grid::input(in);
  return p;
}

#if CUB_VERSION >= 300600
/// Looks for the last item.
struct is_last {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x == ~0U; }
};
/// With Any, sam tests whether it is there.
template <bool Any>
problem make_find(arena& memory, index_t n, int slots) {
  using T = std::uint32_t;
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<index_t>(memory, 1, slots);
  for (auto const& items : *in)
    check(cudaMemset(items.data() + n - 1, 0xff, 4));
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    if constexpr (Any)
      sam::any_of(context(), grid::constant((*in)[s]), is_last{}, (*out)[s]);
    else
      sam::find_if(context(), grid::constant((*in)[s]), is_last{}, (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceFind::FindIf(t, bytes, (*in)[s].data(), (*out)[s].data(), is_last{}, n, on);
  });
  p.bytes = n * 4;
  p.in = grid::input(in);
  if (!Any)
    p.out = grid::output(out);
  return p;
}

/// Names the rows of a matrix.
template <class T>
struct row_of {
  T* items;
  index_t length;
  SAM_FUNCTION T* operator()(index_t row) const { return items + row * length; }
};

/// Counts the items of a row from its first index on.
template <class Index>
struct indices_of_row {
  index_t length;
  SAM_FUNCTION auto operator()(index_t row) const {
    return cuda::counting_iterator<Index>(Index(row * length));
  }
};

/// Chooses k items of each row. CUB does not sort them.
template <index_t Row, index_t K>
problem make_top_k_of_rows(arena& memory, index_t n, int slots) {
  if (n < Row)
    throw arena::exhausted();
  index_t const rows = n / Row;
  auto const in = grid::take_random<float>(memory, rows * Row, slots);
  auto const out = grid::take_slots<float>(memory, rows * K, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::segmented_top_k(context(), grid::constant((*in)[s]), sam::by_length(Row), K, (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    namespace execution = cuda::execution;
    auto const wanted =
        execution::require(execution::determinism::not_guaranteed,
                           execution::tie_break::unspecified, execution::output_ordering::unsorted);
    auto const environment = cuda::std::execution::env{cuda::stream_ref{on}, wanted};
    auto const from = cuda::transform_iterator(cuda::counting_iterator<index_t>(0),
                                               row_of<float const>{(*in)[s].data(), Row});
    auto const to = cuda::transform_iterator(cuda::counting_iterator<index_t>(0),
                                             row_of<float>{(*out)[s].data(), K});
    return cub::DeviceBatchedTopK::MaxKeys(t, bytes, from, to, cuda::args::constant<Row>{},
                                           cuda::args::constant<K>{}, rows, environment);
  });
  p.bytes = n * 4;
  p.in = grid::input(in);
  return p;
}

/// Chooses k items of each row, and their values or their indices. CUB chooses indices as values.
template <index_t Row, index_t K, bool Indices>
problem make_top_k_pairs_of_rows(arena& memory, index_t n, int slots) {
  using value = std::uint32_t;
  if (n < Row)
    throw arena::exhausted();
  index_t const rows = n / Row;
  auto const in = grid::take_random<float>(memory, rows * Row, slots);
  auto const out = grid::take_slots<float>(memory, rows * K, slots);
  auto const values = grid::take_random<value>(memory, Indices ? 1 : rows * Row, slots);
  auto const values_out = grid::take_slots<value>(memory, rows * K, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    auto const keys = grid::constant((*in)[s]);
    auto const segments = sam::by_length(Row);
    if constexpr (Indices)
      sam::segmented_top_k_indices(context(), keys, segments, K, (*values_out)[s]);
    else
      sam::segmented_top_k_pairs(context(), keys, grid::constant((*values)[s]), segments, K,
                                 (*out)[s], (*values_out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    namespace execution = cuda::execution;
    auto const wanted =
        execution::require(execution::determinism::not_guaranteed,
                           execution::tie_break::unspecified, execution::output_ordering::unsorted);
    auto const environment = cuda::std::execution::env{cuda::stream_ref{on}, wanted};
    auto const rows_of = [](auto* items, index_t length) {
      return cuda::transform_iterator(
          cuda::counting_iterator<index_t>(0),
          row_of<std::remove_reference_t<decltype(*items)>>{items, length});
    };
    auto const choose = [&](auto const& values_in) {
      return cub::DeviceBatchedTopK::MaxPairs(
          t, bytes, rows_of(std::as_const((*in)[s]).data(), Row), rows_of((*out)[s].data(), K),
          values_in, rows_of((*values_out)[s].data(), K), cuda::args::constant<Row>{},
          cuda::args::constant<K>{}, rows, environment);
    };
    if constexpr (Indices)
      return choose(cuda::transform_iterator(cuda::counting_iterator<index_t>(0),
                                             indices_of_row<value>{Row}));
    else
      return choose(rows_of((*values)[s].data(), Row));
  });
  p.bytes = n * (Indices ? 4 : 8);
  p.in = grid::input(in);
  return p;
}
#endif

/// CUB finds a median only by a sort.
problem make_median(arena& memory, index_t n, int slots) {
  using T = float;
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, 1, slots);
  auto const sorted = grid::take_slots<T>(memory, n, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::nth_element(context(), grid::constant((*in)[s]), n / 2, (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceRadixSort::SortKeys(t, bytes, (*in)[s].data(), (*sorted)[s].data(), n, 0, 32,
                                          on);
  });
  p.bytes = n * 4;
  p.in = grid::input(in);
  return p;
}

template <bool Max>
problem make_segmented_extreme(arena& memory, index_t n, int slots, index_t length) {
  using T = float;
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const offsets = std::make_shared<std::vector<std::span<std::int32_t>>>();
  auto const out = std::make_shared<std::vector<std::span<std::int32_t>>>();
  auto const pairs = std::make_shared<std::vector<std::span<cub::KeyValuePair<int, T>>>>();
  for (int s = 0; s < slots; ++s) {
    offsets->push_back(grid::fill_offsets(memory, n, length, std::uint32_t(s + 1)));
    index_t const segments = index_t(offsets->back().size()) - 1;
    out->push_back(memory.take<std::int32_t>(segments));
    pairs->push_back(memory.take<cub::KeyValuePair<int, T>>(segments));
  }
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    auto const segments = sam::by_offsets(grid::constant((*offsets)[s]));
    if constexpr (Max)
      sam::segmented_argmax(context(), grid::constant((*in)[s]), segments, (*out)[s]);
    else
      sam::segmented_argmin(context(), grid::constant((*in)[s]), segments, (*out)[s]);
  };
  p.cub = grid::with_temporary(
      memory,
      [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
        auto const* const begin = (*offsets)[s].data();
        auto const segments = std::int64_t((*out)[s].size());
        T const* const items = (*in)[s].data();
        if constexpr (Max)
          return cub::DeviceSegmentedReduce::ArgMax(t, bytes, items, (*pairs)[s].data(), segments,
                                                    begin, begin + 1, on);
        else
          return cub::DeviceSegmentedReduce::ArgMin(t, bytes, items, (*pairs)[s].data(), segments,
                                                    begin, begin + 1, on);
      },
      slots);
  p.bytes = n * 4;
  p.in = grid::input(in);
  return p;
}

/// An item and its index, as CUB reduces them by key.
struct located {
  float value;
  std::uint32_t index;
};
struct locate {
  float const* in;
  SAM_FUNCTION located operator()(index_t i) const { return {in[i], std::uint32_t(i)}; }
};
template <bool Max>
struct extreme_of {
  SAM_FUNCTION located operator()(located const& a, located const& b) const {
    return (Max ? a.value < b.value : b.value < a.value) ? b : a;
  }
};
template <bool Max>
problem make_extreme_by_key(arena& memory, index_t n, int slots, index_t length) {
  using T = float;
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const keys = grid::take_slots<std::uint32_t>(memory, n, slots);
  for (int s = 0; s < slots; ++s)
    grid::fill_runs((*keys)[s].data(), n, length, s);
  auto const firsts = grid::take_slots<std::uint32_t>(memory, n, slots);
  auto const out = grid::take_slots<std::uint32_t>(memory, n, slots);
  auto const pairs = grid::take_slots<located>(memory, n, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    auto const by = grid::constant((*keys)[s]);
    auto const items = grid::constant((*in)[s]);
    if constexpr (Max)
      sam::argmax_by_key(context(), by, items, (*firsts)[s], (*out)[s], (*count)[s]);
    else
      sam::argmin_by_key(context(), by, items, (*firsts)[s], (*out)[s], (*count)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    auto const items =
        cuda::transform_iterator(cuda::counting_iterator<index_t>(0), locate{(*in)[s].data()});
    return cub::DeviceReduce::ReduceByKey(t, bytes, (*keys)[s].data(), (*firsts)[s].data(), items,
                                          (*pairs)[s].data(), (*count)[s].data(), extreme_of<Max>{},
                                          int(n), on);
  });
  p.bytes = n * 8;
  p.in = grid::input(in);
  return p;
}

void add_extremes(families& all) {
  using std::placeholders::_1, std::placeholders::_2, std::placeholders::_3;
  constexpr index_t most = index_t{1} << 28;
  all.push_back({"find_minmax", "float", "", 4, most, &make_minmax<float>});
  all.push_back({"nth_element, the median", "float", "", 4, most, &make_median});
#if CUB_VERSION >= 300600
  all.push_back({"find_if, the last", "uint32", "", 4, most, &make_find<false>});
  all.push_back({"any_of, the last", "uint32", "", 4, most, &make_find<true>});
  all.push_back(
      {"segmented_top_k of 50", "float", "of 1000", 4, most, &make_top_k_of_rows<1000, 50>});
  all.push_back({"segmented_top_k_pairs of 50", "float, uint32", "of 1000", 8, most,
                 &make_top_k_pairs_of_rows<1000, 50, false>});
  all.push_back({"segmented_top_k_indices of 50", "float", "of 1000", 4, most,
                 &make_top_k_pairs_of_rows<1000, 50, true>});
#endif
  for (index_t const length : {100, 20000})
    all.push_back({"segmented_argmax", "float", name_of_segments(length), 4, most,
                   std::bind(&make_segmented_extreme<true>, _1, _2, _3, length)});
  all.push_back({"segmented_argmin", "float", name_of_segments(1000), 4, most,
                 std::bind(&make_segmented_extreme<false>, _1, _2, _3, 1000)});
  all.push_back({"argmin_by_key", "uint32, float", "runs of 100", 8, most,
                 std::bind(&make_extreme_by_key<false>, _1, _2, _3, 100)});
  for (index_t const length : {10, 1000})
    all.push_back({"argmax_by_key", "uint32, float", "runs of " + std::to_string(length), 8, most,
                   std::bind(&make_extreme_by_key<true>, _1, _2, _3, length)});
}

}  // namespace grid
