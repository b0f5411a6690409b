// SPDX-License-Identifier: MIT
// The persistent, warp-specialised kernel scans, reduces or selects items in one pass over memory.
//
// Each block claims one tile after another. A tile moves through a ring of stages in shared memory,
// and each kind of warp does one step of the work on it:
//
//   load warp        claims a tile when a stage is free, or about to be, and starts the bulk
//                    loads of its items; further load warps copy rows that are strided
//   reduce warps     compute the aggregates of each thread's and each warp's items
//                    (without asynchronous copies, these load the items that the load warp only
//                    prefetches)
//   publish warp     combines the warps' aggregates and publishes the tile's aggregate
//   look-back warps  find the tile's exclusive prefix, and from it that of each warp
//   scan warps       scan the tile in place from these prefixes
//   store warp       starts the bulk store of the tile; other jobs store in the scan warps
//
// No kind of warp waits for a later kind, except for a free stage. A tile's aggregate is therefore
// published as soon as its items have arrived, even if earlier tiles are still waiting. The
// look-back latency is hidden behind the following tiles, and memory stays busy. A block waits only
// for tiles that running blocks have claimed, so the blocks of a grid need not all be resident.
//
// The kernels of a multi-pass scheme leave out some kinds of warps, and their descriptors never
// wait. If only the scan values of the last row are wanted, there are no scan warps, and the
// look-back warps of one block read the aggregates of all tiles: see reduce_epilogue.hpp.
//
// This file starts the warps; their loops are in load_warps.hpp, computing_warps.hpp (reduce, scan
// and store warps), publish_warp.hpp and lookback_warps.hpp. What they call is in ../scan:
// tile_scheduler.hpp claims tiles, tile_io.hpp loads and stores items, scan_tile.hpp and
// select_tile.hpp (selection and partition) compute, and block_aggregates.hpp combines the
// aggregates of warps.
//
// Source: Maleki, Yang, Burtscher, PLDI 2016, sections 2.1 and 2.2 (persistent blocks, carry). The
// pipeline, and one descriptor ring for scans of any order, are this project's.
#pragma once

#include <sam/gpu/scan_kernel/computing_warps.hpp>
#include <sam/gpu/scan_kernel/load_warps.hpp>
#include <sam/gpu/scan_kernel/lookback_warps.hpp>
#include <sam/gpu/scan_kernel/publish_warp.hpp>

namespace sam::inline v0_1::gpu {

/// Runs one block of the kernel: run() dispatches each warp to the loop of its kind.
template <class Device, class Job, class Policy, class Config>
class scan_block
    : lookback_warps<
          publish_warp<computing_warps<load_warps<any_warp<Device, Job, Policy, Config>>>>> {
  using base_type = lookback_warps<
      publish_warp<computing_warps<load_warps<any_warp<Device, Job, Policy, Config>>>>>;
  using base_type::a_, base_type::has_reduce_warps, base_type::has_scan_warps,
      base_type::has_store_warp, base_type::row_arrivals, base_type::shared_, base_type::stages,
      base_type::uses_epilogue;
  using typename base_type::arguments, typename base_type::config, typename base_type::items_type,
      typename base_type::traits;

 public:
  SAM_DEVICE explicit scan_block(arguments const& a) : base_type(a) {}

  SAM_DEVICE void run() {
    if constexpr (requires { this->a_.job.does_nothing(); }) {
      Device::grid_dependency_wait();
      if (a_.job.does_nothing())
        return;
    }
    set_up();
    constexpr int load_warp = config::reduce_warps + config::scan_warps;
    constexpr int publish = load_warp + config::load_warps;
    constexpr int look_back = publish + config::publish_warps;
    int const warp = Device::warp();
    if (has_reduce_warps && warp < config::reduce_warps)
      this->reduce_tiles();
    else if (has_scan_warps && warp < load_warp)
      this->scan_tiles();
    else if (warp == load_warp)
      this->load_tiles();
    else if (config::load_warps > 1 && warp < publish)
      this->load_rows_of_tiles(warp - load_warp);
    else if (has_reduce_warps && ((!has_scan_warps && !uses_epilogue) || warp == publish))
      this->publish_aggregates();
    else if (uses_epilogue)
      this->reduce_aggregates(warp - publish - 1);
    else if (has_scan_warps && warp < look_back + config::lookback_warps)
      this->look_back(warp - look_back);
    else
      this->store_tiles();
  }

 private:
  // Initializes the barriers and copies the powers to shared memory.
  SAM_DEVICE void set_up() {
    if (Device::warp() == 0 && Device::lane() == 0)
      for (int s = 0; s < stages(); ++s) {
        if (config::load_warps > 1 || (uses_epilogue && s == 0))
          shared_.claimed[s].init(Device::arrivals);
        if constexpr (config::shares_loads)
          shared_.offered[s].init(Device::arrivals);
        shared_.full[s].init((config::shares_loads ? config::warps : config::load_warps) *
                             (items_type::arrivals * Device::arrivals + row_arrivals));
        shared_.reduced[s].init(config::warps * Device::arrivals);
        shared_.published[s].init(Device::arrivals);
        shared_.looked_back[s].init(config::lookback_warps * Device::arrivals);
        shared_.prefixed[s].init(Device::arrivals);
        shared_.finished[s].init(config::warps * Device::arrivals);
        shared_.empty[s].init((has_scan_warps && !has_store_warp ? config::warps : 1) *
                              Device::arrivals);
      }
    tile_powers<traits>::copy(a_.tables, shared_.powers,
                              Device::warp() * Device::warp_size + Device::lane(), config::threads);
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    if constexpr (base_type::is_limited)  // once, so that no item is compared with the number
      this->items_.tiles.n = a_.job.limit();
    Device::sync_block();
  }
};

}  // namespace sam::inline v0_1::gpu
