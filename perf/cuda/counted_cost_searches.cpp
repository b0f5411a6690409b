// SPDX-License-Identifier: MIT
// Counted reductions, and searches for items and values.
#include <sam/binary_search.hpp>
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/inner_product.hpp>
#include <sam/reduce.hpp>

#include "counted_cost.hpp"

namespace counted_cost {

struct is_none {
  SAM_FUNCTION bool operator()(u32 x) const { return x == 0xffff'ffff; }
};

void measure_searches(table& to) {
  auto& c = to.context();
  for (index_t const n : sizes) {
    arrays memory;
    auto const in = memory.copy(items_below(n, 1'000'000'000)),
               sorted = memory.copy(rising_items(n, 1)), sought = memory.copy(rising_items(n, 2)),
               random = memory.copy(items_below(n, u32(n / 2), 3));
    auto const sum = memory.take<u32>(1), out = memory.take<u32>(n);
    auto const index = memory.take<index_t>(1);
    to.compare("reduce", n, {whole(sum)},
               [&](index_t m, auto const& as) { sam::reduce(c, as(first(in, m)), sum); });
    to.compare("find_if, none", n, {whole(index)}, [&](index_t m, auto const& as) {
      sam::find_if(c, as(first(in, m)), is_none{}, index);
    });
    to.compare("count_if", n, {whole(index)}, [&](index_t m, auto const& as) {
      sam::count_if(c, as(first(in, m)), costs::is_odd{}, index);
    });
    to.compare("argmin", n, {whole(index)},
               [&](index_t m, auto const& as) { sam::argmin(c, as(first(in, m)), index); });
    to.compare("inner_product", n, {whole(sum)}, [&](index_t m, auto const& as) {
      sam::inner_product(c, as(first(in, m)), first(random, m), sum);
    });
    to.compare("lower_bound of sorted values", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::lower_bound(c, as(first(sorted, m)), as(first(sought, m)), first(out, m));
    });
    to.compare("lower_bound of random values", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::lower_bound(c, as(first(sorted, m)), as(first(random, m)), first(out, m));
    });
  }
}

}  // namespace counted_cost
