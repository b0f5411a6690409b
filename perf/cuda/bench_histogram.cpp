// SPDX-License-Identifier: MIT
// Benchmarks histograms on a CUDA device against CUB and a cudaMemcpy that moves as many bytes as a
// histogram reads, in one process and on the same items.
#include <sam/histogram.hpp>

#include "support.hpp"
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <type_traits>

namespace perf {

template <class T, class Limit>
void compare(std::string const& type, index_t n, int number, Limit lower, Limit upper) {
  auto const name = "histogram/" + type + "/bins:" + std::to_string(number);
  auto const counts = [=] { return arrays::get().out<std::uint32_t>(number); };
  add(name, "sam", n * index_t{sizeof(T)}, [=](benchmark::State& state) {
    sam::default_context context;
    time_calls(state, n, sizeof(T), [&] {
      sam::histogram(context, arrays::get().in<T>(n), counts(), sam::even_bins(lower, upper));
    });
  });
  add(name, "memcpy", n * index_t{sizeof(T)}, [=](benchmark::State& state) {
    time_calls(state, n, sizeof(T), [&] {
      check(cudaMemcpyAsync(arrays::get().out<std::byte>(1).data(),
                            arrays::get().in<std::byte>(1).data(), std::size_t(n) * sizeof(T) / 2,
                            cudaMemcpyDeviceToDevice));
    });
  });
  add(name, "cub", n * index_t{sizeof(T)}, [=](benchmark::State& state) {
    std::size_t bytes = 0;
    using level = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
    auto const count = [&](void* temporary) {
      check(cub::DeviceHistogram::HistogramEven(temporary, bytes, arrays::get().in<T>(n).data(),
                                                counts().data(), number + 1, level(lower),
                                                level(upper), n));
    };
    count(nullptr);
    void* const temporary = arrays::get().temporary(bytes);
    time_calls(state, n, sizeof(T), [&] { count(temporary); });
  });
}

/// Adds a cumulative histogram. CUB counts, then scans the counts.
template <class T>
void compare_cumulative(std::string const& type, index_t n, int number, std::int64_t lower,
                        std::int64_t upper) {
  using count = std::uint32_t;
  compare_with_cub(
      "cumulative_histogram/" + type + "/bins:" + std::to_string(number), n, sizeof(T), sizeof(T),
      [=](auto& context, results to) {
        sam::cumulative_histogram(context, arrays::get().in<T>(n), to.array<count>(number + 1),
                                  sam::even_bins(lower, upper));
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        count* const below = to.array<count>(number + 1).data();
        std::size_t to_count = bytes, to_scan = bytes;
        auto status = cub::DeviceHistogram::HistogramEven(
            temporary, to_count, arrays::get().in<T>(n).data(), below, number + 1, lower, upper, n);
        if (status == cudaSuccess)
          status = cub::DeviceScan::ExclusiveSum(temporary, to_scan, below, below, number + 1);
        bytes = std::max(to_count, to_scan);
        return status;
      });
}

[[maybe_unused]] bool const registered = [] {
  constexpr index_t n = index_t{1} << 29;
  constexpr std::int64_t half = std::int64_t{1} << 31;
  compare<std::uint8_t>("u8", 2 * n, 256, 0, 256);
  for (int const number : {16, 256, 2048, 20'000, 1'000'000})
    compare<std::int32_t>("i32", n, number, -half, half);
  compare_cumulative<std::uint8_t>("u8", 2 * n, 256, 0, 256);
  for (int const number : {256, 20'000, 1'000'000})
    compare_cumulative<std::int32_t>("i32", n, number, -half, half);
  compare<float>("f32", n, 256, -2.0f, 2.0f);
  return true;
}();

}  // namespace perf
