// SPDX-License-Identifier: MIT
// Counted selections, partitions, and moves by indices.
#include <sam/adjacent_difference.hpp>
#include <sam/compact.hpp>
#include <sam/gather.hpp>
#include <sam/partition.hpp>
#include <sam/unique.hpp>

#include "counted_cost.hpp"

namespace counted_cost {

struct is_below {
  u32 limit;
  SAM_FUNCTION bool operator()(u32 x) const { return x < limit; }
};

void measure_selections(table& to) {
  auto& c = to.context();
  constexpr u32 third = 0x5555'5555;
  for (index_t const n : sizes) {
    arrays memory;
    auto const in = memory.copy(random_items(n)), keys = memory.copy(runs_of_ten(n));
    auto const out = memory.take<u32>(n);
    auto const count = memory.take<index_t>(1), counts = memory.take<index_t>(2);
    std::initializer_list<written> const all = {by_item(out), whole(count), whole(counts)};
    to.compare("compact", n, all, [&](index_t m, auto const& as) {
      sam::compact(c, as(first(in, m)), first(out, m), is_below{third}, count);
    });
    to.compare("compact_indices", n, all, [&](index_t m, auto const& as) {
      sam::compact_indices(c, as(first(in, m)), first(out, m), is_below{third}, count);
    });
    to.compare("unique", n, all, [&](index_t m, auto const& as) {
      sam::unique(c, as(first(keys, m)), first(out, m), count);
    });
    to.compare("partition", n, all, [&](index_t m, auto const& as) {
      sam::partition(c, as(first(in, m)), first(out, m), is_below{third}, count);
    });
    to.compare("three_way_partition", n, all, [&](index_t m, auto const& as) {
      sam::three_way_partition(c, as(first(in, m)), first(out, m), is_below{third},
                               is_below{2 * third}, counts);
    });
    std::vector<u32> indices(std::size_t(n), 0);  // within groups of 512 in another order
    for (std::size_t i = 0; i < indices.size(); ++i)
      indices[i] = u32((i / 512) * 512 + (i * 421) % 512);
    auto const by = memory.copy(indices);
    to.compare("gather", n, all, [&](index_t m, auto const& as) {
      sam::gather(c, first(in, m), as(first(by, m)), first(out, m));
    });
    to.compare("scatter", n, all, [&](index_t m, auto const& as) {
      sam::scatter(c, as(first(in, m)), first(by, m), first(out, m));
    });
    to.compare("adjacent_difference", n, all, [&](index_t m, auto const& as) {
      sam::adjacent_difference(c, as(first(in, m)), first(out, m));
    });
  }
}

}  // namespace counted_cost
