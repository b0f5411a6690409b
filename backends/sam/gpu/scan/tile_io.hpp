// SPDX-License-Identifier: MIT
// Loads a tile's items into a stage of shared memory, gives threads access to them there, and
// stores the results.
//
//   direct   a plain scan of one array: the tile is bulk loaded as it lies in memory, scanned
//            in its stage and bulk stored from there
//   arrays   a job that reads arrays (sam/backend/job.hpp): each array's part of the tile is bulk
//            loaded into its own region of the stage. Outputs replace the elements of the first
//            array where they fit, and are bulk stored
//
// Other jobs, and rows that are strided in memory, are loaded and stored by lanes.
#pragma once

#include <sam/backend/tiling.hpp>
#include <sam/gpu/scan/scan_config.hpp>

namespace sam::inline v0_1::gpu {

/// Moves the items of tiles between global memory and the stages of a block.
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

  tiling tiles;      // for panels, those of the current panel
  lanes_type lanes;  // for panels, as wide as the current panel
  index_t panel = -1;

  /// Switches to another panel.
  SAM_DEVICE void enter(index_t to) {
    panels const& by = a_.descriptors.by;
    panel = to;
    tiles = {by.items_of(to, a_.n), index_t{config::warps * I} * by.runs * by.width_of(to)};
    lanes.widen(by.width_of(to));
  }

  /// True if each tile is contiguous in memory.
  SAM_DEVICE bool is_whole() const {
    if constexpr (fixed)
      return true;
    else
      return a_.descriptors.by.is_one();
  }
  SAM_DEVICE int count(index_t tile) const { return int(tiles.count(tile)); }

  /// Gives the part of a tile that this warp processes: [first, first + size).
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

  // --- Loads ------------------------------------------------------------------------------------

  /// The number of arrivals that a load warp makes at the `full` barrier of a stage.
  static constexpr int arrivals = arrays ? stage_type::pointers_type::count : 1;

  /// Starts the bulk loads of a tile into stage `s`; a load warp calls this, or each of `parts`
  /// warps that share the loads. Returns false, without arriving at `full`, if nothing can be bulk
  /// loaded.
  SAM_DEVICE bool load_regions(int s, index_t tile, barrier& full, int part = 0,
                               int parts = 1) const {
    return with_regions(s, tile, [&](std::byte* to, std::byte const* from, int bytes) {
      Device::bulk_load(to, from, bytes, full, part, parts);
    });
  }
  /// Requests what load_regions() will load.
  SAM_DEVICE void prefetch_regions(int s, index_t tile) const {
    with_regions(s, tile, [](std::byte*, std::byte const* from, int bytes) {
      Device::prefetch(from, bytes);
    });
  }

