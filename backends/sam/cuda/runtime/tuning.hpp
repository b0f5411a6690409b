// SPDX-License-Identifier: MIT
// Defines the values of the CUDA engine that a tuning table may change, and the released tables.
// All of them change speed only, never results. This header needs no CUDA toolkit, so that tests
// without one can read it.
#pragma once

#include <sam/launch/tunables.hpp>
#include <sam/portable.hpp>

#if __has_include(<sam/tuning_table/cuda.hpp>)  // CMake writes it for SAM_TUNING
#include <sam/tuning_table/cuda.hpp>
#endif

namespace sam::inline v0_1::cuda {

/// Holds the released values. Evidence: perf/results. The tile sizes of scans of floats are not
/// among them: they determine how floats are grouped, so scan_tuning fixes them for all tables.
struct released_tuning {
  /// Describes a tuning table that was compiled in, if one was.
  static constexpr char const* table = "";

  // Values that a table may change when the program is built.

  /// Scan warps and pipeline stages of large tiles, for accumulators that are integers.
  static constexpr index_t exact_scan_warps = 8;
  static constexpr index_t exact_scan_stages = 4;
  /// Warps of a large tile of a sort, and the registers that hold the items of a thread: for keys
  /// of up to 4 bytes; for wider keys; for packed pairs; and for pairs whose values are apart. Of
  /// most of these, shared memory bounds the items: see sort_tuning::most_wide_pairs.
  static constexpr index_t sort_narrow_warps = 12, sort_narrow_registers = 48;
  static constexpr index_t sort_wide_warps = 8, sort_wide_registers = 70;
  static constexpr index_t sort_packed_registers = 80;
  static constexpr index_t sort_pair_registers = 48;
  /// Blocks on a multiprocessor, for large tiles of a sort.
  static constexpr index_t sort_blocks = 2;

  // Values that a table may change when a program is built or starts.

  /// Two scans over fewer input bytes than this run in one kernel.
  static constexpr index_t paired_below_bytes = 192 << 20;
  /// The number of scan blocks on a multiprocessor where the host chooses the stages, if each has
  /// enough stages. Two blocks look back for two tiles at a time.
  static constexpr index_t scan_blocks = 2;
  /// Larger bit masks are marked only after the previous kernel ends. Blocks that start while its
  /// blocks hold much shared memory are left with a small L1 cache.
  static constexpr index_t early_bits = 1 << 22;
  /// A sort uses large tiles if each multiprocessor has at least this many of them: a quarter for
  /// keys of up to 4 bytes and packed pairs, and a sixteenth for other pairs. A few large tiles
  /// would leave some multiprocessors idle.
  static constexpr index_t sort_tiles_per_sm = 16;
  /// A counting sort writes fewer keys than this in smaller tiles.
  static constexpr index_t counting_small_keys = 1 << 20;
  /// A pair of blocks of a counting sort counts at least this many keys, since each pair writes a
  /// table.
  static constexpr index_t counting_pair_keys = 1 << 15;
};

/// Holds the values that this program is compiled with: the released ones, or those of a table.
#ifdef SAM_HAS_CUDA_TUNING_TABLE
using tuning = compiled_table<released_tuning>;
#else
using tuning = released_tuning;
#endif

/// Holds the values that a tuning table may change. See released_tuning for each.
using tunables = gpu::tunables_of<tuning>;
/// Lists the names and ranges of these values.
inline constexpr auto const& all_tunables = gpu::all_tunables_of<tunables>;

/// Returns true if this code is also for devices of a compute capability below a bound, such as 80.
constexpr bool some_are_below([[maybe_unused]] int bound) {
#ifdef __CUDA_ARCH_LIST__
  for (int const architecture : {__CUDA_ARCH_LIST__})
    if (architecture < 10 * bound)
      return true;
  return false;
#else
  return true;
#endif
}

/// Has the sizes of scan kernels that depend on how much shared memory a vendor's devices have.
struct scan_memory {
  /// Bytes that a block of large tiles may use on the devices that these are for.
  static constexpr int large_bytes = 224 << 10;
  /// Small tiles have a stage of this fraction of it.
  static constexpr int small_parts = 11;
  /// Medium tiles have a stage of at most this fraction of it, and two stages take at most
  /// medium_bytes; 0 if no device has such tiles: from compute capability 9.0 on, stages are fixed.
  /// Devices reserve 1 KiB of their 64 or 100. Tiles that fit in 64 KiB have fewer items than are
  /// fastest in 100.
  static constexpr int medium_parts = 5;
  static constexpr int medium_bytes =
      !some_are_below(90) ? 0 : (some_are_below(80) ? 63 : 99) << 10;
  /// Pipeline stages of large tiles of floats, and of jobs that store little.
  static constexpr int float_stages = 4, reading_stages = 3;
  /// Scan warps of jobs that read keys or store little, and of partitions.
  static constexpr int reading_warps = 12, kinds_warps = 10;
  /// Scan warps for accumulators of 16 bytes or more. If few_small_wide_warps, small tiles of even
  /// larger ones have few warps, too, although more items would fit.
  static constexpr int wide_warps = 6;
  /// Rows of banks that a thread's items fill in a tile of column panels.
  static constexpr int panel_rows = 2;
  static constexpr bool few_small_wide_warps = false;
  /// The shared memory of a block below which a partition into two counts items before it places
  /// them; 0 if no device does so.
  static constexpr int least_to_compact_twice = 112 << 10;
  /// True if two kernels may run few items: see scan_tuning::has_two_kernels.
  static constexpr bool has_two_kernels = true;
};

/// Has the sizes of sort kernels that depend on how many registers the threads of a large block
/// have: the items of a thread in roomy windows, and the registers for items of a listed segment.
struct sort_memory {
  static constexpr int roomy_items = 32;
  template <int WarpSize>
  static constexpr int block_registers = 96;
  static constexpr int listed_registers = 80;
  static constexpr int long_listed_registers = 96;
  /// True if blocks that sort segments together also come in a size for 64 KiB of shared memory.
  static constexpr bool has_small_teams = some_are_below(80);
  /// True if this code is also for devices without clusters, and with less shared memory than an
  /// A100, which have kernels of their own.
  static constexpr bool is_for_lesser_devices = some_are_below(90);
};

}  // namespace sam::inline v0_1::cuda
