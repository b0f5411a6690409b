// SPDX-License-Identifier: MIT
// The keys and the arguments of traced sorts.
#pragma once

#include <sam/gpu/sort/sort_arguments.hpp>

#include "cases.hpp"

namespace memory_trace {

template <class Key>
using job_of = sam::engine::sort_job<Key, sam::no_values, sam::number_digits<Key>>;

/// Keys to sort, and the arguments of the kernels.
template <class Key>
struct trial {
  explicit trial(index_t n) : keys(random_array<Key>(n, ~0ull)), sorted(n) {
    a.job.n = n;
    a.job.keys = keys.data();
    a.job.sorted_keys = sorted.data();
    a.job.end_bit = 8 * int(sizeof(Key));
  }
  array<Key> keys, sorted;
  sam::gpu::sort_arguments<job_of<Key>> a{};
};

}  // namespace memory_trace