  /// True if load warps copy the rows of the current panel asynchronously.
  SAM_DEVICE bool fills_rows() const { return !is_whole() && bytes_together() > 0; }
  /// Copies a load warp's share of a tile's rows into stage `s`.
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
        to[k] = from[rows * pitch + Device::lane()];  // the end of an incomplete row
      Device::fill_rows(stage(s) + first * row,
                        reinterpret_cast<std::byte const*>(from + first * pitch), end - first, row,
                        pitch * index_t{sizeof(T)}, bytes_together(), full);
    }
  }

  /// Loads what the load warps did not; the reduce warps call this.
  SAM_DEVICE void load_by_lanes(int s, index_t tile) const {
    if constexpr (!direct && !arrays)
      is_whole() ? load_items(s, tile) : load_rows(s, tile);
    else if (!is_whole() && !fills_rows())
      load_rows(s, tile);
  }

  // --- Access in the stage ----------------------------------------------------------------------

  /// Describes a thread's run of items in a tile: `left` items, `step` apart, from `first` on.
  struct thread_items {
    std::byte* stage;
    value* values;
    index_t begin;
    int first;
    int left;
    int count;  // items in the tile
    int step;   // distance between items; unused for a fixed tuple size, where it is S
    // A tile of a reversed job is stored backwards.
    SAM_DEVICE int at(int k) const {
      if constexpr (!fixed)
        return first + k * step;
      int const i = first + k * S;
      return is_reversed<Job> && (direct || arrays) ? count - 1 - i : i;
    }
  };
  SAM_DEVICE thread_items thread_items_of(int s, index_t tile) const {
    thread_items r;
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
  /// Calls f<Whole, Alignment>(). `Whole` is true if the run has all I items, and `Alignment` is
  /// the known alignment of its values, so that the compiler emits fewer and wider accesses.
  template <class F>
  static SAM_DEVICE void with_known_facts(thread_items const& run, F f) {
    if (run.left < I)
      f.template operator()<false, int(alignof(value))>();
    else if (gpu::access_bytes<value> > int(alignof(value)) &&
             reinterpret_cast<std::uintptr_t>(run.values) % unsigned(gpu::access_bytes<value>) == 0)
      f.template operator()<true, access_bytes<value>>();
    else
      f.template operator()<true, int(alignof(value))>();
  }

  /// Returns item k of a run, or its accumulator if the stage holds accumulators.
  template <int Alignment>
  SAM_DEVICE auto get(thread_items const& run, int k) const {
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
  /// Stores the scan value y of item k, which is x: either to the stage or through the job.
  template <int Alignment, class Got>
  SAM_DEVICE void put(thread_items const& run, int k, Got const& x, T const& y) const {
    auto* const to = reinterpret_cast<aligned_value<Alignment>*>(run.values + run.at(k));
    if constexpr (stage_type::stores_while_scanning)
      a_.job.store(run.begin + run.first + k * S, x, y);
    else if constexpr (arrays && stage_type::stores)
      *to = {engine::stored_value(a_.job, x, y)};
    else
      *to = {y};
  }

  /// Calls f(i, p...) for item k of a run, where i is its index and p point to its elements in the
  /// stage.
  template <class F>
  SAM_DEVICE decltype(auto) with_arrays(thread_items const& run, int k, F const& f) const {
    index_t const i = run.begin + run.first + k * S;
    return engine::with_pointers(staged(run.stage, begin_in_memory(run.begin, run.count)),
                                 at_in_memory(run.count, run.first + k * S),
                                 [&](auto const&... p) -> decltype(auto) { return f(i, p...); });
  }

  /// Returns item `at` of the tile in stage `s`, loaded from the arrays in the stage.
  SAM_DEVICE item load(int s, index_t tile, int at) const {
    return load(stage(s), tiles.begin(tile), count(tile), at);
  }
  /// Returns the index of item `at` of a tile in memory order.
  SAM_DEVICE index_t index(index_t tile, int at) const {
    return begin_in_memory(tile) + at_in_memory(count(tile), at);
  }
  /// Returns the offset in bytes, in shared memory, of the first array's element of item `at`, or
  /// of the second array's.
  SAM_DEVICE int first_array(int s, index_t tile, int at) const {
    return offset_of(
        *(staged(stage(s), begin_in_memory(tile)).first + at_in_memory(count(tile), at)));
  }
  SAM_DEVICE int second_array(int s, index_t tile, int at) const {
    return offset_of(
        *(staged(stage(s), begin_in_memory(tile)).rest.first + at_in_memory(count(tile), at)));
  }
  template <class Element>
  static SAM_DEVICE int offset_of(Element const& element) {
    return int(reinterpret_cast<std::byte const*>(__builtin_addressof(element)) -
               Device::shared_memory());
  }

  // --- Stores -----------------------------------------------------------------------------------

  /// True if a store warp stores whole tiles.
  static constexpr bool has_store_warp =
      config::has_scan_warps && Device::has_copy_engine && stage_type::stores;
  /// True if the store warp bulk stores the tile, which requires stage and target to be equally
  /// aligned.
  SAM_DEVICE bool is_bulk_stored(index_t tile) const {
    if constexpr (has_store_warp)
      return is_whole() && shift(tile) == gpu::misalignment(target(tile));
    else
      return false;
  }
  SAM_DEVICE void bulk_store(int s, index_t tile) const {
    if constexpr (has_store_warp)
      if (int const stored = stored_of(tile, count(tile)); stored > 0)
        store_bytes(target(tile), values(s, tile), stored);
  }
  /// Stores this warp's part of a tile; scan warps call this for tiles that are not sent whole.
  SAM_DEVICE void store(int s, index_t tile) const {
    if constexpr (!fixed)
      if (!is_whole())
        return store_rows(s, tile);
    value const* const from = values(s, tile);
    part const p = part_of(tile);
    if constexpr (stage_type::stores) {
      int const first = is_reversed<Job> ? count(tile) - p.first - p.size : p.first;
      if (int const stored = stored_of(tile, first + p.size) - first; stored > 0)
        store_part(target(tile) + first, from + first, stored);
    } else {
#pragma unroll 4
      for (int k = Device::lane(); k < p.size; k += Device::warp_size) {
        int const at = p.first + k;
        a_.job.store(tiles.begin(tile) + at, reload_item(s, tile, at),
                     from[lies_backwards() ? count(tile) - 1 - at : at]);
      }
    }
  }

  /// Returns the index of this lane's first item of a tile whose rows are strided in memory.
  SAM_DEVICE index_t first_of_rows(index_t tile) const {
    if constexpr (fixed)
      return 0;
    else
      return (tile * config::warps + warp()) * I * a_.descriptors.by.components +
             a_.descriptors.by.column(panel) + lanes.component;
  }

 private:
  /// Calls load(to, from, bytes) for each region of memory that is bulk loaded, and returns false
  /// if there is none.
  template <class Load>
  SAM_DEVICE bool with_regions(int s, index_t tile, Load const& load) const {
    if constexpr (direct) {
      if (is_whole()) {
        auto const* const from = reinterpret_cast<std::byte const*>(source(tile));
        load(stage(s) + misalignment(from), from, count(tile) * int(sizeof(T)));
        return true;
      }
    } else if constexpr (arrays) {
      stage_type::inputs::load_regions(engine::forward_job(a_.job).reads(), stage(s),
                                       config::tile_items, begin_in_memory(tile), count(tile), a_.n,
                                       load);
      return true;
    }
    return false;
  }

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
    return Device::shared_memory() + config::first_stage + s * config::stage_pitch;
  }
  /// True if a tile is stored backwards in its stage.
  SAM_DEVICE bool lies_backwards() const {
    return is_reversed<Job> && (direct || arrays) && is_whole();
  }
  /// Returns where a tile of `count` items begins in memory. A reversed job counts from the end.
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
    return engine::forward_job(a_.job).source() + begin_in_memory(tile);
  }
  SAM_DEVICE auto target(index_t tile) const {
    return engine::target_of(a_.job) + begin_in_memory(tile);
  }
  /// Returns how many of the first `upto` items of a tile, in memory order, are stored.
  SAM_DEVICE int stored_of(index_t tile, int upto) const {
    return int(engine::stored_of(a_.job, begin_in_memory(tile), upto));
  }
  /// Returns the misalignment of a tile's values in their stage: their offset past a multiple of 16
  /// bytes.
  SAM_DEVICE int shift(index_t tile) const {
    if constexpr (direct)
      return is_whole() ? gpu::misalignment(source(tile)) : 0;
    else if constexpr (stage_type::over_first)
      return gpu::misalignment(engine::forward_job(a_.job).reads().first + begin_in_memory(tile));
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
    return stage_type::inputs::staged(engine::forward_job(a_.job).reads(), stage,
                                      config::tile_items, begin);
  }
  SAM_DEVICE item load(std::byte* stage, index_t begin, int count, int at) const {
    return engine::with_pointers(staged(stage, begin_in_memory(begin, count)),
                                 at_in_memory(count, at),
                                 [&](auto const&... p) { return a_.job.load(begin + at, p...); });
  }

  // --- Items loaded by lanes --------------------------------------------------------------------

  // The item as it was loaded. A scattering job may have overwritten it in memory since.
  SAM_DEVICE item& held_item(int s, int at) const {
    return reinterpret_cast<item*>(stage(s) + stage_type::held_at(config::tile_items))[at];
  }
  SAM_DEVICE void load_items(int s, index_t tile) const {
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
  SAM_DEVICE item reload_item(int s, index_t tile, int at) const {
    if constexpr (arrays)
      return load(s, tile, at);
    else if constexpr (stage_type::holds)
      return held_item(s, at);
    else
      return a_.job.load(tiles.begin(tile) + at);
  }
  static SAM_DEVICE void store_bytes(value* to, value const* from, int size) {
    Device::bulk_store(reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte const*>(from),
                       size * int(sizeof(value)));
    Device::await_sent();
  }
  static SAM_DEVICE void store_part(value* to, value const* from, int size) {
    if (gpu::misalignment(to) == gpu::misalignment(from)) {
      store_bytes(to, from, size);
    } else {
#pragma unroll 8
      for (int k = Device::lane(); k < size; k += Device::warp_size)
        to[k] = from[k];
    }
  }

  // --- Strided rows -----------------------------------------------------------------------------

  /// Returns the access size, 4 to 16 bytes, with which rows of the panel can be copied
  /// asynchronously; 0 if they cannot.
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

  // Without asynchronous copies each lane loads its own items, and a warp reads a piece of one row
  // at a time.

  SAM_DEVICE void load_rows(int s, index_t tile) const {
    if constexpr (!fixed) {
      thread_items const run = thread_items_of(s, tile);
      // A batch of loads is issued before the first use, to hide the latency of memory.
      constexpr int batch = int(engine::max_of(1, engine::min_of(I, 33 / words_of<T>)));
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
  SAM_DEVICE void store_rows(int s, index_t tile) const {
    thread_items const run = thread_items_of(s, tile);
    index_t i = first_of_rows(tile);
#pragma unroll 8
    for (int k = 0; k < run.left; ++k, i += a_.descriptors.by.components)
      a_.job.store(i, a_.job.load(i), run.values[run.at(k)]);
  }

  arguments const& a_;
};

}  // namespace sam::inline v0_1::gpu
