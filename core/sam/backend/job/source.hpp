// SPDX-License-Identifier: MIT
// Defines sources: what a job reads its items from, which is an array or a computation by index.
#pragma once

#include <sam/backend/pointers.hpp>

#include <concepts>
#include <type_traits>

namespace sam::inline v0_1::engine {

/// Returns pointer K of a list of pointers.
template <int K, class P, class... Rest>
SAM_FUNCTION auto const& pointer_at(pointers<P, Rest...> const& all) {
  if constexpr (K == 0)
    return all.first;
  else
    return engine::pointer_at<K - 1>(all.rest);
}
/// Sources give a job its items by index. Items are trivially copyable.
///
/// arrays            the number of arrays that are read at an item's own index
/// reads()           returns the engine::pointers of these arrays
/// at(i)             returns item i
/// read<First>(i, p) returns item i, given pointers to these arrays' elements i: in memory, or in a
///                   copy that the back end made. They begin at position First of the list p
template <class S>
concept source = std::copy_constructible<S> && requires(S const s, index_t i) {
  { S::arrays } -> std::convertible_to<int>;
  s.reads();
  { s.at(i) } -> std::convertible_to<typename S::item>;
};

/// Reads an array in memory.
template <class T>
struct array_source {
  using item = T;
  static constexpr int arrays = 1;
  T const* data;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(data); }
  SAM_FUNCTION item at(index_t i) const { return data[i]; }
  template <int First, class Pointers>
  SAM_FUNCTION item read(index_t, Pointers const& p) const {
    return *engine::pointer_at<First>(p);
  }
};

/// Names the source of a job whose template parameter is a source, or the item type of an array.
template <class In>
struct source_of {
  using type = array_source<In>;
};
template <source In>
struct source_of<In> {
  using type = In;
};
template <class In>
using source_of_t = typename source_of<In>::type;
/// True if a job's template parameter is the item type of an array, not a source.
template <class In>
inline constexpr bool is_array_source = !source<In>;

}  // namespace sam::inline v0_1::engine
