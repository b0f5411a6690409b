// SPDX-License-Identifier: MIT
// Partitions items by kind, in two kernels, or in one whose blocks all run at the same time.
//
// A block has a chunk of consecutive items. It counts their kinds from the first tile to the last,
// and in one kernel keeps the last tiles in shared memory. The blocks exchange their counts, or the
// first kernel leaves them to the second. Then each block places its items, from the last tile to
// the first: at first those in shared memory, then those that were read last and may still be in
// L2. In shared memory, the items of a tile are brought into the order of their kinds, so that
// threads next to one another store to consecutive places.
#pragma once

#include <sam/backend/split_job.hpp>
#include <sam/gpu/grid/exchange.hpp>
#include <sam/gpu/scan/stage_layout.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Split>
struct split_arguments {
  Split job;
  exchange_memory* memory;
  int tiles_of_block;  // the tiles of each block but the last ones
  int held;            // the number of tiles that fit in shared memory
};

/// Runs one block of `Warps` warps.
template <class Device, class Split, int Warps>
class split_block {
  using T = typename Split::item;
  static constexpr int kinds = Split::kinds, counted = kinds - 1;
  static constexpr int lanes = Device::warp_size;
  static_assert(kinds == 2 || kinds == 3);
  /// The number of items in a vector of 16 bytes, or 1 if items are not loaded by vectors.
  static constexpr int of_vector = 16 % sizeof(T) == 0 ? int(16 / sizeof(T)) : 1;

 public:
  static constexpr int threads = Warps * lanes;
  /// The number of vectors of a tile that each thread has.
  static constexpr int rows = sizeof(T) < 8 && of_vector > 1 ? 2 : 4;
  static constexpr int row_items = threads * of_vector;
  static constexpr int tile_items = rows * row_items;
  static_assert(lanes % Warps == 0 && tile_items < 1 << 16);  // counts of a tile fit 16 bits

 private:
  struct alignas(of_vector > 1 ? 16 : alignof(T)) vector {
    uninitialized_array<T, of_vector> of;
  };
  /// The counts of a block, of each kind but the last.
  struct block_counts {
    std::uint32_t of[counted];
  };
  /// The sums of the counts of blocks up to this one, and those of all blocks.
  struct count_sums {
    index_t upto[counted], all[counted];
  };
  struct shared_layout {
    alignas(16) uninitialized_array<T, tile_items> staged;
    std::uint32_t of_rows[rows * Warps];
    block_counts of_warps[Warps];
    count_sums parts[Warps], sums;
  };
  static constexpr int layout_bytes = int((sizeof(shared_layout) + 15) / 16 * 16);

 public:
  static constexpr int held_bytes = rows * threads * int(sizeof(vector));
  /// The shared memory of a block that holds `held` tiles.
  static constexpr int shared_bytes_of(int held) { return layout_bytes + held * held_bytes; }

  SAM_DEVICE explicit split_block(split_arguments<Split> const& a)
      : a_(a), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        held_(reinterpret_cast<vector*>(Device::shared_memory() + layout_bytes)),
        thread_(Device::warp() * lanes + Device::lane()) {
    if constexpr (!asks_memory)
      take_chunk(a.job.n);
  }

  /// Runs a block of a grid whose blocks all run at the same time.
  SAM_DEVICE void run() {
    begin();
    exchange<Device, block_counts> const blocks(*a_.memory);
    block_counts const counts = count_tiles();
    if (thread_ == 0)
      blocks.publish(Device::block(), counts);
    add_up([&](int b) { return blocks.await(b); });
    if (thread_ == 0 && Device::block() == 0)
      blocks.count_launch();
    blocks.refresh(Device::blocks(), Device::block(), Device::blocks(), thread_, threads);
    row last;
    load_last(last);
    place_tiles(last);
  }
  /// Runs a block of the first of two kernels, which counts.
  SAM_DEVICE void count() {
    begin();
    block_counts const counts = count_tiles();
    if (thread_ == 0)
#pragma unroll
      for (int k = 0; k < counted; ++k)
        a_.memory->counts[k][Device::block()] = counts.of[k];
  }
  /// Runs a block of the second kernel, which has as many blocks as the first.
  SAM_DEVICE void place() {
    begin();
    row last;
    load_last(last);  // on its way while counts are added up
    add_up([&](int b) {
      block_counts counts;
#pragma unroll
      for (int k = 0; k < counted; ++k)
        counts.of[k] = a_.memory->counts[k][b];
      return counts;
    });
    place_tiles(last);
  }

