// SPDX-License-Identifier: MIT
// Counted radix sorts and selections by rank.
#include <sam/radix_sort.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/top_k.hpp>

#include "counted_cost.hpp"

namespace counted_cost {

void measure_sorts(table& to) {
  auto& c = to.context();
  for (index_t const n : sizes) {
    arrays memory;
    auto const in = memory.copy(random_items(n));
    auto const out = memory.take<u32>(n), few = memory.take<u32>(100);
    to.compare("radix_sort", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::radix_sort(c, as(first(in, m)), first(out, m));
    });
    to.compare("radix_argsort", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::radix_argsort(c, as(first(in, m)), first(out, m));
    });
    to.compare("top_k of 100", n, {whole(few)},
               [&](index_t m, auto const& as) { sam::top_k(c, as(first(in, m)), few); });
  }
  for (index_t const n : {1 << 20, 1 << 24}) {
    arrays memory;
    auto const in = memory.copy(random_items(n));
    for (index_t const k : {1 << 7, 1 << 10, 1 << 16}) {
      auto const out = memory.take<u32>(k);
      to.compare(n == 1 << 20 ? "top_k of 2^20, counted k" : "top_k of 2^24, counted k", k,
                 {by_item(out)},
                 [&](index_t m, auto const& as) { sam::top_k(c, in, as(first(out, m))); });
    }
  }
  for (index_t const n : segment_counts) {
    arrays memory;
    auto const in = memory.copy(random_items(n * segment)),
               offsets = memory.copy(even_offsets(n, segment));
    auto const out = memory.take<u32>(n * segment);
    to.compare("segmented_radix_sort, counted offsets", n, {by_item(out, segment)},
               [&](index_t m, auto const& as) {
                 sam::segmented_radix_sort(c, first(in, m * segment),
                                           sam::by_offsets(as(first(offsets, m + 1))),
                                           first(out, m * segment));
               });
    to.compare("segmented_radix_sort, counted keys", n * segment, {by_item(out)},
               [&](index_t m, auto const& as) {
                 sam::segmented_radix_sort(c, as(first(in, m)),
                                           sam::by_offsets(first(offsets, m / segment + 1)),
                                           first(out, m));
               });
  }
}

}  // namespace counted_cost
