// SPDX-License-Identifier: MIT
// Defines find_if_by_key, count_if_by_key, any_of_by_key, all_of_by_key, none_of_by_key and
// is_sorted_by_key: searches, counts and tests in every run of equal keys.
#pragma once

#include <sam/segmented_find.hpp>

namespace sam::inline v0_1 {

/// Finds the first item of every run of equal keys for which keep(x) is true: out[k] is its index
/// in `in`, or n if there is none. The first key of each run goes to unique_keys, and the number of
/// runs to count.
///
/// keys, in     n items each, in memory that `context` reaches, or computed inputs
///              (<sam/inputs.hpp>); keys may be sam::counted(items, number)
/// unique_keys  keys, apart from keys, in and out, or a computed output (<sam/outputs.hpp>). Like
///              out, it may hold fewer items than there are runs
/// keep         a const function object that takes an item and returns the same result for it each
///              time
/// out          integers that can hold n, apart from all others, or a computed output
/// count        as for reduce_by_key. Without it, the call waits and returns the number of runs
/// equal        a const function object that returns true if two keys are equal; == if it is
///              missing
/// traffic, determinism, returns, throws  as reduce_by_key; all items are read
/// source       as segmented_find_if, with by_keys(keys, equal)
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out, class Count,
          class Equal = detail::equal_items>
requires(detail::is_place<Count>) void find_if_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Keep keep,
    Out&& out, Count&& count, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::reduce_runs_counted(context, detail::index_of_match<Keep>{{}, keep}, keys, in,
                              unique_keys, out, count, equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out,
          class Equal = detail::equal_items>
requires(!detail::is_place<Equal>) index_t
    find_if_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                   Keep keep, Out&& out, Equal&& equal = {},
                   std::source_location at = std::source_location::current()) {
  return detail::reduce_runs_alone(context, detail::index_of_match<Keep>{{}, keep}, keys, in,
                                   unique_keys, out, equal, at);
}

/// Counts the items of every run of equal keys for which keep(x) is true. Everything else is as for
/// find_if_by_key.
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out, class Count,
          class Equal = detail::equal_items>
requires(detail::is_place<Count>) void count_if_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Keep keep,
    Out&& out, Count&& count, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::reduce_runs_counted(context, detail::number_of_matches<Keep>{{}, keep}, keys, in,
                              unique_keys, out, count, equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out,
          class Equal = detail::equal_items>
requires(!detail::is_place<Equal>) index_t
    count_if_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                    Keep keep, Out&& out, Equal&& equal = {},
                    std::source_location at = std::source_location::current()) {
  return detail::reduce_runs_alone(context, detail::number_of_matches<Keep>{{}, keep}, keys, in,
                                   unique_keys, out, equal, at);
}

/// Tells of every run of equal keys whether keep(x) is true for at least one item: out holds bools,
/// or integers of 0 and 1. Everything else is as for find_if_by_key.
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out, class Count,
          class Equal = detail::equal_items>
requires(detail::is_place<Count>) void any_of_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Keep keep,
    Out&& out, Count&& count, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::reduce_runs_counted(context, detail::any_matches<Keep>{{}, keep}, keys, in, unique_keys,
                              out, count, equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out,
          class Equal = detail::equal_items>
requires(!detail::is_place<Equal>) index_t
    any_of_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                  Keep keep, Out&& out, Equal&& equal = {},
                  std::source_location at = std::source_location::current()) {
  return detail::reduce_runs_alone(context, detail::any_matches<Keep>{{}, keep}, keys, in,
                                   unique_keys, out, equal, at);
}

/// Tells of every run of equal keys whether keep(x) is true for all items. Everything else is as
/// for any_of_by_key.
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out, class Count,
          class Equal = detail::equal_items>
requires(detail::is_place<Count>) void all_of_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Keep keep,
    Out&& out, Count&& count, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::reduce_runs_counted(context, detail::all_match<false, Keep>{{}, keep}, keys, in,
                              unique_keys, out, count, equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out,
          class Equal = detail::equal_items>
requires(!detail::is_place<Equal>) index_t
    all_of_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                  Keep keep, Out&& out, Equal&& equal = {},
                  std::source_location at = std::source_location::current()) {
  return detail::reduce_runs_alone(context, detail::all_match<false, Keep>{{}, keep}, keys, in,
                                   unique_keys, out, equal, at);
}

/// Tells of every run of equal keys whether keep(x) is true for no item. Everything else is as for
/// any_of_by_key.
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out, class Count,
          class Equal = detail::equal_items>
requires(detail::is_place<Count>) void none_of_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Keep keep,
    Out&& out, Count&& count, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::reduce_runs_counted(context, detail::all_match<true, Keep>{{}, keep}, keys, in,
                              unique_keys, out, count, equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Keep, class Out,
          class Equal = detail::equal_items>
requires(!detail::is_place<Equal>) index_t
    none_of_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                   Keep keep, Out&& out, Equal&& equal = {},
                   std::source_location at = std::source_location::current()) {
  return detail::reduce_runs_alone(context, detail::all_match<true, Keep>{{}, keep}, keys, in,
                                   unique_keys, out, equal, at);
}

/// Tells of every run of equal keys whether no item is less than the one before it in the run: out
/// holds bools, or integers of 0 and 1.
///
/// less  a strict weak order of items; sam::less without it
/// Everything else is as for find_if_by_key.
template <class Context, class Keys, class In, class UniqueKeys, class Out, class Count,
          class Less = sam::less, class Equal = detail::equal_items>
requires(detail::is_place<Count>) void is_sorted_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Out&& out,
    Count&& count, Less less = {}, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::reduce_runs_counted(context, detail::items_in_order<Less>{{}, less}, keys, in,
                              unique_keys, out, count, equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Out, class Less = sam::less,
          class Equal = detail::equal_items>
requires(!detail::is_place<Less>) index_t
    is_sorted_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                     Out&& out, Less&& less = {}, Equal equal = {},
                     std::source_location at = std::source_location::current()) {
  return detail::reduce_runs_alone(context,
                                   detail::items_in_order<std::remove_cvref_t<Less>>{{}, less},
                                   keys, in, unique_keys, out, equal, at);
}

}  // namespace sam::inline v0_1
