// SPDX-License-Identifier: MIT
// Adds set operations, merges by key and searches for many values to the grid. CUB has no set
// operations; Thrust's wait for their results, so that a graph holds only sam's.
#include <sam/binary_search.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/set_operations.hpp>

#include "grid.hpp"
#include <cub/device/device_merge.cuh>
#include <cub/version.cuh>
#include <thrust/execution_policy.h>
#include <thrust/set_operations.h>
#if CUB_VERSION >= 300600
#include <cub/device/device_find.cuh>
#endif

#include <map>

namespace grid {

using T = std::uint32_t;

/// Memory of Thrust's calls, which are given the same blocks again and again.
class kept_memory {
 public:
  using value_type = char;
  explicit kept_memory(arena& memory) : memory_(&memory) {}
  char* allocate(std::ptrdiff_t bytes) {
    auto const found = free_.lower_bound(bytes);
    if (found == free_.end()) {
      auto* const made = static_cast<char*>(memory_->take_bytes(std::size_t(bytes)));
      sizes_[made] = bytes;
      return made;
    }
    char* const block = found->second;
    free_.erase(found);
    return block;
  }
  void deallocate(char* block, std::size_t) { free_.emplace(sizes_[block], block); }

 private:
  arena* memory_;
  std::multimap<std::ptrdiff_t, char*> free_;
  std::map<char*, std::ptrdiff_t> sizes_;
};

/// Two halves of random keys below n, which are sorted, so that about a third are in both.
struct halves {
  slots_of<T> all;
  index_t half;
  halves(arena& memory, index_t n, int slots)
      : all(grid::take_random<T>(memory, n, slots)), half(n / 2) {
    index_t const limit = n;
    for (int s = 0; s < slots; ++s) {
      for (auto const part : {a(s), b(s)}) {
        std::span<T> const keys(const_cast<T*>(part.data()), part.size());
        std::vector<T> host(keys.size());
        check(cudaMemcpy(host.data(), keys.data(), keys.size_bytes(), cudaMemcpyDeviceToHost));
        for (T& key : host)
          key = T(std::uint64_t(key) * std::uint64_t(limit) >> 32);
        check(cudaMemcpy(keys.data(), host.data(), keys.size_bytes(), cudaMemcpyHostToDevice));
        // A copy from pageable memory may return before it has reached the device.
        check(cudaDeviceSynchronize());
        sam::merge_sort(context(), keys, keys);
      }
    }
    context().wait();
  }
  std::span<T const> a(int s) const { return grid::constant((*all)[s].first(std::size_t(half))); }
  std::span<T const> b(int s) const { return grid::constant((*all)[s].subspan(std::size_t(half))); }
};

/// Makes a set operation: Sam and Peer are calls with a, b and out.
template <class Sam, class Peer>
problem make_set(arena& memory, index_t n, int slots) {
  halves const in(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  auto const count = grid::take_slots<index_t>(memory, 1, slots);
  auto const kept = std::make_shared<kept_memory>(memory);
  problem p;
  p.sam = [=](cudaStream_t, int s) { Sam{}(in.a(s), in.b(s), (*out)[s], (*count)[s]); };
  p.cub = [=](cudaStream_t on, int s) {
    auto const policy = thrust::cuda::par_nosync(*kept).on(on);
    T const *const a = in.a(s).data(), *const b = in.b(s).data();
    Peer{}(policy, a, a + in.a(s).size(), b, b + in.b(s).size(), (*out)[s].data());
  };
  p.bytes = n * 4;
  p.in = grid::input(in.all);
  p.out = grid::output(out);
  return p;
}

struct sam_union {
  template <class... Arrays>
  void operator()(Arrays const&... arrays) const {
    sam::set_union(context(), arrays...);
  }
};
struct thrust_union {
  template <class... Args>
  void operator()(Args const&... args) const {
    thrust::set_union(args...);
  }
};
struct sam_intersection {
  template <class... Arrays>
  void operator()(Arrays const&... arrays) const {
    sam::set_intersection(context(), arrays...);
  }
};
struct thrust_intersection {
  template <class... Args>
  void operator()(Args const&... args) const {
    thrust::set_intersection(args...);
  }
};
struct sam_difference {
  template <class... Arrays>
  void operator()(Arrays const&... arrays) const {
    sam::set_difference(context(), arrays...);
  }
};
struct thrust_difference {
  template <class... Args>
  void operator()(Args const&... args) const {
    thrust::set_difference(args...);
  }
};
struct sam_symmetric {
  template <class... Arrays>
  void operator()(Arrays const&... arrays) const {
    sam::set_symmetric_difference(context(), arrays...);
  }
};
struct thrust_symmetric {
  template <class... Args>
  void operator()(Args const&... args) const {
    thrust::set_symmetric_difference(args...);
  }
};

/// Makes a set operation by key: Sam and Peer are calls with keys and values, of a and of b.
template <class Sam, class Peer>
problem make_set_by_key(arena& memory, index_t n, int slots) {
  halves const in(memory, n, slots);
  auto const values = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  auto const values_out = grid::take_slots<T>(memory, n, slots);
  auto const count = grid::take_slots<index_t>(memory, 1, slots);
  auto const kept = std::make_shared<kept_memory>(memory);
  auto const half = std::size_t(in.half);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    auto const of = grid::constant((*values)[s]);
    Sam{}(in.a(s), of.first(half), in.b(s), of.subspan(half), (*out)[s], (*values_out)[s],
          (*count)[s]);
  };
  p.cub = [=](cudaStream_t on, int s) {
    auto const policy = thrust::cuda::par_nosync(*kept).on(on);
    T const *const a = in.a(s).data(), *const b = in.b(s).data(), *const of = (*values)[s].data();
    Peer{}(policy, a, a + half, b, b + in.b(s).size(), of, of + half, (*out)[s].data(),
           (*values_out)[s].data());
  };
  p.bytes = n * 8;
  p.in = grid::input(in.all);
  p.out = grid::output(values_out);
  return p;
}

struct sam_union_by_key {
  template <class... Arrays>
  void operator()(Arrays const&... arrays) const {
    sam::set_union_by_key(context(), arrays...);
  }
};
struct thrust_union_by_key {
  template <class... Args>
  void operator()(Args const&... args) const {
    thrust::set_union_by_key(args...);
  }
};
/// Keys of b have no values here.
struct sam_intersection_by_key {
  template <class Keys, class Values, class... Outputs>
  void operator()(Keys const& a, Values const& of_a, Keys const& b, Values const&,
                  Outputs const&... outputs) const {
    sam::set_intersection_by_key(context(), a, of_a, b, outputs...);
  }
};
struct thrust_intersection_by_key {
  template <class Policy>
  void operator()(Policy const& policy, T const* a, T const* a_end, T const* b, T const* b_end,
                  T const* of_a, T const*, T* keys, T* values) const {
    thrust::set_intersection_by_key(policy, a, a_end, b, b_end, of_a, keys, values);
  }
};
struct sam_difference_by_key {
  template <class Keys, class Values, class... Outputs>
  void operator()(Keys const& a, Values const& of_a, Keys const& b, Values const&,
                  Outputs const&... outputs) const {
    sam::set_difference_by_key(context(), a, of_a, b, outputs...);
  }
};
struct thrust_difference_by_key {
  template <class... Args>
  void operator()(Args const&... args) const {
    thrust::set_difference_by_key(args...);
  }
};
struct sam_symmetric_by_key {
  template <class... Arrays>
  void operator()(Arrays const&... arrays) const {
    sam::set_symmetric_difference_by_key(context(), arrays...);
  }
};
struct thrust_symmetric_by_key {
  template <class... Args>
  void operator()(Args const&... args) const {
    thrust::set_symmetric_difference_by_key(args...);
  }
};

problem make_merge_by_key(arena& memory, index_t n, int slots) {
  halves const in(memory, n, slots);
  auto const values = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  auto const values_out = grid::take_slots<T>(memory, n, slots);
  auto const half = std::size_t(in.half);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    auto const of = grid::constant((*values)[s]);
    sam::merge_by_key(context(), in.a(s), of.first(half), in.b(s), of.subspan(half), (*out)[s],
                      (*values_out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    T const* const of = (*values)[s].data();
    return cub::DeviceMerge::MergePairs(t, bytes, in.a(s).data(), of, std::int64_t(half),
                                        in.b(s).data(), of + half, n - std::int64_t(half),
                                        (*out)[s].data(), (*values_out)[s].data(), sam::less{}, on);
  });
  p.bytes = n * 8;
  p.in = grid::input(in.all);
  p.out = grid::output(values_out);
  return p;
}

#if CUB_VERSION >= 300600
/// Finds the items equal to each of n values among n / 2. CUB takes a call for each of both ends.
problem make_equal_range(arena& memory, index_t n, int slots) {
  halves const in(memory, 2 * (n / 2), slots);
  auto const what = grid::take_random<T>(memory, n, slots);
  auto const begins = grid::take_slots<T>(memory, n, slots);
  auto const ends = grid::take_slots<T>(memory, n, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::equal_range(context(), in.a(s), grid::constant((*what)[s]), (*begins)[s], (*ends)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    T const *const a = in.a(s).data(), *const sought = (*what)[s].data();
    std::size_t other_bytes = bytes;
    auto const status = cub::DeviceFind::LowerBound(t, bytes, a, in.half, sought, n,
                                                    (*begins)[s].data(), sam::less{}, on);
    if (status != cudaSuccess)
      return status;
    auto const other = cub::DeviceFind::UpperBound(t, other_bytes, a, in.half, sought, n,
                                                   (*ends)[s].data(), sam::less{}, on);
    bytes = bytes < other_bytes ? other_bytes : bytes;
    return other;
  });
  p.bytes = n * 4;
  p.in = grid::input(what);
  p.out = grid::output(ends);
  return p;
}

/// Searches for n values among n / 2: for random ones, or for sorted ones.
template <bool Sorted, bool Upper = false>
problem make_search(arena& memory, index_t n, int slots) {
  halves const in(memory, 2 * (n / 2), slots);
  index_t const values = Sorted ? index_t(in.b(0).size()) : n;
  auto const random = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, values, slots);
  auto const sought = [=](int s) { return Sorted ? in.b(s) : grid::constant((*random)[s]); };
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    if constexpr (Upper)
      sam::upper_bound(context(), in.a(s), sought(s), (*out)[s]);
    else
      sam::lower_bound(context(), in.a(s), sought(s), (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    T const *const a = in.a(s).data(), *const what = sought(s).data();
    if constexpr (Upper)
      return cub::DeviceFind::UpperBound(t, bytes, a, in.half, what, values, (*out)[s].data(),
                                         sam::less{}, on);
    else if constexpr (Sorted)
      return cub::DeviceFind::LowerBoundSortedValues(t, bytes, a, in.half, what, values,
                                                     (*out)[s].data(), sam::less{}, on);
    else
      return cub::DeviceFind::LowerBound(t, bytes, a, in.half, what, values, (*out)[s].data(),
                                         sam::less{}, on);
  });
  p.bytes = values * 4;
  p.in = [=](int s) { return std::as_bytes(sought(s)); };
  p.out = grid::output(out);
  return p;
}
#endif

