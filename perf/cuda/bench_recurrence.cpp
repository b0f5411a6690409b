// SPDX-License-Identifier: MIT
// Benchmarks recurrences, filters, differences and summed-area tables on a CUDA device. They are
// compared with a cudaMemcpy that moves as many bytes as one pass over the items, and differences
// with CUB.
#include <sam/delta.hpp>
#include <sam/linear_recurrence.hpp>
#include <sam/summed_area_table.hpp>

#include "support.hpp"
#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>

namespace perf {

template <class T>
void compare_filters(std::string const& type) {
  constexpr index_t n = index_t{1} << 28;
  compare("linear_recurrence/" + type, n, 4, 3 * sizeof(T), [](auto& context, results to) {
    auto const both = arrays::get().in<T>(2 * n);
    sam::linear_recurrence(context, both.first(n), both.last(n), to.array<T>(n));
  });
  auto const filter = [&](auto const& coefficients) {
    compare("linear_filter/" + type + "/order:" + std::to_string(coefficients.size()), n, 4,
            2 * sizeof(T), [=](auto& context, results to) {
              sam::linear_filter(context, arrays::get().in<T>(n), coefficients, to.array<T>(n));
            });
  };
  filter(std::array<T, 1>{T(0.5)});
  filter(std::array<T, 2>{T(0.5), T(0.25)});
  filter(std::array<T, 4>{T(0.25), T(0.25), T(0.125), T(0.125)});
}

/// Returns the row of an item, as its key. item_of_column maps item j in column-major order to its
/// index in row-major order.
struct row_of {
  std::uint32_t width;
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t i) const { return i / width; }
};
struct item_of_column {
  std::uint32_t width, height;
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t j) const {
    return j % height * width + j / height;
  }
};

/// Computes the expected table of integers by two CUB scans by key. The scan along columns is too
/// slow to serve as a peer.
template <class T>
cudaError_t make_table(void* temporary, std::size_t& bytes, std::uint32_t width,
                       std::uint32_t height, bool is_exclusive, T* out) {
  auto const scan = [&](std::uint32_t length, auto from, auto to) {
    auto const keys = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                                      row_of{length});
    std::uint32_t const n = width * height;
    std::size_t enough = bytes;
    cudaError_t const status =
        is_exclusive ? cub::DeviceScan::ExclusiveSumByKey(temporary, enough, keys, from, to, n)
                     : cub::DeviceScan::InclusiveSumByKey(temporary, enough, keys, from, to, n);
    if (temporary == nullptr)
      bytes = std::max(bytes, enough);
    return status;
  };
  auto const columns = thrust::make_permutation_iterator(
      out, thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                           item_of_column{width, height}));
  cudaError_t const status = scan(width, arrays::get().in<T>(index_t{width} * height).data(), out);
  return status == cudaSuccess ? scan(height, columns, columns) : status;
}

template <class T>
void compare_tables(std::string const& type) {
  constexpr index_t n = index_t{1} << 28;
  for (bool const is_exclusive : {false, true})
    for (index_t const width : {64, 1920, 16384, 65536}) {
      index_t const height = n / width, whole = height * width;
      auto const name = (is_exclusive ? "exclusive_summed_area_table/" : "summed_area_table/") +
                        type + "/width:" + std::to_string(width);
      auto const sam = [=](auto& context, results to) {
        if (is_exclusive)
          sam::exclusive_summed_area_table(context, arrays::get().in<T>(whole), width,
                                           to.array<T>(whole));
        else
          sam::summed_area_table(context, arrays::get().in<T>(whole), width, to.array<T>(whole));
      };
      if constexpr (std::is_integral_v<T>)
        compare(name, whole, sizeof(T), 2 * sizeof(T), sam,
                [=](void* temporary, std::size_t& bytes, results to) {
                  return make_table(temporary, bytes, std::uint32_t(width), std::uint32_t(height),
                                    is_exclusive, to.array<T>(whole).data());
                });
      else
        compare(name, whole, sizeof(T), 2 * sizeof(T), sam);
    }
}

void compare_differences() {
  constexpr index_t n = index_t{1} << 28;
  using T = std::uint32_t;
  compare_with_cub(
      "delta_encode/u32", n, sizeof(T), 2 * sizeof(T),
      [](auto& context, results to) {
        sam::delta_encode(context, arrays::get().in<T>(n), to.array<T>(n));
      },
      [](void* temporary, std::size_t& bytes, results to) {
        return cub::DeviceAdjacentDifference::SubtractLeftCopy(
            temporary, bytes, arrays::get().in<T>(n).data(), to.array<T>(n).data(), n);
      });
  compare_with_cub(
      "delta_decode/u32", n, sizeof(T), 2 * sizeof(T),
      [](auto& context, results to) {
        sam::delta_decode(context, arrays::get().in<T>(n), to.array<T>(n));
      },
      [](void* temporary, std::size_t& bytes, results to) {
        return cub::DeviceScan::InclusiveSum(temporary, bytes, arrays::get().in<T>(n).data(),
                                             to.array<T>(n).data(), n);
      });
}

[[maybe_unused]] bool const registered = [] {
  compare_filters<std::int32_t>("i32");
  compare_filters<float>("f32");
  compare_tables<std::int32_t>("i32");
  compare_tables<float>("f32");
  compare_differences();
  return true;
}();

}  // namespace perf
