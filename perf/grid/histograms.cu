// SPDX-License-Identifier: MIT
// Adds histograms to the grid.
#include <sam/histogram.hpp>
#include <sam/weighted_histogram.hpp>

#include "grid.hpp"
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

namespace grid {

template <class T>
void add_histogram(families& all, char const* items, int bins, int end) {
  all.push_back(
      {"histogram", items, std::to_string(bins) + " bins", sizeof(T), index_t{1} << 30,
       [=](arena& memory, index_t n, int slots) {
         auto const in = grid::take_random<T>(memory, n, slots);
         auto const out = grid::take_slots<std::int32_t>(memory, bins, slots);
         problem p;
         p.sam = [=](cudaStream_t, int s) {
           sam::histogram(context(), grid::constant((*in)[s]), (*out)[s], sam::even_bins(0, end));
         };
         p.cub =
             grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
               return cub::DeviceHistogram::HistogramEven(
                   t, bytes, (*in)[s].data(), (*out)[s].data(), bins + 1, 0, end, int(n), on);
             });
         p.bytes = n * index_t{sizeof(T)};
         p.in = grid::input(in);
         p.out = grid::output(out);
         return p;
       }});
}

/// Counts three of four channels of bytes, as the colours of an image.
problem make_channels(arena& memory, index_t n, int slots) {
  constexpr int bins = 256, channels = 3;
  index_t const pixels = n / 4;
  auto const in = grid::take_random<std::uint8_t>(memory, 4 * pixels, slots);
  auto const out = grid::take_slots<std::int32_t>(memory, channels * bins, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::histogram_of_channels<4, channels>(context(), grid::constant((*in)[s]), (*out)[s],
                                            sam::even_bins(0, bins));
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    std::int32_t* const first = (*out)[s].data();
    std::int32_t* counts[] = {first, first + bins, first + 2 * bins};
    int const levels[] = {bins + 1, bins + 1, bins + 1}, lower[] = {0, 0, 0},
              upper[] = {bins, bins, bins};
    return cub::DeviceHistogram::MultiHistogramEven<4, channels>(
        t, bytes, (*in)[s].data(), counts, levels, lower, upper, int(pixels), on);
  });
  p.bytes = 4 * pixels;
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

/// Sums weights in 256 bins. CUB has no such call: it sorts by the bins, which are bytes here, and
/// adds the weights of each run.
problem make_weighted(arena& memory, index_t n, int slots) {
  using item = std::uint8_t;
  constexpr int bins = 256;
  auto const in = grid::take_random<item>(memory, n, slots);
  auto const weights = grid::take_random<float>(memory, n, slots);
  auto const out = grid::take_slots<float>(memory, bins, slots);
  auto const sorted = grid::take_slots<item>(memory, n, slots);
  auto const moved = grid::take_slots<float>(memory, n, slots);
  auto const firsts = grid::take_slots<item>(memory, bins, slots);
  auto const sums = grid::take_slots<float>(memory, bins, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::weighted_histogram(context(), grid::constant((*in)[s]), grid::constant((*weights)[s]),
                            (*out)[s], sam::even_bins(0, bins));
  };
  auto const sort = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on,
                                                     int s) {
    return cub::DeviceRadixSort::SortPairs(t, bytes, (*in)[s].data(), (*sorted)[s].data(),
                                           (*weights)[s].data(), (*moved)[s].data(), n, 0, 8, on);
  });
  auto const add =
      grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
        return cub::DeviceReduce::ReduceByKey(t, bytes, (*sorted)[s].data(), (*firsts)[s].data(),
                                              (*moved)[s].data(), (*sums)[s].data(),
                                              (*count)[s].data(), sam::plus{}, int(n), on);
      });
  p.cub = [=](cudaStream_t on, int s) {
    sort(on, s);
    add(on, s);
  };
  p.bytes = n * 5;
  p.in = grid::input(weights);
  return p;
}

void add_histograms(families& all) {
  constexpr index_t most = index_t{1} << 28;
  all.push_back({"histogram_of_channels, 3 of 4", "uint8", "256 bins", 1, most, &make_channels});
  all.push_back({"weighted_histogram", "uint8, float", "256 bins", 5, most, &make_weighted});
  add_histogram<std::uint8_t>(all, "uint8", 256, 256);
  add_histogram<std::int32_t>(all, "int32", 256, 1 << 30);
  add_histogram<std::int32_t>(all, "int32", 4096, 1 << 30);
}

}  // namespace grid
