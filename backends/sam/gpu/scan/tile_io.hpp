// SPDX-License-Identifier: MIT
// This file loads and stores the items of a block's tiles and maps items to threads.
//
// direct   the array of a plain scan: a tile is copied to its stage unchanged, scanned in place,
//          and copied back from there
// arrays   the arrays that a job reads (sam/backend/job.hpp): each is copied unchanged to a region
//          of the stage, from where items are loaded as often as needed. Results overwrite the
//          elements of the first array if they fit, and are copied from there
//
// For other jobs, and for rows that are not contiguous, lanes load and store the items one by one.
#pragma once

#include <sam/backend/tiling.hpp>
#include <sam/gpu/scan/scan_config.hpp>

namespace sam::gpu {

/// Loads and stores the tiles of a block.
template <class Device, class Job, class Policy, class Config>
class tile_io {
 public:
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using traits = typename config::traits;
  using stage_type = typename config::stage_type;
  using T = typename config::T;
  using item = typename Job::item;
  using value = typename stage_type::value;
  using lanes_type = warp_state<Device, T, Policy>;
  using barrier = typename Device::barrier;
  static constexpr int S = traits::S;
  static constexpr int I = config::items;
  static constexpr bool fixed = traits::fixed;
  static constexpr bool direct = stage_type::direct;
  static constexpr bool arrays = stage_type::arrays;

  SAM_DEVICE explicit tile_io(arguments const& a)
      : tiles{a.n, config::tile_items}, lanes(a.policy, Device::lane(), layout_for(a)), a_(a) {}

  tiling tiles;      // of panels, the tiles of the current one
  lanes_type lanes;  // of panels, the layout of the current one
  index_t panel = -1;

  /// Continues with another panel.
  SAM_DEVICE void enter(index_t to) {
    panels const& by = a_.descriptors.by;
    panel = to;
    tiles = {by.items_of(to, a_.n), index_t{config::warps * I} * by.runs * by.width_of(to)};
    lanes.widen(by.width_of(to));
  }

  /// Returns true if tiles are contiguous in memory.
  SAM_DEVICE bool is_whole() const {
    if constexpr (fixed)
      return true;
    else
      return a_.descriptors.by.is_one();
  }
  SAM_DEVICE int count(index_t tile) const { return int(tiles.count(tile)); }

  /// Holds the range [first, first + size) of a tile that belongs to this warp.
  struct part {
    int first, size;
  };
  SAM_DEVICE part part_of(index_t tile) const {
    int const first = warp() * warp_items();
    int const left = count(tile) - first;
    return {first, left < 0 ? 0 : left < warp_items() ? left : warp_items()};
  }
  SAM_DEVICE int warp_items() const {
    return fixed ? config::warp_items : lanes.runs * lanes.width * I;
  }
  static SAM_DEVICE int warp() { return Device::warp() % config::warps; }

  // --- Loads -------------------------------------------------------------------------------------

  /// Number of times that a load warp arrives at the barrier of a stage.
  static constexpr int arrivals = arrays ? stage_type::pointers_type::count : 1;

  /// Starts the bulk copies of a tile, as a load warp. Returns false, without arriving, if the tile
  /// cannot be copied in bulk.
  SAM_DEVICE bool load_regions(int s, index_t tile, barrier& full) const {
    if constexpr (direct) {
      if (is_whole()) {
        auto const* const from = reinterpret_cast<std::byte const*>(source(tile));
        Device::bulk_load(stage(s) + misalignment(from), from, count(tile) * int(sizeof(T)), full);
        return true;
      }
    } else if constexpr (arrays) {
      stage_type::inputs::template load_regions<Device>(sam::forward_job(a_.job).reads(), stage(s),
                                                        config::tile_items, begin_in_memory(tile),
                                                        count(tile), a_.n, full);
      return true;
    }
    return false;
  }

  /// Returns true if the load warps copy the rows of a panel.
  SAM_DEVICE bool fills_rows() const { return !is_whole() && bytes_together() > 0; }
  /// Copies a load warp's share of the rows.
  SAM_DEVICE void fill_rows(int s, index_t tile, int load_warp, barrier& full) const {
    if constexpr (!fixed && has_source<Job>) {
      int const row = lanes.width * int(sizeof(T));
      int const rows = count(tile) / lanes.width;
      int const first = rows * load_warp / config::row_load_warps;
      int const end = rows * (load_warp + 1) / config::row_load_warps;
      index_t const pitch = a_.descriptors.by.components;
      T const* const from =
          a_.job.source() + tile * (config::warps * I) * pitch + a_.descriptors.by.column(panel);
      T* const to = reinterpret_cast<T*>(stage(s));
      if (int const k = rows * lanes.width + Device::lane(); load_warp == 0 && k < count(tile))
        to[k] = from[rows * pitch + Device::lane()];  // items of a partial row
      Device::fill_rows(stage(s) + first * row,
                        reinterpret_cast<std::byte const*>(from + first * pitch), end - first, row,
                        pitch * index_t{sizeof(T)}, bytes_together(), full);
    }
  }

