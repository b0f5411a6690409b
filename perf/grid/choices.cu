// SPDX-License-Identifier: MIT
// Adds extreme items, counts, selections by rank, and permutations to the grid.
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/gather.hpp>
#include <sam/merge_sort.hpp>
#include <sam/partial_sort.hpp>
#include <sam/top_k.hpp>

#include "grid.hpp"
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cuda/iterator>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#if CUB_VERSION >= 300600
#include <cub/device/device_topk.cuh>
#endif

namespace grid {

template <class T, bool Max = true>
problem make_extreme(arena& memory, index_t n, int slots) {
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<std::int64_t>(memory, 1, slots);
  auto const value = grid::take_slots<T>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    if constexpr (Max)
      sam::argmax(context(), grid::constant((*in)[s]), (*out)[s]);
    else
      sam::argmin(context(), grid::constant((*in)[s]), (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    T const* const items = (*in)[s].data();
    if constexpr (Max)
      return cub::DeviceReduce::ArgMax(t, bytes, items, (*value)[s].data(), (*out)[s].data(), n,
                                       on);
    else
      return cub::DeviceReduce::ArgMin(t, bytes, items, (*value)[s].data(), (*out)[s].data(), n,
                                       on);
  });
  p.bytes = n * index_t{sizeof(T)};
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

struct is_small {
  SAM_FUNCTION bool operator()(float x) const { return x < 0.5F; }
};
struct one_if_small {
  SAM_FUNCTION std::int64_t operator()(float x) const { return x < 0.5F ? 1 : 0; }
};
problem make_count_if(arena& memory, index_t n, int slots) {
  auto const in = grid::take_random<float>(memory, n, slots);
  auto const out = grid::take_slots<std::int64_t>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::count_if(context(), grid::constant((*in)[s]), is_small{}, (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceReduce::TransformReduce(t, bytes, (*in)[s].data(), (*out)[s].data(), n,
                                              sam::plus{}, one_if_small{}, std::int64_t{0}, on);
  });
  p.bytes = n * 4;
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

#if CUB_VERSION >= 300600
/// CUB neither sorts what it chooses nor chooses by index.
template <index_t K>
problem make_top_k(arena& memory, index_t n, int slots) {
  if (n < K)
    throw arena::exhausted();
  auto const in = grid::take_random<float>(memory, n, slots);
  auto const out = grid::take_slots<float>(memory, K, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) { sam::top_k(context(), grid::constant((*in)[s]), (*out)[s]); };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    namespace execution = cuda::execution;
    auto const wanted = execution::require(execution::determinism::not_guaranteed,
                                           execution::output_ordering::unsorted);
    auto const environment = cuda::std::execution::env{cuda::stream_ref{on}, wanted};
    return cub::DeviceTopK::MaxKeys(t, bytes, (*in)[s].data(), (*out)[s].data(), n, K, environment);
  });
  p.bytes = n * 4;
  p.in = grid::input(in);
  return p;
}

/// The largest items with values, or with their indices.
template <index_t K, bool Indices>
problem make_top_k_pairs(arena& memory, index_t n, int slots) {
  using value = std::uint32_t;
  if (n < K)
    throw arena::exhausted();
  auto const in = grid::take_random<float>(memory, n, slots);
  auto const values = grid::take_random<value>(memory, Indices ? 1 : n, slots);
  auto const out = grid::take_slots<float>(memory, K, slots);
  auto const values_out = grid::take_slots<value>(memory, K, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    auto const keys = grid::constant((*in)[s]);
    if constexpr (Indices)
      sam::top_k_indices(context(), keys, (*values_out)[s]);
    else
      sam::top_k_pairs(context(), keys, grid::constant((*values)[s]), (*out)[s], (*values_out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    namespace execution = cuda::execution;
    auto const wanted = execution::require(execution::determinism::not_guaranteed,
                                           execution::output_ordering::unsorted);
    auto const environment = cuda::std::execution::env{cuda::stream_ref{on}, wanted};
    auto const choose = [&](auto values_in) {
      return cub::DeviceTopK::MaxPairs(t, bytes, (*in)[s].data(), (*out)[s].data(), values_in,
                                       (*values_out)[s].data(), n, K, environment);
    };
    if constexpr (Indices)
      return choose(cuda::counting_iterator<value>(0));
    else
      return choose(grid::constant((*values)[s]).data());
  });
  p.bytes = n * (Indices ? 4 : 8);
  p.in = grid::input(in);
  return p;
}

/// The smallest items in order: CUB chooses them, then sorts them.
template <index_t K>
problem make_partial_sort(arena& memory, index_t n, int slots) {
  using T = std::uint32_t;
  if (n < K)
    throw arena::exhausted();
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, K, slots);
  auto const chosen = grid::take_slots<T>(memory, K, slots);
  auto const choose =
      grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
        namespace execution = cuda::execution;
        auto const wanted = execution::require(execution::determinism::not_guaranteed,
                                               execution::output_ordering::unsorted);
        auto const environment = cuda::std::execution::env{cuda::stream_ref{on}, wanted};
        return cub::DeviceTopK::MinKeys(t, bytes, (*in)[s].data(), (*chosen)[s].data(), n, K,
                                        environment);
      });
  auto const sort =
      grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
        return cub::DeviceRadixSort::SortKeys(t, bytes, (*chosen)[s].data(), (*out)[s].data(), K, 0,
                                              32, on);
      });
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::partial_sort(context(), grid::constant((*in)[s]), (*out)[s]);
  };
  p.cub = [=](cudaStream_t on, int s) {
    choose(on, s);
    sort(on, s);
  };
  p.bytes = n * 4;
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}
#endif

