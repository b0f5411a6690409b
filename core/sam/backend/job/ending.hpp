// SPDX-License-Identifier: MIT
// Defines ending jobs, which reductions use.
#pragma once

#include <sam/backend/job/job.hpp>

namespace sam::inline v0_1::engine {

/// Ending jobs need only the scan values of the last row of components. Back ends may store the
/// other items or omit them.
///
/// ends   is `static constexpr bool ends = true`
/// whole  optional: names the job that needs all scan values. Tiles are then cut as they are for
///        that job, so that both jobs give the same bits
template <class Job>
concept ending = job<Job> && requires {
  requires Job::ends;
};
/// Names the job whose tile size a job uses: its `whole` if it has one, else the job itself.
template <class Job>
struct cut_as {
  using type = Job;
};
template <ending Job>
requires requires { typename Job::whole; }
struct cut_as<Job> {
  using type = typename Job::whole;
};
template <class Job>
using cut_as_t = typename cut_as<Job>::type;

}  // namespace sam::inline v0_1::engine