  /// Loads, as a reduce warp, the items that the load warps have not copied.
  SAM_DEVICE void bring(int s, index_t tile) const {
    if constexpr (!direct && !arrays)
      is_whole() ? bring_items(s, tile) : bring_rows(s, tile);
    else if (!is_whole() && !fills_rows())
      bring_rows(s, tile);
  }

  // --- Access to items in a stage ----------------------------------------------------------------

  /// Describes a thread's items: at most `left` items, every S-th from `first` on.
  struct run_of_items {
    std::byte* stage;
    value* values;
    index_t begin;
    int first;
    int left;
    int count;  // items in the tile
    int step;   // distance between items; S if the tuple size is fixed
    // A reversed job has its tile in descending order.
    SAM_DEVICE int at(int k) const {
      if constexpr (!fixed)
        return first + k * step;
      int const i = first + k * S;
      return is_reversed<Job> && (direct || arrays) ? count - 1 - i : i;
    }
  };
  SAM_DEVICE run_of_items run_of(int s, index_t tile) const {
    run_of_items r;
    r.stage = stage(s);
    r.values = values(s, tile);
    r.begin = tiles.begin(tile);
    r.count = count(tile);
    if (r.begin < 0)
      __builtin_unreachable();  // tells the compiler that only the first item can have index 0
    int const width = lanes.width;
    r.first = warp() * warp_items() + lanes.run * (I * width) + lanes.component;
    int const left = (r.count - r.first + width - 1) / width;
    r.left = lanes.run >= lanes.runs || r.first >= r.count ? 0 : left < I ? left : I;
    if constexpr (!fixed) {
      r.first = lies_backwards() ? r.count - 1 - r.first : r.first;
      r.step = lies_backwards() ? -width : width;
    }
    return r;
  }
  /// Calls f<Whole, Alignment> with facts about the run as template arguments, so that the compiler
  /// can use fewer and wider accesses.
  template <class F>
  static SAM_DEVICE void with_what_is_known_of(run_of_items const& run, F f) {
    if (run.left < I)
      f.template operator()<false, int(alignof(value))>();
    else if (gpu::access_bytes<value> > int(alignof(value)) &&
             reinterpret_cast<std::uintptr_t>(run.values) % unsigned(gpu::access_bytes<value>) == 0)
      f.template operator()<true, access_bytes<value>>();
    else
      f.template operator()<true, int(alignof(value))>();
  }

  /// Returns item k of a run.
  template <int Alignment>
  SAM_DEVICE auto get(run_of_items const& run, int k) const {
    if constexpr (arrays) {
      return load(run.stage, run.begin, run.count, run.first + k * S);
    } else {
      aligned_value<Alignment> x =
          *reinterpret_cast<aligned_value<Alignment> const*>(run.values + run.at(k));
      return x.at;
    }
  }
  /// Returns the accumulator of an item.
  template <class Got>
  SAM_DEVICE T accumulator(Got const& x) const {
    if constexpr (arrays)
      return a_.job.to_accumulator(x);
    else
      return x;
  }
  /// Writes the scan value y of item k, which is x, to the stage, or stores it directly.
  template <int Alignment, class Got>
  SAM_DEVICE void put(run_of_items const& run, int k, Got const& x, T const& y) const {
    auto* const to = reinterpret_cast<aligned_value<Alignment>*>(run.values + run.at(k));
    if constexpr (stage_type::goes_at_once)
      a_.job.store(run.begin + run.first + k * S, x, y);
    else if constexpr (arrays && stage_type::stores)
      *to = {sam::stored_value(a_.job, x, y)};
    else
      *to = {y};
  }

  /// Calls f(i, p...) for item k of a run, where p point to its elements.
  template <class F>
  SAM_DEVICE decltype(auto) with_arrays(run_of_items const& run, int k, F const& f) const {
    index_t const i = run.begin + run.first + k * S;
    return sam::with_pointers(staged(run.stage, begin_in_memory(run.begin, run.count)),
                              at_in_memory(run.count, run.first + k * S),
                              [&](auto const&... p) -> decltype(auto) { return f(i, p...); });
  }

