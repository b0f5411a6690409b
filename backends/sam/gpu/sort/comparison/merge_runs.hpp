// SPDX-License-Identifier: MIT
// Merges sorted runs through global memory. Each block writes one tile of the output: two warps
// search the runs for the items of the tile, the block loads them, and its threads merge parts of
// equal length in shared memory.
//
// Sources: Odeh, Green, Mwassi, Shmueli, Birk, "Merge path", IPDPSW 2012; Green, McColl, Bader,
// "GPU merge path", ICS 2012.
#pragma once

#include <sam/gpu/sort/comparison/thread_merge.hpp>
#include <sam/gpu/warp/warp_lower_bound.hpp>

namespace sam::inline v0_1::gpu {

/// Runs a merge_pass. The runs of a pass with several must have a multiple of `tile` items.
template <class Device, class Pass, class Config>
class merge_runs_block {
  using T = typename std::remove_cvref_t<decltype(std::declval<Pass>().a)>::item;
  static constexpr int items = Config::items;

 public:
  static constexpr int threads = Config::warps * Device::warp_size;
  static constexpr int tile = threads * items;

 private:
  struct shared_layout {
    uninitialized_array<T, tile + 1> items;
    index_t splits[2];  // the items of run a before the tile, and before its end
  };

 public:
  static constexpr int shared_bytes = int{sizeof(shared_layout)};
  static index_t tiles(Pass const& pass) { return div_up(pass.size(), tile); }

  SAM_DEVICE explicit merge_runs_block(Pass const& pass)
      : pass_(pass), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * Device::warp_size + Device::lane()) {}

  SAM_DEVICE void operator()() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    index_t const all = div_up(pass_.size(), tile);
    for (index_t t = Device::block(); t < all; t += Device::blocks())
      merge(t * tile);
  }

 private:
  /// Writes the tile that begins with output `first`.
  SAM_DEVICE void merge(index_t first) const {
    using source = std::remove_cvref_t<decltype(pass_.a)>;
    auto const runs = pass_.runs_of(first);
    index_t const before = first - runs.begin;
    int const count = int(min_of(tile, runs.size() - before));
    if (Device::warp() < 2) {
      index_t const d = Device::warp() == 0 ? before : before + count;
      index_t const k =
          gpu::search<Device>(max_of(0, d - runs.b_size), min_of(d, runs.a_size),
                              [&](index_t i) { return pass_.takes_b(runs, i, d - 1 - i); });
      if (Device::lane() == 0)
        shared_.splits[Device::warp()] = k;
    }
    Device::sync_block();  // orders the writes of the splits before their reads
    // The bounds keep all accesses inside the arrays, whatever the order is.
    index_t const a = shared_.splits[0], b = before - a;
    int const of_a = int(min_of(max_of(shared_.splits[1] - a, 0), count));
    gpu::load_tile<threads, items>(shared_.items.at, thread_, count, [&](int i) {
      return i < of_a ? pass_.a.load(runs.a + a + i)
                      : pass_.b.load(runs.b + min_of(b + i - of_a, runs.b_size - 1));
    });
    Device::sync_block();  // orders the writes of the items before their reads by other threads
    int const begin = int(min_of(thread_ * items, count));
    int const own = int(min_of(count - begin, items));
    thread_items<T, items> mine;
    if (own > 0)
      mine.merge(shared_.items.at, {0, of_a, of_a, count}, begin, own, [&](T const& x, T const& y) {
        return static_cast<bool>(pass_.less(source::key_of(x), source::key_of(y)));
      });
    Device::sync_block();  // orders the reads of the runs before they are overwritten
    mine.store(shared_.items.at + begin, own);
    Device::sync_block();  // orders the writes of the merged items before their reads
    gpu::store_tile<threads, items>(shared_.items.at, thread_, count,
                                    [&](int i, T const& x) { pass_.to.store(first + i, x); });
    Device::sync_block();  // orders these reads before the next tile is loaded
  }

  Pass const& pass_;
  shared_layout& shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
