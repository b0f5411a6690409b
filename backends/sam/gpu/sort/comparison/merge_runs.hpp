// SPDX-License-Identifier: MIT
// Merges sorted runs through global memory. Each block writes one tile of the output: it loads the
// items of the tile from both runs, and its threads merge parts of equal length in shared memory.
//
// A search along the merge path finds which items of the runs a tile has. It is a chain of loads
// that takes longer than a tile. With few tiles, two warps of each block do it. With many, a kernel
// ahead does it for all tiles, one by each thread, so that blocks begin with their loads.
//
// Sources: Odeh, Green, Mwassi, Shmueli, Birk, "Merge path", IPDPSW 2012; Green, McColl, Bader,
// "GPU merge path", ICS 2012. A kernel ahead that finds all splits is CUB's DeviceMerge.
#pragma once

#include <sam/gpu/sort/comparison/thread_merge.hpp>
#include <sam/gpu/warp/warp_lower_bound.hpp>

namespace sam::inline v0_1::gpu {

/// A merge_pass in tiles. The runs of a pass with several must have a multiple of the tile's items.
template <class Pass>
struct tiled_merge_pass {
  Pass pass;
  index_t* splits;  // for each tile: how many items of run a lie before it; null if blocks search
};

/// The outputs before a tile, as a search along the merge path sees them.
template <class Pass>
struct merge_diagonal {
  Pass const& pass;
  typename Pass::runs const& runs;
  index_t outputs;  // of the two runs

  /// Bounds of how many of the outputs are items of run a.
  SAM_DEVICE index_t low() const { return max_of(0, outputs - runs.b_size); }
  SAM_DEVICE index_t high() const { return min_of(outputs, runs.a_size); }
  /// True if item i of run a lies behind the outputs.
  SAM_DEVICE bool is_behind(index_t i) const { return pass.takes_b(runs, i, outputs - 1 - i); }
};

/// Finds the splits of a pass in tiles of `Tile` items.
template <class Device, class Pass, int Tile>
class merge_splits_block {
 public:
  static constexpr int warps = 128 / Device::warp_size;
  static constexpr int threads = warps * Device::warp_size;
  static constexpr int shared_bytes = 0;
  static index_t tiles(tiled_merge_pass<Pass> const& tiled) {
    return div_up(div_up(tiled.pass.size(), Tile), threads);
  }

  SAM_DEVICE explicit merge_splits_block(tiled_merge_pass<Pass> const& tiled) : tiled_(tiled) {}

  SAM_DEVICE void operator()() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    Pass const& pass = tiled_.pass;
    index_t const all = div_up(pass.size(), Tile);
    constexpr int lanes = Device::warp_size;
    for (index_t first = index_t{Device::block()} * threads + Device::warp() * lanes; first < all;
         first += index_t{Device::blocks()} * threads) {
      // Splits of neighbours are near: each further output moves a split by one item at most. So
      // a warp searches the arrays once, and its lanes search behind its first split.
      auto const of_first = pass.runs_of(first * Tile);
      merge_diagonal<Pass> const begin{pass, of_first, first * Tile - of_first.begin};
      index_t const near = gpu::search<Device>(begin.low(), begin.high(),
                                               [&](index_t i) { return begin.is_behind(i); });
      index_t const t = first + Device::lane();
      if (t >= all)
        continue;
      auto const runs = pass.runs_of(t * Tile);
      merge_diagonal<Pass> const at{pass, runs, t * Tile - runs.begin};
      index_t low = at.low(), high = at.high();
      if (runs.begin == of_first.begin) {
        low = max_of(low, near);
        high = min_of(high, near + at.outputs - begin.outputs);
      }
      while (low < high) {
        index_t const i = low + (high - low) / 2;
        bool const behind = at.is_behind(i);
        low = behind ? low : i + 1;
        high = behind ? i : high;
      }
      tiled_.splits[t] = low;
    }
  }

 private:
  tiled_merge_pass<Pass> const& tiled_;
};

