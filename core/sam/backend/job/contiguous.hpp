// SPDX-License-Identifier: MIT
// Defines what a job may say about the arrays that it reads and stores.
#pragma once

#include <sam/backend/job/elementwise.hpp>
#include <sam/backend/job/reversed.hpp>

namespace sam::inline v0_1::engine {

/// Reading jobs read arrays at the item's own index, or near it. A reversed job is one if its inner
/// job is.
///
/// reads()         returns the engine::pointers of the arrays
/// load(i, p...)   returns item i, where the pointers p point at its elements: in memory, or in a
///                 copy that the back end made
template <class Job>
concept reading = job<Job> && requires(forward_job_of<Job> const j) {
  j.reads();
};
/// Storing jobs store one value for each item, in order. A reversed job is one if its inner job is.
///
/// target()      points at the destination of item 0
/// output(x, y)  returns the value to store for item x with scan value y; without it that is y
/// again()       optional: returns the job over the stored values, for a scan that is iterated
template <class Job>
concept storing = job<Job> && requires(forward_job_of<Job> const j) {
  j.target();
};
/// True if store() stores a result for nearly each item, in order, although the job does not say
/// where. A GPU then calls it for neighbouring items at a time, after their tile has been scanned.
///
/// stores_each   is `static constexpr bool stores_each = true`
template <class Job>
concept storing_each = job<Job> && requires {
  requires forward_job_of<Job>::stores_each;
};
/// Jobs that store one value for each of their first items, in index order, and as many of these as
/// memory says when the work runs. A reversed job is one if its inner job is. store() ignores other
/// items, so that a back end need not look at the following.
///
/// first_target()  points at the destination of item 0
/// stored()        returns how many items are stored, at most all
/// output(x, y)    as of a storing job
template <class Job>
concept storing_first = job<Job> && requires(forward_job_of<Job> const j) {
  j.first_target();
  { j.stored() } -> std::same_as<index_t>;
};
/// True if a job stores one value for each item, or for the first ones.
template <class Job>
concept storing_in_order = storing<Job> || storing_first<Job>;
/// Returns the destination of item 0.
template <storing_in_order Job>
SAM_FUNCTION auto target_of(Job const& job) {
  if constexpr (storing_first<Job>)
    return engine::forward_job(job).first_target();
  else
    return engine::forward_job(job).target();
}
/// Returns how many of `count` items are stored that lie in memory from index `first` on.
template <class Job>
SAM_FUNCTION index_t stored_of(Job const& job, [[maybe_unused]] index_t first, index_t count) {
  if constexpr (storing_first<Job>) {
    index_t const left = engine::forward_job(job).stored() - first;
    return left < 0 ? 0 : left < count ? left : count;
  } else {
    return count;
  }
}
/// Returns the value that a job stores for an item.
template <storing_in_order Job>
SAM_FUNCTION auto stored_value(Job const& job, [[maybe_unused]] typename Job::item const& x,
                               typename Job::accumulator const& y) {
  if constexpr (requires { engine::forward_job(job).output(x, y); })
    return engine::forward_job(job).output(x, y);
  else
    return y;
}
template <class Job>
using output_of = std::remove_pointer_t<decltype(engine::target_of(std::declval<Job const&>()))>;

/// True if the aggregates lie in memory, in order: source() points at them. Back ends then move
/// whole vectors.
template <class Job>
concept has_source = job<Job> && requires(Job const j) {
  { j.source() } -> std::same_as<typename Job::accumulator const*>;
};
/// True if a job stores the scan values themselves, in order.
template <class Job>
concept has_target = requires(Job const j) {
  { j.target() } -> std::same_as<typename Job::accumulator*>;
}
&&!requires(Job const j, typename Job::item const x, typename Job::accumulator const y) {
  j.output(x, y);
};
/// True if a job stores the first scan values themselves, in order.
template <class Job>
concept has_first_target = requires(Job const j) {
  { j.first_target() } -> std::same_as<typename Job::accumulator*>;
}
&&!requires(Job const j, typename Job::item const x, typename Job::accumulator const y) {
  j.output(x, y);
};
/// True if a job stores the values of `output`, in order.
template <class Job>
concept has_output = storing<Job> &&
    requires(Job const j, typename Job::item x, typename Job::accumulator y) {
  { j.output(x, y) } -> std::same_as<output_of<Job>>;
};

/// Selection jobs that keep some of their first items only, of as many as memory says when the work
/// runs. keeps(x) knows nothing of that number, so a back end runs such a job only if it asks for
/// it (selects_first in <sam/backend/members.hpp>).
///
/// selected()                 returns how many items may be kept, at most all
/// place(i, x, before, kept)  stores item i as `store` would, whether it is kept or not
template <class Job>
concept selecting_first = reading<Job> && selecting<Job> &&
    requires(Job const j, index_t i, typename Job::item const x, typename Job::accumulator before) {
  { j.selected() } -> std::same_as<index_t>;
  j.place(i, x, before, true);
};

/// Jobs whose work knows how many of their first items have an effect. A back end need not look at
/// the items from that number on, except item 0. Jobs over reversed items have none, since those
/// come first in memory.
///
/// needed()  returns this number; it may exceed the number of all items
template <class Job>
concept needing_first = job<Job> && requires(Job const j) {
  { j.needed() } -> std::same_as<index_t>;
};

/// Direct jobs are elementwise jobs that store anywhere. A back end may run them by a plain loop.
///
/// bytes_per_item()  optional: returns how many bytes an item moves, if that is far more than the
///                   size of an item
template <class Job>
concept direct = elementwise<Job> && !storing<Job>;

}  // namespace sam::inline v0_1::engine
