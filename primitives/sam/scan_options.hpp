// SPDX-License-Identifier: MIT
// Defines the options of a scan or a reduction, which follow its arrays: an operator or a
// scan_policy, and an initial value, both optional and in either order.
#pragma once

#include <sam/arguments/counted.hpp>
#include <sam/arguments/input.hpp>
#include <sam/backend/job.hpp>
#include <sam/scan_state.hpp>
#include <sam/stream_state.hpp>

#include <functional>

namespace sam::inline v0_1::detail {

/// True if an option of type X is the initial value of a scan of T. Function objects are operators,
/// even those that convert to T, as a lambda converts to bool.
template <class X, class T>
inline constexpr bool is_initial_value =
    std::is_convertible_v<X, T> && !any_scan_policy<X> && !has_call_operator<X> &&
    !callable_with<X, T const&, T const&>;

/// Holds a policy and a start, which is a from_value<T> or from_nothing.
template <class Policy, class Start>
struct scan_options {
  using policy_type = Policy;
  using start_type = Start;
  Policy policy;
  Start start;
};

template <class T>
constexpr auto scan_options_of() {
  return scan_options<scan_policy<>, from_nothing>{};
}
template <class T, class X>
constexpr auto scan_options_of(X const& x) {
  if constexpr (is_initial_value<X, T>)
    return scan_options<scan_policy<>, from_value<T>>{{}, {static_cast<T>(x)}};
  else
    return scan_options<decltype(sam::as_policy(x)), from_nothing>{sam::as_policy(x), {}};
}
template <class T, class X, class Y>
constexpr auto scan_options_of(X const& x, Y const& y) {
  if constexpr (is_initial_value<X, T> && !is_initial_value<Y, T>)
    return scan_options<decltype(sam::as_policy(y)), from_value<T>>{sam::as_policy(y),
                                                                    {static_cast<T>(x)}};
  else
    return scan_options<decltype(sam::as_policy(x)), from_value<T>>{sam::as_policy(x),
                                                                    {static_cast<T>(y)}};
}

/// Names the type in which a scan under Policy combines items that it stores as T.
template <class Policy, class T>
struct accumulator_in_policy {
  using type = T;
};
template <class Policy, class T>
requires requires { typename Policy::accumulator; }
struct accumulator_in_policy<Policy, T> {
  using type = typename Policy::accumulator;
};
template <class Policy, class T>
using accumulator_of = typename accumulator_in_policy<Policy, T>::type;
/// Names the type in which items are combined that are stored as T: as one of the options says, or
/// T.
template <class T, class... Options>
struct accumulator_option {
  using type = T;
};
template <class T, class X>
struct accumulator_option<T, X> : accumulator_in_policy<X, T> {};
template <class T, class X, class Y>
struct accumulator_option<T, X, Y> : accumulator_in_policy<X, accumulator_of<Y, T>> {};
template <class T, class... Options>
using accumulator_among = typename accumulator_option<T, Options...>::type;
template <class Out, class... Options>
using accumulator_for = accumulator_among<item_or_any_t<Out>, Options...>;

/// Checks that what is combined as A can be stored as T.
template <class A, class T>
struct stores_accumulator {
  static constexpr bool value = std::is_same_v<A, T> || requires(A const& a) { static_cast<T>(a); };
  static_assert(value, "sam: the type of accumulate_in must convert to out's item type");
};

/// Checks that no option is of accumulate_in, for calls that append to earlier runs, of which the
/// last is read as it was stored.
template <class... Options>
struct accumulates_in_items {
  static constexpr bool value = std::is_same_v<accumulator_among<void, Options...>, void>;
  static_assert(value, "sam: accumulate_in cannot be combined with earlier runs, whose values are "
                       "stored in out's item type; use an out of the wider type");
};

/// True if an input is sam::transformed and the call has no transform of its own. Then the call is
/// that of the function with a transform.
template <class In, class Transform>
inline constexpr bool fuses_transform = std::is_same_v<Transform, std::identity>&& requires {
  typename In::transformed_input_tag;
};

/// Checks one option.
template <class X, class T>
struct is_scan_option {
  static constexpr bool value = [] {
    if constexpr (is_initial_value<X, T>) {
      return init_keeps_its_value<X, T>::value;
    } else {
      using policy = decltype(sam::as_policy(std::declval<X>()));
      using op = typename policy::op_type;
      constexpr bool right = scan_operator<op, T>;
      static_assert(right,
                    "sam: the operator must be a const function object T operator()(T, T) const, "
                    "T being out's item type, or a scan_policy of one; an initial value must "
                    "convert to T; see docs/extending.md");
      return right && policy::order >= 1 && policy::tuple_size >= 0;  // or scan_policy complains
    }
  }();
};
/// Checks two options, of which exactly one must be the initial value.
template <class X, class Y, class T>
struct are_two_scan_options {
  static constexpr int initial = int{is_initial_value<X, T>} + int{is_initial_value<Y, T>};
  static constexpr bool has_state = is_scan_state<std::remove_cvref_t<place_item_t<X>>> ||
                                    is_scan_state<std::remove_cvref_t<place_item_t<Y>>>;
  static_assert(!has_state, "sam: a call with states takes three more arguments: a policy or an "
                            "operator, the state before and a place for the state after");
  static constexpr bool value = initial == 1 && !has_state;
  static_assert(has_state || initial < 2,
                "sam: two initial values were given; one of the last two arguments "
                "must be an operator or a scan_policy");
  static_assert(has_state || initial > 0,
                "sam: neither of the last two arguments converts to out's item type; "
                "one must be the initial value, the other an operator or a "
                "scan_policy");
};
template <class T, class... Options>
struct are_scan_options : std::true_type {};
template <class T, class X>
struct are_scan_options<T, X> : is_scan_option<X, T> {};
template <class T, class X, class Y>
struct are_scan_options<T, X, Y>
    : std::conjunction<are_two_scan_options<X, Y, T>, is_scan_option<X, T>, is_scan_option<Y, T>> {
};

/// Checks that an exclusive scan has a start; an inclusive one needs none.
template <bound Bound, class T, class... Options>
struct has_a_start : std::true_type {};
template <class T, class... Options>
struct has_a_start<bound::exclusive, T, Options...> {
  using options = decltype(sam::detail::scan_options_of<T>(std::declval<Options const&>()...));
  static constexpr bool value = !std::is_same_v<typename options::start_type, from_nothing> ||
                                has_identity<typename options::policy_type::op_type, T>;
  static_assert(value, "sam: this operator has no identity over out's item type; give an initial "
                       "value");
};

/// Returns `start`, or the combination of no items for an exclusive scan without a start.
template <bound Bound, class T, class Policy, class Start>
constexpr auto start_of(Policy const& policy, Start const& start) {
  if constexpr (Bound == bound::exclusive && std::is_same_v<Start, from_nothing>)
    return from_value<T>{sam::empty_of<T>(policy.op)};
  else
    return start;
}

/// Rejects a policy whose tuples have no components.
template <class Policy>
void expect_components(call_checks const& call, Policy const& policy) {
  if (policy.components < 1)
    call.refuse("policy", "has tuples of ", policy.components,
                " components; there must be at least 1");
}

/// Checks that Context can call the operator among the options.
template <class Context, class T, class... Options>
struct calls_operator {
  using options = decltype(sam::detail::scan_options_of<T>(std::declval<Options const&>()...));
  static constexpr bool value =
      runs_on<Context, typename options::policy_type::op_type, T, T>::value;
};

/// Checks that out's items are numbers, for functions that take no operator.
template <class Out>
struct holds_numbers {
  using T = item_or_any_t<Out>;
  static constexpr bool value = arithmetic<T> || is_floating<T>;
  static_assert(value, "sam: the items of out must be integers, which are added and multiplied "
                       "modulo 2^w, or floating-point numbers");
};

/// Checks a transform or, for std::identity, that the items convert to T themselves.
template <class Transform, class In, class T>
struct is_transform {
  static constexpr bool value = [] {
    using item = item_or_any_t<In>;
    if constexpr (std::is_same_v<Transform, std::identity>) {
      constexpr bool convertible = std::is_constructible_v<T, item const&>;
      static_assert(convertible, "sam: in's items must convert to out's item type; or pass a "
                                 "transform to transform_inclusive_scan or a similar function");
      return convertible && items_keep_their_values<item, T>::value;
    } else if constexpr (is_opaque<Transform>) {
      return true;  // nvcc's front end has checked it
    } else if constexpr (callable_with<Transform, item const&>) {
      using result = std::remove_cvref_t<result_of_callable_t<Transform, item const&>>;
      constexpr bool convertible = std::is_constructible_v<T, result>;
      static_assert(convertible, "sam: what transform returns must convert to out's item type");
      return convertible && result_keeps_its_value<result, T>::value;
    } else {
      constexpr bool callable = callable_with<Transform, item const&>;
      static_assert(callable, "sam: transform must be a const function object that takes an item "
                              "of in and returns one of out");
      return callable;
    }
  }();
};

/// Checks in's items, for calls that take no transform.
template <class In, class T>
struct converts_items {
  using item = item_or_any_t<In>;
  static constexpr bool convertible = std::is_constructible_v<T, item const&>;
  static_assert(convertible, "sam: in's items must convert to out's item type");
  static constexpr bool value = std::conjunction_v<std::bool_constant<convertible>,
                                                   untransformed_items_keep_their_values<item, T>>;
};

}  // namespace sam::inline v0_1::detail
