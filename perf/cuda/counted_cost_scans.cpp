// SPDX-License-Identifier: MIT
// Counted scans, recurrences and histograms.
#include <sam/delta.hpp>
#include <sam/histogram.hpp>
#include <sam/linear_recurrence.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_scan.hpp>

#include "counted_cost.hpp"

namespace counted_cost {

void measure_scans(table& to) {
  auto& c = to.context();
  for (index_t const n : sizes) {
    arrays memory;
    auto const in = memory.copy(random_items(n)), keys = memory.copy(runs_of_ten(n)),
               offsets = memory.copy(even_offsets(n / segment, segment));
    auto const out = memory.take<u32>(n);
    to.compare("inclusive_scan", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::inclusive_scan(c, as(first(in, m)), first(out, m));
    });
    to.compare("inclusive_scan order 2", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::inclusive_scan(c, as(first(in, m)), first(out, m), sam::scan_policy<sam::plus, 2>{});
    });
    to.compare("delta_decode", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::delta_decode(c, as(first(in, m)), first(out, m));
    });
    to.compare("linear_recurrence", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::linear_recurrence(c, as(first(in, m)), first(keys, m), first(out, m));
    });
    to.compare("segmented scan by keys", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::segmented_inclusive_scan(c, as(first(in, m)), sam::by_keys(first(keys, m)),
                                    first(out, m));
    });
    to.compare("segmented scan by offsets", n, {by_item(out)}, [&](index_t m, auto const& as) {
      sam::segmented_inclusive_scan(
          c, as(first(in, m)), sam::by_offsets(first(offsets, m / segment + 1)), first(out, m));
    });
    auto const few = memory.copy(items_below(n, 256)), many = memory.copy(items_below(n, 4096));
    auto const counts = memory.take<u32>(4096);
    to.compare("histogram of 256", n, {whole(counts.first(256))}, [&](index_t m, auto const& as) {
      sam::histogram(c, as(first(few, m)), counts.first(256), sam::even_bins(0, 256));
    });
    to.compare("histogram of 4096", n, {whole(counts)}, [&](index_t m, auto const& as) {
      sam::histogram(c, as(first(many, m)), counts, sam::even_bins(0, 4096));
    });
  }
}

}  // namespace counted_cost
