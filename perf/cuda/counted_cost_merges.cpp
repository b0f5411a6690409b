// SPDX-License-Identifier: MIT
// Counted merges, sorts by a comparison, and set operations. Those of two arrays have n items of
// each.
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/set_operations.hpp>

#include "counted_cost.hpp"

namespace counted_cost {

void measure_merges(table& to) {
  auto& c = to.context();
  for (index_t const n : sizes) {
    arrays memory;
    auto const in = memory.copy(random_items(n)), a = memory.copy(rising_items(n, 1)),
               b = memory.copy(rising_items(n, 2));
    auto const out = memory.take<u32>(2 * n);
    auto const count = memory.take<index_t>(1);
    to.compare("merge", n, {by_item(out, 2)}, [&](index_t m, auto const& as) {
      sam::merge(c, as(first(a, m)), as(first(b, m)), first(out, 2 * m));
    });
    to.compare("set_union", n, {by_item(out, 2), whole(count)}, [&](index_t m, auto const& as) {
      sam::set_union(c, as(first(a, m)), as(first(b, m)), first(out, 2 * m), count);
    });
    to.compare("set_intersection", n, {by_item(out), whole(count)}, [&](index_t m, auto const& as) {
      sam::set_intersection(c, as(first(a, m)), as(first(b, m)), first(out, m), count);
    });
    to.compare("merge_sort", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::merge_sort(c, as(first(in, m)), first(out, m), is_less{});
    });
    to.compare("merge_argsort", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::merge_argsort(c, as(first(in, m)), first(out, m), is_less{});
    });
  }
}

}  // namespace counted_cost
