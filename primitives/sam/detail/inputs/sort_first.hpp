// SPDX-License-Identifier: MIT
// Sorts the first keys of an array, by their number in the context's memory.
#pragma once

#include <sam/backend/sort_job.hpp>
#include <sam/context.hpp>
#include <sam/detail/counted_input.hpp>

namespace sam::inline v0_1::detail {

/// The bytes of workspace in which a counted sort keeps its number of keys.
template <class Number>
inline constexpr index_t number_bytes = std::is_same_v<Number, known_count> ? 0 : 256;

/// Sorts the first keys of a job, by their number. A number of 4 or 8 bytes is read in place, and
/// any other is converted to an index_t at `place`. A context that does not sort by a number in its
/// memory waits for it.
template <class Context, class Job, class Number>
void sort_first(Context& context, Job job, Number const& number, index_t* place) {
  static_assert(sorts<Context, Job>, "sam: this context has no sort(job), which sorts need");
  if constexpr (sorts_counted<Context, Job>) {
    if constexpr (is_read_in_place<Number>)
      if (number.capacity >= job.n)
        return context.sort_counted(job, number.at);
    detail::store_number(context, number, place);
    context.sort_counted(job, place);
  } else {
    index_t const first = engine::result_of<index_t>(
        context, [&](index_t* result) { detail::store_number(context, number, result); });
    if (!engine::measures(context))
      job.n = first;
    if (job.n > 0)
      context.sort(job);
  }
}

}  // namespace sam::inline v0_1::detail
