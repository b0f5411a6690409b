// SPDX-License-Identifier: MIT
// Sorts few keys in one block by merges, in a time that does not depend on the keys.
//
// Equal items are interchangeable: see merge_keys.hpp. Each warp sorts a run in registers; then
// pairs of runs are merged in shared memory. In each round a warp produces one run's length of
// merged items. Two merge-path searches find where its part of both input runs begins and ends.
// Every other run is stored reversed, so the two parts form one bitonic sequence, which a bitonic
// merge network sorts. No lane waits for a value that it has just loaded, as it would in an
// item-by-item merge.
//
// Lanes load and store consecutive items, which lie in different banks. Only in its first store
// does each lane write consecutive items of its own, so that layout has one item of padding after
// each row of banks.
//
// Source: Batcher, "Sorting networks and their applications", AFIPS 1968; for the searches see
// merge_path_search.hpp.
#pragma once

#include <sam/gpu/sort/digit_histogram.hpp>
#include <sam/gpu/sort/merge/merge_keys.hpp>
#include <sam/gpu/warp/merge_path_search.hpp>
#include <sam/gpu/warp/sorting_network.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// Configures a block: warps, a power of 2, and items of a lane.
template <int Warps, int Slots>
struct block_merge_config {
  static constexpr int warps = Warps;
  static constexpr int slots = Slots;
  static_assert((Warps & (Warps - 1)) == 0);
};

/// Sorts a job of at most `size` keys by one block.
template <class Device, class Job, class Config>
class block_merge_sort {
 protected:
  using items_type = merge_keys<Job>;
  using item = typename items_type::item;
  static constexpr int lanes = Device::warp_size;
  static constexpr int slots = Config::slots;
  /// Number of items that a warp sorts, and that it produces in each merge round.
  static constexpr int run_size = slots * lanes;
  using network = sorting_network<Device, item, slots, true>;

 private:
  /// Number of items in one row of all banks.
  static constexpr int row = Device::banks * 4 / int{sizeof(item)};
  static_assert(lanes % row == 0);

 public:
  static constexpr int size = Config::warps * run_size;  // keys at most
  static constexpr int most_threads = Config::warps * lanes;

  static constexpr bool is_possible = items_type::is_possible;
  static bool takes(Job const& job) { return items_type::takes(job) && job.n <= size; }
  /// Returns the threads of a block for n keys: one warp for each run, rounded up to a power of 2.
  static constexpr int threads(index_t n) { return padded(int(n)) / slots; }
  static constexpr int shared_bytes(index_t n) {
    return (spread(padded(int(n))) + 1) * int{sizeof(item)};  // one is loaded but not used
  }

  /// Sorts the items of the job from index `before` on.
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

  /// Sorts `all` items and loads the warp's part of the result. No branch depends on the warp's
  /// index, so the compiler knows that the lanes of a warp stay converged.
  SAM_DEVICE void sort(network& items, int all) const {
    sort_run(items);
    if (all == run_size) {
      Device::sync_warp();  // orders the writes of the only run before its reads
      bring_run(items);
    } else {
      Device::sync_block();  // orders the writes of the runs before their reads
      for (int length = run_size;; length *= 2) {
        length == run_size ? load_items<true>(items, length) : load_items<false>(items, length);
        items.merge_rows();
        if (2 * length == all)
          break;
        Device::sync_block();  // orders the reads of the runs before they are overwritten
        put(items, 2 * length);
        Device::sync_block();  // orders the writes of the merged runs before their reads
      }
    }
  }
  /// Returns the index of the lane's first item and, below, the number of items from there to the
  /// end.
  SAM_DEVICE int first_of_lane() const { return before_ + begin_of_warp() + Device::lane(); }
  SAM_DEVICE int left_of_lane() const { return int(job_.n) - first_of_lane(); }

  Job const& job_;
  int before_;
  item* items_;

 private:
  /// Returns n rounded up to a whole number of runs that is a power of 2.
  static SAM_FUNCTION constexpr int padded(int n) {
    int all = run_size;
    while (all < n)
      all *= 2;
    return all;
  }
  /// Returns the index of an item in the layout with one item of padding after each row.
  static SAM_FUNCTION constexpr int spread(int item) {
    return item + int(std::uint32_t(item) / row);
  }
  template <bool IsSpread>
  static SAM_FUNCTION constexpr int place(int item) {
    return IsSpread ? spread(item) : item;
  }

  /// Sorts the warp's run and stores it, reversed if the warp's index is odd. Missing items are
  /// replaced by items that sort last.
  SAM_DEVICE void sort_run(network& items) const {
    int const first = first_of_lane(), left = left_of_lane();
    items.fill(slots, items_type::last(), [&](int s, item& x) {
      if (s * lanes < left)
        x = items_type::of(job_, first + s * lanes);
    });
    items.sort_own(slots);
    items.merge_lanes(lanes);
    static_assert(row % slots == 0 || slots % row == 0);  // or padding would split a lane's items
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

  /// Loads the warp's part of two runs of `length` items each, the second of which is stored
  /// reversed.
  template <bool IsSpread>
  SAM_DEVICE void load_items(network& items, int length) const {
    int const both = begin_of_warp() & -(2 * length);
    int const skipped = begin_of_warp() - both;
    auto const part = gpu::search_part<Device>(length, skipped, run_size, [&](int i, int diagonal) {
      item const* const first = items_ + place<IsSpread>(both + i);
      return !(first[place<IsSpread>(2 * length - diagonal)] < first[0]);
    });
    int const firsts = Device::opaque(part.end - part.begin - Device::lane());
    // Byte offsets behind an optimisation barrier reduce each load's address to a choice of two
    // values.
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

  /// Stores the warp's part of merged runs of `length` items each, every other one reversed.
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

}  // namespace sam::inline v0_1::gpu
