// SPDX-License-Identifier: MIT
// Defines the types of the outputs that <sam/outputs.hpp> returns, and the checks of them.
#pragma once

#include <sam/arguments/computed_destination.hpp>
#include <sam/arguments/output.hpp>
#include <sam/conversion.hpp>
#include <sam/detail/computed_input.hpp>

namespace sam::inline v0_1::detail {

/// Returns what a computed output keeps of its base: a copy of a computed output or of a view, or a
/// span of an array that the caller owns.
template <class A>
constexpr auto hold_output(A& a) {
  if constexpr (is_computed_place<A>)
    return a;
  else
    return sam::detail::borrow(a);
}
template <class A>
using held_output_t = std::remove_cvref_t<decltype(sam::detail::hold_output(
    std::declval<std::remove_reference_t<A>&>()))>;

/// The numbers of arrays that an output writes and reads.
template <class A>
inline constexpr int arrays_written_by = 1;
template <class A>
requires is_computed_place<A>
inline constexpr int arrays_written_by<A> = A::arrays_written;
template <class A>
inline constexpr int arrays_read_to_write = 0;
template <class A>
requires is_computed_place<A>
inline constexpr int arrays_read_to_write<A> = A::arrays_read;

/// Returns the destination of an output's base, and notes the arrays behind it.
template <class Parameter, class Context, class A>
auto base_destination(checked_call<Context> const& call, A const& a, extent*& written,
                      extent*& read) {
  if constexpr (is_computed_place<A>) {
    return a.template destination<Parameter>(call, written, read);
  } else {
    auto const checked = call.template output<Parameter>(a);
    *written++ = checked;
    return array_destination<item_of<A>>{checked.data};
  }
}

/// Gives f of each result, of type T, to its base.
template <class Base, class T, class F>
struct transformed_place {
  using computed_place = void;
  using item = T;
  static constexpr int arrays_written = arrays_written_by<Base>;
  static constexpr int arrays_read = arrays_read_to_write<Base>;
  template <class Parameter, class Context>
  using fits = std::conjunction<writes_items<Parameter, Context, Base>, runs_on<Context, F, T>>;
  Base base;
  F f;

  constexpr index_t size() const { return sam::detail::length_of(base); }
  template <class Parameter, class Context>
  auto destination(checked_call<Context> const& call, extent*& written, extent*& read) const {
    sam::detail::expect_runs_on<Context, F, T>();
    auto const to = sam::detail::base_destination<Parameter>(call, base, written, read);
    return transformed_destination<std::remove_const_t<decltype(to)>, T, F>{to, f};
  }
};

/// Gives result i to its base as result indices[i].
template <class Base, class Indices>
struct scattered_place {
  using computed_place = void;
  using item = item_or_any_t<Base>;
  static constexpr int arrays_written = arrays_written_by<Base>;
  static constexpr int arrays_read = arrays_read_to_write<Base> + arrays_read_by<Indices>;
  template <class Parameter, class Context>
  using fits =
      std::conjunction<writes_items<Parameter, Context, Base>,
                       reads_items<parameter::indices, Context, Indices>,
                       parameter::indices::template holds_integers<item_or_any_t<Indices>>>;
  Base base;
  Indices indices;

  constexpr index_t size() const { return sam::detail::length_of(indices); }
  template <class Parameter, class Context>
  auto destination(checked_call<Context> const& call, extent*& written, extent*& read) const {
    index_t const places = sam::detail::length_of(base);
    auto const to = sam::detail::base_destination<Parameter>(call, base, written, read);
    auto const by = sam::detail::base_source<parameter::indices>(call, indices, read);
    if constexpr (are_checked_indices<Indices>)
      sam::detail::expect_indices(
          call, checked_array<item_of<Indices> const>{by.data, size(), parameter::indices::name},
          places, true);
    return scattered_destination<std::remove_const_t<decltype(to)>,
                                 std::remove_const_t<decltype(by)>>{to, by, places};
  }
};

/// Takes n results and stores none.
template <class T>
struct discarded_place {
  using computed_place = void;
  using item = T;
  static constexpr int arrays_written = 0;
  static constexpr int arrays_read = 0;
  template <class Parameter, class Context>
  using fits = std::true_type;
  index_t n;

  constexpr index_t size() const { return n; }
  template <class Parameter, class Context>
  discarded_destination<T> destination(checked_call<Context> const&, extent*&, extent*&) const {
    return {};
  }
};

/// Holds the bases of a zipped output, of which the first takes member K of each result.
template <int K, class... Bases>
struct output_list {
  template <class Parameter, class Context>
  destination_list<K> destination(checked_call<Context> const&, index_t, extent*&, extent*&) const {
    return {};
  }
};
template <int K, class Base, class... Rest>
struct output_list<K, Base, Rest...> {
  Base base;
  output_list<K + 1, Rest...> rest;

