// SPDX-License-Identifier: MIT
// Defines inputs that are no arrays: they compute item i when a primitive reads it, on the host or
// on the device, so that no memory holds the items.
#pragma once

#include <sam/detail/computed_input.hpp>

#include <iterator>

namespace sam::inline v0_1 {

// All of the following are inputs of the calls that docs/arguments.md names, among them scans,
// reductions, compaction, searches, sorts of keys, selections by rank, merges, histograms and runs.
// They are values of a few words, which copy freely and keep pointers to the arrays they read.
// Those arrays must live until the call has done its work, and lie in memory that the context
// reaches. They must lie apart from what the call writes, unless it stores the items first.

/// Returns an input of n items, of which item i is f(i).
///
/// n  the number of items, at least 0
/// f  a const function object that takes an index_t and returns a trivially copyable item. A device
///    calls it for a context on a device. It may be called more than once for an index
template <class F>
constexpr auto generated(index_t n, F f) {
  if constexpr (detail::is_function<F, index_t>::value)
    return detail::with_plain_items(detail::generated_input<F>{n, f});
}

/// Returns an input of n items equal to x.
template <class T>
constexpr auto constant(index_t n, T x) {
  return sam::generated(n, detail::always<T>{x});
}

/// Returns an input whose item i is f(in[i]). A scan or reduction of it runs as transform_* with f,
/// so that a transform of an array costs no more than those.
///
/// in  an array or a computed input
/// f   a const function object that takes an item and returns a trivially copyable one
template <class In, class F>
constexpr auto transformed(In&& in, F f) {
  if constexpr (detail::is_base<In>::value) {
    using base = detail::held_input_t<std::remove_cvref_t<In>>;
    if constexpr (detail::is_function<F, detail::item_or_any_t<base> const&>::value)
      return detail::with_plain_items(
          detail::transformed_input<base, F>{detail::hold_input(in), f});
  }
}

/// Returns an input whose item i has the members `index`, which is i, and `value`, which is in[i].
template <class In>
constexpr auto indexed(In&& in) {
  if constexpr (detail::is_base<In>::value)
    return detail::indexed_input<detail::held_input_t<std::remove_cvref_t<In>>>{
        detail::hold_input(in)};
}

/// Returns an input whose item i has the items i of two to four inputs as members `first`,
/// `second`, `third` and `fourth`. A call throws sam::invalid_argument if their sizes differ.
template <class A, class B, class... Others>
constexpr auto zipped(A&& a, B&& b, Others&&... others) {
  static_assert(sizeof...(Others) <= 2, "sam: zipped takes two to four inputs");
  if constexpr (std::conjunction_v<detail::is_base<A>, detail::is_base<B>,
                                   detail::is_base<Others>...>)
    return detail::zipped_input<detail::held_input_t<std::remove_cvref_t<A>>,
                                detail::held_input_t<std::remove_cvref_t<B>>,
                                detail::held_input_t<std::remove_cvref_t<Others>>...>{
        detail::list_inputs(a, b, others...)};
}

/// Returns an input whose item i is in[indices[i]]. An index out of range gives an unspecified item
/// of in; nothing outside in is read. A call throws sam::invalid_argument if in is empty and
/// indices is not.
///
/// indices  an array or a computed input of integers; or sam::checked_indices of an array
///          (<sam/gather.hpp>), whose range each call checks first, for which it waits
template <class In, class Indices>
constexpr auto permuted(In&& in, Indices&& indices) {
  if constexpr (std::conjunction_v<detail::is_base<In>, detail::is_base<Indices>>)
    return detail::permuted_input<detail::held_input_t<std::remove_cvref_t<In>>,
                                  detail::held_input_t<std::remove_cvref_t<Indices>>>{
        detail::hold_input(in), detail::hold_input(indices)};
}

/// Returns an input of items 0, step, 2 step, ... of in. A call throws sam::invalid_argument if
/// step is less than 1.
template <class In>
constexpr auto strided(In&& in, index_t step) {
  if constexpr (detail::is_base<In>::value)
    return detail::strided_input<detail::held_input_t<std::remove_cvref_t<In>>>{
        detail::hold_input(in), step};
}

/// Returns an input of the n items from a random-access iterator on, such as one of Thrust's or
/// CUDA's counting, transform, zip and permutation iterators. The iterator is copied. A context on
/// a device calls its operator[] there.
template <std::random_access_iterator Iterator>
constexpr auto iterated(Iterator first, index_t n) {
  return sam::generated(n, detail::item_at<Iterator>{first});
}
/// Returns an input of the items of a random-access range that knows its size, such as a
/// std::views::iota or std::views::transform. The range must live until the call has done its work,
/// unless it is borrowed.
template <std::ranges::random_access_range Range>
requires std::ranges::sized_range<Range>
constexpr auto iterated(Range&& range) {
  static_assert(std::is_lvalue_reference_v<Range> || std::ranges::borrowed_range<Range>,
                "sam: iterated was given a temporary whose iterators do not outlive it; store it "
                "in a variable");
  return sam::iterated(std::ranges::begin(range), static_cast<index_t>(std::ranges::size(range)));
}

}  // namespace sam::inline v0_1
