// SPDX-License-Identifier: MIT
// Runs an elementwise job: each thread processes a few items, and no scan takes place.
#pragma once

#include <sam/backend/job.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace sam::inline v0_1::gpu {

/// Returns the job that runs the items that have an effect.
template <class Job>
SAM_FUNCTION auto const& unlimited_job(Job const& job) {
  if constexpr (engine::elementwise_first<Job>)
    return job.unlimited();
  else
    return job;
}
template <class Job>
using unlimited_job_t =
    std::remove_cvref_t<decltype(gpu::unlimited_job(std::declval<Job const&>()))>;

/// Processes an elementwise job: one call, for one thread, handles several groups of consecutive
/// items. A copy job stores each group with one vector access. All loads are issued before the
/// first store.
///
/// The groups of `Lanes` threads are adjacent. If only some of the first items have an effect, a
/// thread compares its last item with their number: were each compared, each load would have a
/// branch of its own.
template <class Job, index_t Lanes = 32>
struct store_elementwise {
  using item = typename unlimited_job_t<Job>::item;
  static constexpr index_t lanes = Lanes;
  static constexpr index_t together =
      copying<Job> && 16 % sizeof(item) == 0 ? 16 / index_t{sizeof(item)} : 1;
  static constexpr bool makes_aligned = requires(Job const job, item* to) {
    job.make_aligned(index_t{}, to);
  };
  /// The number of groups per thread. A job that reads as much as it stores has few, because more
  /// loads in flight exceed the memory bandwidth.
  static constexpr index_t groups =
      copying<Job> && reading<Job> ? (makes_aligned && sizeof(item) >= 4 ? 1 : 2)
                                   : max_of(min_of(64 / index_t{sizeof(item)} / together, 4), 1);
  /// With fewer threads than this, a GPU has room for a thread for each group, which takes less
  /// time than several groups one after another.
  static constexpr index_t few_threads = index_t{1} << 18;
  Job job;
  index_t n;

  SAM_FUNCTION bool is_alone() const {
    return groups == 1 || (!has_one_value<Job> && n <= few_threads * together);
  }
  index_t threads() const {
    index_t const of_warp = lanes * together * (is_alone() ? 1 : groups);
    return engine::div_up(n + past(), of_warp) * lanes;
  }

  SAM_FUNCTION void operator()(index_t i) const {
    bool const alone = is_alone();
    index_t const first = i / lanes * (step * (alone ? 1 : groups)) + i % lanes * together;
    if (past() == 0)
      finish_groups(first, alone);  // compilers know this to be a multiple of `together`
    else
      finish_groups(first - past(), alone);
  }

 private:
  static constexpr index_t step = lanes * together;  // from one group of a thread to the next
  SAM_FUNCTION void finish_groups(index_t first, bool alone) const {
    index_t const last = end();
    if (first >= last)
      return;
    bool const fills = first >= 0 && fill_groups();
    if (alone && fills && first + together <= last) {
      group x;
      load(first, x);
      store(first, x);
    } else if (!alone && fills && first + (groups - 1) * step + together <= last) {
      group x[std::size_t{groups}];
      for (int g = 0; g < groups; ++g)
        load(first + g * step, x[g]);
      for (int g = 0; g < groups; ++g)
        store(first + g * step, x[g]);
    } else {
      auto const& one = gpu::unlimited_job(job);
      for (int g = 0; g < (alone ? 1 : groups); ++g)
        for (int k = 0; k < together; ++k)
          if (index_t const at = first + g * step + k; at >= 0 && at < last)
            one.store(at, one.load(at), {});
    }
  }

  union alignas(together == 1 ? alignof(item) : 16) group {
    SAM_FUNCTION group() {}
    item at[std::size_t{together}];
  };
  /// Returns by how many items groups begin before a multiple of `together`, which aligns them to
  /// 16 bytes in memory.
  SAM_FUNCTION index_t past() const {
    if constexpr (together > 1)
      return static_cast<index_t>(reinterpret_cast<std::uintptr_t>(job.front()) % 16 /
                                  sizeof(item));
    else
      return 0;
  }
  /// True if groups can be aligned. Items with an alignment below their size may lie where no group
  /// is aligned.
  SAM_FUNCTION bool fill_groups() const {
    if constexpr (together > 1 && alignof(item) < sizeof(item))
      return reinterpret_cast<std::uintptr_t>(job.front()) % sizeof(item) == 0;
    else
      return true;
  }
  SAM_FUNCTION index_t end() const {
    if constexpr (copying<Job>)
      return engine::min_of(n, job.capacity());
    else if constexpr (engine::elementwise_first<Job>)
      return engine::min_of(n, job.limit());
    else
      return n;
  }
  SAM_FUNCTION void load(index_t i, group& x) const {
    if constexpr (together > 1 && makes_aligned)
      job.make_aligned(i, x.at);
    else if constexpr (copying<Job>)
      job.make(i, together, x.at);
    else
      x.at[0] = gpu::unlimited_job(job).load(i);
  }
  SAM_FUNCTION void store(index_t i, group const& x) const {
    if constexpr (together > 1)
      *reinterpret_cast<group*>(job.front() + i) = x;
    else
      gpu::unlimited_job(job).store(i, x.at[0], {});
  }
};

}  // namespace sam::inline v0_1::gpu
