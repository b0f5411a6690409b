// SPDX-License-Identifier: MIT
// Defines elementwise jobs and copy jobs, which need no scan.
#pragma once

#include <sam/backend/job/job.hpp>

#include <type_traits>

namespace sam::inline v0_1::engine {

/// Elementwise jobs have items that do not depend on one another. `store` may then receive any scan
/// value, and a back end need not scan.
///
/// elementwise  is `static constexpr bool elementwise = true`
template <class Job>
concept elementwise = job<Job> && requires {
  requires Job::elementwise;
};
/// Searching jobs are elementwise jobs whose item i is the search for values[i] in a sorted array,
/// which a GPU runs by tiles of values.
///
/// searches  is `static constexpr bool searches = true`
/// sized()   returns the search once the work runs: its n `sorted` items, its m `values`, `less`,
///           and where results go, `lower` and `upper`, either of which may be null
template <class Job>
concept searching = elementwise<Job> && requires {
  requires Job::searches;
};
/// True if a job stores the same value everywhere, so that no thread waits for a load.
template <class Job>
inline constexpr bool has_one_value = elementwise<Job>&& requires {
  requires Job::one_value;
};
/// True if a job moves items by indices in memory, so that little but two loads takes its time.
template <class Job>
inline constexpr bool moves_items = elementwise<Job>&& requires {
  requires Job::moves;
};
/// Elementwise jobs of which only the first items have an effect, as many as memory says when the
/// work runs. `store` drops the others. A back end may instead ask for the number once for several
/// items, and run `unlimited` for those below it.
///
/// limit()      returns this number; it may exceed the number of all items
/// unlimited()  returns a reference to a direct job that has the same effect for the first items:
///              to a member or to the job itself, because the caller keeps the reference
template <class Job>
concept elementwise_first = elementwise<Job> && requires(Job const j) {
  { j.limit() } -> std::same_as<index_t>;
  j.unlimited().load(index_t{});
  requires std::is_lvalue_reference_v<decltype(j.unlimited())>;
};
/// Copy jobs are elementwise jobs that store the items themselves, in order.
///
/// front()                 points at the destination of item 0
/// capacity()              returns the number of items that fit there
/// make(begin, count, to)  writes items [begin, begin + count) to `to`
/// looks_back              optional, `static constexpr bool`: true if items are computed from
///                         earlier items of an array, too
/// make_aligned(begin, to)  optional, if it is faster than make: writes 16 bytes of items to `to`,
///                         which is aligned to 16 bytes
template <class Job>
concept copying = elementwise<Job> && requires(Job const j) {
  { j.front() } -> std::same_as<typename Job::item*>;
  { j.capacity() } -> std::same_as<index_t>;
  j.make(index_t{}, index_t{}, j.front());
};

}  // namespace sam::inline v0_1::engine
