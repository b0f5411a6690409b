// SPDX-License-Identifier: MIT
// Benchmarks segmented sorts on a CUDA device against CUB and a cudaMemcpy of the keys, in one
// process and on the same keys.
#include <sam/segmented_radix_sort.hpp>

#include "support.hpp"
#include <cub/device/device_segmented_sort.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace perf {

constexpr index_t many = index_t{1} << 26;

/// Writes offsets of segments of 0 to 2 * length items, `length` on average.
__global__ void place(std::uint32_t const* random, std::uint32_t* offsets, index_t n,
                      index_t segments, index_t length) {
  for (index_t k = blockIdx.x * index_t{blockDim.x} + threadIdx.x; k <= segments;
       k += index_t{gridDim.x} * blockDim.x)
    offsets[k] = std::uint32_t(k == 0 ? 0 : k == segments ? n : k * length + random[k] % length);
}
std::span<std::uint32_t const> offsets_of(index_t n, index_t length) {
  static std::map<std::pair<index_t, index_t>, std::uint32_t*> kept;
  index_t const segments = n / length;
  std::uint32_t*& at = kept[{n, length}];
  if (at == nullptr) {
    check(cudaMalloc(&at, std::size_t(segments + 1) * sizeof(*at)));
    place<<<1024, 256>>>(arrays::get().in<std::uint32_t>(n).data(), at, n, segments, length);
  }
  return {at, std::size_t(segments + 1)};
}

/// Returns offsets of segments whose lengths follow a power law, like the rows of a graph's matrix,
/// and of one segment of n / 4.
std::span<std::uint32_t const> offsets_of_mix() {
  static std::span<std::uint32_t const> const kept = [] {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<std::uint32_t> offsets{0};
    for (bool is_first = true; offsets.back() < many;) {
      auto length = index_t(std::min(1e6, 2 * std::pow(1 - uniform(random), -1 / 1.3)));
      if (is_first && offsets.back() > many / 3) {
        length = many / 4;
        is_first = false;
      }
      offsets.push_back(std::uint32_t(sam::engine::min_of(many, offsets.back() + length)));
    }
    void* at = nullptr;
    std::size_t const bytes = offsets.size() * sizeof(offsets[0]);
    check(cudaMalloc(&at, bytes));
    check(cudaMemcpy(at, offsets.data(), bytes, cudaMemcpyHostToDevice));
    return std::span(static_cast<std::uint32_t const*>(at), offsets.size());
  }();
  return kept;
}

template <class Key, class Offsets>
void compare_keys(std::string const& name, index_t n, Offsets offsets) {
  compare_with_cub(
      "segmented_sort/" + name, n, sizeof(Key), 2 * sizeof(Key),
      [=](auto& context, results to) {
        auto const all = offsets();
        sam::segmented_radix_sort(context, arrays::get().in<Key>(n), sam::by_offsets(all),
                                  to.array<Key>(n));
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        auto const all = offsets();
        return cub::DeviceSegmentedSort::SortKeys(
            temporary, bytes, arrays::get().in<Key>(n).data(), to.array<Key>(n).data(), n,
            index_t(all.size()) - 1, all.data(), all.data() + 1);
      });
}
template <class Offsets>
void compare_pairs(std::string const& name, index_t n, Offsets offsets) {
  using T = std::uint32_t;
  auto const values = [=] { return arrays::get().in<T>(2 * n).subspan(n); };
  compare_with_cub(
      "segmented_sort/" + name, n, 2 * sizeof(T), 4 * sizeof(T),
      [=](auto& context, results to) {
        auto const all = offsets();
        auto const keys_to = to.array<T>(n);
        sam::segmented_radix_sort_pairs(context, arrays::get().in<T>(n), values(),
                                        sam::by_offsets(all), keys_to, to.array<T>(n));
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        auto const all = offsets();
        auto const keys_to = to.array<T>(n);
        return cub::DeviceSegmentedSort::StableSortPairs(
            temporary, bytes, arrays::get().in<T>(n).data(), keys_to.data(), values().data(),
            to.array<T>(n).data(), n, index_t(all.size()) - 1, all.data(), all.data() + 1);
      });
}

