// SPDX-License-Identifier: MIT
// Defines the job that runs another one from the last item to the first.
#pragma once

#include <sam/backend/job/scattering.hpp>

#include <type_traits>
#include <utility>

namespace sam::inline v0_1::engine {

/// Runs a job from the last item to the first. A selection job then fills its array from the end,
/// at which its front() points, and must overwrite no item.
template <job Job>
struct reversed {
  static_assert(!scattering<Job> || selecting<Job>, "a scattering job goes forward");
  using item = typename Job::item;
  using accumulator = typename Job::accumulator;
  Job inner;
  index_t n;

  SAM_FUNCTION item load(index_t i) const { return inner.load(n - 1 - i); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return inner.load(n - 1 - i, p...);
  }
  SAM_FUNCTION accumulator to_accumulator(item x) const { return inner.to_accumulator(x); }
  SAM_FUNCTION void store(index_t i, item x, accumulator y) const { inner.store(n - 1 - i, x, y); }

  auto again() const requires requires { inner.again(); }
  { return reversed<decltype(inner.again())>{inner.again(), n}; }
};

template <class Job>
inline constexpr bool is_reversed = false;
template <class Job>
inline constexpr bool is_reversed<reversed<Job>> = true;

/// Returns the job that names the arrays: the inner job of a reversed one, else the job itself.
template <class Job>
SAM_FUNCTION auto const& forward_job(Job const& job) {
  if constexpr (is_reversed<Job>)
    return job.inner;
  else
    return job;
}
template <class Job>
using forward_job_of =
    std::remove_cvref_t<decltype(engine::forward_job(std::declval<Job const&>()))>;

}  // namespace sam::inline v0_1::engine
