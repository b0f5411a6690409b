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

/// Vector-reducing jobs are reducing jobs of one array that can combine vectors of k items in fewer
/// instructions than items one by one. of_vector<k>(v, x) returns the combined items of vector v,
/// at x. Their operator is as for block-reducing jobs.
template <class Job>
concept vector_reducing = reducing<Job> && requires(Job const j) {
  j.template of_vector<4>(index_t{}, j.in);
};

/// Jobs that reduce some of their first items only, of as many as memory says when the work runs.
/// load() returns the identity for later items. A back end may instead ask for the number once.
///
/// reduced()           returns how many items are reduced, at most all
/// load_first(i, p...) loads item i as load() does, if it is one of these
template <class Job>
concept reducing_first = reducing<Job> && requires(Job const j) {
  { j.reduced() } -> std::same_as<index_t>;
  j.load_first(index_t{});
};

/// Block-reducing jobs are reducing jobs that can combine a block of consecutive items faster than
/// one by one, or stop early. Their operator is exact and commutative and has an identity, so a
/// back end may combine blocks in any order.
///
/// block_items                   the number of items of a block, at most; a block fits in a cache
/// item_bytes                    the number of bytes that are read for an item
/// accumulate(sum, begin, count) combines items [begin, begin + count) into `sum`, which holds only
///                               items before them
/// settles(sum)                  returns true if no later item can change the result
/// matters(i, p...)              optional: returns false if item i, which load(i, p...) would
/// return,
///                               is the identity, as few are not
template <class Job>
concept block_reducing = reducing<Job> &&
    requires(Job const j, typename Job::accumulator sum, index_t begin) {
  { Job::block_items } -> std::convertible_to<index_t>;
  { Job::item_bytes } -> std::convertible_to<index_t>;
  j.accumulate(sum, begin, begin);
  { j.settles(sum) } -> std::same_as<bool>;
};

}  // namespace sam::inline v0_1::engine