 private:
  using row = vector[rows];
  static constexpr bool asks_memory = requires(Split const job) { job.size(); };

  SAM_DEVICE void begin() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    if constexpr (asks_memory)
      take_chunk(a_.job.size());
  }
  /// Finds this block's items among n.
  SAM_DEVICE void take_chunk(index_t n) {
    index_t const chunk = index_t{a_.tiles_of_block} * tile_items;
    index_t const begin = Device::block() * chunk;
    index_t const left = n - begin;
    from_ = a_.job.in + begin;
    count_ = left < 0 ? 0 : left < chunk ? int(left) : int(chunk);
    tiles_ = engine::div_up(count_, tile_items);
    first_held_ = tiles_ > a_.held ? tiles_ - a_.held : 0;
    ends_whole_ = count_ % tile_items == 0;
    is_aligned_ = of_vector > 1 && gpu::misalignment(a_.job.in) == 0;
  }

  /// Loads this thread's vectors of a tile.
  SAM_DEVICE void load(int tile, row& x) const {
    if (is_aligned_ && is_whole(tile)) {
#pragma unroll
      for (int r = 0; r < rows; ++r)
        x[r] = *reinterpret_cast<vector const*>(from_ + first_of(tile, r));
    } else {
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int v = 0; v < of_vector; ++v)
          if (int const at = first_of(tile, r) + v; at < count_)
            x[r].of.at[v] = from_[at];
    }
  }
  SAM_DEVICE bool is_whole(int tile) const { return tile + 1 < tiles_ || ends_whole_; }
  /// The first item of a vector, counted from the beginning of the chunk.
  SAM_DEVICE int first_of(int tile, int r) const {
    return tile * tile_items + r * row_items + thread_ * of_vector;
  }
  SAM_DEVICE vector& held(int tile, int r) const {
    return held_[((tile - first_held_) * rows + r) * threads + thread_];
  }

  /// The kinds of a vector's items, two bits each.
  using codes = std::uint32_t;
  static constexpr codes every =
      codes((std::uint64_t{1} << 2 * of_vector) / 3);  // 01 for each item
  /// Returns the kinds of a vector's items, of which the first `left` exist. Others get the last
  /// kind.
  SAM_DEVICE codes kinds_of(vector const& x, int left) const {
    codes all = 0;
    if (left >= of_vector) [[likely]] {
#pragma unroll
      for (int v = 0; v < of_vector; ++v)
        all += codes(a_.job.kind(x.of.at[v])) << 2 * v;
    } else {
#pragma unroll
      for (int v = 0; v < of_vector; ++v)
        all += codes(v < left ? a_.job.kind(x.of.at[v]) : counted) << 2 * v;
    }
    return all;
  }
  /// The number of a vector's items of kind 0, and of kind 1 if it is not the last.
  static SAM_DEVICE int firsts_of(codes x) { return Device::count(~(x | x >> 1) & every); }
  static SAM_DEVICE int seconds_of(codes x) { return counted > 1 ? Device::count(x & every) : 0; }
  /// The number of items from a thread's vector in row r of a tile on.
  SAM_DEVICE int left_from(int tile, int r) const {
    return is_whole(tile) ? of_vector : count_ - first_of(tile, r);
  }
  /// Counts all items, and keeps the tiles that fit in shared memory. Returns the counts of the
  /// block, in its first thread.
  SAM_DEVICE block_counts count_tiles() const {
    constexpr int together = 2;
    block_counts counts{};
    auto const use = [&](int tile, row const& x, bool whole) {
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        if (tile >= first_held_)
          held(tile, r) = x[r];
        codes const kinds = kinds_of(x[r], whole ? of_vector : left_from(tile, r));
        counts.of[0] += firsts_of(kinds);
        if constexpr (counted > 1)
          counts.of[1] += seconds_of(kinds);
      }
    };
    int tile = 0;
    if (is_aligned_) {
#pragma unroll 1
      for (; tile + together <= tiles_ - (ends_whole_ ? 0 : 1); tile += together) {
        row x[together];
#pragma unroll
        for (int u = 0; u < together; ++u)
#pragma unroll
          for (int r = 0; r < rows; ++r)
            x[u][r] = *reinterpret_cast<vector const*>(from_ + first_of(tile + u, r));
#pragma unroll
        for (int u = 0; u < together; ++u)
          use(tile + u, x[u], true);
      }
    }
