// SPDX-License-Identifier: MIT
// Reduces items whose grouping matters, such as floats, with the bits of the scan's last value.
//
// Blocks reduce tiles as scan_tile.hpp and block_aggregates.hpp do, and write the tiles' aggregates
// to memory. One block combines them as strided_lookback.hpp and reduce_epilogue.hpp do. The kernel
// begins with loads, where scan_kernel.hpp sets up its pipeline.
//
// Up to most_exchanged tiles publish their aggregates by exchange.hpp, and the block that began
// last waits for them. More tiles write to an array, and the last block to finish reads it.
#pragma once

#include <sam/gpu/grid/exchange.hpp>
#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/scan/scan_config.hpp>

namespace sam::inline v0_1::gpu {

/// True if reduce_tiles_block runs a job: it wants one value, under an operator for which look-back
/// is strided.
template <class Device, class Job, class Policy>
inline constexpr bool reduces_by_tiles = [] {
  using T = typename Job::accumulator;
  if constexpr (reducing<Job> && Policy::tuple_size == 1 && Policy::order == 1 &&
                std::is_same_v<typename Policy::carry, carry::decoupled>)
    return std::is_same_v<lookback_for<Device, T, Policy>, strided_lookback<Device, T, Policy>>;
  else
    return false;
}();

/// Holds the arguments of a launch.
template <class Job, class Policy>
struct reduce_tiles_arguments {
  Job job;
  Policy policy;
  index_t n;
  exchange_memory* memory;              // null for more than most_exchanged tiles
  typename Job::accumulator* of_tiles;  // else: an element for each tile, and one more
  std::uint32_t* done;                  // counts the blocks that are done
};

/// Runs one block, for tiles of a block_config.
template <class Device, class Job, class Policy, class Config>
class reduce_tiles_block {
  using T = typename Job::accumulator;
  using traits = policy_traits<Device, T, Policy>;
  using lanes_type = warp_state<Device, T, Policy>;
  using state = typename traits::state;
  static constexpr int I = Config::items;
  static constexpr int W = Config::warps;
  static constexpr int warp_items = Device::warp_size * I;
  static constexpr int look_back_warps = traits::lookback_warps;
  static constexpr int classes = look_back_warps * Device::warp_size;
  static_assert(W <= Device::warp_size && look_back_warps <= W);

 public:
  static constexpr int threads = W * Device::warp_size;
  static constexpr int tile_items = W * warp_items;
  /// The blocks for which a multiprocessor shall have registers: those of 1024 threads, or as many
  /// as leave a thread enough for its items. Compilers would else use more of them behind the
  /// tiles.
  static constexpr int least_blocks =
      words_of<T> > 2
          ? 1
          : int(engine::max_of(1,
                               engine::min_of(1024,
                                              (1 << 16) / (I * words_of<typename Job::item> + 40)) /
                                   threads));
  static SAM_FUNCTION index_t tiles(index_t n) { return engine::div_up(n, tile_items); }

 private:
  // Gaps make the threads' runs lie in different banks, if I is even.
  static constexpr int gap = I % 2 == 0 ? 1 : 0;
  static constexpr int run_pitch = I + gap;
  /// This thread's items of a tile.
  using loaded = uninitialized_array<typename Job::item, I>;
  /// The number that the block has claimed, and that of earlier launches.
  struct numbers {
    std::uint32_t claimed, launches;
  };
  struct shared_layout {
    uninitialized_array<T, W> of_warps;
    uninitialized_array<T, W * Device::warp_size * run_pitch> staged;
    std::uint32_t is_last;
    numbers own;
  };
  // Classes of tiles take their aggregates from shared memory, so many steps at a time. A thread
  // loads at most eight of them.
  static constexpr int each = int(engine::min_of(run_pitch, 8));
  static constexpr int together = each * W * Device::warp_size / classes * classes;

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  /// The aggregates that a lane asks for together.
  static constexpr int batch = int(engine::max_of(1, engine::min_of(8, 16 / words_of<T>)));
  /// The most tiles that publish their aggregates. Lanes may ask for some behind them.
  static constexpr int most_exchanged =
      words_of<T> > exchange_memory::most_words
          ? 0
          : int(engine::min_of(2 * threads, exchange_memory::most_blocks - batch * classes - 1));

