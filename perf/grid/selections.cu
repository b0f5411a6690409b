// SPDX-License-Identifier: MIT
// Adds compaction and unique to the grid.
#include <sam/compact.hpp>
#include <sam/unique.hpp>

#include "grid.hpp"
#include <cub/device/device_select.cuh>

namespace grid {

struct keep_half {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return (x >> 7 & 1) != 0; }
};

void add_selections(families& all) {
  using T = std::uint32_t;
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
}

}  // namespace grid