/// Brings four arrays of 4-byte items into a random order.
problem make_permutation(arena& memory, index_t n, int slots) {
  using T = std::uint32_t;
  auto const indices = grid::take_random<T>(memory, n, slots);
  for (auto const to : *indices) {  // the order of random keys
    auto const keys = memory.take<T>(n);
    grid::fill(keys.data(), std::size_t(n) * 4, 5);
    sam::merge_argsort(context(), keys, to);
  }
  std::vector<slots_of<T>> in, out;
  for (int k = 0; k < 4; ++k) {
    in.push_back(grid::take_random<T>(memory, n, slots));
    out.push_back(grid::take_slots<T>(memory, n, slots));
  }
  auto const from = [=](int k, int s) { return grid::constant((*in[std::size_t(k)])[s]); };
  auto const to = [=](int k, int s) { return (*out[std::size_t(k)])[s]; };
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::apply_permutation(context(), grid::constant((*indices)[s]), from(0, s), to(0, s),
                           from(1, s), to(1, s), from(2, s), to(2, s), from(3, s), to(3, s));
  };
  p.cub = [=](cudaStream_t on, int s) {
    for (int k = 0; k < 4; ++k)
      thrust::gather(thrust::cuda::par_nosync.on(on), (*indices)[s].data(),
                     (*indices)[s].data() + n, from(k, s).data(), to(k, s).data());
  };
  p.bytes = 4 * n * 4;
  p.in = grid::input(in[0]);
  p.out = grid::output(out[3]);
  return p;
}

void add_choices(families& all) {
  constexpr index_t most = index_t{1} << 30;
  all.push_back({"argmax", "float", "", 4, most, &make_extreme<float>});
  all.push_back({"argmax", "int64", "", 8, most, &make_extreme<std::int64_t>});
  all.push_back({"argmin", "float", "", 4, most, &make_extreme<float, false>});
  all.push_back({"count_if", "float", "", 4, most, &make_count_if});
#if CUB_VERSION >= 300600
  all.push_back({"top_k of 100", "float", "", 4, most, &make_top_k<100>});
  all.push_back({"top_k of 2^16", "float", "", 4, most, &make_top_k<index_t{1} << 16>});
  all.push_back(
      {"top_k_pairs of 100", "float, uint32", "", 8, most / 2, &make_top_k_pairs<100, false>});
  all.push_back({"top_k_indices of 100", "float", "", 4, most / 2, &make_top_k_pairs<100, true>});
  all.push_back(
      {"partial_sort of 2^16", "uint32", "", 4, most, &make_partial_sort<index_t{1} << 16>});
#endif
  all.push_back({"apply_permutation to four", "uint32", "", 16, most / 4, &make_permutation});
}

}  // namespace grid
