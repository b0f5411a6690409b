// SPDX-License-Identifier: MIT
// Defines partition jobs.
#pragma once

#include <sam/backend/job/scattering.hpp>

namespace sam::inline v0_1::engine {

/// Partition jobs are scatter jobs that write every item behind the earlier items of its kind.
/// Their aggregates have `of[k]`, the number of items of kind k, for all kinds but the last.
///
/// n         is the number of items
/// kinds     is the number of kinds, at least 2
/// kind(x)   returns the kind of an item, an int from 0 on
/// front()   points at the destination of the first item
/// begin(k)  returns the number of items of kinds below k, in the type of of[k]
template <class Job>
concept partitioning = scattering<Job> &&
    requires(Job const j, typename Job::item const x, typename Job::accumulator const y) {
  requires Job::kinds >= 2;
  { j.kind(x) } -> std::same_as<int>;
  { j.front() } -> std::same_as<typename Job::item*>;
  { j.n } -> std::convertible_to<index_t>;
  { j.begin(0) } -> std::same_as<std::remove_cvref_t<decltype(y.of[Job::kinds - 2])>>;
};

/// Partition jobs that write their first items only, of as many as memory says when the work runs.
/// Items past these are of no kind. kind(x) knows nothing of that number.
///
/// selected()  returns how many items are written, at most all
template <class Job>
concept partitioning_first = partitioning<Job> && requires(Job const j) {
  { j.selected() } -> std::same_as<index_t>;
};

}  // namespace sam::inline v0_1::engine