  SAM_DEVICE explicit reduce_tiles_block(reduce_tiles_arguments<Job, Policy> const& a)
      : a_(a), lanes_(a.policy, Device::lane()),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())), warp_(Device::warp()) {
  }

  SAM_DEVICE void run() const {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    index_t const count = tiles(a_.n);
    loaded x;
    load(Device::block(), x);
    numbers own{};
    if (exchanges())
      claim(own);
    if (exchanges() && thread() == 0)  // the first tile's barriers order this before its reads
      shared_.own = own;
    for (index_t tile = Device::block(); tile < count; tile += Device::blocks())
      reduce(tile, tile == count - 1, x);
    if (exchanges())
      finish_if_last_to_begin(count);
    else if (gpu::is_last_block<Device>(a_.done, thread(), shared_.is_last))
      finish([&](last_item const& last, state& sum, end& early) {
        take_written(count - 1, last, sum, early);
      });
  }

 private:
  SAM_DEVICE bool exchanges() const { return most_exchanged > 0 && a_.memory != nullptr; }
  /// Calls f(exchange), for a launch whose number all threads know.
  template <class F>
  SAM_DEVICE void with_exchange(F const& f) const {
    if constexpr (most_exchanged > 0)
      f(exchange<Device, T>(*a_.memory, shared_.own.launches + 1));
  }
  /// Claims a number, while the first items are on their way. A warp may wait here for both
  /// numbers: compilers have one thread add for its warp.
  SAM_DEVICE void claim(numbers& own) const {
    if constexpr (most_exchanged > 0)
      if (thread() == 0)
        own = {exchange<Device, T>::claim(*a_.memory), exchange<Device, T>::launches(*a_.memory)};
  }
  SAM_DEVICE void finish_if_last_to_begin(index_t count) const {
    with_exchange([&](auto const& all) {
      bool const has_run = last_item(a_.n).run > 0;
      all.refresh(int(count) + (has_run ? 1 : 0), Device::block(), Device::blocks(), thread(),
                  threads);
      if (shared_.own.claimed + 1 != std::uint32_t(Device::blocks()))
        return;
      finish([&](last_item const& last, state& sum, end& early) {
        take_exchanged(all, int(count - 1), last, sum, early);
      });
      if (thread() == 0) {  // has waited for the last tile itself, and for others by a barrier
        all.end_claims();
        all.count_launch();
      }
    });
  }
  /// Writes the aggregate of a tile, or what lies behind the last one's. One thread calls it.
  SAM_DEVICE void put(index_t tile, T const& x) const {
    if (exchanges())
      with_exchange([&](auto const& all) { all.publish(int(tile), x); });
    else
      a_.of_tiles[tile] = x;
  }
  SAM_DEVICE int thread() const { return warp_ * Device::warp_size + Device::lane(); }

  /// Locates the last item: its warp, its run in the warp, and its place in the run.
  struct last_item {
    int warp, run, at;
    SAM_DEVICE explicit last_item(index_t n) {
      int const in_tile = int((n - 1) % tile_items);
      warp = in_tile / warp_items;
      run = in_tile % warp_items / I;
      at = in_tile % I;
    }
  };

  /// Writes the aggregate of a tile or, for the last tile, the exclusive prefixes of the last
  /// item's warp in the tile, and of its run in the warp. The items of the warp are in x, where
  /// those of the block's next tile take their place.
  SAM_DEVICE void reduce(index_t tile, bool is_last, loaded& x) const {
    int const count = count_of(tile);
    state sum;
    bool const is_full = (Device::lane() + 1) * I <= count;
    stage(count, x);
    load(tile + Device::blocks(), x);  // on their way while this tile is reduced
    if (is_full) {
      sum.at[0] = staged(warp_, Device::lane() * I);
#pragma unroll
      for (int k = 1; k < I; ++k)
        sum.at[0] = a_.policy.op(sum.at[0], staged(warp_, Device::lane() * I + k));
    }
    lanes_.scan_runs(sum, is_full, no_power);
    if (Device::lane() == Device::warp_size - 1)
      shared_.of_warps.at[warp_] = sum.at[0];
    state below;
    lanes_.from_below(sum, 1, below);
    last_item const last(a_.n);
    Device::sync_block();  // orders the writes of the warps' aggregates before their reads
    if (is_last && last.run > 0 && warp_ == last.warp && Device::lane() == last.run)
      put(tile + 1, below.at[0]);
    if (warp_ == 0)
      combine_warps(tile, is_last, last);
    Device::sync_block();  // orders these reads before the writes of the next tile
  }
  SAM_DEVICE void combine_warps(index_t tile, bool is_last, last_item const& last) const {
    int const full = is_last ? int((a_.n - tile * tile_items) / warp_items) : W;
    state part, whole;
    if (Device::lane() < full)
      part.at[0] = shared_.of_warps.at[Device::lane()];
    lanes_.template scan_runs<W>(part, Device::lane() < full, no_power);
    int const from = is_last ? last.warp - 1 : W - 1;
    if (from >= 0)
      lanes_.from_run(part, from, whole);
    else
      whole.at[0] = staged(0, 0);  // something: the last tile has no aggregate
    if (Device::lane() == 0)
      put(tile, whole.at[0]);
  }
  /// Returns the number of the warp's items of a tile.
  SAM_DEVICE int count_of(index_t tile) const {
    index_t const left = a_.n - tile * tile_items - warp_ * warp_items;
    return left < 0 ? 0 : left < warp_items ? int(left) : warp_items;
  }
  /// Loads the warp's items of a tile, if it has any, with consecutive ones in consecutive lanes.
  /// The last item also stands for those that a warp lacks, so that no load waits for another.
  SAM_DEVICE void load(index_t tile, loaded& x) const {
    index_t const first = tile * tile_items + warp_ * warp_items;
    int const count = count_of(tile);
    if (count == warp_items) {
#pragma unroll
      for (int k = 0; k < I; ++k)
        x.at[k] = a_.job.load(first + Device::lane() + k * Device::warp_size);
    } else if (count > 0) {
#pragma unroll
      for (int k = 0; k < I; ++k) {
        int const at = k * Device::warp_size + Device::lane();
        x.at[k] = a_.job.load(first + (at < count ? at : count - 1));
      }
    }
  }
  /// Moves the warp's items to shared memory.
  SAM_DEVICE void stage(int count, loaded const& x) const {
    Device::sync_warp();  // orders the reads of the last tile's items before these writes
    if (count > 0) {
#pragma unroll
      for (int k = 0; k < I; ++k)
        staged(warp_, k * Device::warp_size + Device::lane()) = a_.job.to_accumulator(x.at[k]);
    }
    Device::sync_warp();  // orders the writes of the items before their reads
  }
  SAM_DEVICE T& staged(int warp, int at) const {
    return shared_.staged.at[warp * Device::warp_size * run_pitch + at + (gap > 0 ? at / I : 0)];
  }

  /// Holds what the last tile has: its aggregates before the last item's warp and run, and the
  /// first items of that run, one in each lane.
  struct end {
    uninitialized_array<T, 1> warps, runs, item;
  };
  SAM_DEVICE void load_end_item(last_item const& last, int from, end& to) const {
    if (int const at = from + Device::lane(); at <= last.at)
      to.item.at[0] = a_.job.to_accumulator(a_.job.load(a_.n - 1 - last.at + at));
  }
  /// Combines the aggregates of all tiles before the last one, and items up to the last, and stores
  /// the result. take(last, sum, early) adds up the tiles of this thread's class, if it has one,
  /// and takes what the last tile has.
  template <class Take>
  SAM_DEVICE void finish(Take const& take) const {
    last_item const last(a_.n);
    end early;
    if (warp_ == 0)
      load_end_item(last, 0, early);  // on its way while the aggregates are combined
    state sum;
    lanes_.start_from_identity(sum);
    if (thread() == classes - 1)
      lanes_.start(sum);
    take(last, sum, early);
    if (warp_ < look_back_warps)
      lanes_.sum_runs(sum);
    if constexpr (look_back_warps > 1) {
      if (Device::lane() == 0 && warp_ < look_back_warps)
        shared_.of_warps.at[warp_] = sum.at[0];
      Device::sync_block();  // orders the writes of the parts before their reads
    }
    if (warp_ > 0)
      return;
    for (int w = 1; w < look_back_warps; ++w)
      sum.at[0] = a_.policy.op(sum.at[0], shared_.of_warps.at[w]);
    append_last(last, early, sum.at[0]);
  }
  /// Takes aggregates that are published. Each class of tiles has a lane of the first warps, which
  /// asks for several of them, and for those of the last tile, before it waits for one.
  template <class Exchange>
  SAM_DEVICE void take_exchanged(Exchange const& all, int last_tile, last_item const& last,
                                 state& sum, end& early) const {
    for (int next = thread(); warp_ < look_back_warps;) {
      uninitialized_array<T, batch> x;
      bool is_there[batch];
      bool has_end = all.try_read(last_tile, early.warps.at[0]);
      has_end &= all.try_read(last_tile + (last.run > 0 ? 1 : 0), early.runs.at[0]);
#pragma unroll
      for (int b = 0; b < batch; ++b)
        is_there[b] = all.try_read(next + b * classes, x.at[b]);
      bool on = true;
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        on = on && is_there[b] && next < last_tile;
        if (on) {
          sum.at[0] = a_.policy.op(sum.at[0], x.at[b]);
          next += classes;
        }
      }
      if (Device::all_lanes(next >= last_tile && has_end))
        break;
      Device::pause();
    }
  }
  /// Takes aggregates that the last block to finish reads from memory.
  SAM_DEVICE void take_written(index_t last_tile, last_item const& last, state& sum,
                               end& early) const {
    if (warp_ == 0) {
      early.warps.at[0] = a_.of_tiles[last_tile];
      early.runs.at[0] = a_.of_tiles[last_tile + (last.run > 0 ? 1 : 0)];
    }
    int const mine = thread();  // the class of tiles, if below `classes`
    // Aggregates go through shared memory, from which a class takes one after the other. The next
    // ones are on their way to registers meanwhile.
    uninitialized_array<T, each> next;
    auto const load = [&](index_t first) {
#pragma unroll
      for (int k = 0; k < each; ++k)
        if (int const at = k * threads + thread(); at < together && first + at < last_tile)
          next.at[k] = a_.of_tiles[first + at];
    };
    load(0);
    for (index_t first = 0; first < last_tile; first += together) {
      int const count = int(engine::min_of(last_tile - first, together));
#pragma unroll
      for (int k = 0; k < each; ++k)
        if (int const at = k * threads + thread(); at < count)
          shared_.staged.at[at] = next.at[k];
      Device::sync_block();  // orders the writes of the aggregates before their reads
      load(first + together);
      if (mine < classes) {
        int k = 0;
#pragma unroll 1
        for (; k + 8 <= count / classes; k += 8) {
          uninitialized_array<T, 8> x;
#pragma unroll
          for (int u = 0; u < 8; ++u)
            x.at[u] = shared_.staged.at[(k + u) * classes + mine];
#pragma unroll
          for (int u = 0; u < 8; ++u)
            sum.at[0] = a_.policy.op(sum.at[0], x.at[u]);
        }
        for (; k * classes + mine < count; ++k)
          sum.at[0] = a_.policy.op(sum.at[0], shared_.staged.at[k * classes + mine]);
      }
      Device::sync_block();  // orders the reads of the aggregates before the next writes
    }
  }
  /// Appends what the last tile has to its exclusive prefix, and stores the result. All lanes of
  /// the first warp call this.
  SAM_DEVICE void append_last(last_item const& last, end& x, T value) const {
    if (last.warp > 0)
      value = a_.policy.op(value, x.warps.at[0]);
    if (last.run > 0)
      value = a_.policy.op(value, x.runs.at[0]);
    constexpr int some = int(engine::min_of(I, Device::warp_size));
    for (int from = 0; from <= last.at; from += some) {
      if (from > 0)
        load_end_item(last, from, x);
      uninitialized_array<T, some> items;
#pragma unroll
      for (int k = 0; k < some; ++k)  // all on their way before the first is appended
        items.at[k] = gpu::shuffle_from<Device>(x.item.at[0], k);
#pragma unroll
      for (int k = 0; k < some; ++k)
        if (from + k <= last.at)
          value = a_.policy.op(value, items.at[k]);
    }
    if (Device::lane() == 0)
      a_.job.store(a_.n - 1, a_.job.load(a_.n - 1), value);
  }

  /// Stands for the powers of warp_state::scan_runs, which an order of 1 does not use.
  struct no_powers {
    SAM_DEVICE typename traits::power operator()(int) const { return {}; }
  };
  static constexpr no_powers no_power{};

  reduce_tiles_arguments<Job, Policy> const& a_;
  lanes_type const lanes_;
  shared_layout& shared_;
  int const warp_;
};

}  // namespace sam::inline v0_1::gpu