  template <class Parameter, class Context>
  auto destination(checked_call<Context> const& call, index_t size, extent*& written,
                   extent*& read) const {
    index_t const places = sam::detail::length_of(base);
    if (places != size)
      call.refuse(Parameter::name, "zips outputs of ", size, " and of ", places,
                  " items; all must hold the same number");
    auto const first = sam::detail::base_destination<Parameter>(call, base, written, read);
    return with_rest(first, rest.template destination<Parameter>(call, size, written, read));
  }

 private:
  template <class D, class... More>
  static destination_list<K, D, More...> with_rest(D const& first,
                                                   destination_list<K + 1, More...> const& others) {
    return {first, others};
  }
};
template <int K>
constexpr output_list<K> list_outputs() {
  return {};
}
template <int K, class A, class... Rest>
constexpr output_list<K, held_output_t<A>, held_output_t<Rest>...> list_outputs(A& a,
                                                                                Rest&... rest) {
  return {sam::detail::hold_output(a), sam::detail::list_outputs<K + 1>(rest...)};
}
template <class... D>
zipped_destination<D...> zip_destinations(destination_list<0, D...> const& all) {
  return {all};
}

/// Gives each of several bases a member of each result.
template <class... Bases>
struct zipped_place {
  using computed_place = void;
  using item = zipped_item<item_or_any_t<Bases>...>;
  static constexpr int arrays_written = (arrays_written_by<Bases> + ...);
  static constexpr int arrays_read = (arrays_read_to_write<Bases> + ...);
  template <class Parameter, class Context>
  using fits = std::conjunction<writes_items<Parameter, Context, Bases>...>;
  output_list<0, Bases...> bases;

  constexpr index_t size() const { return sam::detail::length_of(bases.base); }
  template <class Parameter, class Context>
  auto destination(checked_call<Context> const& call, extent*& written, extent*& read) const {
    return sam::detail::zip_destinations(
        bases.template destination<Parameter>(call, size(), written, read));
  }
};

/// Checks the base of a computed output.
template <class A>
struct is_output_base {
  static constexpr bool is_output = output_array<A> || is_computed_place<A>;
  static_assert(is_output, "sam: a computed output needs an array that may be written, such as a "
                           "std::span or a std::vector, or another computed output");
  static constexpr bool is_kept = !is_output || is_computed_place<A> || outlives_call<A>;
  static_assert(is_kept, "sam: a computed output was given a temporary that owns its items, and is "
                         "destroyed before they are read; store it in a variable");
  static constexpr bool value = is_output && is_kept;
};

/// Stands for the type of results that transformed_to takes from its function's parameter.
struct type_of_parameter {};
template <class T, class F>
struct taken_by {
  using type = T;
};
template <class P>
struct parameter_of_member;
template <class R, class C, class T>
struct parameter_of_member<R (C::*)(T) const> {
  using type = std::remove_cvref_t<T>;
};
template <class R, class C, class T>
struct parameter_of_member<R (C::*)(T) const noexcept> {
  using type = std::remove_cvref_t<T>;
};
template <class F>
struct taken_by<type_of_parameter, F> {
  static constexpr bool is_known = requires {
    typename parameter_of_member<decltype(&F::operator())>::type;
  };
  static_assert(is_known,
                "sam: transformed_to cannot see which type its function takes; give the type of "
                "the results, as in transformed_to<float>(out, f)");
  using type = unsigned char;
};
template <class F>
requires(!is_device_lambda<F> && requires {
  typename parameter_of_member<decltype(&F::operator())>::type;
}) struct taken_by<type_of_parameter, F> {
  using type = typename parameter_of_member<decltype(&F::operator())>::type;
};

/// Checks the function of transformed_to, which takes results of type T and whose own results go to
/// items of type To.
template <class F, class T, class To>
struct is_output_function {
  static constexpr bool is_one = callable_for<F, To, T const&>;
  static_assert(is_one, "sam: the function of transformed_to must be a const function object that "
                        "takes a result and returns an item of out");
  static constexpr bool is_plain = std::is_trivially_copyable_v<T>;
  static_assert(is_plain, "sam: the results of a computed output must be trivially copyable");
  static constexpr bool value = [] {
    if constexpr (is_one && is_plain && !is_opaque<F>)
      return result_keeps_its_value<std::remove_cvref_t<result_of_callable_t<F, T const&>>,
                                    To>::value;
    else
      return is_one && is_plain;
  }();
};

}  // namespace sam::inline v0_1::detail
