// SPDX-License-Identifier: MIT
// Defines find_if, count_if, any_of, all_of, none_of and is_sorted: reductions of a predicate.
#pragma once

#include <sam/detail/compact_job.hpp>
#include <sam/detail/locate_job.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

/// Tests whether the index of the first match is below the number of items, or is not.
struct is_found {
  index_t n;
  bool wanted;
  SAM_FUNCTION bool operator()(index_t first) const { return (first < n) == wanted; }
};
/// Inverts a predicate.
template <class Keep>
struct inverted {
  Keep keep;
  template <class T>
  SAM_FUNCTION bool operator()(T const& x) const {
    return !static_cast<bool>(keep(x));
  }
};

template <class Context, class Which, class Put>
void run_find(Context& context, index_t n, Which const& which, Put const& put) {
  context.run(n, find_job<Which, Put>{which, n, put},
              engine::resolve_policy<bound::inclusive>(scan_policy<minimum>{}, from_nothing{}));
}
/// Counts those of n items that match.
template <class Context, class Which, class T>
void count_matches(checked_call<Context> const& call, index_t n, Which const& which,
                   checked_array<T> const& out) {
  using put = put_number<T, as_is>;
  if (n == 0)
    return sam::detail::count_nothing(call.context(), out.data);
  call.context().run(n, count_job<Which, put>{which, n, {out.data, {}}},
                     engine::resolve_policy<bound::inclusive>(scan_policy<>{}, from_nothing{}));
}

/// Finds the first of n items that match, and stores of(index). The index is n if none matches.
template <class Context, class Which, class T, class Of>
void find_first(checked_call<Context> const& call, index_t n, Which const& which,
                checked_array<T> const& out, Of const& of) {
  if (n == 0)
    return sam::detail::fill(call.context(), 1, out.data, static_cast<T>(of(0)));
  sam::detail::run_find(call.context(), n, which, put_number<T, Of>{out.data, of});
}

/// Checks the arguments of find_if and count_if, and calls run(n, which, out).
template <class Context, class In, class Keep, class Out, class Run>
void with_matches(char const* function, Context& context, In const& in, Keep const& keep, Out& out,
                  std::source_location at, Run const& run) {
  sam::detail::expect_runs_on<Context, Keep, item_of<In>>();
  checked_call const call(context, function, at);
  auto const from = call.template input<parameter::in>(in);
  auto const to = call.template counts<parameter::out>(out, 1, from.size, from);
  run(call, from.size, matching_items<item_of<In>, Keep>{from.data, keep}, to);
}

template <class Context, class In, class Keep, class Out>
using finds =
    std::conjunction<is_context<Context>, reads_from<parameter::in, Context, In>,
                     is_predicate<Context, Keep, In>, counts_to<parameter::out, Context, Out>>;
template <class Out>
struct holds_truth {
  using item = std::remove_cvref_t<place_item_t<Out>>;
  static constexpr bool value = integer<item> || std::is_same_v<item, bool>;
  static_assert(value, "sam: the result of a test needs a place for a bool or an integer");
};
template <class Context, class In, class Keep, class Out>
using tests_items =
    std::conjunction<is_context<Context>, reads_from<parameter::in, Context, In>,
                     is_predicate<Context, Keep, In>,
                     typename parameter::out::template is_place<Out>, holds_truth<Out>>;

/// Tests whether a first match exists, for any_of and similar functions.
template <class Context, class In, class Keep, class Out>
void test_items(char const* function, Context& context, In const& in, Keep const& keep, Out& out,
                bool wanted, std::source_location at) {
  sam::detail::expect_runs_on<Context, Keep, item_of<In>>();
  checked_call const call(context, function, at);
  auto const from = call.template input<parameter::in>(in);
  auto const to = call.template output<parameter::out>(out);
  call.size_is(to, 1, "the result");
  call.apart(to, from);
  sam::detail::find_first(call, from.size, matching_items<item_of<In>, Keep>{from.data, keep}, to,
                          is_found{from.size, wanted});
}

/// Calls `call` with a place for a bool, waits, and returns it.
template <class Context, class Call>
bool truth_of(Context& context, Call call) {
  if constexpr (is_context<Context>::value)
    return engine::result_of<bool>(context,
                                   [&](bool* place) { call(std::span<bool, 1>(place, 1)); });
  else
    return false;
}

}  // namespace detail

/// Finds the first item for which keep(x) is true: its index, or n if there is none.
///
/// in           n trivially copyable items in memory that `context` reaches. n may be 0, and may
///              exceed 2^32
/// keep         a const function object that takes an item and returns the same result for it each
///              time. It may be called for items behind the first match
/// out          a variable or an array of one integer that can hold n, apart from in. If a device
///              cannot reach a variable, the call waits. Without out, the call waits and returns
///              the index
/// traffic      n reads of an item. CPUs stop soon after the first match
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if out overlaps in, is not one item or cannot hold n;
///                                     nothing is written
///              sam::device_error      if the back end cannot queue the work
/// source       as reduce, by the lowest index of a match
template <class Context, class In, class Keep, class Out>
requires(!detail::is_location<Out>) void find_if(
    Context&& context, In const& in, Keep keep, Out&& out,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::find_if(*detail::lend_context(context), in, keep, std::forward<Out>(out), at);
  else if constexpr (detail::finds<Context, In, Keep, Out>::value)
    detail::with_place(context, out, [&](auto& place) {
      detail::with_matches("sam::find_if", context, in, keep, place, at,
                           [](auto const& call, index_t n, auto const& which, auto const& to) {
                             detail::find_first(call, n, which, to, detail::as_is{});
                           });
    });
}
template <class Context, class In, class Keep>
index_t find_if(Context&& context, In const& in, Keep keep,
                std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::find_if(*detail::lend_context(context), in, keep, at);
  else
    return detail::count_of(context,
                            [&](auto place) { sam::find_if(context, in, keep, place, at); });
}

