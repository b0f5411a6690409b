// SPDX-License-Identifier: MIT
// Defines the values of the CUDA engine that a tuning table may change, and the released tables.
// All of them change speed only, never results. This header needs no CUDA toolkit, so that tests
// without one can read it.
#pragma once

#include <sam/base/tuning_table.hpp>
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
  /// of up to 4 bytes; for wider keys and packed pairs; and for pairs whose values are apart.
  static constexpr index_t sort_narrow_warps = 12, sort_narrow_registers = 48;
  static constexpr index_t sort_wide_warps = 8, sort_wide_registers = 70;
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
  /// keys of up to 4 bytes, twice as many for packed pairs. A few large tiles would leave some
  /// multiprocessors idle.
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
struct tunables {
  index_t exact_scan_warps = tuning::exact_scan_warps;
  index_t exact_scan_stages = tuning::exact_scan_stages;
  index_t sort_narrow_warps = tuning::sort_narrow_warps;
  index_t sort_narrow_registers = tuning::sort_narrow_registers;
  index_t sort_wide_warps = tuning::sort_wide_warps;
  index_t sort_wide_registers = tuning::sort_wide_registers;
  index_t sort_pair_registers = tuning::sort_pair_registers;
  index_t sort_blocks = tuning::sort_blocks;
  index_t paired_below_bytes = tuning::paired_below_bytes;
  index_t scan_blocks = tuning::scan_blocks;
  index_t early_bits = tuning::early_bits;
  index_t sort_tiles_per_sm = tuning::sort_tiles_per_sm;
  index_t counting_small_keys = tuning::counting_small_keys;
  index_t counting_pair_keys = tuning::counting_pair_keys;
};

/// Lists the names and ranges of these values.
inline constexpr engine::tunable<tunables> all_tunables[] = {
    {"exact_scan_warps", &tunables::exact_scan_warps, 4, 12, true},
    {"exact_scan_stages", &tunables::exact_scan_stages, 2, 8, true},
    {"sort_narrow_warps", &tunables::sort_narrow_warps, 4, 16, true},
    {"sort_narrow_registers", &tunables::sort_narrow_registers, 12, 72, true},
    {"sort_wide_warps", &tunables::sort_wide_warps, 4, 16, true},
    {"sort_wide_registers", &tunables::sort_wide_registers, 12, 96, true},
    {"sort_pair_registers", &tunables::sort_pair_registers, 12, 72, true},
    {"sort_blocks", &tunables::sort_blocks, 1, 3, true},
    {"paired_below_bytes", &tunables::paired_below_bytes, 0, 8589934592},
    {"scan_blocks", &tunables::scan_blocks, 1, 4},
    {"early_bits", &tunables::early_bits, 0, 8589934592},
    {"sort_tiles_per_sm", &tunables::sort_tiles_per_sm, 1, 256},
    {"counting_small_keys", &tunables::counting_small_keys, 0, 1073741824},
    {"counting_pair_keys", &tunables::counting_pair_keys, 1024, 1073741824},
};

}  // namespace sam::inline v0_1::cuda
