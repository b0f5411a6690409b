// SPDX-License-Identifier: MIT
// What is left to do where there is nothing to scan: storing what no item changes.
#pragma once

#include <sam/job.hpp>

#include <cstdint>

namespace sam {

namespace detail {

/// Stores one value everywhere. It reads nothing, and what its scan counts is not used.
template <class T>
struct fill_job {
  using item = bool;
  using summary = std::uint32_t;
  T* out;
  T value;

  SAM_FUNCTION bool load(index_t) const { return false; }
  SAM_FUNCTION summary summarise(bool) const { return 0; }
  SAM_FUNCTION void finish(index_t i, bool, summary) const { out[i] = value; }
};

template <class Context, class T>
void fill(Context& context, index_t n, T* out, T value) {
  run(context, n, fill_job<T>{out, value},
      make_pass<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
}

}  // namespace detail

}  // namespace sam