/// Counts the items for which keep(x) is true. Everything else is as for find_if, but all items are
/// read.
template <class Context, class In, class Keep, class Out>
requires(!detail::is_location<Out>) void count_if(
    Context&& context, In const& in, Keep keep, Out&& out,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::count_if(*detail::lend_context(context), in, keep, std::forward<Out>(out), at);
  else if constexpr (detail::finds<Context, In, Keep, Out>::value)
    detail::with_place(context, out, [&](auto& place) {
      detail::with_matches("sam::count_if", context, in, keep, place, at,
                           [](auto const& call, index_t n, auto const& which, auto const& to) {
                             detail::count_matches(call, n, which, to);
                           });
    });
}
template <class Context, class In, class Keep>
index_t count_if(Context&& context, In const& in, Keep keep,
                 std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::count_if(*detail::lend_context(context), in, keep, at);
  else
    return detail::count_of(context,
                            [&](auto place) { sam::count_if(context, in, keep, place, at); });
}

/// Returns true if keep(x) is true for at least one item. With out, which is a place for a bool or
/// an integer, the result goes there and the call need not wait. Everything else is as for find_if.
template <class Context, class In, class Keep, class Out>
requires(!detail::is_location<Out>) void any_of(
    Context&& context, In const& in, Keep keep, Out&& out,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::any_of(*detail::lend_context(context), in, keep, std::forward<Out>(out), at);
  else if constexpr (detail::tests_items<Context, In, Keep, Out>::value)
    detail::with_place(context, out, [&](auto& place) {
      detail::test_items("sam::any_of", context, in, keep, place, true, at);
    });
}
template <class Context, class In, class Keep>
bool any_of(Context&& context, In const& in, Keep keep,
            std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::any_of(*detail::lend_context(context), in, keep, at);
  else
    return detail::truth_of(context,
                            [&](auto place) { sam::any_of(context, in, keep, place, at); });
}

/// Returns true if keep(x) is true for no item. Everything else is as for any_of.
template <class Context, class In, class Keep, class Out>
requires(!detail::is_location<Out>) void none_of(
    Context&& context, In const& in, Keep keep, Out&& out,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::none_of(*detail::lend_context(context), in, keep, std::forward<Out>(out), at);
  else if constexpr (detail::tests_items<Context, In, Keep, Out>::value)
    detail::with_place(context, out, [&](auto& place) {
      detail::test_items("sam::none_of", context, in, keep, place, false, at);
    });
}
template <class Context, class In, class Keep>
bool none_of(Context&& context, In const& in, Keep keep,
             std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::none_of(*detail::lend_context(context), in, keep, at);
  else
    return detail::truth_of(context,
                            [&](auto place) { sam::none_of(context, in, keep, place, at); });
}

/// Returns true if keep(x) is true for all items. Everything else is as for any_of.
template <class Context, class In, class Keep, class Out>
requires(!detail::is_location<Out>) void all_of(
    Context&& context, In const& in, Keep keep, Out&& out,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::all_of(*detail::lend_context(context), in, keep, std::forward<Out>(out), at);
  else if constexpr (detail::tests_items<Context, In, Keep, Out>::value)
    detail::with_place(context, out, [&](auto& place) {
      detail::test_items("sam::all_of", context, in, detail::inverted<Keep>{keep}, place, false,
                         at);
    });
}
template <class Context, class In, class Keep>
bool all_of(Context&& context, In const& in, Keep keep,
            std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::all_of(*detail::lend_context(context), in, keep, at);
  else
    return detail::truth_of(context,
                            [&](auto place) { sam::all_of(context, in, keep, place, at); });
}

/// Returns true if no item is less than the one before it. Waits for the result.
///
/// less         a strict weak order of items; sam::less without it
/// Everything else is as for any_of.
template <class Context, class In, class Less = sam::less>
requires(!detail::is_location<Less>) bool is_sorted(
    Context&& context, In const& in, Less less = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::is_sorted(*detail::lend_context(context), in, less, at);
  } else if constexpr (std::conjunction_v<
                           detail::is_context<Context>,
                           detail::reads_from<detail::parameter::in, Context, In>,
                           detail::is_comparison<Context, Less, detail::item_or_any_t<In>>>) {
    detail::expect_runs_on<Context, Less, item_of<In>, item_of<In>>();
    detail::checked_call const call(context, "sam::is_sorted", at);
    auto const from = call.template input<detail::parameter::in>(in);
    return engine::result_of<bool>(context, [&](bool* place) {
      detail::find_first(call, from.size, detail::descents<item_of<In>, Less>{from.data, less},
                         detail::checked_array<bool>{place, 1, "out"},
                         detail::is_found{from.size, false});
    });
  } else {
    __builtin_unreachable();  // a check failed to compile
  }
}

}  // namespace sam::inline v0_1
