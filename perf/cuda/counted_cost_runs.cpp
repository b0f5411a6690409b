// SPDX-License-Identifier: MIT
// Counted runs, and reductions by key and of segments.
#include <sam/find_runs.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/unique.hpp>

#include "counted_cost.hpp"

namespace counted_cost {

void measure_runs(table& to) {
  auto& c = to.context();
  for (index_t const n : sizes) {
    arrays memory;
    auto const in = memory.copy(random_items(n)), keys = memory.copy(runs_of_ten(n));
    auto const out = memory.take<u32>(n), other = memory.take<u32>(n);
    auto const count = memory.take<index_t>(1);
    std::initializer_list<written> const all = {by_item(out), by_item(other), whole(count)};
    to.compare("reduce_by_key", n, all, [&](index_t m, auto const& as) {
      sam::reduce_by_key(c, as(first(keys, m)), first(in, m), first(out, m), first(other, m),
                         count);
    });
    to.compare("unique_by_key", n, all, [&](index_t m, auto const& as) {
      sam::unique_by_key(c, as(first(keys, m)), first(in, m), first(out, m), first(other, m),
                         count);
    });
    to.compare("run_length_encode", n, all, [&](index_t m, auto const& as) {
      sam::run_length_encode(c, as(first(keys, m)), first(out, m), first(other, m), count);
    });
    to.compare("find_runs", n, all, [&](index_t m, auto const& as) {
      sam::find_runs(c, as(first(keys, m)), first(out, m), first(other, m), count);
    });
    if (n <= 1 << 20) {  // runs of 4 to 12
      auto lengths = items_below(n, 9);
      for (u32& length : lengths)
        length += 4;
      auto const of = memory.copy(lengths);
      auto const decoded = memory.take<u32>(8 * n);
      to.compare("run_length_decode", n, {by_item(decoded, 4), whole(count)},
                 [&](index_t m, auto const& as) {
                   sam::run_length_decode(c, as(first(in, m)), first(of, m), decoded, count);
                 });
    }
  }
  for (index_t const n : segment_counts) {
    arrays memory;
    auto const in = memory.copy(random_items(n * segment)),
               offsets = memory.copy(even_offsets(n, segment));
    auto const out = memory.take<u32>(n);
    to.compare("segmented_reduce, counted offsets", n, {by_item(out)},
               [&](index_t m, auto const& as) {
                 sam::segmented_reduce(c, first(in, m * segment),
                                       sam::by_offsets(as(first(offsets, m + 1))), first(out, m));
               });
    to.compare("segmented_reduce, counted items", n * segment, {by_segment(out)},
               [&](index_t m, auto const& as) {
                 sam::segmented_reduce(c, as(first(in, m)),
                                       sam::by_offsets(first(offsets, m / segment + 1)),
                                       first(out, m / segment));
               });
  }
}

}  // namespace counted_cost
