// SPDX-License-Identifier: MIT
// A sort of so few keys that one block sorts them in shared memory, digit by digit.
#pragma once

#include <sam/gpu/sort_counts.hpp>
#include <sam/gpu/sort_tile.hpp>

namespace sam::gpu {

template <class Device, class Job, class Shape>
class sort_block {
 public:
  using tile_type = sort_tile<Device, Job, Shape, std::uint32_t>;
  using traits = typename tile_type::traits;
  using value = typename tile_type::value;
  static constexpr int threads = tile_type::threads;
  static constexpr int items = tile_type::items;
  static constexpr int size = tile_type::size;
  static constexpr int shared_bytes = tile_type::keys_end;

  SAM_DEVICE explicit sort_block(sort_arguments<Job> const& arguments)
      : a_(arguments), tile_(a_.job, {0, 0}), count_(int(a_.job.n)),
        rows_((count_ + threads - 1) / threads) {}

  SAM_DEVICE void run() {
    Device::await_previous_kernel();
    Device::let_next_kernel_start();
    ranking const how =
        Device::adds_in_order() && traits::is_provable(a_.job) ? a_.how : ranking::by_votes;
    tile_.template for_each_place<false>(count_, rows_, [&](int j, int p) {
      tile_.keys.at[j] = traits::held(a_.job.keys[p], false);
    });
    tile_.clear();
    Device::sync_block();       // publishes the zeros
    std::uint32_t from[items];  // where the items at this thread's places came from
    for_each_item([&](int j, int p) { from[j] = std::uint32_t(p); });
    for (int p = 0; p < a_.places(Shape::digit_bits); ++p) {
      tile_.by(a_.place(p, Shape::digit_bits));
      if (count_ == size)
        arrange<true>(how);
      else
        arrange<false>(how);
      if constexpr (traits::has_values) {
        for_each_item([&](int j, int) { tile_.note(int(tile_.at[j])) = from[j]; });
        Device::sync_block();  // publishes where the sorted items came from
        for_each_item([&](int j, int at) { from[j] = tile_.note(at); });
      }
      tile_.template for_each_place<false>(
          count_, rows_, [&](int j, int at) { tile_.keys.at[j] = tile_.sorted_key(at); });
    }
    Device::sync_block();  // all keys have been read
    if (a_.job.sorted_keys != nullptr)
      for_each_item([&](int j, int p) {
        a_.job.sorted_keys[p] = traits::to_be_written(tile_.keys.at[j], false);
      });
    if constexpr (traits::has_values)
      write_values(from);
  }

 private:
  template <bool Full>
  SAM_DEVICE void arrange(ranking how) {
    using nothing = typename tile_type::nothing;
    tile_.template arrange<Full>(
        count_, rows_, how, [](int, std::uint32_t) {}, nothing{}, nothing{}, nothing{});
  }

  template <class F>
  SAM_DEVICE void for_each_item(F const& f) const {
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (j < rows_ && tile_.place_of(j, rows_) < count_)
        f(j, tile_.place_of(j, rows_));
  }

  SAM_DEVICE void write_values(std::uint32_t const (&from)[items]) const {
    if constexpr (integer<value>)
      if (a_.job.values == nullptr) {
        for_each_item([&](int j, int p) { a_.job.sorted_values[p] = static_cast<value>(from[j]); });
        return;
      }
    room<value, items> values;
    for_each_item([&](int j, int) { values.at[j] = a_.job.values[from[j]]; });
    Device::sync_block();  // all values have been read
    for_each_item([&](int j, int p) { a_.job.sorted_values[p] = values.at[j]; });
  }

  sort_arguments<Job> const& a_;
  tile_type tile_;
  int count_, rows_;
};

}  // namespace sam::gpu