/// The items of a tile: `of_a` items of run a from item a on, and the others of `count` items of
/// run b from item b on.
struct merge_tile {
  index_t a, b;
  int of_a, count;
};
/// Returns the items of tile t of a pass, which has at most `size` items and begins behind `before`
/// outputs of the runs. If `splits` is null, two warps of the block search for its begin and end,
/// and share them in `found`.
template <class Device, class Pass>
SAM_DEVICE merge_tile find_tile(Pass const& pass, typename Pass::runs const& runs, index_t before,
                                int size, index_t const* splits, index_t t, index_t (&found)[2]) {
  int const count = int(min_of(size, runs.size() - before));
  bool const searches = splits == nullptr, is_last = before + count == runs.size();
  if (searches) {
    if (Device::warp() < 2) {
      merge_diagonal<Pass> const at{pass, runs, before + (Device::warp() == 0 ? 0 : count)};
      index_t const k =
          gpu::search<Device>(at.low(), at.high(), [&](index_t i) { return at.is_behind(i); });
      if (Device::lane() == 0)
        found[Device::warp()] = k;
    }
    Device::sync_block();  // orders the writes of the splits before their reads
  }
  index_t const a = searches ? found[0] : splits[t], b = before - a;
  index_t const end_of_a = searches ? found[1] : (is_last ? runs.a_size : splits[t + 1]);
  // The bounds keep all accesses inside the arrays, whatever the order is.
  int const least = int(max_of(0, count - (runs.b_size - b)));
  return {a, b, int(min_of(max_of(least, end_of_a - a), count)), count};
}

/// Merges the tiles of a pass.
template <class Device, class Pass, class Config>
class merge_runs_block {
  using source = std::remove_cvref_t<decltype(std::declval<Pass>().a)>;
  using T = typename source::item;
  static constexpr int items = Config::items;

 public:
  static constexpr int threads = Config::warps * Device::warp_size;
  static constexpr int tile = threads * items;
  using splits_block = merge_splits_block<Device, Pass, tile>;

 private:
  struct shared_layout {
    uninitialized_array<T, tile + Config::items> items;
    index_t splits[2];  // the items of run a before the tile, and before its end
  };

 public:
  static constexpr int shared_bytes = int{sizeof(shared_layout)};
  static index_t tiles(tiled_merge_pass<Pass> const& tiled) {
    return div_up(tiled.pass.size(), tile);
  }

  SAM_DEVICE explicit merge_runs_block(tiled_merge_pass<Pass> const& tiled)
      : pass_(tiled.pass), splits_(tiled.splits),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * Device::warp_size + Device::lane()) {}

  SAM_DEVICE void operator()() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    index_t const all = div_up(pass_.size(), tile);
    for (index_t t = Device::block(); t < all; t += Device::blocks())
      merge(t);
  }

 private:
  /// Writes tile t.
  SAM_DEVICE void merge(index_t t) const {
    index_t const first = t * tile;
    auto const runs = pass_.runs_of(first);
    auto const at =
        gpu::find_tile<Device>(pass_, runs, first - runs.begin, tile, splits_, t, shared_.splits);
    index_t const from_a = runs.a + at.a, from_b = runs.b + at.b - at.of_a;
    if (at.count == tile)
      write<true>(first, from_a, from_b, at.of_a, tile);
    else
      write<false>(first, from_a, from_b, at.of_a, at.count);
  }

  /// Writes `count` items from output `first` on: the merge of the first `of_a` items, which source
  /// a has from `from_a` on, and the others, which source b has from from_b + of_a on.
  template <bool Full>
  SAM_DEVICE void write(index_t first, index_t from_a, index_t from_b, int of_a, int count) const {
    int const thread = Device::opaque(thread_);  // else indices would stay in registers
    source::with_either(pass_.a, from_a + thread, pass_.b, from_b + thread, [&](auto const& load) {
      gpu::load_tile<threads, items, Full>(shared_.items.at, thread, count,
                                           [&](int i) { return load(i < of_a, i - thread); });
    });
    Device::sync_block();  // orders the writes of the items before their reads by other threads
    int const begin = Full ? thread * items : int(min_of(thread * items, count));
    thread_items<T, items> mine;
    mine.merge(shared_.items.at, {0, of_a, of_a, count}, begin, [&](T const& x, T const& y) {
      return static_cast<bool>(pass_.less(source::key_of(x), source::key_of(y)));
    });
    Device::sync_block();  // orders the reads of the runs before they are overwritten
    mine.store(shared_.items.at + begin, Full ? items : count - begin);
    Device::sync_block();  // orders the writes of the merged items before their reads
    gpu::store_tile<threads, items, Full>(shared_.items.at, thread, count,
                                          [&](int i, T const& x) { pass_.to.store(first + i, x); });
    Device::sync_block();  // orders these reads before the next tile is loaded
  }

  Pass const& pass_;
  index_t const* splits_;
  shared_layout& shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
