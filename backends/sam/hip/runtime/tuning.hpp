// SPDX-License-Identifier: MIT
// Defines the values of the HIP engine that a tuning table may change. All of them change speed
// only, never results. None has been measured on an AMD GPU: they are derived from the sizes of
// shared memory and registers.
#pragma once

#include <sam/launch/tunables.hpp>
#include <sam/portable.hpp>

#if __has_include(<sam/tuning_table/hip.hpp>)  // CMake writes it for SAM_TUNING
#include <sam/tuning_table/hip.hpp>
#endif

namespace sam::inline v0_1::hip {

/// Holds the released values. <sam/cuda/runtime/tuning.hpp> says what each is. Numbers of warps are
/// those of 32 lanes: kernels get as many threads whatever the size of a warp.
struct released_tuning {
  static constexpr char const* table = "";

  static constexpr index_t exact_scan_warps = 8;
  static constexpr index_t exact_scan_stages = 2;
  static constexpr index_t sort_narrow_warps = 12, sort_narrow_registers = 45;
  static constexpr index_t sort_wide_warps = 8, sort_wide_registers = 56;
  static constexpr index_t sort_packed_registers = 56;
  static constexpr index_t sort_pair_registers = 36;
  static constexpr index_t sort_blocks = 1;
  static constexpr index_t paired_below_bytes = 192 << 20;
  static constexpr index_t scan_blocks = 2;
  static constexpr index_t early_bits = 0;
  static constexpr index_t sort_tiles_per_sm = 16;
  static constexpr index_t counting_small_keys = 1 << 20;
  static constexpr index_t counting_pair_keys = 1 << 15;
};

/// Holds the values that this program is compiled with: the released ones, or those of a table.
#ifdef SAM_HAS_HIP_TUNING_TABLE
using tuning = compiled_table<released_tuning>;
#else
using tuning = released_tuning;
#endif

/// Holds the values that a tuning table may change.
using tunables = gpu::tunables_of<tuning>;
/// Lists the names and ranges of these values.
inline constexpr auto const& all_tunables = gpu::all_tunables_of<tunables>;

/// Has the sizes of scan kernels that depend on how much shared memory a vendor's devices have.
struct scan_memory {
  /// Bytes that a block of large tiles may use: all that a compute unit of CDNA 3 has.
  static constexpr int large_bytes = 64 << 10;
  /// Small tiles have a stage of this fraction of it.
  static constexpr int small_parts = 3;
  /// Medium tiles have a stage of at most this fraction of it, and two stages take at most
  /// medium_bytes; 0 if no device has such tiles.
  static constexpr int medium_parts = 1, medium_bytes = 0;
  /// Pipeline stages of large tiles of floats, and of jobs that store little.
  static constexpr int float_stages = 2, reading_stages = 2;
  /// Scan warps of jobs that read keys or store little, and of partitions.
  static constexpr int reading_warps = 8, kinds_warps = 8;
  /// Scan warps for accumulators of 16 bytes or more, whose threads need up to 256 registers.
  static constexpr int wide_warps = 4;
  /// Rows of banks that a thread's items fill in a tile of column panels.
  static constexpr int panel_rows = 1;
  static constexpr bool few_small_wide_warps = true;
  /// The shared memory of a block below which a partition into two counts items before it places
  /// them; 0 if no device does so.
  static constexpr int least_to_compact_twice = 0;
  /// True if two kernels may run few items. Kernels do not start early here.
  static constexpr bool has_two_kernels = false;
};

/// Has the sizes of sort kernels that depend on how many registers the threads of a large block
/// have: 256 with 512 threads.
struct sort_memory {
  static constexpr int roomy_items = 24;
  template <int WarpSize>
  static constexpr int block_registers = WarpSize == 64 ? 60 : 54;
  static constexpr int listed_registers = 56;
  static constexpr int long_listed_registers = 56;
  static constexpr bool has_small_teams = false;
  static constexpr bool is_for_lesser_devices = false;
};

}  // namespace sam::inline v0_1::hip