void add_sets(families& all) {
  constexpr index_t most = index_t{1} << 28;
  all.push_back({"set_union", "uint32", "", 4, most, &make_set<sam_union, thrust_union>});
  all.push_back({"set_intersection", "uint32", "", 4, most,
                 &make_set<sam_intersection, thrust_intersection>});
  all.push_back(
      {"set_difference", "uint32", "", 4, most, &make_set<sam_difference, thrust_difference>});
  all.push_back({"set_symmetric_difference", "uint32", "", 4, most,
                 &make_set<sam_symmetric, thrust_symmetric>});
  all.push_back({"set_union_by_key", "uint32, uint32", "", 8, most,
                 &make_set_by_key<sam_union_by_key, thrust_union_by_key>});
  all.push_back({"set_intersection_by_key", "uint32, uint32", "", 8, most,
                 &make_set_by_key<sam_intersection_by_key, thrust_intersection_by_key>});
  all.push_back({"set_difference_by_key", "uint32, uint32", "", 8, most,
                 &make_set_by_key<sam_difference_by_key, thrust_difference_by_key>});
  all.push_back({"set_symmetric_difference_by_key", "uint32, uint32", "", 8, most,
                 &make_set_by_key<sam_symmetric_by_key, thrust_symmetric_by_key>});
  all.push_back({"merge_by_key", "uint32, uint32", "", 8, most, &make_merge_by_key});
#if CUB_VERSION >= 300600
  all.push_back({"lower_bound", "uint32", "", 4, most, &make_search<false>});
  all.push_back({"lower_bound of sorted values", "uint32", "", 4, most, &make_search<true>});
  all.push_back({"upper_bound", "uint32", "", 4, most, &make_search<false, true>});
  all.push_back({"equal_range", "uint32", "", 4, most, &make_equal_range});
#endif
}

}  // namespace grid
