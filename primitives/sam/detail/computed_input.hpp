// SPDX-License-Identifier: MIT
// Defines the types of the inputs that <sam/inputs.hpp> returns, and the checks of them.
#pragma once

#include <sam/arguments/computed_source.hpp>
#include <sam/arguments/input.hpp>
#include <sam/detail/fill_job.hpp>
#include <sam/detail/gather_job.hpp>

#include <iterator>

namespace sam::inline v0_1 {

namespace detail {

/// Returns what a computed input keeps of its base: a copy of a computed input or of a view, or a
/// span of an array that the caller owns.
template <class A>
constexpr auto hold_input(A const& a) {
  if constexpr (is_lazy<A>)
    return a;
  else
    return sam::detail::borrow(a);
}
template <class A>
using held_input_t = decltype(sam::detail::hold_input(std::declval<A const&>()));

/// The number of arrays that an input reads.
template <class A>
inline constexpr int arrays_read_by = 1;
template <class A>
requires is_lazy<A>
inline constexpr int arrays_read_by<A> = A::arrays_read;

/// Returns the number of items of an input, or of results that an output takes.
template <class A>
constexpr index_t length_of(A const& a) {
  if constexpr (is_lazy<A> || is_computed_place<A>)
    return a.size();
  else
    return sam::size_of(a);
}

/// Returns the source of an input's base, and notes the arrays that it reads.
template <class Parameter, class Context, class A>
auto base_source(checked_call<Context> const& call, A const& a, extent*& next) {
  if constexpr (is_lazy<A>) {
    return a.template source<Parameter>(call, next);
  } else {
    auto const checked = call.template input<Parameter>(a);
    *next++ = checked;
    return engine::array_source<item_of<A>>{checked.data};
  }
}
/// Names the type of that source.
template <class A>
struct source_type_of {
  using type = engine::array_source<item_of<A>>;
};
template <class A>
requires is_lazy<A>
struct source_type_of<A> {
  using type = typename A::source_type;
};
template <class A>
using source_type_of_t = typename source_type_of<A>::type;

template <class F>
struct generated_input {
  using lazy_input = void;
  using source_type = generated_source<F>;
  using item = typename source_type::item;
  static constexpr int arrays_read = 0;
  template <class Parameter, class Context>
  using fits = runs_on<Context, F, index_t>;
  index_t n;
  F f;

  constexpr index_t size() const { return n; }
  template <class Parameter, class Context>
  source_type source(checked_call<Context> const&, extent*&) const {
    sam::detail::expect_runs_on<Context, F, index_t>();
    return {f};
  }
};

template <class Base, class F>
struct transformed_input {
  using lazy_input = void;
  using transformed_input_tag = void;
  using source_type = transformed_source<source_type_of_t<Base>, F>;
  using item = typename source_type::item;
  static constexpr int arrays_read = arrays_read_by<Base>;
  template <class Parameter, class Context>
  using fits = std::conjunction<reads_items<Parameter, Context, Base>,
                                runs_on<Context, F, item_or_any_t<Base>>>;
  Base base;
  F f;

  constexpr index_t size() const { return sam::detail::length_of(base); }
  template <class Parameter, class Context>
  source_type source(checked_call<Context> const& call, extent*& next) const {
    sam::detail::expect_runs_on<Context, F, item_or_any_t<Base>>();
    return {sam::detail::base_source<Parameter>(call, base, next), f};
  }
};

template <class Base>
struct indexed_input {
  using lazy_input = void;
  using source_type = indexed_source<source_type_of_t<Base>>;
  using item = typename source_type::item;
  static constexpr int arrays_read = arrays_read_by<Base>;
  template <class Parameter, class Context>
  using fits = reads_items<Parameter, Context, Base>;
  Base base;

  constexpr index_t size() const { return sam::detail::length_of(base); }
  template <class Parameter, class Context>
  source_type source(checked_call<Context> const& call, extent*& next) const {
    return {sam::detail::base_source<Parameter>(call, base, next)};
  }
};

/// An input of what F makes of each item and the one before it. Not for results in place.
template <class Base, class F>
struct neighbours_input {
  using lazy_input = void;
  using source_type = neighbours_source<source_type_of_t<Base>, F>;
  using item = typename source_type::item;
  static constexpr int arrays_read = arrays_read_by<Base>;
  template <class Parameter, class Context>
  using fits = std::conjunction<reads_items<Parameter, Context, Base>,
                                runs_on<Context, F, item_or_any_t<Base>, item_or_any_t<Base>>>;
  Base base;
  F f;

  constexpr index_t size() const { return sam::detail::length_of(base); }
  template <class Parameter, class Context>
  source_type source(checked_call<Context> const& call, extent*& next) const {
    sam::detail::expect_runs_on<Context, F, item_or_any_t<Base>, item_or_any_t<Base>>();
    return {sam::detail::base_source<Parameter>(call, base, next), f};
  }
};

/// Holds the bases of a zipped input.
template <class... Bases>
struct input_list {
  template <class Parameter, class Context>
  source_list<> source(checked_call<Context> const&, index_t, extent*&) const {
    return {};
  }
};
template <class Base, class... Rest>
struct input_list<Base, Rest...> {
  Base base;
  input_list<Rest...> rest;

