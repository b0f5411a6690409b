// SPDX-License-Identifier: MIT
// Defines a job that stores one value everywhere, for calls with nothing to scan.
#pragma once

#include <sam/backend/job.hpp>

#include <cstdint>

namespace sam::inline v0_1 {

namespace detail {

/// Stores one value everywhere. It reads no array and ignores scan values.
template <class T>
struct fill_job {
  using item = T;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  T* out;
  T value;

  SAM_FUNCTION T load(index_t) const { return value; }
  SAM_FUNCTION accumulator to_accumulator(T const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, T const& x, accumulator) const { out[i] = x; }
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION void make(index_t, index_t count, T* to) const {
    for (index_t k = 0; k < count; ++k)
      to[k] = value;
  }
  static SAM_FUNCTION index_t capacity() { return highest_of<index_t>; }
};

template <class Context, class T>
void fill(Context& context, index_t n, T* out, T value) {
  context.run(n, fill_job<T>{out, value},
              resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
}

}  // namespace detail

}  // namespace sam::inline v0_1
