// SPDX-License-Identifier: MIT
// Counts the items of a histogram by teams: each counts some of the items in its own memory, and
// adds its counts to the result.
#pragma once

#include <sam/backend/histogram_job.hpp>

namespace sam::inline v0_1::gpu {

/// Sets a count to zero.
template <class Count>
struct clear_counts {
  Count* counts;
  SAM_FUNCTION void operator()(index_t i) const { counts[i] = 0; }
};

/// Counts the kinds of a chunk of items in a team's memory (<sam/gpu/fallback/team_tile.hpp>). If
/// there are few kinds, there are several counters for each, so that threads wait less for one
/// another where most items are of one kind.
template <class Job>
struct count_kinds {
  static constexpr int runs = 256, run = 15, most_copies = 8;
  static constexpr index_t most_kinds = 6 << 10;
  Job job;
  int copies;
  index_t chunk;  // items

  explicit count_kinds(Job const& which)
      : job(which), copies(static_cast<int>(engine::min_of(
                        most_copies, engine::max_of(1, most_kinds / 2 / which.kinds())))),
        // So large that adding the counts to the result costs little.
        chunk(engine::div_up(engine::max_of(1 << 14, 16 * which.kinds()), runs * run) * runs *
              run) {}

  index_t chunks() const { return engine::div_up(job.n, chunk); }
  std::size_t bytes() const { return static_cast<std::size_t>(copies * job.kinds()) * sizeof(int); }

  template <class Team>
  SAM_FUNCTION void operator()(Team const& team) const {
    auto* const counters = reinterpret_cast<int*>(team.memory());
    int const kinds = static_cast<int>(job.kinds());
    team.for_each(copies * kinds, [&](int i) { counters[i] = 0; });
    team.barrier();
    auto const* const items = job.first_to_count();
    index_t const begin = team.index() * chunk, end = min_of(begin + chunk, job.items_to_count());
    team.for_each(runs, [&](int r) {
      int* const own = counters + r % copies * kinds;
      index_t i = begin + r;
      auto const count = [&](auto kind) { team.count(own + static_cast<int>(kind)); };
      if constexpr (Job::channels == 1)
        for (; i + (run - 1) * runs < end; i += run * runs) {
          int found[run];
          for (int k = 0; k < run; ++k)
            job.for_each_kind(items[i + k * runs],
                              [&](auto kind) { found[k] = static_cast<int>(kind); });
          for (int k = 0; k < run; ++k)
            count(found[k]);
        }
      for (; i < end; i += runs)
        job.for_each_kind(items[i], count);
    });
    team.barrier();
    team.for_each(kinds, [&](int kind) {
      int count = 0;
      for (int copy = 0; copy < copies; ++copy)
        count += counters[copy * kinds + kind];
      if (count == 0)
        return;
      std::uint64_t const bin = job.bin_of_kind(kind);
      if (bin < static_cast<std::uint64_t>(job.size))
        team.add(job.counts + bin, static_cast<typename Job::count>(count));
    });
  }
};

}  // namespace sam::inline v0_1::gpu
