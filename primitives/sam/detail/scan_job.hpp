// SPDX-License-Identifier: MIT
// Defines the jobs of scans and of reductions.
#pragma once

#include <sam/backend/job.hpp>

#include <functional>

namespace sam::inline v0_1::detail {

/// Stands for the item type of a job whose items are combined in one type and stored in another.
template <class Accumulator, class Output>
struct accumulated_in;

/// Names the types in which a job combines and stores items.
template <class T>
struct types_of_scan {
  using accumulator = T;
  using output = T;
};
template <class Accumulator, class Output>
struct types_of_scan<accumulated_in<Accumulator, Output>> {
  using accumulator = Accumulator;
  using output = Output;
};
/// Names the T of a scan_job.
template <class Accumulator, class Output>
using scanned_as = std::conditional_t<std::is_same_v<Accumulator, Output>, Output,
                                      accumulated_in<Accumulator, Output>>;

/// Loads an item, transforms it, and stores its scan value. In is the item type of an array, or a
/// source. T is the type of the scan values, or an accumulated_in.
template <class In, class T, class Transform>
struct scan_job {
  using source_type = source_of_t<In>;
  using item = typename source_type::item;
  using accumulator = typename types_of_scan<T>::accumulator;
  using stored = typename types_of_scan<T>::output;
  static constexpr bool plain = std::is_same_v<Transform, std::identity> && is_array_source<In> &&
                                std::is_same_v<item, accumulator>;
  static constexpr bool rounds = !std::is_same_v<stored, accumulator>;
  source_type in;
  stored* out;
  Transform transform;

  SAM_FUNCTION auto reads() const requires(source_type::arrays > 0) { return in.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    if constexpr (sizeof...(P) == 0)
      return in.at(i);
    else
      return in.template read<0>(i, engine::make_pointers(p...));
  }
  SAM_FUNCTION accumulator to_accumulator(item x) const {
    if constexpr (std::is_same_v<Transform, std::identity>)
      return static_cast<accumulator>(x);
    else
      return static_cast<accumulator>(transform(x));
  }
  SAM_FUNCTION void store(index_t i, item, accumulator y) const { out[i] = static_cast<stored>(y); }

  SAM_FUNCTION accumulator const* source() const requires plain { return in.data; }
  SAM_FUNCTION stored* target() const { return out; }
  SAM_FUNCTION stored output(item const&, accumulator const& y) const requires rounds {
    return static_cast<stored>(y);
  }
  auto again() const { return scan_job<stored, T, std::identity>{{out}, out, {}}; }
};

/// Loads an item, transforms it, and stores only the scan values of the last row.
template <class In, class T, class Transform>
struct reduce_job : scan_job<In, T, Transform> {
  using base = scan_job<In, T, Transform>;
  static constexpr bool ends = true;
  using whole = base;
  index_t n;
  index_t components;

  SAM_FUNCTION void store(index_t i, typename base::item, typename base::accumulator y) const {
    if (n - i <= components)
      this->out[i % components] = static_cast<typename base::stored>(y);
  }
  void target() const = delete;
  void output() const = delete;
  void again() const = delete;
};

}  // namespace sam::inline v0_1::detail
