// SPDX-License-Identifier: MIT
// Defines scatter jobs, and two kinds of them that count the items they keep.
#pragma once

#include <sam/backend/job/job.hpp>

namespace sam::inline v0_1::engine {

/// Scatter jobs write to places other than the item's own. `store` receives the item that was
/// loaded for to_accumulator, and no item is stored before all items up to it are loaded. So a job
/// may overwrite any item up to its own. Back ends that load items twice guarantee neither; the
/// context's `loads_items_once` is then false.
///
/// scatters      is `static constexpr bool scatters = true`
/// overwrites()  optional: returns false if this job overwrites no item
/// rereads       optional, `static constexpr bool rereads = true`: `store` reads an array from
///               memory. If overwrites(), back ends then store by other members, such as
///               put_head_from and put_key of a segmented reduction job
/// does_nothing()  optional: returns true, where the job runs, if its results are not needed; back
///               ends may skip it then
template <class Job>
concept scattering = job<Job> && requires {
  requires Job::scatters;
};
/// The bytes per item that a back end holds from the conversion of the item to its store.
template <class Job>
inline constexpr int held_bytes = [] {
  if constexpr (scattering<Job>)
    return static_cast<int>(sizeof(typename Job::item));
  else
    return 0;
}();

/// True if `store` may read what the job has overwritten.
template <class Job>
bool reads_overwritten(Job const& job) {
  if constexpr (requires { requires scattering<Job> && Job::rereads; })
    return job.overwrites();
  else
    return false;
}

/// Predicate jobs are scatter jobs whose scan is an exclusive sum from 0 of the items they keep:
/// to_accumulator(x) is 1 if keeps(x), else 0. A back end may then hold one bit per item in place
/// of its aggregate.
///
/// counts    is `static constexpr bool counts = true`
/// keeps(x)  returns true if item x is kept
template <class Job>
concept predicated = scattering<Job> && requires(Job const j, typename Job::item const x) {
  requires Job::counts;
  { j.keeps(x) } -> std::same_as<bool>;
};

/// Selection jobs are predicate jobs that only write one value for each kept item, contiguously. A
/// back end may replace their stores by copies of whole runs of values.
///
/// value(i, x)        returns the value to write for item i, of type `value_type`
/// front()            points at the destination of the first kept item's value
/// capacity()         returns the number of values that fit there
/// stays(i, before)   is true if the value of item i already lies at its destination, given that
///                    `before` items are kept before it; it must not be written then
/// close(kept)        receives the number of kept items; called once
/// keeps_from(i)      optional: which of items i to i + 63 are kept, in a form of heads_from
///                    (<sam/backend/job/segmented.hpp>)
/// values_from(i)     optional: a pointer to the value of item i, followed in memory by the values
///                    of the next items
/// pack(begin, count, out)  optional: packs the values of those of `count` items from `begin` on
///                    that are kept to `out`, which has space for one more, and returns their
///                    number, if it is faster to go from item to item
template <class Job>
concept selecting = predicated<Job> &&
    requires(Job const j, index_t i, typename Job::item const x, index_t before) {
  { j.value(i, x) } -> std::convertible_to<typename Job::value_type>;
  { j.front() } -> std::same_as<typename Job::value_type*>;
  { j.capacity() } -> std::same_as<index_t>;
  { j.stays(i, before) } -> std::same_as<bool>;
  j.close(before);
};

/// Selection jobs of two arrays also write a second value for each kept item, contiguously. Both
/// values of an item are elements of arrays: of the first that the job reads, and of the second.
/// Only contexts that say so run them (selects_first in <sam/backend/members.hpp>).
///
/// second(x)          returns the second value of an item
/// second_front()     points at the destination of the first kept item's second value
/// second_capacity()  returns the number of second values that fit there
template <class Job>
concept selecting_pairs = selecting<Job> && requires(Job const j, typename Job::item const x) {
  *j.second_front() = j.second(x);
  { j.second_capacity() } -> std::same_as<index_t>;
};

}  // namespace sam::inline v0_1::engine
