// SPDX-License-Identifier: MIT
// A sort of so few keys that one block sorts them by comparisons, at a cost that does not depend on
// the keys.
//
// No two items need be told apart that are equal: see merge_keys.hpp. Each warp sorts a run of
// them in registers; then runs are merged by two in shared memory. A warp writes as many merged
// items as a run has: by a search along one diagonal of the two runs it finds where its part of
// each begins, and by another where it ends. Every other run lies in shared memory in reverse, so
// that the two parts are one bitonic sequence, which a network brings in order: no lane waits for
// what it has just loaded, as where items are merged one by one.
//
// Items that lanes load and store lie one beside the other, in different banks of shared memory.
// Only a warp's first run is written by lanes that have one behind the other, so there an item is
// left out behind each row of banks.
//
// Source: Batcher, "Sorting networks and their applications", AFIPS 1968; for the parts see
// merge_search.hpp.
#pragma once

#include <sam/gpu/sort/digit_histogram.hpp>
#include <sam/gpu/sort/merge/merge_keys.hpp>
#include <sam/gpu/warp/merge_path_search.hpp>
#include <sam/gpu/warp/sorting_network.hpp>

#include <cstddef>

namespace sam::gpu {

/// Warps, and items a lane.
template <int Warps, int Slots>
struct block_merge_config {
  static constexpr int warps = Warps;
  static constexpr int slots = Slots;
  static_assert((Warps & (Warps - 1)) == 0);
};

template <class Device, class Job, class Config>
class block_merge_sort {
 protected:
  using items_type = merge_keys<Job>;
  using item = typename items_type::item;
  static constexpr int lanes = Device::warp_size;
  static constexpr int slots = Config::slots;
  /// What a warp sorts, and then merges at a time.
  static constexpr int run_size = slots * lanes;
  using network = sorting_network<Device, item, slots, true>;

 private:
  /// Items of a row of banks.
  static constexpr int row = 128 / int{sizeof(item)};
  static_assert(lanes % row == 0);

 public:
  static constexpr int size = Config::warps * run_size;  // at most
  static constexpr int most_threads = Config::warps * lanes;

  static constexpr bool is_possible = items_type::is_possible;
  static bool takes(Job const& job) { return items_type::takes(job) && job.n <= size; }
  /// A block has as many warps as runs are needed: a power of 2.
  static constexpr int threads(index_t n) { return padded(int(n)) / slots; }
  static constexpr int shared_bytes(index_t n) {
    return (spread(padded(int(n))) + 1) * int{sizeof(item)};  // one is read and not looked at
  }

  /// Of the items behind the first `before`.
  SAM_DEVICE explicit block_merge_sort(sort_arguments<Job> const& arguments, int before = 0)
      : job_(arguments.job), before_(before),
        items_(reinterpret_cast<item*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    network items;
    sort(items, padded(int(job_.n)));
    items_type::template write<lanes>(job_, first_of_lane(), left_of_lane(), items.at,
                                      [] { Device::sync_block(); });
  }

 protected:
  static SAM_DEVICE int begin_of_warp() { return Device::warp() * run_size; }

  /// Sorts so many items, and brings the warp's part of them. Whatever depends on the warp is no
  /// branch, so that the compiler knows that lanes are together.
  SAM_DEVICE void sort(network& items, int all) const {
    sort_run(items);
    if (all == run_size) {
      Device::sync_warp();  // publishes the only run
      bring_run(items);
    } else {
      Device::sync_block();  // publishes the runs
      for (int length = run_size;; length *= 2) {
        length == run_size ? bring<true>(items, length) : bring<false>(items, length);
        items.merge_rows();
        if (2 * length == all)
          break;
        Device::sync_block();  // all have read
        put(items, 2 * length);
        Device::sync_block();  // publishes the merged runs
      }
    }
  }
  /// Of the job's items, the lane's first one, and how many are left from there on.
  SAM_DEVICE int first_of_lane() const { return before_ + begin_of_warp() + Device::lane(); }
  SAM_DEVICE int left_of_lane() const { return int(job_.n) - first_of_lane(); }

  Job const& job_;
  int before_;
  item* items_;

 private:
  /// So many items as the fewest runs have that n items fill, by a power of 2.
  static SAM_FUNCTION constexpr int padded(int n) {
    int all = run_size;
    while (all < n)
      all *= 2;
    return all;
  }
  /// Where an item lies if one is left out behind each row.
  static SAM_FUNCTION constexpr int spread(int item) {
    return item + int(std::uint32_t(item) / row);
  }
  template <bool IsSpread>
  static SAM_FUNCTION constexpr int place(int item) {
    return IsSpread ? spread(item) : item;
  }

  /// Sorts the warp's run, and stores it, every other one in reverse. Where there are no items it
  /// is filled up.
  SAM_DEVICE void sort_run(network& items) const {
    int const first = first_of_lane(), left = left_of_lane();
    items.fill(slots, items_type::last(), [&](int s, item& x) {
      if (s * lanes < left)
        x = items_type::of(job_, first + s * lanes);
    });
    items.sort_own(slots);
    items.merge_lanes(lanes);
    static_assert(row % slots == 0 || slots % row == 0);  // or a lane's would be apart elsewhere
    bool const falls = Device::warp() % 2 != 0;
    int const of_lane = falls ? lanes - 1 - Device::lane() : Device::lane();
    item* const to =
        items_ + spread(begin_of_warp() + of_lane * slots) + (falls ? spread(slots - 1) : 0);
    int const step = falls ? -1 : 1;
#pragma unroll
    for (int s = 0; s < slots; ++s)
      to[step * spread(s)] = items.at[s];
  }
  SAM_DEVICE void bring_run(network& items) const {
#pragma unroll
    for (int s = 0; s < slots; ++s)
      items.at[s] = items_[spread(Device::lane()) + s * spread(lanes)];
  }

  /// Brings the warp's part of two runs of so many items each, of which the second lies in reverse.
  template <bool IsSpread>
  SAM_DEVICE void bring(network& items, int length) const {
    int const both = begin_of_warp() & -(2 * length);
    int const skipped = begin_of_warp() - both;
    auto const part = gpu::search_part<Device>(length, skipped, run_size, [&](int i, int diagonal) {
      item const* const first = items_ + place<IsSpread>(both + i);
      return !(first[place<IsSpread>(2 * length - diagonal)] < first[0]);
    });
    int const firsts = Device::opaque(part.end - part.begin - Device::lane());
    // Said as bytes, and not to be taken apart, these two are all that a load chooses from.
    int const first = place<IsSpread>(both + part.begin + Device::lane()) * int{sizeof(item)};
    int const second = Device::opaque(first + place<IsSpread>(2 * length - skipped - run_size) *
                                                  int{sizeof(item)});
#pragma unroll
    for (int s = 0; s < slots; ++s)
      items.at[s] = at_byte(s * lanes < firsts ? first : second)[s * place<IsSpread>(lanes)];
  }
  SAM_DEVICE item const* at_byte(int byte) const {
    return reinterpret_cast<item const*>(reinterpret_cast<std::byte const*>(items_) + byte);
  }

  /// Stores the warp's part of merged runs of so many items each, every other one in reverse.
  SAM_DEVICE void put(network const& items, int length) const {
    int const begin = begin_of_warp(), lane = Device::lane();
    bool const falls = (begin & length) != 0;
    item* const to = items_ + (falls ? (begin ^ (length - 1)) - lane : begin + lane);
    int const step = falls ? -lanes : lanes;
#pragma unroll
    for (int s = 0; s < slots; ++s)
      to[s * step] = items.at[s];
  }
};

}  // namespace sam::gpu
