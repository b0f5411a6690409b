// SPDX-License-Identifier: MIT
// Defines the values of GPU back ends that a tuning table may change. This header needs no toolkit,
// so that tests without one can read it.
#pragma once

#include <sam/base/tuning_table.hpp>
#include <sam/portable.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the values that a tuning table may change, which begin as those of Tuning. See
/// released_tuning of <sam/cuda/runtime/tuning.hpp> for each.
template <class Tuning>
struct tunables_of {
  index_t exact_scan_warps = Tuning::exact_scan_warps;
  index_t exact_scan_stages = Tuning::exact_scan_stages;
  index_t sort_narrow_warps = Tuning::sort_narrow_warps;
  index_t sort_narrow_registers = Tuning::sort_narrow_registers;
  index_t sort_wide_warps = Tuning::sort_wide_warps;
  index_t sort_wide_registers = Tuning::sort_wide_registers;
  index_t sort_packed_registers = Tuning::sort_packed_registers;
  index_t sort_pair_registers = Tuning::sort_pair_registers;
  index_t sort_blocks = Tuning::sort_blocks;
  index_t paired_below_bytes = Tuning::paired_below_bytes;
  index_t scan_blocks = Tuning::scan_blocks;
  index_t early_bits = Tuning::early_bits;
  index_t sort_tiles_per_sm = Tuning::sort_tiles_per_sm;
  index_t counting_small_keys = Tuning::counting_small_keys;
  index_t counting_pair_keys = Tuning::counting_pair_keys;
};

/// Lists the names and ranges of these values.
template <class Values>
inline constexpr engine::tunable<Values> all_tunables_of[] = {
    {"exact_scan_warps", &Values::exact_scan_warps, 4, 12, true},
    {"exact_scan_stages", &Values::exact_scan_stages, 2, 8, true},
    {"sort_narrow_warps", &Values::sort_narrow_warps, 4, 16, true},
    {"sort_narrow_registers", &Values::sort_narrow_registers, 12, 72, true},
    {"sort_wide_warps", &Values::sort_wide_warps, 4, 16, true},
    {"sort_wide_registers", &Values::sort_wide_registers, 12, 96, true},
    {"sort_packed_registers", &Values::sort_packed_registers, 12, 96, true},
    {"sort_pair_registers", &Values::sort_pair_registers, 12, 72, true},
    {"sort_blocks", &Values::sort_blocks, 1, 3, true},
    {"paired_below_bytes", &Values::paired_below_bytes, 0, 8589934592},
    {"scan_blocks", &Values::scan_blocks, 1, 4},
    {"early_bits", &Values::early_bits, 0, 8589934592},
    {"sort_tiles_per_sm", &Values::sort_tiles_per_sm, 1, 256},
    {"counting_small_keys", &Values::counting_small_keys, 0, 1073741824},
    {"counting_pair_keys", &Values::counting_pair_keys, 1024, 1073741824},
};

}  // namespace sam::inline v0_1::gpu
