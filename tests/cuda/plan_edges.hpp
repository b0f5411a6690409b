// SPDX-License-Identifier: MIT
// Computes the numbers of keys at which the sort plan changes from one row to another.
#pragma once

#include <sam/cuda/sort.hpp>

#include <set>

namespace test {

using sam::index_t;

/// The job type that sorts such keys and values in numeric order.
template <class Key, class Value>
using sort_job_of = sam::engine::sort_job<Key, Value, sam::flipped_digits<sam::number_digits<Key>>>;

/// Returns the edges of all rows of a plan up to `most` keys, each with its two neighbours.
template <class Plan>
std::set<index_t> edges_of(index_t most) {
  std::set<index_t> edges{1, 31};
  auto const add = [&](index_t n) {
    for (index_t const x : {n - 1, n, n + 1})
      if (x > 0 && x <= most)
        edges.insert(x);
  };
  for (sam::cuda::sort_row const& row : Plan::table) {
    add(row.least_keys);
    add(row.most_keys);
    add(row.most_keys_per_block);  // one onesweep tile
  }
  return edges;
}
template <class Key, class Value>
std::set<index_t> plan_edges(index_t most) {
  using job = sort_job_of<Key, Value>;
  auto edges = edges_of<sam::cuda::sort_plan<job>>(most);
  edges.merge(edges_of<sam::cuda::sort_plan<job, sam::sort_facts{.all_bits = true}>>(most));
  return edges;
}

}  // namespace test
