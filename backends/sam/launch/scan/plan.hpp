// SPDX-License-Identifier: MIT
// The scan plan: which algorithm runs a job over n items under a policy. scan_algorithm_of decides;
// scan_rows, beside it, says the same in words, for `sam info --scan-plan` and the documents.
// <sam/launch/sort/plan.hpp> has the plan of sorts.
#ifndef SAM_LAUNCH_SCAN_PLAN_HPP
#define SAM_LAUNCH_SCAN_PLAN_HPP

#include <sam/gpu/scan/reduce_kernel.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/limits.hpp>
#include <sam/launch/scan/tuning.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// The algorithms of scans and of jobs that run like scans.
enum class scan_algorithm {
  search,
  elementwise,
  rounds,
  chunks,
  column_panels,
  reduction,
  tiles,
};

/// Describes a row of the plan in words. The first row that holds for a job and a policy runs it.
struct scan_row {
  scan_algorithm algorithm;
  char const* when;
  char const* runs;
  char const* traffic;  // how often items are read and written
};
inline constexpr scan_row scan_rows[] = {
    {scan_algorithm::search, "searches for many values",
     "tiles of values; if they are in order, only between the results of the first and the last, "
     "`gpu/value_search.hpp`",
     "1, 1"},
    {scan_algorithm::elementwise, "the job needs no scan",
     "a thread for each item, `gpu/fallback/elementwise_kernel.hpp`; of up to 2^20 items that are "
     "moved by indices, `gpu/fallback/move_kernel.hpp`",
     "1, 1"},
    {scan_algorithm::chunks, "tuples of a size known at run time, under a multi-pass scheme",
     "threads that reduce chunks, then scan them, `gpu/fallback/reduce_then_scan.hpp`", "2, 1"},
    {scan_algorithm::rounds, "order q > 1, and the operator has no carry algebra",
     "q scans of order 1", "q, q"},
    {scan_algorithm::chunks, "order above 16; states or items that exceed shared memory",
     "the same chunks", "2, 1"},
    {scan_algorithm::column_panels,
     "tuples of a size known at run time, or above 32. Sizes of 1, and for lanewise operators 2 to "
     "4, run as if known when compiling",
     "the scan kernel over column panels; with at most 32 rows, by chunks", "1, 1"},
    {scan_algorithm::reduction,
     "reductions of integers and bools, by an operator that commutes and has an identity",
     "grid-stride loops, `gpu/scan/reduce_kernel.hpp`", "1, 0"},
    {scan_algorithm::tiles, "all others",
     "few items in one block or one cluster of blocks, `gpu/few_items/one_cluster_kernel.hpp`, "
     "or in a CUDA graph by two kernels, "
     "`gpu/few_items/two_kernels.hpp`; "
     "more by the scan kernel, `gpu/scan_kernel/`, or by the kernels of a multi-pass scheme, which "
     "leave out some of its warps",
     "1, 1; 2, 1 by two kernels or `reduce_then_scan`; 2, 2 by `scan_then_propagate`"},
};

/// The shared memory, in bytes, that a block needs for a job or for the job whose tile size it
/// copies, whichever is more. Jobs that must have equal tile sizes then have them on every device.
template <class Job, class Policy, template <class, class> class Config>
inline constexpr int bytes_as_tiled = [] {
  using cut = tiled_like_t<Job>;
  return int(max_of(gpu::scan_config<device, Job, Policy, Config<Job, Policy>>::shared_bytes,
                    gpu::scan_config<device, cut, Policy, Config<cut, Policy>>::shared_bytes));
}();
/// True if the states and items of a tile fit in shared memory, in that of any device if a job
/// scatters items: which calls fail in place must not depend on the device.
template <class Job, class Policy>
inline constexpr bool fits_tiles =
    held_bytes<Job> <= limits::largest_held&& bytes_as_tiled<Job, Policy, scan_tuning::small> <=
    (scattering<Job> ? min_of(64 << 10, scan_tuning::shared_bytes) : scan_tuning::shared_bytes);
/// True if the states and items of a tile of column panels fit in shared memory.
template <class Job, class Policy>
inline constexpr bool fits_panels =
    gpu::scan_config<device, Job, Policy,
                     scan_tuning::panels<typename Job::accumulator, Policy>>::shared_bytes <=
    scan_tuning::shared_bytes;

/// The algorithm that runs a job under a policy. Tuples larger than a warp count as of a size known
/// at run time.
template <class Job, class Policy>
inline constexpr scan_algorithm scan_algorithm_of = [] {
  constexpr bool panels =
      Policy::tuple_size == run_time_tuple || Policy::tuple_size > device::warp_size;
  if constexpr (searching<Job>)
    return scan_algorithm::search;
  else if constexpr (elementwise<Job>)
    return scan_algorithm::elementwise;
  else if constexpr (panels && multi_pass_scheme<typename Policy::carry>)
    return scan_algorithm::chunks;
  else if constexpr (Policy::order > 1 && !has_algebra<typename Job::accumulator, Policy>)
    return scan_algorithm::rounds;
  else if constexpr (Policy::order > 16)
    return scan_algorithm::chunks;
  else if constexpr (panels)
    return fits_panels<Job,
                       decltype(engine::with_tuple_size<run_time_tuple>(std::declval<Policy>()))>
               ? scan_algorithm::column_panels
               : scan_algorithm::chunks;
  else if constexpr (gpu::reduces_in_any_order<Job, Policy> &&
                     std::is_same_v<typename Policy::carry, carry::decoupled>)
    return scan_algorithm::reduction;
  else
    return fits_tiles<Job, Policy> ? scan_algorithm::tiles : scan_algorithm::chunks;
}();

/// The fewest bytes of input for large tiles on the whole device, in sixteenths of
/// context::small_bytes(). A small tile of wide items has few of them, so that look-back, which
/// costs the same for each tile, ends late. Evidence: perf/results/large_tiles_h100.txt.
template <class Job, class Policy>
inline constexpr index_t least_of_large_tiles = [] {
  constexpr index_t bits = gpu::stage_of<tiled_like_t<Job>, Policy>::bits_of_item;
  return bits >= 128 ? 2 : bits >= 64 ? 5 : 9;
}();
/// True if there are enough items for large tiles on the whole device.
template <class Job, class Policy>
constexpr bool is_large(index_t n, index_t small_bytes) {
  // Not by 8 * small_bytes, which overflows for the limits of tests.
  return n * gpu::stage_of<tiled_like_t<Job>, Policy>::bits_of_item / 8 >=
         small_bytes / 16 * least_of_large_tiles<Job, Policy>;
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
