// SPDX-License-Identifier: MIT
// Defines the pointers by which a job names its arrays, so that a back end may copy parts of them,
// the sources that give a job its items, and the destinations that take its results.
#pragma once

#include <sam/portable.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace sam::inline v0_1::engine {

/// Holds pointers or pointer-like objects, which have `p + i` for an index_t and *p. Examples are
/// T const* and bit_pointer.
template <class... P>
struct pointers;
template <>
struct pointers<> {
  static constexpr int count = 0;
};
template <class P, class... Rest>
struct pointers<P, Rest...> {
  static constexpr int count = 1 + int(sizeof...(Rest));
  P first;
  pointers<Rest...> rest;
};
SAM_FUNCTION inline pointers<> make_pointers() { return {}; }
template <class P, class... Rest>
SAM_FUNCTION pointers<P, Rest...> make_pointers(P first, Rest... rest) {
  return {first, engine::make_pointers(rest...)};
}
/// Calls f(p + i, q + i, ...) with all pointers and returns its result.
template <class F, class... Done>
SAM_FUNCTION decltype(auto) with_pointers(pointers<> const&, index_t, F const& f,
                                          Done const&... done) {
  return f(done...);
}
template <class P, class... Rest, class F, class... Done>
SAM_FUNCTION decltype(auto) with_pointers(pointers<P, Rest...> const& p, index_t i, F const& f,
                                          Done const&... done) {
  return engine::with_pointers(p.rest, i, f, done..., p.first + i);
}

/// Points at a bit in 32-bit words, least significant bit first.
struct bit_pointer {
  std::uint32_t const* words;
  index_t bit = 0;
  SAM_FUNCTION bool operator*() const {
    return (words[bit >> 5] >> (static_cast<unsigned>(bit) & 31u) & 1u) != 0;
  }
  SAM_FUNCTION friend bit_pointer operator+(bit_pointer p, index_t i) {
    return {p.words, p.bit + i};
  }
};

/// Returns 64 flags from `first` on, as a pointer to a byte each or as bits, the first lowest. All
/// 64 must exist.
template <class Flag>
requires(sizeof(Flag) == 1) std::uint8_t const* flags_from(Flag const* first) {
  return reinterpret_cast<std::uint8_t const*>(first);
}
inline std::uint64_t flags_from(bit_pointer first) {
  std::uint32_t const* const words = first.words + first.bit / 32;
  int const past = static_cast<int>(first.bit % 32);
  std::uint64_t const bits = std::uint64_t{words[1]} << 32 | words[0];
  return past == 0 ? bits : bits >> past | std::uint64_t{words[2]} << (64 - past);
}

/// Points at an element, of which up to `Before` earlier and `After` later neighbours are read too,
/// as far as they exist.
template <class T, int Before, int After = 0>
struct pointer_with_neighbours {
  T const* data;
  SAM_FUNCTION T const& operator*() const { return *data; }
  SAM_FUNCTION T const& operator[](int k) const { return data[k]; }
  SAM_FUNCTION friend pointer_with_neighbours operator+(pointer_with_neighbours p, index_t i) {
    return {p.data + i};
  }
};

// --- Sources -------------------------------------------------------------------------------------

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

/// Names the element type of the only array in a list of pointers; void if there is another number
/// of arrays, or neighbours of an element are read.
template <class Pointers>
struct only_element_of {
  using type = void;
};
template <class T>
struct only_element_of<pointers<T const*>> {
  using type = T;
};
/// Divides reads of a source's items into loads, which a back end may combine and make early, and
/// computations. If items are computed from one array, its elements are loaded, else items.
template <source Source>
struct source_loads {
  using element = typename only_element_of<decltype(std::declval<Source const&>().reads())>::type;
  static constexpr bool of_elements = !std::is_void_v<element>;
  using loaded = std::conditional_t<of_elements, element, typename Source::item>;

  SAM_FUNCTION static loaded load(Source const& from, index_t i) {
    if constexpr (of_elements)
      return from.reads().first[i];
    else
      return from.at(i);
  }
  /// Returns item i, given what was loaded for it.
  SAM_FUNCTION static auto item(Source const& from, index_t i, loaded const& x) ->
      typename Source::item {
    if constexpr (of_elements)
      return from.template read<0>(i, engine::make_pointers(__builtin_addressof(x)));
    else
      return x;
  }
};

// --- Destinations --------------------------------------------------------------------------------

/// Destinations take the results of a job by index. Different threads put different indices.
///
/// item       the type of the results
/// put(i, x)  takes x as result i
template <class D>
concept destination = std::copy_constructible<D> &&
    requires(D const d, index_t i, typename D::item const& x) {
  d.put(i, x);
};

/// Names what a job holds for its output, and the type of its results. The job's template parameter
/// is the item type of an array, or a destination.
template <class Out>
struct place_of {
  using item = Out;
  using type = Out*;
};
template <destination Out>
struct place_of<Out> {
  using item = typename Out::item;
  using type = Out;
};
template <class Out>
using place_of_t = typename place_of<Out>::type;
template <class Out>
using result_of_t = typename place_of<Out>::item;
/// True if a job's template parameter is the item type of an array, not a destination.
template <class Out>
inline constexpr bool is_array_place = !destination<Out>;

/// Puts result i into an array or a destination.
template <class T>
SAM_FUNCTION void put_result(T* out, index_t i, T const& x) {
  out[i] = x;
}
template <destination D>
SAM_FUNCTION void put_result(D const& out, index_t i, typename D::item const& x) {
  out.put(i, x);
}

}  // namespace sam::inline v0_1::engine
