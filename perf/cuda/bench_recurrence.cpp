// SPDX-License-Identifier: MIT
// Recurrences, filters, differences and summed-area tables on a CUDA device beside a cudaMemcpy
// that moves as many bytes as a single pass over the items does, and CUB for differences.
#include <sam/delta.hpp>
#include <sam/linear_recurrence.hpp>
#include <sam/summed_area_table.hpp>

#include "support.hpp"
#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_scan.cuh>

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

template <class T>
void compare_tables(std::string const& type) {
  constexpr index_t n = index_t{1} << 28;
  for (index_t const width : {64, 1920, 16384, 65536}) {
    index_t const whole = n / width * width;
    compare("summed_area_table/" + type + "/width:" + std::to_string(width), whole, 4,
            2 * sizeof(T), [=](auto& context, results to) {
              sam::summed_area_table(context, arrays::get().in<T>(whole), width,
                                     to.array<T>(whole));
            });
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