__global__ void count_up(std::uint32_t* values, index_t n) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n;
       i += index_t{gridDim.x} * blockDim.x)
    values[i] = std::uint32_t(i);
}
std::uint32_t const* indices() {
  static std::uint32_t const* const kept = [] {
    std::uint32_t* at = nullptr;
    check(cudaMalloc(&at, many * sizeof(*at)));
    count_up<<<1024, 256>>>(at, many);
    return at;
  }();
  return kept;
}

/// Adds sorts that return only the order. CUB sorts pairs of keys and indices instead.
template <class Key, class Offsets>
void compare_orders(std::string const& name, index_t n, Offsets offsets) {
  using index = std::uint32_t;
  auto const cub = [=](void* temporary, std::size_t& bytes, results& to) {
    auto const all = offsets();
    auto const order = to.array<index>(n);
    return cub::DeviceSegmentedSort::StableSortPairs(
        temporary, bytes, arrays::get().in<Key>(n).data(), to.array<Key>(n).data(), indices(),
        order.data(), n, index_t(all.size()) - 1, all.data(), all.data() + 1);
  };
  compare(
      "segmented_argsort/" + name, n, sizeof(Key) + sizeof(index), sizeof(Key) + sizeof(index),
      [=](auto& context, results to) {
        auto const all = offsets();
        sam::segmented_radix_argsort(context, arrays::get().in<Key>(n), sam::by_offsets(all),
                                     to.array<index>(n));
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        results from = to;
        cudaError_t const status = cub(temporary, bytes, to);
        if (temporary == nullptr || status != cudaSuccess)
          return status;
        from.array<index>(n);
        return cudaMemset(from.array<Key>(n).data(), 0xcd, std::size_t(n) * sizeof(Key));
      });
  add_cub(
      "segmented_argsort/" + name, n, sizeof(Key) + sizeof(index),
      [=](void* temporary, std::size_t& bytes, results to) { return cub(temporary, bytes, to); });
}

struct begin_of_row {
  index_t length, n;
  SAM_FUNCTION index_t operator()(index_t k) const { return sam::engine::min_of(k * length, n); }
};

/// Adds segments of one length. CUB gets computed offsets.
template <class Key>
void compare_rows(std::string const& type, index_t n, index_t length) {
  compare_with_cub(
      "segmented_sort/" + type + "/by_length:" + std::to_string(length), n, sizeof(Key),
      2 * sizeof(Key),
      [=](auto& context, results to) {
        sam::segmented_radix_sort(context, arrays::get().in<Key>(n), sam::by_length(length),
                                  to.array<Key>(n));
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        auto const begins = thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0),
                                                            begin_of_row{length, n});
        return cub::DeviceSegmentedSort::SortKeys(
            temporary, bytes, arrays::get().in<Key>(n).data(), to.array<Key>(n).data(), n,
            sam::engine::div_up(n, length), begins, begins + 1);
      });
}

[[maybe_unused]] bool const registered = [] {
  for (index_t const length : {10, 32, 100, 1000, 5000, 20'000, 100'000, 1'000'000}) {
    auto const offsets = [=] { return offsets_of(many, length); };
    auto const name = "/length:" + std::to_string(length);
    compare_keys<std::uint32_t>("u32" + name, many, offsets);
    compare_keys<std::uint64_t>("u64" + name, many, offsets);
    compare_pairs("pairs" + name, many, offsets);
  }
  for (index_t const length : {100, 1000, 20'000, 1'000'000}) {
    auto const name = "u32/length:" + std::to_string(length);
    compare_orders<std::uint32_t>(name, many, [=] { return offsets_of(many, length); });
    compare_rows<std::uint32_t>("u32", many, length);
  }
  compare_orders<std::uint32_t>("u32/mix", many, offsets_of_mix);
  compare_keys<std::uint32_t>("u32/mix", many, offsets_of_mix);
  compare_keys<std::uint64_t>("u64/mix", many, offsets_of_mix);
  compare_pairs("pairs/mix", many, offsets_of_mix);
  for (int const power : {12, 14, 16, 18, 20, 22, 24})
    for (index_t const length : {100, 1000, 5000, 100'000})
      if (index_t const few = index_t{1} << power; 2 * length < few)
        compare_keys<std::uint32_t>("u32/length:" + std::to_string(length) +
                                        "/n:" + std::to_string(few),
                                    few, [=] { return offsets_of(few, length); });
  return true;
}();

}  // namespace perf
