// SPDX-License-Identifier: MIT
// What compact and its kin ask of their arrays.
#pragma once

#include <sam/array.hpp>
#include <sam/context.hpp>

namespace sam {

namespace detail {

/// Counts: so many integers that can hold n, within reach.
template <class Context, class Counts>
void expect_counts(std::string_view function, std::string_view argument, Context const& context,
                   Counts const& counts, index_t number, index_t n, std::source_location at) {
  static_assert(sam::context<Context>, "sam: the first argument must be a back end's context");
  static_assert(is_within_reach<Context, Counts>, "sam: the context cannot reach count");
  static_assert(integer<item_of<Counts>>, "sam: count must hold an integer");
  expect_items(function, argument, counts, at);
  if (size_of(counts) != number)
    throw invalid_argument(function, argument,
                           "holds " + std::to_string(size_of(counts)) + " items; it must hold " +
                               std::to_string(number),
                           at);
  expect_fits<item_of<Counts>>(function, argument, n, at);
  expect_reach(function, argument, context, counts, at);
}

/// Items that are read, or room for some, within reach and apart from what holds counts.
template <class Context, class Items, class Counts>
void expect_beside(std::string_view function, std::string_view argument, Context const& context,
                   Items const& items, std::string_view holds_counts, Counts const& counts,
                   std::source_location at) {
  static_assert(is_within_reach<Context, Items>,
                "sam: the context cannot reach the memory space of an array");
  static_assert(std::is_trivially_copyable_v<item_of<Items>>,
                "sam: items must be trivially copyable");
  expect_items(function, argument, items, at);
  expect_apart(function, holds_counts, counts, argument, items, at);
  expect_reach(function, argument, context, items, at);
}

/// What all of these functions ask of their arrays, but for how in and out may lie.
template <class Context, class In, class Out, class Count>
void expect_compact(std::string_view function, Context const& context, In const& in, Out const& out,
                    Count const& count, std::source_location at, argument_names const& names = {}) {
  expect_counts(function, "count", context, count, 1, size_of(in), at);
  expect_beside(function, names.in, context, in, "count", count, at);
  expect_beside(function, names.out, context, out, "count", count, at);
}

/// That out is in, where the context can do that, or lies apart from it.
template <class Item, class Context, class In, class Out>
void expect_in_place_or_apart(std::string_view function, Context const& context, In const& in,
                              Out const& out, std::source_location at,
                              argument_names const& names = {}) {
  static_assert(std::is_same_v<item_of<In>, item_of<Out>>, "sam: in and out differ in item type");
  expect_same_or_apart(function, in, out, at, names);
  if constexpr (!holds_items<Context, Item>)
    if (size_of(in) != 0 && static_cast<void const*>(in.data()) == out.data())
      throw invalid_argument(function, names.out,
                             "is " + std::string(names.in) + ", but " + context.name() +
                                 " loads such items twice; pass memory apart from " +
                                 std::string(names.in),
                             at);
}

}  // namespace detail

}  // namespace sam