  template <class Parameter, class Context>
  source_list<source_type_of_t<Base>, source_type_of_t<Rest>...>
  source(checked_call<Context> const& call, index_t size, extent*& next) const {
    index_t const items = sam::detail::length_of(base);
    if (items != size)
      call.refuse(Parameter::name, "zips inputs of ", size, " and of ", items,
                  " items; all must hold the same number");
    auto const first = sam::detail::base_source<Parameter>(call, base, next);
    return {first, rest.template source<Parameter>(call, size, next)};
  }
};
constexpr input_list<> list_inputs() { return {}; }
template <class A, class... Rest>
constexpr input_list<held_input_t<A>, held_input_t<Rest>...> list_inputs(A const& a,
                                                                         Rest const&... rest) {
  return {sam::detail::hold_input(a), sam::detail::list_inputs(rest...)};
}

template <class... Bases>
struct zipped_input {
  using lazy_input = void;
  using source_type = zipped_source<source_type_of_t<Bases>...>;
  using item = typename source_type::item;
  static constexpr int arrays_read = (arrays_read_by<Bases> + ...);
  template <class Parameter, class Context>
  using fits = std::conjunction<reads_items<Parameter, Context, Bases>...>;
  input_list<Bases...> bases;

  constexpr index_t size() const { return sam::detail::length_of(bases.base); }
  template <class Parameter, class Context>
  source_type source(checked_call<Context> const& call, extent*& next) const {
    return {bases.template source<Parameter>(call, size(), next)};
  }
};

template <class Base, class Indices>
struct permuted_input {
  using lazy_input = void;
  using source_type = permuted_source<source_type_of_t<Base>, source_type_of_t<Indices>>;
  using item = typename source_type::item;
  static constexpr int arrays_read = arrays_read_by<Base> + arrays_read_by<Indices>;
  template <class Parameter, class Context>
  using fits =
      std::conjunction<reads_items<Parameter, Context, Base>,
                       reads_items<parameter::indices, Context, Indices>,
                       parameter::indices::template holds_integers<item_or_any_t<Indices>>>;
  Base base;
  Indices indices;

  constexpr index_t size() const { return sam::detail::length_of(indices); }
  template <class Parameter, class Context>
  source_type source(checked_call<Context> const& call, extent*& next) const {
    index_t const items = sam::detail::length_of(base);
    if (items == 0 && size() > 0)
      call.refuse(Parameter::name, "permutes no items, but indices holds ", size());
    auto const from = sam::detail::base_source<Parameter>(call, base, next);
    auto const by = sam::detail::base_source<parameter::indices>(call, indices, next);
    if constexpr (are_checked_indices<Indices>)
      sam::detail::expect_indices(
          call, checked_array<item_of<Indices> const>{by.data, size(), parameter::indices::name},
          items, false);
    return {from, by, items};
  }
};

template <class Base>
struct strided_input {
  using lazy_input = void;
  using source_type = strided_source<source_type_of_t<Base>>;
  using item = typename source_type::item;
  static constexpr int arrays_read = arrays_read_by<Base>;
  template <class Parameter, class Context>
  using fits = reads_items<Parameter, Context, Base>;
  Base base;
  index_t step;

  constexpr index_t size() const {
    return step < 1 ? 0 : engine::div_up(sam::detail::length_of(base), step);
  }
  template <class Parameter, class Context>
  source_type source(checked_call<Context> const& call, extent*& next) const {
    if (step < 1)
      call.refuse(Parameter::name, "has a step of ", step, "; it must be at least 1");
    return {sam::detail::base_source<Parameter>(call, base, next), step};
  }
};

/// Returns what a random-access iterator points at, by index.
template <class Iterator>
struct item_at {
  Iterator first;
  SAM_FUNCTION constexpr auto operator()(index_t i) const
      -> std::remove_cvref_t<decltype(first[i])> {
    return first[static_cast<typename std::iterator_traits<Iterator>::difference_type>(i)];
  }
};

/// Checks the base of a computed input.
template <class A>
struct is_base {
  using type = std::remove_cvref_t<A>;
  static constexpr bool is_input = array<A> || is_lazy<A>;
  static_assert(is_input, "sam: a computed input needs an array, such as a std::span or a "
                          "std::vector, or another computed input");
  static constexpr bool is_kept = !is_input || is_lazy<A> || outlives_call<A>;
  static_assert(is_kept, "sam: a computed input was given a temporary that owns its items, and is "
                         "destroyed before they are read; store it in a variable");
  static constexpr bool value = is_input && is_kept;
};
/// Checks the items of a computed input.
template <class Input>
constexpr Input with_plain_items(Input const& input) {
  static_assert(std::is_trivially_copyable_v<typename Input::item>,
                "sam: the items of a computed input must be trivially copyable; std::pair and "
                "std::tuple are not, a struct of the same members is");
  return input;
}
/// Checks the function of a computed input.
template <class F, class... Args>
struct is_function {
  static constexpr bool value = callable_with<F, Args...>;
  static_assert(value, "sam: the function of a computed input must be a const function object: "
                       "generated calls f(index_t), transformed calls f(item)");
};

}  // namespace detail

}  // namespace sam::inline v0_1
