// SPDX-License-Identifier: MIT
// Defines the jobs of scans and of reductions.
#pragma once

#include <sam/backend/job.hpp>

#include <functional>

namespace sam::inline v0_1::detail {

/// Loads an item, transforms it, and stores its scan value.
template <class In, class T, class Transform>
struct scan_job {
  using item = In;
  using accumulator = T;
  static constexpr bool plain = std::is_same_v<Transform, std::identity> && std::is_same_v<In, T>;
  In const* in;
  T* out;
  Transform transform;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  SAM_FUNCTION item load(index_t, In const* x) const { return *x; }
  SAM_FUNCTION item load(index_t i) const { return in[i]; }
  SAM_FUNCTION accumulator to_accumulator(item x) const {
    if constexpr (std::is_same_v<Transform, std::identity>)
      return static_cast<T>(x);
    else
      return static_cast<T>(transform(x));
  }
  SAM_FUNCTION void store(index_t i, item, accumulator y) const { out[i] = y; }

  SAM_FUNCTION T const* source() const requires plain { return in; }
  SAM_FUNCTION T* target() const { return out; }
  auto again() const { return scan_job<T, T, std::identity>{out, out, {}}; }
};

/// Loads an item, transforms it, and stores only the scan values of the last row.
template <class In, class T, class Transform>
struct reduce_job : scan_job<In, T, Transform> {
  using base = scan_job<In, T, Transform>;
  static constexpr bool ends = true;
  using whole = base;
  index_t n;
  index_t components;

  SAM_FUNCTION void store(index_t i, In, T y) const {
    if (n - i <= components)
      this->out[i % components] = y;
  }
  void target() const = delete;
  void again() const = delete;
};

}  // namespace sam::inline v0_1::detail
