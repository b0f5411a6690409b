// SPDX-License-Identifier: MIT
// Keeps the results of a call in the context's memory, for calls that need an array to write to,
// and gives them to a computed output at the end.
#pragma once

#include <sam/arguments/computed_destination.hpp>
#include <sam/arguments/output.hpp>
#include <sam/conversion.hpp>
#include <sam/detail/fill_job.hpp>
#include <sam/detail/inputs/copy_input.hpp>

namespace sam::inline v0_1::detail {

// Return a checked output of results of type A, which it converts to its own items by static_cast.
// An output that takes these stays as it is.

template <class A, class T>
auto results_as(checked_array<T> const& out) {
  if constexpr (std::is_same_v<A, T>)
    return out;
  else
    return checked_output<transformed_destination<array_destination<T>, A, converted<T>>, 1, 0>{
        {{out.data}, {}}, out.size, out.name, sam::detail::arrays_behind(out)};
}
template <class A, class Destination, int Written, int Read>
auto results_as(checked_output<Destination, Written, Read> const& out) {
  using T = typename Destination::item;
  if constexpr (std::is_same_v<A, T>)
    return out;
  else
    return checked_output<transformed_destination<Destination, A, converted<T>>, Written, Read>{
        {out.data, {}}, out.size, out.name, out.arrays};
}

/// Rejects an output that overlaps an input which the call reads where it lies. The items of a
/// computed input are stored before the call writes, so a computed output may write to its arrays.
template <class Out, class... Inputs>
void expect_apart_from_read(call_checks const& call, Out const& out, Inputs const&... inputs) {
  (call.apart(out, inputs), ...);
  (sam::detail::expect_apart_from_inputs(call, out, extent(inputs)), ...);
}
/// Rejects an output that overlaps such an input without being the same array.
template <class Out, class In>
void expect_in_place_or_apart_from_read(call_checks const& call, Out const& out, In const& in) {
  call.same_or_apart(out, in);
  sam::detail::expect_apart_from_inputs(call, out, extent(in));
}
/// Rejects outputs of sorted pairs that overlap their inputs, unless in place, or one another.
template <class Keys, class Values, class ToKeys, class ToValues>
void expect_pairs_apart(call_checks const& call, Keys const& keys, Values const& values,
                        ToKeys const& to_keys, ToValues const& to_values) {
  detail::expect_in_place_or_apart_from_read(call, to_keys, keys);
  detail::expect_in_place_or_apart_from_read(call, to_values, values);
  detail::expect_apart_from_read(call, to_keys, values);
  detail::expect_apart_from_read(call, to_values, keys);
  call.apart(to_values, to_keys);
  sam::detail::expect_outputs_apart(call, to_values, to_keys);
}

/// A computed output that a call writes to as results are made.
template <class Destination, int Written, int Read>
inline constexpr bool is_in_memory<checked_output<Destination, Written, Read>> = true;

// Return where a call writes its results, in the form that in_memory takes: an array as it is, or
// room for the results that a computed output takes later.

inline nothing_to_store results_in_memory(nothing_to_store) { return {}; }
template <class T>
checked_array<T> results_in_memory(checked_array<T> const& out) {
  return out;
}
template <class Destination, int Written, int Read>
room_for<typename Destination::item>
results_in_memory(checked_output<Destination, Written, Read> const& out) {
  return {out.size};
}

// Give the first of n results to a computed output, if it does not have them yet.

template <class Context, class Out, class Number>
void give_results(Context&, Out const&, Out const&, index_t, Number const&) {}
template <class Context, class T, class Destination, int Written, int Read, class Number>
void give_results(Context& context, checked_array<T> const& results,
                  checked_output<Destination, Written, Read> const& out, index_t n,
                  Number const& number) {
  detail::give_items(context, n, results.data, out.data, number);
}

}  // namespace sam::inline v0_1::detail
