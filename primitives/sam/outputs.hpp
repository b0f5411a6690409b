// SPDX-License-Identifier: MIT
// Defines outputs that are no arrays: they compute what a result is stored as, or where, when a
// primitive writes it, on the host or on the device.
#pragma once

#include <sam/detail/outputs/computed_output.hpp>

namespace sam::inline v0_1 {

// All of the following are outputs of the calls that docs/arguments.md names. They are values of a
// few words, which copy freely and keep pointers to the arrays behind them. Those arrays must live
// until the call has done its work, lie in memory that the context reaches, and lie apart from what
// else the call reads or writes.

/// Returns an output that stores f(x) in place of each result x. As an output of scans, it sets the
/// type in which items are combined to T.
///
/// T    the type of the results that it takes; without it, the type of f's parameter, if f is a
///      function object with one operator() that is no template
/// out  an array or a computed output, of the type that f returns
/// f    a const function object that takes a T. A device calls it for a context on a device. It is
///      called once for each result that is stored
template <class T = detail::type_of_parameter, class Out, class F>
constexpr auto transformed_to(Out&& out, F f) {
  if constexpr (detail::is_output_base<Out>::value) {
    using base = detail::held_output_t<Out>;
    using taken = typename detail::taken_by<T, F>::type;
    if constexpr (detail::is_output_function<F, taken, detail::item_or_any_t<base>>::value)
      return detail::transformed_place<base, taken, F>{detail::hold_output(out), f};
  }
}

/// Returns an output that stores result i at out[indices[i]]. It takes as many results as there are
/// indices. An index out of range drops its result; of several results with one index, any may
/// remain.
///
/// out      an array or a computed output, whose other items keep their values
/// indices  an array or a computed input of integers; or sam::checked_indices of an array
///          (<sam/gather.hpp>), which each call checks first to be distinct and in range, and for
///          which it waits
template <class Out, class Indices>
constexpr auto scattered(Out&& out, Indices&& indices) {
  if constexpr (std::conjunction_v<detail::is_output_base<Out>, detail::is_base<Indices>>)
    return detail::scattered_place<detail::held_output_t<Out>,
                                   detail::held_input_t<std::remove_cvref_t<Indices>>>{
        detail::hold_output(out), detail::hold_input(indices)};
}

/// Returns an output that takes n results of type T and stores none. It stands for an output of
/// which a call is to compute only the others, such as a count or a state.
template <class T>
constexpr auto discarded(index_t n) {
  static_assert(std::is_trivially_copyable_v<T>,
                "sam: the results of a computed output must be trivially copyable");
  return detail::discarded_place<T>{n};
}

/// Returns an output that takes sam::zipped_items, and stores each member in an output of its own:
/// `first` in a, `second` in b, and so on for two to four outputs. A call throws
/// sam::invalid_argument if their sizes differ.
template <class A, class B, class... Others>
constexpr auto zipped_to(A&& a, B&& b, Others&&... others) {
  static_assert(sizeof...(Others) <= 2, "sam: zipped_to takes two to four outputs");
  if constexpr (std::conjunction_v<detail::is_output_base<A>, detail::is_output_base<B>,
                                   detail::is_output_base<Others>...>)
    return detail::zipped_place<detail::held_output_t<A>, detail::held_output_t<B>,
                                detail::held_output_t<Others>...>{
        detail::list_outputs<0>(a, b, others...)};
}

}  // namespace sam::inline v0_1
