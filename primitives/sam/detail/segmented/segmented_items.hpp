// SPDX-License-Identifier: MIT
// Defines the items of segmented jobs: values of an array or of a source, each with its head flag.
// The arrays of a source are those of the job, so that back ends copy them as they copy an array of
// values, and compute a value where they use it.
#pragma once

#include <sam/algebra/segmented.hpp>
#include <sam/arguments/computed_source.hpp>
#include <sam/arguments/input.hpp>
#include <sam/backend/pointers.hpp>
#include <sam/backend/resolved_policy.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace sam::inline v0_1::detail {

template <class T>
struct headed {
  T value;
  bool head;
};

/// Gives the items of a source as values[i].
template <source Source>
struct source_values {
  Source source;
  SAM_FUNCTION auto operator[](index_t i) const { return source.at(i); }
};
/// Returns the values of a checked input: a pointer to those of an array, or source_values.
template <class T>
T const* values_of(checked_array<T const> const& in) {
  return in.data;
}
template <class Source, int Arrays>
source_values<Source> values_of(checked_input<Source, Arrays> const& in) {
  return {in.source};
}

/// Tells which arrays values are read from, if they are the items of an array or of a source:
///
/// arrays, reads()   as for a source (sam/backend/pointers.hpp)
/// read(values, i, p)  returns value i, given pointers to the arrays' elements i, first in p
template <class Values>
struct reads_of_values {
  static constexpr int arrays = 0;
};
template <class T>
struct reads_of_values<T const*> {
  static constexpr int arrays = 1;
  static SAM_FUNCTION auto reads(T const* values) { return engine::make_pointers(values); }
  template <class Pointers>
  static SAM_FUNCTION T const& read(T const*, index_t, Pointers const& p) {
    return *p.first;
  }
};
template <class Source>
struct reads_of_values<source_values<Source>> {
  static constexpr int arrays = Source::arrays;
  static SAM_FUNCTION auto reads(source_values<Source> const& values) {
    return values.source.reads();
  }
  template <class Pointers>
  static SAM_FUNCTION auto read(source_values<Source> const& values, index_t i, Pointers const& p) {
    return values.source.template read<0>(i, p);
  }
};

template <class Number, class Keep>
struct one_if;  // <sam/segmented_find.hpp>
/// Tells the answers of a predicate, if values are 1 or 0 by them, and what it is asked about.
template <class Values>
struct answers_of_values {
  static constexpr bool are_answers = false;
  using asked = void;
};
template <class Base, class Number, class Keep>
struct answers_of_values<source_values<transformed_source<Base, one_if<Number, Keep>>>> {
  static constexpr bool are_answers = true;
  using asked = typename Base::item;
  using values_type = source_values<transformed_source<Base, one_if<Number, Keep>>>;
  static bool answer(values_type const& values, index_t i) {
    return static_cast<bool>(values.source.f.keep(values.source.base.at(i)));
  }
  /// True if an answer of true is 1.
  static bool is_yes_one(values_type const& values) {
    return static_cast<bool>(values.source.f.yes);
  }
};

/// True if head flags are read from bits, 32 at a time.
template <class Heads>
concept has_flags_at = requires(Heads heads) {
  { heads.from(heads.pointer()) } -> std::same_as<std::uint32_t>;
};
/// True if keys are read from an array.
template <class Heads>
concept has_keys_at = requires(Heads heads) {
  heads.key(heads.pointer());
};

/// Loads items of `values`, which is a pointer or has values[i]. Each segment begins with `start`,
/// if that is a value.
template <class T, class Count, class Values, class Heads, class Op, class Start>
struct segmented_items {
  using value_type = std::remove_cvref_t<decltype(std::declval<Values const&>()[index_t{}])>;
  using item = headed<value_type>;
  using accumulator = segmented_value<T, Count>;
  using reads_values = reads_of_values<Values>;
  static constexpr bool holds_keys = false;
  static constexpr int arrays = reads_values::arrays;
  Values values;
  Heads heads;
  Op op;
  Start start;

  SAM_FUNCTION auto reads() const requires(arrays > 0 && requires(Heads h) { h.pointer(); }) {
    return sam::detail::join_pointers(reads_values::reads(values),
                                      engine::make_pointers(heads.pointer()));
  }
  SAM_FUNCTION auto reads() const requires(arrays > 0 && Heads::reads_nothing) {
    return reads_values::reads(values);
  }
  template <class... P>
  requires(arrays > 0 && int(sizeof...(P)) >= arrays) SAM_FUNCTION item
      load(index_t i, P const&... all)
  const {
    auto const p = engine::make_pointers(all...);
    if constexpr (int(sizeof...(P)) == arrays)
      return {reads_values::read(values, i, p), heads.at(i)};
    else
      return {reads_values::read(values, i, p), heads.at(i, engine::pointer_at<arrays>(p))};
  }
  SAM_FUNCTION item load(index_t i) const { return {values[i], heads.at(i)}; }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    T const value = static_cast<T>(x.value);
    if constexpr (std::is_same_v<Start, from_nothing>)
      return {value, static_cast<Count>(x.head)};
    else
      return {detail::combine_in_segment(op, start.value, value, !x.head),
              static_cast<Count>(x.head)};
  }

  template <class... P>
  requires(int(sizeof...(P)) == arrays + 1 && has_flags_at<Heads>) SAM_FUNCTION std::uint32_t
      heads_at(P const&... all)
  const { return heads.from(engine::pointer_at<arrays>(engine::make_pointers(all...))); }
  SAM_FUNCTION decltype(auto) key(index_t i, item const&) const requires requires(Heads h) {
    h.key(i);
  }
  { return heads.key(i); }
  template <class... P>
  requires(int(sizeof...(P)) == arrays + 1 && has_keys_at<Heads>)
      SAM_FUNCTION auto const& key(P const&... all) const {
    return heads.key(engine::pointer_at<arrays>(engine::make_pointers(all...)));
  }
};

}  // namespace sam::inline v0_1::detail