  /// Loads item `at` of a tile from the arrays in its stage.
  SAM_DEVICE item load(int s, index_t tile, int at) const {
    return load(stage(s), tiles.begin(tile), count(tile), at);
  }
  /// Returns the index that the job uses for item `at` of a tile.
  SAM_DEVICE index_t index(index_t tile, int at) const {
    return begin_in_memory(tile) + at_in_memory(count(tile), at);
  }
  /// Returns the byte offset in shared memory of the first array's element of item `at`.
  SAM_DEVICE int first_array(int s, index_t tile, int at) const {
    auto const p = staged(stage(s), begin_in_memory(tile));
    auto const& item = *(p.first + at_in_memory(count(tile), at));
    return int(reinterpret_cast<std::byte const*>(__builtin_addressof(item)) -
               Device::shared_memory());
  }

  // --- Stores ------------------------------------------------------------------------------------

  /// True if the kernel has a store warp.
  static constexpr bool has_store_warp =
      config::finishes && Device::has_copy_engine && stage_type::stores;
  /// Returns true if the store warp copies the tile from its stage in bulk.
  SAM_DEVICE bool is_sent_whole(index_t tile) const {
    if constexpr (has_store_warp)
      return is_whole() && shift(tile) == gpu::misalignment(target(tile));
    else
      return false;
  }
  SAM_DEVICE void send_whole(int s, index_t tile) const {
    if constexpr (has_store_warp)
      send_bytes(target(tile), values(s, tile), count(tile));
  }
  /// Stores this warp's part of a tile, if the store warp does not.
  SAM_DEVICE void send(int s, index_t tile) const {
    if constexpr (!fixed)
      if (!is_whole())
        return send_rows(s, tile);
    value const* const from = values(s, tile);
    part const p = part_of(tile);
    if constexpr (stage_type::stores) {
      int const first = is_reversed<Job> ? count(tile) - p.first - p.size : p.first;
      send_part(target(tile) + first, from + first, p.size);
    } else {
#pragma unroll 4
      for (int k = Device::lane(); k < p.size; k += Device::warp_size) {
        int const at = p.first + k;
        a_.job.store(tiles.begin(tile) + at, item_again(s, tile, at),
                     from[lies_backwards() ? count(tile) - 1 - at : at]);
      }
    }
  }

  /// Returns the index of this lane's first item in a tile of non-contiguous rows.
  SAM_DEVICE index_t first_of_rows(index_t tile) const {
    if constexpr (fixed)
      return 0;
    else
      return (tile * config::warps + warp()) * I * a_.descriptors.by.components +
             a_.descriptors.by.column(panel) + lanes.component;
  }

 private:
  template <int Alignment>
  struct alignas(Alignment) aligned_value {
    value at;
  };

  static SAM_DEVICE typename lanes_type::layout layout_for(arguments const& a) {
    if constexpr (fixed)
      return {};
    else
      return {a.descriptors.by.width, a.descriptors.by.runs};
  }
  SAM_DEVICE std::byte* stage(int s) const {
    return Device::shared_memory() + config::board_bytes + s * config::stage_bytes;
  }
  /// Returns true if the tile is in descending order in its stage.
  SAM_DEVICE bool lies_backwards() const {
    return is_reversed<Job> && (direct || arrays) && is_whole();
  }
  /// Returns the lowest index in memory of a tile of `count` items.
  SAM_DEVICE index_t begin_in_memory(index_t begin, int count) const {
    return is_reversed<Job> ? a_.n - begin - count : begin;
  }
  SAM_DEVICE index_t begin_in_memory(index_t tile) const {
    return begin_in_memory(tiles.begin(tile), count(tile));
  }
  static SAM_DEVICE int at_in_memory(int count, int at) {
    return is_reversed<Job> ? count - 1 - at : at;
  }
  SAM_DEVICE T const* source(index_t tile) const {
    return sam::forward_job(a_.job).source() + begin_in_memory(tile);
  }
  SAM_DEVICE auto target(index_t tile) const {
    return sam::forward_job(a_.job).target() + begin_in_memory(tile);
  }
  /// Returns the offset of a tile's values in their stage from a multiple of 16 bytes.
  SAM_DEVICE int shift(index_t tile) const {
    if constexpr (direct)
      return is_whole() ? gpu::misalignment(source(tile)) : 0;
    else if constexpr (stage_type::over_first)
      return gpu::misalignment(sam::forward_job(a_.job).reads().first + begin_in_memory(tile));
    else if constexpr (stage_type::stores)
      return gpu::misalignment(target(tile));
    else
      return 0;
  }
  SAM_DEVICE value* values(int s, index_t tile) const {
    return reinterpret_cast<value*>(stage(s) + stage_type::values_at(config::tile_items) +
                                    shift(tile));
  }

