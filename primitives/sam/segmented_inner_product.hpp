// SPDX-License-Identifier: MIT
// Defines segmented_inner_product and inner_product_by_key: sums of products in every segment, and
// in every run of equal keys.
#pragma once

#include <sam/detail/segmented/reductions_of.hpp>

namespace sam::inline v0_1 {

namespace detail {

template <class T>
struct product_of_both {
  template <class A, class B>
  SAM_FUNCTION T operator()(zipped_item<A, B> const& x) const {
    return multiplies{}(static_cast<T>(x.first), static_cast<T>(x.second));
  }
};
template <class Weights>
struct sum_of_products : reduces_to_items {
  static constexpr char const* name = "sam::segmented_inner_product";
  static constexpr char const* name_by_key = "sam::inner_product_by_key";
  template <class Context, class In, class Out>
  using check =
      std::conjunction<reads_items<parameter::weights, Context, Weights>, holds_numbers<Out>,
                       converts_items<array_within_t<In>, item_or_any_t<Out>>,
                       converts_items<Weights, item_or_any_t<Out>>>;
  Weights const& weights;

  template <class T, class In>
  auto change(In const& in, index_t) const {
    return sam::transformed(sam::zipped(in, weights), product_of_both<T>{});
  }
  template <class T>
  auto options(index_t) const {
    return sam::detail::scan_options_of<T>(plus{});
  }
  template <class Context>
  void expect(checked_call<Context> const& call, extent const& in) const {
    call.same_size(sam::detail::input_of<parameter::weights>(call, weights), in);
  }
};

}  // namespace detail

/// Adds up in[i] * weights[i] of every segment. The number of segments goes to count.
///
/// in, weights  n items each, in memory that `context` reaches, that convert to out's item type, or
///              computed inputs (<sam/inputs.hpp>); in may be sam::counted(items, number), as for
///              segmented_reduce
/// segments     by_heads(flags), by_keys(keys) or by_length(length), see <sam/segments.hpp>; or
///              by offsets or ranges, which take no count
/// out          numbers, as for segmented_reduce. Integers are added and multiplied modulo 2^w.
///              A segment without items has 0
/// count        as for segmented_reduce. Without it, the call waits and returns the number of
///              segments, or returns nothing if they are by offsets
/// traffic      n reads of an item of each, and of a flag or key; a write for each segment
/// workspace, determinism, returns, throws  as segmented_reduce; also if the sizes of in and
///              weights differ. Overlaps of weights are told as those of in
/// source       as segmented_reduce, of products
template <class Context, class In, class Weights, class Segments, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_inner_product(
    Context&& context, In const& in, Weights const& weights, Segments const& segments, Out&& out,
    Count&& count, std::source_location at = std::source_location::current()) {
  detail::reduce_each_counted(context, detail::sum_of_products<Weights>{{}, weights}, in, segments,
                              out, count, at);
}
template <class Context, class In, class Weights, class Segments, class Out>
auto segmented_inner_product(Context&& context, In const& in, Weights const& weights,
                             Segments const& segments, Out&& out,
                             std::source_location at = std::source_location::current()) {
  return detail::reduce_each_alone(context, detail::sum_of_products<Weights>{{}, weights}, in,
                                   segments, out, at);
}

/// Adds up in[i] * weights[i] of every run of equal keys, and writes the first key of each run to
/// unique_keys. The number of runs goes to count.
///
/// keys         n keys, which may be sam::counted(items, number), or a computed input
/// in, weights, out  as for segmented_inner_product
/// unique_keys  keys, apart from all others, or a computed output (<sam/outputs.hpp>). Like out, it
///              may hold fewer items than there are runs
/// count        as for reduce_by_key. Without it, the call waits and returns the number of runs
/// equal        a const function object that returns true if two keys are equal; == if it is
///              missing
/// Everything else is as for reduce_by_key.
template <class Context, class Keys, class In, class Weights, class UniqueKeys, class Out,
          class Count, class Equal = detail::equal_items>
requires(detail::is_place<Count>) void inner_product_by_key(
    Context&& context, Keys const& keys, In const& in, Weights const& weights,
    UniqueKeys&& unique_keys, Out&& out, Count&& count, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::reduce_runs_counted(context, detail::sum_of_products<Weights>{{}, weights}, keys, in,
                              unique_keys, out, count, equal, at);
}
template <class Context, class Keys, class In, class Weights, class UniqueKeys, class Out,
          class Equal = detail::equal_items>
requires(!detail::is_place<Equal>) index_t
    inner_product_by_key(Context&& context, Keys const& keys, In const& in, Weights const& weights,
                         UniqueKeys&& unique_keys, Out&& out, Equal&& equal = {},
                         std::source_location at = std::source_location::current()) {
  return detail::reduce_runs_alone(context, detail::sum_of_products<Weights>{{}, weights}, keys, in,
                                   unique_keys, out, equal, at);
}

}  // namespace sam::inline v0_1
