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
/// Returns the value that a job stores for an item.
template <storing Job>
SAM_FUNCTION auto stored_value(Job const& job, [[maybe_unused]] typename Job::item const& x,
                               typename Job::accumulator const& y) {
  if constexpr (requires { engine::forward_job(job).output(x, y); })
    return engine::forward_job(job).output(x, y);
  else
    return y;
}
template <class Job>
using output_of =
    std::remove_pointer_t<decltype(engine::forward_job(std::declval<Job const&>()).target())>;

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
/// True if a job stores the values of `output`, in order.
template <class Job>
concept has_output = requires(Job const j, typename Job::item x, typename Job::accumulator y) {
  { j.output(x, y) } -> std::same_as<output_of<Job>>;
};

/// Direct jobs are elementwise jobs that store anywhere. A back end may run them by a plain loop.
///
/// bytes_per_item()  optional: returns how many bytes an item moves, if that is far more than the
///                   size of an item
template <class Job>
concept direct = elementwise<Job> && !storing<Job>;

}  // namespace sam::inline v0_1::engine
