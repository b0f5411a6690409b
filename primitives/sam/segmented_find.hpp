// SPDX-License-Identifier: MIT
// Defines segmented_find_if, segmented_count_if, segmented_any_of, segmented_all_of and
// segmented_none_of: searches and counts in every segment, as segmented reductions of what a
// predicate says of each item.
#pragma once

#include <sam/find.hpp>
#include <sam/inputs.hpp>
#include <sam/segmented_reduce.hpp>

namespace sam::inline v0_1 {

namespace detail {

/// Gives the index of an item that matches, and `nowhere` for others.
template <class Index, class Keep>
struct index_if {
  Keep keep;
  Index nowhere;
  template <class T>
  SAM_FUNCTION Index operator()(indexed_item<T> const& x) const {
    return static_cast<bool>(keep(x.value)) ? static_cast<Index>(x.index) : nowhere;
  }
};
/// Gives 1 for an item that matches, or for one that does not if Inverted, and 0 for others.
template <class Number, class Keep, bool Inverted = false>
struct one_if {
  Keep keep;
  template <class T>
  SAM_FUNCTION Number operator()(T const& x) const {
    return static_cast<Number>(static_cast<bool>(keep(x)) != Inverted);
  }
};

// The reductions of these calls: the name of the function, change(in, keep, n), which returns the
// input to reduce, of items of type T, and options(n), the operator and where segments start.

struct first_matches {
  static constexpr char const* name = "sam::segmented_find_if";
  static constexpr bool holds_n = true;
  template <class T, class In, class Keep>
  static auto change(In const& in, Keep const& keep, index_t n) {
    return sam::transformed(sam::indexed(in), index_if<T, Keep>{keep, static_cast<T>(n)});
  }
  template <class T>
  static auto options(index_t n) {
    return sam::detail::scan_options_of<T>(minimum{}, static_cast<T>(n));
  }
};
struct numbers_of_matches {
  static constexpr char const* name = "sam::segmented_count_if";
  static constexpr bool holds_n = true;
  template <class T, class In, class Keep>
  static auto change(In const& in, Keep const& keep, index_t) {
    return sam::transformed(in, one_if<T, Keep>{keep});
  }
  template <class T>
  static auto options(index_t) {
    return sam::detail::scan_options_of<T>(plus{});
  }
};
struct any_matches {
  static constexpr char const* name = "sam::segmented_any_of";
  static constexpr bool holds_n = false;
  template <class T, class In, class Keep>
  static auto change(In const& in, Keep const& keep, index_t) {
    return sam::transformed(in, one_if<T, Keep>{keep});
  }
  template <class T>
  static auto options(index_t) {
    return sam::detail::scan_options_of<T>(bit_or{}, T(0));
  }
};
/// Tests that all items match, or that none does if Inverted.
template <bool Inverted>
struct all_match {
  static constexpr char const* name = Inverted ? "sam::segmented_none_of" : "sam::segmented_all_of";
  static constexpr bool holds_n = false;
  template <class T, class In, class Keep>
  static auto change(In const& in, Keep const& keep, index_t) {
    return sam::transformed(in, one_if<T, Keep, Inverted>{keep});
  }
  template <class T>
  static auto options(index_t) {
    return sam::detail::scan_options_of<T>(bit_and{}, T(1));
  }
};

/// Calls use(changed), where change(items) is done to an input, or to one within `counted`.
template <class In, class Change, class Use>
void with_changed(In const& in, Change const& change, Use const& use) {
  use(change(in));
}
template <class Items, class Number, class Change, class Use>
void with_changed(counted_array<Items, Number> const& in, Change const& change, Use const& use) {
  auto const items = change(in.items);
  use(counted_array<std::remove_const_t<decltype(items)>, Number>{items, in.number});
}

template <class What, class Context, class In, class Segments, class Keep, class Out, class Count>
void reduce_matches(Context& context, In const& in, Segments const& segments, Keep const& keep,
                    Out& out, Count& count, std::source_location at) {
  using T = item_or_any_t<Out>;
  sam::detail::expect_runs_on<Context, Keep, item_or_any_t<In>>();
  auto const n = [&] {
    checked_call const call(context, What::name, at);
    auto const all = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
    if constexpr (What::holds_n)
      call.template fits<T>("out", all.size);
    return all.size;
  }();
  sam::detail::with_changed(
      in, [&](auto const& items) { return What::template change<T>(items, keep, n); },
      [&](auto const& changed) {
        auto const options = What::template options<T>(n);
        if constexpr (is_by_offsets<Segments>)
          sam::detail::segmented_reduce_by_offsets(What::name, context, changed, segments, out,
                                                   options, at);
        else
          sam::detail::segmented_reduce(What::name, context, changed, segments, out, count, options,
                                        at);
      });
}

template <class T>
struct holds_truths {
  static constexpr bool value = integer<T> || std::is_same_v<T, bool>;
  static_assert(value, "sam: the result of a test needs places for bools or integers");
};
/// Checks a search of every segment at compile time.
template <class What, class Context, class In, class Segments, class Keep, class Out>
using finds_in_segments = std::conjunction<
    is_context<Context>, reads_first_items<parameter::in, Context, In>,
    is_predicate<Context, Keep, array_within_t<In>>, are_segments<Segments>,
    writes_items<parameter::out, Context, Out>,
    std::conditional_t<What::holds_n, parameter::out::holds_integers<item_or_any_t<Out>>,
                       holds_truths<item_or_any_t<Out>>>>;

template <class What, class Context, class In, class Segments, class Keep, class Out, class Count>
void find_in_segments(Context& context, In const& in, Segments const& segments, Keep const& keep,
                      Out& out, Count& count, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    sam::detail::find_in_segments<What>(*sam::detail::lend_context(context), in, segments, keep,
                                        out, count, at);
  else if constexpr (all_right<finds_in_segments<What, Context, In, Segments, Keep, Out>,
                               counts_to<parameter::count, Context, Count&>>)
    sam::detail::with_place(context, count, [&](auto& place) {
      sam::detail::reduce_matches<What>(context, in, segments, keep, out, place, at);
    });
}
/// Returns nothing by offsets, else the number of segments.
template <class What, class Context, class In, class Segments, class Keep, class Out>
auto find_in_segments_alone(Context& context, In const& in, Segments const& segments,
                            Keep const& keep, Out& out, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    return sam::detail::find_in_segments_alone<What>(*sam::detail::lend_context(context), in,
                                                     segments, keep, out, at);
  else if constexpr (!is_by_offsets<Segments>)
    return sam::detail::count_of(context, [&](auto count) {
      sam::detail::find_in_segments<What>(context, in, segments, keep, out, count, at);
    });
  else if constexpr (finds_in_segments<What, Context, In, Segments, Keep, Out>::value)
    sam::detail::reduce_matches<What>(context, in, segments, keep, out, out, at);
}

}  // namespace detail

/// Finds the first item of every segment for which keep(x) is true: out[k] is its index in `in`, or
/// n if there is none. The number of segments goes to count.
///
/// in           n trivially copyable items in memory that `context` reaches, or a computed input
///              (<sam/inputs.hpp>); or sam::counted of these, but by offsets, which tell the number
/// segments     by_heads(flags), by_keys(keys) or by_length(length), see <sam/segments.hpp>; or
///              by offsets or ranges, which take no count
/// keep         a const function object that takes an item and returns the same result for it each
///              time
/// out          integers that can hold n, apart from in and from the segments' array, or a computed
///              output (<sam/outputs.hpp>): one for each segment by offsets, else as for
///              segmented_reduce
/// count        as for segmented_reduce. Without it, the call waits and returns the number of
///              segments, or returns nothing if they are by offsets
/// traffic, workspace, determinism, returns, throws  as segmented_reduce; all items are read
/// source       as segmented_reduce, by the lowest index of a match
template <class Context, class In, class Segments, class Keep, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_find_if(
    Context&& context, In const& in, Segments const& segments, Keep keep, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::find_in_segments<detail::first_matches>(context, in, segments, keep, out, count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_find_if(Context&& context, In const& in, Segments const& segments, Keep keep,
                       Out&& out, std::source_location at = std::source_location::current()) {
  return detail::find_in_segments_alone<detail::first_matches>(context, in, segments, keep, out,
                                                               at);
}

/// Counts the items of every segment for which keep(x) is true. Everything else is as for
/// segmented_find_if.
template <class Context, class In, class Segments, class Keep, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_count_if(
    Context&& context, In const& in, Segments const& segments, Keep keep, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::find_in_segments<detail::numbers_of_matches>(context, in, segments, keep, out, count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_count_if(Context&& context, In const& in, Segments const& segments, Keep keep,
                        Out&& out, std::source_location at = std::source_location::current()) {
  return detail::find_in_segments_alone<detail::numbers_of_matches>(context, in, segments, keep,
                                                                    out, at);
}

/// Tells of every segment whether keep(x) is true for at least one item: out holds bools, or
/// integers of 0 and 1. Everything else is as for segmented_find_if.
template <class Context, class In, class Segments, class Keep, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_any_of(
    Context&& context, In const& in, Segments const& segments, Keep keep, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::find_in_segments<detail::any_matches>(context, in, segments, keep, out, count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_any_of(Context&& context, In const& in, Segments const& segments, Keep keep,
                      Out&& out, std::source_location at = std::source_location::current()) {
  return detail::find_in_segments_alone<detail::any_matches>(context, in, segments, keep, out, at);
}

/// Tells of every segment whether keep(x) is true for all items, as it is if there are none.
/// Everything else is as for segmented_any_of.
template <class Context, class In, class Segments, class Keep, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_all_of(
    Context&& context, In const& in, Segments const& segments, Keep keep, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::find_in_segments<detail::all_match<false>>(context, in, segments, keep, out, count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_all_of(Context&& context, In const& in, Segments const& segments, Keep keep,
                      Out&& out, std::source_location at = std::source_location::current()) {
  return detail::find_in_segments_alone<detail::all_match<false>>(context, in, segments, keep, out,
                                                                  at);
}

/// Tells of every segment whether keep(x) is true for no item. Everything else is as for
/// segmented_any_of.
template <class Context, class In, class Segments, class Keep, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_none_of(
    Context&& context, In const& in, Segments const& segments, Keep keep, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::find_in_segments<detail::all_match<true>>(context, in, segments, keep, out, count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_none_of(Context&& context, In const& in, Segments const& segments, Keep keep,
                       Out&& out, std::source_location at = std::source_location::current()) {
  return detail::find_in_segments_alone<detail::all_match<true>>(context, in, segments, keep, out,
                                                                 at);
}

}  // namespace sam::inline v0_1
