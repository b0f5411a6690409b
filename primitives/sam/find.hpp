// SPDX-License-Identifier: MIT
// Defines find_if, count_if, any_of, all_of, none_of and is_sorted: reductions of a predicate.
#pragma once

#include <sam/arguments/input.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/inputs/copy_input.hpp>
#include <sam/detail/locate_job.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#endif

#include <tuple>

namespace sam::inline v0_1 {

namespace detail {

/// Tests whether the index of the first match is below the number of items, or is not.
template <class Number>
struct is_found {
  Number number;
  bool wanted;
  SAM_FUNCTION bool operator()(index_t first) const { return (first < number()) == wanted; }
  bool of_none() const { return !wanted; }
};
/// Limits the index of the first match to the number of items.
template <class Number>
struct at_most {
  Number number;
  SAM_FUNCTION index_t operator()(index_t first) const { return min_of(first, number()); }
  index_t of_none() const { return 0; }
};
/// Matches items of the first ones only, by their number. all() matches any item as a first one.
template <class Which, class Number>
struct matches_of_first {
  static constexpr int arrays = Which::arrays;
  static constexpr index_t item_bytes = Which::item_bytes;
  Which which;
  Number number;
  SAM_FUNCTION Which const& all() const { return which; }
  SAM_FUNCTION auto reads() const { return which.reads(); }
  template <class... P>
  SAM_FUNCTION bool matches(index_t i, P const&... p) const {
    return i < number() && which.matches(i, p...);
  }
  SAM_FUNCTION bool matches_at(index_t i) const { return i < number() && which.matches_at(i); }
};
/// Calls use(which) with what matches among the first items.
template <class Which, class Number, class Use>
void with_first_matches(Which const& which, Number const& number, Use const& use) {
  if constexpr (std::is_same_v<Number, known_count>)
    use(which);
  else
    use(matches_of_first<Which, Number>{which, number});
}
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
/// Counts those of n items, or of the first of them, that match.
template <class Context, class Which, class T, class Number>
void count_matches(checked_call<Context> const& call, index_t n, Which const& which,
                   checked_array<T> const& out, Number const& number) {
  using put = put_number<T, as_is>;
  if (n == 0)
    return sam::detail::count_nothing(call.context(), out.data);
  sam::detail::with_first_matches(which, number, [&](auto const& of_first) {
    call.context().run(
        n, count_job<std::remove_cvref_t<decltype(of_first)>, put>{of_first, n, {out.data, {}}},
        engine::resolve_policy<bound::inclusive>(scan_policy<>{}, from_nothing{}));
  });
}

/// Finds the first of n items, or of the first of them, that match, and stores of(index). The index
/// is at least the number of items if none matches. Without items, of.of_none() is the result: only
/// a device may be able to read a number of items.
template <class Context, class Which, class T, class Of, class Number>
void find_first(checked_call<Context> const& call, index_t n, Which const& which,
                checked_array<T> const& out, Of const& of, Number const& number) {
  if (n == 0)
    return sam::detail::fill(call.context(), 1, out.data, static_cast<T>(of.of_none()));
  sam::detail::with_first_matches(which, number, [&](auto const& of_first) {
    sam::detail::run_find(call.context(), n, of_first, put_number<T, Of>{out.data, of});
  });
}

/// Checks the arguments of find_if and count_if, and calls run(n, which, out).
template <class Context, class In, class Keep, class Out, class Run>
void with_matches(char const* function, Context& context, In const& in, Keep const& keep, Out& out,
                  std::source_location at, Run const& run) {
  sam::detail::expect_runs_on<Context, Keep, item_or_any_t<In>>();
  checked_call const call(context, function, at);
  auto const items = detail::first_items_of<parameter::in>(call, in);
  auto const to = call.template counts<parameter::out>(out, 1, items.all.size, items.all);
  detail::apart_from_count(call, in, to);
  sam::detail::apart_from_arrays(call, to, items.all);
  using which = matching_items<job_input_t<std::remove_const_t<decltype(items.all)>>, Keep>;
  run(call, items.taken.size, which{sam::detail::source_from(items.all), keep}, to, items.number);
}

template <class Context, class In, class Keep, class Out>
using finds = std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                               is_predicate<Context, Keep, array_within_t<In>>,
                               counts_to<parameter::out, Context, Out>>;
template <class Out>
struct holds_truth {
  using item = std::remove_cvref_t<place_item_t<Out>>;
  static constexpr bool value = integer<item> || std::is_same_v<item, bool>;
  static_assert(value, "sam: the result of a test needs a place for a bool or an integer");
};
template <class Context, class In, class Keep, class Out>
using tests_items =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     is_predicate<Context, Keep, array_within_t<In>>,
                     typename parameter::out::template is_place<Out>, holds_truth<Out>>;

/// Tests whether a first match exists, for any_of and similar functions.
template <class Context, class In, class Keep, class Out>
void test_items(char const* function, Context& context, In const& in, Keep const& keep, Out& out,
                bool wanted, std::source_location at) {
  sam::detail::expect_runs_on<Context, Keep, item_or_any_t<In>>();
  checked_call const call(context, function, at);
  auto const items = detail::first_items_of<parameter::in>(call, in);
  auto const to = call.template output<parameter::out>(out);
  call.size_is(to, 1, "the result");
  call.apart(to, items.all);
  detail::apart_from_count(call, in, to);
  sam::detail::apart_from_arrays(call, to, items.all);
  using which = matching_items<job_input_t<std::remove_const_t<decltype(items.all)>>, Keep>;
  using number = std::remove_const_t<decltype(items.number)>;
  sam::detail::find_first(call, items.taken.size, which{sam::detail::source_from(items.all), keep},
                          to, is_found<number>{items.number, wanted}, items.number);
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
/// in           n trivially copyable items in memory that `context` reaches, or
///              sam::counted(items, number), or a computed input (<sam/inputs.hpp>). n may be 0,
///              and may exceed 2^32
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
      detail::with_matches(
          "sam::find_if", context, in, keep, place, at,
          [](auto const& call, index_t n, auto const& which, auto const& to, auto const& number) {
            using limit = detail::at_most<std::remove_cvref_t<decltype(number)>>;
            detail::find_first(call, n, which, to, limit{number}, number);
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
      detail::with_matches(
          "sam::count_if", context, in, keep, place, at,
          [](auto const& call, index_t n, auto const& which, auto const& to, auto const& number) {
            detail::count_matches(call, n, which, to, number);
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
                           detail::reads_first_items<detail::parameter::in, Context, In>,
                           detail::is_comparison<Context, Less, detail::item_or_any_t<In>>>) {
    using T = detail::item_or_any_t<In>;
    detail::expect_runs_on<Context, Less, T, T>();
    detail::checked_call const call(context, "sam::is_sorted", at);
    auto const given = detail::first_items_of<detail::parameter::in>(call, in);
    auto const from = std::get<0>(detail::in_memory(context, given));
    return engine::result_of<bool>(context, [&](bool* place) {
      detail::find_first(call, from.taken.size, detail::descents<T, Less>{from.taken.data, less},
                         detail::checked_array<bool>{place, 1, "out"},
                         detail::is_found<decltype(from.number)>{from.number, false}, from.number);
    });
  } else {
    __builtin_unreachable();  // a check failed to compile
  }
}

}  // namespace sam::inline v0_1
