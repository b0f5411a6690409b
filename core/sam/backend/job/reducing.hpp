// SPDX-License-Identifier: MIT
// Defines reducing jobs, which reductions are.
#pragma once

#include <sam/backend/job/job.hpp>

namespace sam::inline v0_1::engine {

/// Reducing jobs need only the scan values of the last row of components. Back ends may store the
/// other items or omit them.
///
/// ends   is `static constexpr bool ends = true`
/// whole  optional: names the job that needs all scan values. Tiles are then as large as for that
///        job, so that both jobs give the same bits
template <class Job>
concept reducing = job<Job> && requires {
  requires Job::ends;
};
/// Names the job whose tile size a job uses: its `whole` if it has one, else the job itself.
template <class Job>
struct tiled_like {
  using type = Job;
};
template <reducing Job>
requires requires { typename Job::whole; }
struct tiled_like<Job> {
  using type = typename Job::whole;
};
template <class Job>
using tiled_like_t = typename tiled_like<Job>::type;

}  // namespace sam::inline v0_1::engine