  // --- Arrays ------------------------------------------------------------------------------------

  SAM_DEVICE auto staged(std::byte* stage, index_t begin) const {
    return stage_type::inputs::staged(sam::forward_job(a_.job).reads(), stage, config::tile_items,
                                      begin);
  }
  SAM_DEVICE item load(std::byte* stage, index_t begin, int count, int at) const {
    return sam::with_pointers(staged(stage, begin_in_memory(begin, count)), at_in_memory(count, at),
                              [&](auto const&... p) { return a_.job.load(begin + at, p...); });
  }

  // --- Items that lanes load ---------------------------------------------------------------------

  // A scattering job must not load an item twice, so its items are kept in the stage.
  SAM_DEVICE item& held_item(int s, int at) const {
    return reinterpret_cast<item*>(stage(s) + stage_type::held_at(config::tile_items))[at];
  }
  SAM_DEVICE void bring_items(int s, index_t tile) const {
    auto* const to = reinterpret_cast<T*>(stage(s));
    part const p = part_of(tile);
#pragma unroll 8
    for (int k = Device::lane(); k < p.size; k += Device::warp_size) {
      int const at = p.first + k;
      if constexpr (stage_type::holds)
        to[at] = a_.job.to_accumulator(held_item(s, at) = a_.job.load(tiles.begin(tile) + at));
      else
        to[at] = a_.job.to_accumulator(a_.job.load(tiles.begin(tile) + at));
    }
    Device::sync_warp();
  }
  SAM_DEVICE item item_again(int s, index_t tile, int at) const {
    if constexpr (arrays)
      return load(s, tile, at);
    else if constexpr (stage_type::holds)
      return held_item(s, at);
    else
      return a_.job.load(tiles.begin(tile) + at);
  }
  static SAM_DEVICE void send_bytes(value* to, value const* from, int size) {
    Device::bulk_store(reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte const*>(from),
                       size * int(sizeof(value)));
    Device::await_sent();
  }
  static SAM_DEVICE void send_part(value* to, value const* from, int size) {
    if (gpu::misalignment(to) == gpu::misalignment(from)) {
      send_bytes(to, from, size);
    } else {
#pragma unroll 8
      for (int k = Device::lane(); k < size; k += Device::warp_size)
        to[k] = from[k];
    }
  }

  // --- Rows that are not contiguous --------------------------------------------------------------

  /// Returns the width in bytes by which rows of the panel can be copied, or 0 if they cannot.
  SAM_DEVICE int bytes_together() const {
    if constexpr (!fixed && has_source<Job> && Device::copies_rows) {
      panels const& by = a_.descriptors.by;
      auto const bytes = (by.components | by.column(panel) | lanes.width) * index_t{sizeof(T)};
      auto const all = unsigned(bytes | index_t(reinterpret_cast<std::uintptr_t>(a_.job.source())));
      unsigned const together = (all | 16) & -(all | 16);
      return together < 4 ? 0 : int(together);
    }
    return 0;
  }

  // Otherwise each lane loads its own items; the lanes of a warp load a piece of a row at a time.

  SAM_DEVICE void bring_rows(int s, index_t tile) const {
    if constexpr (!fixed) {
      run_of_items const run = run_of(s, tile);
      // Issue several loads at once to hide the memory latency.
      constexpr int batch = int(sam::max_of(1, sam::min_of(I, 33 / words_of<T>)));
      index_t i = first_of_rows(tile);
      index_t const pitch = a_.descriptors.by.components;
#pragma unroll 1
      for (int k = 0; k < run.left; k += batch, i += batch * pitch) {
        uninitialized_array<T, batch> read;
#pragma unroll
        for (int b = 0; b < batch; ++b)
          if (k + b < run.left)
            read.at[b] = a_.job.to_accumulator(a_.job.load(i + b * pitch));
#pragma unroll
        for (int b = 0; b < batch; ++b)
          if (k + b < run.left)
            run.values[run.at(k + b)] = read.at[b];
      }
    }
  }
  SAM_DEVICE void send_rows(int s, index_t tile) const {
    run_of_items const run = run_of(s, tile);
    index_t i = first_of_rows(tile);
#pragma unroll 8
    for (int k = 0; k < run.left; ++k, i += a_.descriptors.by.components)
      a_.job.store(i, a_.job.load(i), run.values[run.at(k)]);
  }

  arguments const& a_;
};

}  // namespace sam::gpu
