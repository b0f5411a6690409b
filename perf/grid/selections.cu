// SPDX-License-Identifier: MIT
// Adds compaction, by a predicate and by flags, and unique to the grid.
#include <sam/adjacent_difference.hpp>
#include <sam/compact.hpp>
#include <sam/unique.hpp>

#include "grid.hpp"
#include <cub/device/device_select.cuh>

namespace grid {

/// Flags half of the bytes.
struct lowest_bit {
  SAM_FUNCTION std::uint8_t operator()(std::uint8_t x, std::uint8_t) const { return x & 1; }
};
struct keep_half {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return (x >> 7 & 1) != 0; }
};

using T = std::uint32_t;

problem make_flagged(arena& memory, index_t n, int slots) {
  auto const in = grid::take_random<T>(memory, n, slots);
  auto const flags = grid::take_random<std::uint8_t>(memory, n, slots);
  for (int s = 0; s < slots; ++s)
    sam::adjacent_difference(context(), grid::constant((*flags)[s]), (*flags)[s], lowest_bit{});
  auto const out = grid::take_slots<T>(memory, n, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::compact_flagged(context(), grid::constant((*in)[s]), grid::constant((*flags)[s]),
                         (*out)[s], (*count)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceSelect::Flagged(t, bytes, (*in)[s].data(), (*flags)[s].data(),
                                      (*out)[s].data(), (*count)[s].data(), int(n), on);
  });
  p.bytes = n * 5;
  p.in = grid::input(in);
  p.out = grid::output(out);
  return p;
}

problem make_unique_by_key(arena& memory, index_t n, int slots) {
  auto const keys = grid::take_slots<T>(memory, n, slots);
  for (int s = 0; s < slots; ++s)
    grid::fill_runs((*keys)[s].data(), n, 4, s);
  auto const values = grid::take_random<T>(memory, n, slots);
  auto const keys_out = grid::take_slots<T>(memory, n, slots);
  auto const values_out = grid::take_slots<T>(memory, n, slots);
  auto const count = grid::take_slots<int>(memory, 1, slots);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::unique_by_key(context(), grid::constant((*keys)[s]), grid::constant((*values)[s]),
                       (*keys_out)[s], (*values_out)[s], (*count)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceSelect::UniqueByKey(t, bytes, (*keys)[s].data(), (*values)[s].data(),
                                          (*keys_out)[s].data(), (*values_out)[s].data(),
                                          (*count)[s].data(), int(n), on);
  });
  p.bytes = n * 8;
  p.in = grid::input(keys);
  p.out = grid::output(values_out);
  return p;
}

void add_selections(families& all) {
  all.push_back(
      {"compact", "uint32", "", 4, index_t{1} << 30, [](arena& memory, index_t n, int slots) {
         auto const in = grid::take_random<T>(memory, n, slots);
         auto const out = grid::take_slots<T>(memory, n, slots);
         auto const count = grid::take_slots<int>(memory, 1, slots);
         problem p;
         p.sam = [=](cudaStream_t, int s) {
           sam::compact(context(), grid::constant((*in)[s]), (*out)[s], keep_half{}, (*count)[s]);
         };
         p.cub =
             grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
               return cub::DeviceSelect::If(t, bytes, (*in)[s].data(), (*out)[s].data(),
                                            (*count)[s].data(), int(n), keep_half{}, on);
             });
         p.bytes = n * 4;
         p.in = grid::input(in);
         p.out = grid::output(out);
         return p;
       }});
  all.push_back({"unique", "uint32", "runs of 4", 4, index_t{1} << 30,
                 [](arena& memory, index_t n, int slots) {
                   auto const in = grid::take_slots<T>(memory, n, slots);
                   for (int s = 0; s < slots; ++s)
                     grid::fill_runs((*in)[s].data(), n, 4, s);
                   auto const out = grid::take_slots<T>(memory, n, slots);
                   auto const count = grid::take_slots<int>(memory, 1, slots);
                   problem p;
                   p.sam = [=](cudaStream_t, int s) {
                     sam::unique(context(), grid::constant((*in)[s]), (*out)[s], (*count)[s]);
                   };
                   p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes,
                                                            cudaStream_t on, int s) {
                     return cub::DeviceSelect::Unique(t, bytes, (*in)[s].data(), (*out)[s].data(),
                                                      (*count)[s].data(), int(n), on);
                   });
                   p.bytes = n * 4;
                   p.in = grid::input(in);
                   p.out = grid::output(out);
                   return p;
                 }});
  all.push_back({"compact_flagged", "uint32", "flags uint8", 5, index_t{1} << 29, &make_flagged});
  all.push_back(
      {"unique_by_key", "uint32, uint32", "runs of 4", 8, index_t{1} << 28, &make_unique_by_key});
}

}  // namespace grid