#pragma unroll 1
    for (; tile < tiles_; ++tile) {
      row x;
      load(tile, x);
      use(tile, x, false);
    }
#pragma unroll
    for (int k = 0; k < counted; ++k)
      counts.of[k] = of_warp(counts.of[k]);
    if (Device::lane() == 0)
      shared_.of_warps[Device::warp()] = counts;
    Device::sync_block();  // orders the writes of the warps' counts before their reads
    if (Device::warp() == 0)
#pragma unroll
      for (int k = 0; k < counted; ++k)
        counts.of[k] = of_warp(Device::lane() < Warps ? shared_.of_warps[Device::lane()].of[k] : 0);
    return counts;
  }

  /// Adds x of all lanes of the warp.
  template <class X>
  static SAM_DEVICE X of_warp(X x) {
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
      x += gpu::shuffle_from<Device>(x, Device::lane() ^ d);
    return x;
  }
  /// Adds up the counts of all blocks. counts_of(b) returns those of block b. The first block
  /// stores the sums for the caller.
  template <class CountsOf>
  SAM_DEVICE void add_up(CountsOf const& counts_of) const {
    count_sums part{};
    for (int b = thread_; b < Device::blocks(); b += threads) {
      block_counts const of_block = counts_of(b);
#pragma unroll
      for (int k = 0; k < counted; ++k) {
        part.upto[k] += b <= Device::block() ? of_block.of[k] : 0;
        part.all[k] += of_block.of[k];
      }
    }
    if (Device::warp() * lanes < Device::blocks()) {
#pragma unroll
      for (int k = 0; k < counted; ++k) {
        part.upto[k] = of_warp(part.upto[k]);
        part.all[k] = of_warp(part.all[k]);
      }
    }
    if (Device::lane() == 0)
      shared_.parts[Device::warp()] = part;
    Device::sync_block();  // orders the writes of the warps' parts before their reads
    if (thread_ < counted) {
      index_t upto = 0, all = 0;
#pragma unroll
      for (int w = 0; w < Warps; ++w) {
        upto += shared_.parts[w].upto[thread_];
        all += shared_.parts[w].all[thread_];
      }
      shared_.sums.upto[thread_] = upto;
      shared_.sums.all[thread_] = all;
      if (Device::block() == 0)
        a_.job.counts[thread_] = static_cast<typename Split::count>(all);
    }
    Device::sync_block();  // orders the writes of the sums before their reads
  }

  /// Loads the last tile, unless it is in shared memory.
  SAM_DEVICE void load_last(row& x) const {
    if (tiles_ > 0 && first_held_ == tiles_)
      load(tiles_ - 1, x);
  }
  /// Places all tiles, given the last one.
  SAM_DEVICE void place_tiles(row& next) const {
    auto const& sums = shared_.sums;
    // The ends of the places of each kind of this chunk's items.
    index_t ends[kinds];
    index_t before = 0, upto = Device::block() * (index_t{a_.tiles_of_block} * tile_items) + count_;
#pragma unroll
    for (int k = 0; k < counted; ++k) {
      ends[k] = before + sums.upto[k];
      before += sums.all[k];
      upto -= sums.upto[k];
    }
    ends[counted] = before + upto;
    row x;
#pragma unroll 1
    for (int tile = tiles_ - 1; tile >= 0; --tile) {
#pragma unroll
      for (int r = 0; r < rows; ++r)
        x[r] = tile >= first_held_ ? held(tile, r) : next[r];
      if (tile > 0 && tile <= first_held_)
        load(tile - 1, next);  // on its way while this tile is placed
      place(tile, x, ends);
    }
  }
  /// Places a tile. Counts of kind 0 are in the lower 16 bits of a word, those of kind 1 of three
  /// in the upper ones.
  SAM_DEVICE void place(int tile, row const& x, index_t (&ends)[kinds]) const {
    codes all[rows];
    std::uint32_t before[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r)
      all[r] = kinds_of(x[r], left_from(tile, r));
    count_in_warp(all, before);
    Device::sync_block();  // orders the writes of the warps' counts before their reads
    std::uint32_t total = 0;
    constexpr int entries = rows * Warps;
#pragma unroll
    for (int first = 0; first < entries; first += lanes) {
      int const e = first + Device::lane();
      std::uint32_t const mine = e < entries ? shared_.of_rows[e] : 0;
      std::uint32_t const upto = gpu::sum_upto_lane<Device>(mine);
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (r * Warps >= first && r * Warps < first + lanes)
          before[r] +=
              total + Device::shuffle_from(upto - mine, r * Warps - first + Device::warp());
      total += Device::shuffle_from(upto, lanes - 1);
    }
    int const in_tile = int(engine::min_of(count_ - tile * tile_items, tile_items));
    int const firsts = int(total & 0xffff), counts = firsts + int(total >> 16);
#pragma unroll
    for (int r = 0; r < rows; ++r)
      stage(x[r], all[r], first_of(0, r), before[r], firsts, counts);
    Device::sync_block();  // orders the writes of staged items before their reads
    ends[0] -= firsts;
    if constexpr (counted > 1)
      ends[1] -= counts - firsts;
    ends[counted] -= in_tile - counts;
    store(in_tile, firsts, counts, ends);
  }
  /// Counts the kinds of a warp's items in each row, for the block, and of those before this
  /// thread's, which go to `before`.
  SAM_DEVICE void count_in_warp(codes const (&all)[rows], std::uint32_t (&before)[rows]) const {
    std::uint32_t mine[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r)
      mine[r] = std::uint32_t(firsts_of(all[r]) | seconds_of(all[r]) << 16);
    if constexpr (rows == 2 && lanes * of_vector < 256) {  // four counts of 8 bits in a word
      std::uint32_t const both = mine[0] | mine[1] << 8;
      std::uint32_t const upto = gpu::sum_upto_lane<Device>(both);
      write_row_counts(0, upto & 0xff00ff);
      write_row_counts(1, upto >> 8 & 0xff00ff);
      before[0] = (upto - both) & 0xff00ff;
      before[1] = (upto - both) >> 8 & 0xff00ff;
    } else {
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        std::uint32_t const upto = gpu::sum_upto_lane<Device>(mine[r]);
        write_row_counts(r, upto);
        before[r] = upto - mine[r];
      }
    }
  }
  SAM_DEVICE void write_row_counts(int r, std::uint32_t counts) const {
    if (Device::lane() == lanes - 1)
      shared_.of_rows[r * Warps + Device::warp()] = counts;
  }
  /// Stages a vector, whose first item is number `in_tile` of the tile. Items that do not exist
  /// come last in the tile, and thus behind all that do.
  SAM_DEVICE void stage(vector const& x, codes all, int in_tile, std::uint32_t before, int firsts,
                        int counts) const {
#pragma unroll
    for (int v = 0; v < of_vector; ++v) {
      bool const is_first = (all & 3u << 2 * v) == 0;
      bool const is_second = counted > 1 && (all & 1u << 2 * v) != 0;
      int const first = int(before & 0xffff), second = int(before >> 16);
      int const to = is_first    ? first
                     : is_second ? firsts + second
                                 : counts + in_tile + v - first - second;
      shared_.staged.at[to] = x.of.at[v];
      before += is_first ? 1u : is_second ? 1u << 16 : 0;
    }
  }
  /// Stores the items of a tile, given the first places of each kind.
  SAM_DEVICE void store(int in_tile, int firsts, int counts, index_t const (&begins)[kinds]) const {
    index_t const n = a_.job.n, seconds = counts - firsts, others = in_tile - counts;
    T* const to[3] = {a_.job.out + begins[0],
                      a_.job.out + begins[1] - (counted > 1 ? firsts : counts),
                      a_.job.out + begins[counted] - counts};
    bool fits = begins[0] >= 0 && begins[0] + firsts <= n && begins[counted] >= 0 &&
                begins[counted] + others <= n;
    if constexpr (counted > 1)
      fits = fits && begins[1] >= 0 && begins[1] + seconds <= n;
    if (fits) {
#pragma unroll
      for (int k = 0; k < rows * of_vector; ++k)
        if (int const i = k * threads + thread_; i < in_tile)
          (i < firsts ? to[0] : i < counts ? to[1] : to[2])[i] = shared_.staged.at[i];
    } else {  // a caller's predicate contradicts itself
#pragma unroll 1
      for (int i = thread_; i < in_tile; i += threads) {
        index_t const place = i + ((i < firsts ? to[0] : i < counts ? to[1] : to[2]) - a_.job.out);
        if (place >= 0 && place < n)
          a_.job.out[place] = shared_.staged.at[i];
      }
    }
  }

  split_arguments<Split> const& a_;
  shared_layout& shared_;
  vector* const held_;
  int const thread_;
  T const* from_;
  int count_, tiles_, first_held_;
  bool ends_whole_, is_aligned_;
};

}  // namespace sam::inline v0_1::gpu
