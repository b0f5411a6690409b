// SPDX-License-Identifier: MIT
// Declares the benchmark that times every primitive over a grid of sizes beside CUB and cudaMemcpy.
//
// Each translation unit of this folder adds families: a call with its item type and segments. A
// family makes a problem for a size n. main.cu times the problems as launched and as nodes of a
// CUDA graph. The folder needs no library but CUDA and CUB, and no CMake: see perf/grid/run.
#pragma once

#include <sam/cuda/backend.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace grid {

using sam::index_t;

void check(cudaError_t status);

/// Hands out arrays from one block of device memory, which every problem reuses.
class arena {
 public:
  /// Thrown by take() if the memory does not suffice.
  struct exhausted {};

  explicit arena(std::size_t bytes);
  void clear() { used_ = 0; }
  template <class T>
  std::span<T> take(index_t n) {
    return {reinterpret_cast<T*>(take_bytes(std::size_t(n) * sizeof(T))), std::size_t(n)};
  }
  void* take_bytes(std::size_t bytes);

 private:
  char* memory_ = nullptr;
  std::size_t bytes_, used_ = 0;
};

/// Queues one call on a stream. Calls with different slots use different arrays.
using call = std::function<void(cudaStream_t, int slot)>;

/// A call of sam and the same call of CUB, each over several sets of arrays.
struct problem {
  call sam, cub;
  index_t bytes = 0;  // of the items that are read, as many as cudaMemcpy copies
  std::function<std::span<std::byte const>(int slot)> in;  // what it copies, again and again
  /// The results of a slot, if sam and CUB must write the same bytes; both write them there.
  std::function<std::span<std::byte const>(int slot)> out;
};

/// One row of the grid.
struct family {
  std::string name, items, segments;
  index_t bytes_of_item, largest;
  std::function<problem(arena&, index_t n, int slots)> make;
};

using families = std::vector<family>;
void add_scans(families& all);
void add_wide_scans(families& all);
void add_tuples(families& all);
void add_reductions(families& all);
void add_selections(families& all);
void add_partitions(families& all);
void add_runs(families& all);
void add_segmented_scans(families& all);
void add_segmented_reductions(families& all);
void add_sorts_of_keys(families& all);
void add_sorts_of_wide_keys(families& all);
void add_sorts_of_pairs(families& all);
void add_segmented_sorts(families& all);
void add_segmented_pairs(families& all);
void add_histograms(families& all);
void add_comparisons(families& all);
void add_choices(families& all);
void add_extremes(families& all);
void add_reductions_of(families& all);
void add_sets(families& all);
void add_moves(families& all);

/// The context of the current problem. main.cu replaces it for each problem, so that the memory
/// that a large call has made it hold is released.
sam::cuda::context& context();
/// The stream of the context.
cudaStream_t stream();

/// Fills an array with random words. Exponents of floats are limited so that sums stay finite.
void fill(void* words, std::size_t bytes, std::uint32_t seed);
/// Fills keys with runs of `length` equal ones.
void fill_runs(std::uint32_t* keys, index_t n, index_t length, index_t shift);

/// Offsets of segments: of 0 to 2 * length items, or of lengths that follow a power law if length
/// is 0.
std::span<std::int32_t> fill_offsets(arena& memory, index_t n, index_t length, std::uint32_t seed);
std::string name_of_segments(index_t length);
inline constexpr index_t lengths[] = {10, 100, 200, 1000, 20000, 0};

/// Wraps a call of CUB: asks for its temporary memory once, and takes it from the arena. The first
/// `slots` slots may need different amounts.
template <class F>
call with_temporary(arena& memory, F f, int slots = 1) {
  std::size_t bytes = 0;
  for (int s = 0; s < slots; ++s) {
    std::size_t of_slot = 0;
    check(f(nullptr, of_slot, nullptr, s));
    bytes = of_slot > bytes ? of_slot : bytes;
  }
  void* const temporary = memory.take_bytes(bytes < 256 ? 256 : bytes);
  return [=](cudaStream_t on, int slot) {
    std::size_t size = bytes;
    check(f(temporary, size, on, slot));
  };
}

/// The arrays of all slots.
template <class T>
using slots_of = std::shared_ptr<std::vector<std::span<T>>>;
template <class T>
slots_of<T> take_slots(arena& memory, index_t n, int slots) {
  auto all = std::make_shared<std::vector<std::span<T>>>();
  for (int s = 0; s < slots; ++s)
    all->push_back(memory.take<T>(n));
  return all;
}
template <class T>
slots_of<T> take_random(arena& memory, index_t n, int slots) {
  auto all = grid::take_slots<T>(memory, n, slots);
  for (int s = 0; s < slots; ++s)
    grid::fill((*all)[s].data(), std::size_t(n) * sizeof(T), std::uint32_t(977 * s + 1));
  return all;
}

template <class T>
std::function<std::span<std::byte const>(int)> input(slots_of<T> const& in) {
  return [=](int s) { return std::as_bytes((*in)[s]); };
}
template <class T>
std::function<std::span<std::byte const>(int)> output(slots_of<T> const& out) {
  return [=](int s) { return std::as_bytes((*out)[s]); };
}
template <class T>
std::span<T const> constant(std::span<T> x) {
  return x;
}

}  // namespace grid
