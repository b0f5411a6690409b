// SPDX-License-Identifier: MIT
// Adds what works on runs of equal keys to the grid: scans by key, reductions by key, run-length
// encoding and searches for runs.
#include <sam/find_runs.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "grid.hpp"
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

namespace grid {

using key = std::uint32_t;
using value = std::int32_t;

slots_of<key> take_keys(arena& memory, index_t n, int slots, index_t length) {
  auto const keys = grid::take_slots<key>(memory, n, slots);
  for (int s = 0; s < slots; ++s)
    grid::fill_runs((*keys)[s].data(), n, length, s);
  return keys;
}

problem make_scan(arena& memory, index_t n, int slots, index_t length) {
  auto const in = grid::take_random<value>(memory, n, slots);
  auto const keys = grid::take_keys(memory, n, slots, length);
  auto const out = grid::take_slots<value>(memory, n, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::segmented_inclusive_scan(context(), grid::constant((*in)[s]),
                                  sam::by_keys(grid::constant((*keys)[s])), (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceScan::InclusiveSumByKey(t, bytes, (*keys)[s].data(), (*in)[s].data(),
                                              (*out)[s].data(), int(n), ::cuda::std::equal_to<>{},
                                              on);
  });
  p.bytes = n * 8;
  p.out = grid::output(out);
  return p;
}

problem make_reduction(arena& memory, index_t n, int slots, index_t length) {
  auto const in = grid::take_random<value>(memory, n, slots);
  auto const keys = grid::take_keys(memory, n, slots, length);
  auto const firsts = grid::take_slots<key>(memory, n, slots);
  auto const sums = grid::take_slots<value>(memory, n, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::reduce_by_key(context(), grid::constant((*keys)[s]), grid::constant((*in)[s]),
                       (*firsts)[s], (*sums)[s], (*count)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceReduce::ReduceByKey(t, bytes, (*keys)[s].data(), (*firsts)[s].data(),
                                          (*in)[s].data(), (*sums)[s].data(), (*count)[s].data(),
                                          ::cuda::std::plus<>{}, int(n), on);
  });
  p.bytes = n * 8;
  p.out = grid::output(sums);
  return p;
}

problem make_encoding(arena& memory, index_t n, int slots, index_t length) {
  auto const keys = grid::take_keys(memory, n, slots, length);
  auto const firsts = grid::take_slots<key>(memory, n, slots);
  auto const sizes = grid::take_slots<std::int32_t>(memory, n, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::run_length_encode(context(), grid::constant((*keys)[s]), (*firsts)[s], (*sizes)[s],
                           (*count)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceRunLengthEncode::Encode(t, bytes, (*keys)[s].data(), (*firsts)[s].data(),
                                              (*sizes)[s].data(), (*count)[s].data(), int(n), on);
  });
  p.bytes = n * 4;
  p.in = grid::input(keys);
  p.out = grid::output(sizes);
  return p;
}

problem make_long_runs(arena& memory, index_t n, int slots, index_t length) {
  auto const keys = grid::take_keys(memory, n, slots, length);
  auto const offsets = grid::take_slots<std::int32_t>(memory, n, slots);
  auto const sizes = grid::take_slots<std::int32_t>(memory, n, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::find_runs(context(), grid::constant((*keys)[s]), (*offsets)[s], (*sizes)[s], (*count)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceRunLengthEncode::NonTrivialRuns(t, bytes, (*keys)[s].data(),
                                                      (*offsets)[s].data(), (*sizes)[s].data(),
                                                      (*count)[s].data(), int(n), on);
  });
  p.bytes = n * 4;
  p.in = grid::input(keys);
  p.out = grid::output(sizes);
  return p;
}

void add_runs(families& all) {
  auto const with = [](auto make, index_t length) {
    return [=](arena& memory, index_t n, int slots) { return make(memory, n, slots, length); };
  };
  constexpr index_t most = index_t{1} << 28;
  for (index_t const length : {index_t{10}, index_t{1000}}) {
    std::string const runs = "runs of " + std::to_string(length);
    all.push_back({"scan by key", "int32", runs, 8, most, with(&make_scan, length)});
    all.push_back({"reduce_by_key", "int32", runs, 8, most, with(&make_reduction, length)});
    all.push_back({"run_length_encode", "uint32", runs, 4, most, with(&make_encoding, length)});
    all.push_back({"find_runs", "uint32", runs, 4, most, with(&make_long_runs, length)});
  }
}

}  // namespace grid
