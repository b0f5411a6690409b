// SPDX-License-Identifier: MIT
// Defines recurrence jobs.
#pragma once

#include <sam/backend/job/contiguous.hpp>

namespace sam::inline v0_1::engine {

/// Recurrence jobs store the output of a recursive filter. A back end that holds filter states in
/// place of the aggregates needs these members.
///
/// ring      is the filter_ring (<sam/algebra/filter_ring.hpp>) of the states
/// state(y)  returns the state behind a run of items whose aggregate is y, from a zero state
/// source()  points at the items, which are converted to the ring's numbers
template <class Job>
concept recurrence = storing<Job> && requires(Job const j, typename Job::accumulator const y) {
  { j.state(y) } -> std::same_as<typename decltype(Job::ring)::value>;
  { j.source() } -> std::same_as<typename Job::item const*>;
};

}  // namespace sam::inline v0_1::engine
