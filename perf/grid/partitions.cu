// SPDX-License-Identifier: MIT
// Adds partitions into two and into three to the grid. CUB writes the second kind of a partition
// into two backwards, and each kind of a partition into three to an array of its own.
#include <sam/partition.hpp>

#include "grid.hpp"
#include <cub/device/device_partition.cuh>

namespace grid {

struct below {
  std::uint32_t limit;
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return (x & 1023) < limit; }
};

problem make_two(arena& memory, index_t n, int slots) {
  using T = std::uint32_t;
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::partition(context(), grid::constant((*in)[s]), (*out)[s], below{512}, (*count)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DevicePartition::If(t, bytes, (*in)[s].data(), (*out)[s].data(), (*count)[s].data(),
                                    int(n), below{512}, on);
  });
  p.bytes = n * 4;
  p.in = grid::input(in);
  p.out = grid::output(count);
  return p;
}

problem make_three(arena& memory, index_t n, int slots) {
  using T = std::uint32_t;
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  auto const second = grid::take_slots<T>(memory, n, slots);
  auto const third = grid::take_slots<T>(memory, n, slots);
  auto const counts = grid::take_slots<int>(memory, 2, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::three_way_partition(context(), grid::constant((*in)[s]), (*out)[s], below{341}, below{683},
                             (*counts)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DevicePartition::If(t, bytes, (*in)[s].data(), (*out)[s].data(),
                                    (*second)[s].data(), (*third)[s].data(), (*counts)[s].data(),
                                    int(n), below{341}, below{683}, on);
  });
  p.bytes = n * 4;
  p.in = grid::input(in);
  p.out = grid::output(counts);
  return p;
}

void add_partitions(families& all) {
  all.push_back({"partition into two", "uint32", "", 4, index_t{1} << 30, &make_two});
  all.push_back({"partition into three", "uint32", "", 4, index_t{1} << 30, &make_three});
}

}  // namespace grid
