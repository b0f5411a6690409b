// SPDX-License-Identifier: MIT
// Defines segmented scan jobs and segmented reduction jobs.
#pragma once

#include <sam/backend/job/contiguous.hpp>

#include <cstdint>

namespace sam::inline v0_1::engine {

/// Holds 64 flags, one byte each.
struct flag_window {
  alignas(64) std::uint8_t flags[64];
};
/// Describes 64 flags by comparisons. Flag l in [first, last) is set if items[l + earlier] and
/// items[l + later] are not equal. All other flags are `others`.
template <class T, class Equal>
struct unequal_window {
  T const* items;
  index_t earlier, later;
  int first, last;
  bool others;
  Equal equal;

  bool is_set(int l) const {
    return !static_cast<bool>(equal(items[l + earlier], items[l + later]));
  }
};
/// Describes 64 flags by those of another window. A flag is set if the one of the window differs
/// from the one before it, which is `before` for the first.
template <class T, class Equal>
struct changes_of_window {
  unequal_window<T, Equal> window;
  bool before;
};
/// True if a job, or the inner job of a reversed one, offers values and head flags separately. Its
/// aggregates are of type segmented_value (<sam/algebra/segmented.hpp>).
///
/// value(i)       returns the value of item i, of the aggregate's value type, without a start
/// source()       optional: points at the values, if they lie in memory
/// is_head(i)     is true if item i begins a segment
/// heads_from(i)  returns the head flags of items i to i + 63: a std::uint64_t with a bit each, a
///                pointer to a byte each, a flag_window, an unequal_window or a changes_of_window
template <class Job>
concept has_heads_apart = job<Job> && requires(forward_job_of<Job> const j, index_t i) {
  { j.value(i) } -> std::same_as<typename Job::accumulator::value_type>;
  { j.is_head(i) } -> std::same_as<bool>;
  j.heads_from(i);
};
/// Segmented scan jobs have values and head flags apart, and store scan values. Under an exclusive
/// scan, the value stored for a head is the policy's start.
template <class Job>
concept segmenting = has_heads_apart<Job> && storing<Job>;
/// Segmented reduction jobs need only the aggregate of each segment. They run under an exclusive
/// scan that counts heads. The first item always begins a segment, even if is_head is false.
///
/// op, start              are those of the scan within a segment: an operator; from_nothing or
///                        from_value
/// put_total(i, rank, y)  receives the aggregate y of the segment that ends with item i, and the
///                        number `rank` of earlier segments
/// put_head(i, rank)      optional: receives the index i of that segment's first item
/// key_at(i), put_key(i, rank, key)  with put_head: a copy of what put_head reads, and put_head by
///                        this copy, which is made before items are overwritten
/// put_head_from(i, rank, p...)  optional: like put_head, with pointers to elements of the arrays
///                        of reads()
/// put_totals(begin, end, totals, count)  replaces put_total: receives all aggregates of segments
///                        that end before one of items [begin, end)
/// heads_at(i, p...)      optional: returns 32 head flags as bits, of items i, i + 1, ..., as far
///                        as there are items
/// place(total)           optional, if each aggregate is one of the segment's items: returns the
///                        index of that item, or a negative one if all items are alike
/// first_place(total), second_place(total), joined(a, b)  the same, if each aggregate has the parts
///                        of two items: their indices, and the first part of a with the second of b
/// counts_lengths         optional, `static constexpr bool counts_lengths = true`: a segment's
///                        aggregate is the number of its items
/// answer(i)              optional, if each value is 1 or 0 by a predicate: its answer for item i.
///                        With it, `asked` is the type of the items that it is asked about
/// total_of_answers(found, count)  with answer: returns the aggregate of `count` items, for `found`
///                        of which the answer is true
/// front(), capacity()    optional, if put_total stores the aggregates contiguously: the
///                        destination, and the number of aggregates that fit there
/// close(segments)        receives the number of segments; called once
template <class Job>
concept reducing_segments = has_heads_apart<Job> && requires(Job const j, index_t i) {
  j.op;
  j.start;
  j.close(i);
} &&(
    requires(Job const j, index_t i, typename Job::accumulator::value_type y) {
      j.put_total(i, i, y);
    } ||
    requires(Job const j, index_t i, typename Job::accumulator::value_type const* y) {
      j.put_totals(i, i, y, i);
    });

/// True if a segmented reduction job loads items from arrays, each with its head flag `x.head`.
template <class Job>
concept reducing_segments_of_arrays = job<Job> && reading<Job> &&
    requires(Job const j, typename Job::item const x, index_t i) {
  { x.head } -> std::convertible_to<bool>;
  j.op;
  j.put_total(i, i, j.to_accumulator(x).value);
  j.close(i);
};
/// Such jobs over their first items only, of as many as memory says when the work runs. Kernels
/// read this number once and run as if the launch had so many items, so that no item is compared
/// with it. A back end runs such a job only if it has limits_items (<sam/backend/members.hpp>).
///
/// limit()   returns this number, at most that of all items
/// close(0)  is called if it is 0
/// marked()  returns a job over all items that has the same effect, for kernels that do not ask
template <class Job>
concept limiting_first = reducing_segments_of_arrays<Job> && requires(Job const j) {
  { j.limit() } -> std::same_as<index_t>;
  j.marked();
};
/// True if the aggregate of some items of a segment is one of them, and tells which.
template <class Job>
concept choosing_items = requires(Job const job,
                                  typename Job::accumulator::value_type const& total) {
  { job.place(total) } -> std::same_as<index_t>;
};
/// True if the aggregate of some items of a segment has a part of one and a part of another of
/// them.
template <class Job>
concept choosing_two_items = requires(Job const job,
                                      typename Job::accumulator::value_type const& total) {
  { job.first_place(total) } -> std::same_as<index_t>;
  { job.second_place(total) } -> std::same_as<index_t>;
  job.joined(total, total);
};
/// True if the aggregate of a segment is the number of its items.
template <class Job>
concept counting_lengths = requires {
  requires Job::counts_lengths;
};

/// True if the values of segments are answers of a predicate, whose aggregate their number tells.
template <class Job>
concept reducing_answers = reducing_segments<Job> && requires(Job const job, index_t i) {
  { job.answer(i) } -> std::same_as<bool>;
  { job.total_of_answers(i, i) } -> std::same_as<typename Job::accumulator::value_type>;
};

}  // namespace sam::inline v0_1::engine
