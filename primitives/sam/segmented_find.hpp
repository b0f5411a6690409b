// SPDX-License-Identifier: MIT
// Defines segmented_find_if, segmented_count_if, segmented_any_of, segmented_all_of,
// segmented_none_of and segmented_is_sorted: searches, counts and tests in every segment, as
// segmented reductions of what a predicate says of each item, or of runs in order.
#pragma once

#include <sam/detail/segmented/reductions_of.hpp>
#include <sam/find.hpp>

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

template <class T>
struct holds_truths {
  static constexpr bool value = integer<T> || std::is_same_v<T, bool>;
  static_assert(value, "sam: the result of a test needs places for bools or integers");
};

template <class Keep>
struct index_of_match : reduces_to_items {
  static constexpr char const* name = "sam::segmented_find_if";
  static constexpr char const* name_by_key = "sam::find_if_by_key";
  static constexpr bool holds_n = true;
  template <class Context, class In, class Out>
  using check = std::conjunction<is_predicate<Context, Keep, array_within_t<In>>,
                                 parameter::out::holds_integers<item_or_any_t<Out>>>;
  Keep keep;

  template <class T, class In>
  auto change(In const& in, index_t n) const {
    return sam::transformed(sam::indexed(in), index_if<T, Keep>{keep, static_cast<T>(n)});
  }
  template <class T>
  auto options(index_t n) const {
    return sam::detail::scan_options_of<T>(minimum{}, static_cast<T>(n));
  }
};
template <class Keep>
struct number_of_matches : reduces_to_items {
  static constexpr char const* name = "sam::segmented_count_if";
  static constexpr char const* name_by_key = "sam::count_if_by_key";
  static constexpr bool holds_n = true;
  template <class Context, class In, class Out>
  using check = typename index_of_match<Keep>::template check<Context, In, Out>;
  Keep keep;

  template <class T, class In>
  auto change(In const& in, index_t) const {
    return sam::transformed(in, one_if<T, Keep>{keep});
  }
  template <class T>
  auto options(index_t) const {
    return sam::detail::scan_options_of<T>(plus{});
  }
};
template <class Keep>
struct any_matches : reduces_to_items {
  static constexpr char const* name = "sam::segmented_any_of";
  static constexpr char const* name_by_key = "sam::any_of_by_key";
  template <class Context, class In, class Out>
  using check = std::conjunction<is_predicate<Context, Keep, array_within_t<In>>,
                                 holds_truths<item_or_any_t<Out>>>;
  Keep keep;

  template <class T, class In>
  auto change(In const& in, index_t) const {
    return sam::transformed(in, one_if<T, Keep>{keep});
  }
  template <class T>
  auto options(index_t) const {
    return sam::detail::scan_options_of<T>(bit_or{}, T(0));
  }
};
/// Tests that all items match, or that none does if Inverted.
template <bool Inverted, class Keep>
struct all_match : reduces_to_items {
  static constexpr char const* name = Inverted ? "sam::segmented_none_of" : "sam::segmented_all_of";
  static constexpr char const* name_by_key =
      Inverted ? "sam::none_of_by_key" : "sam::all_of_by_key";
  template <class Context, class In, class Out>
  using check = typename any_matches<Keep>::template check<Context, In, Out>;
  Keep keep;

  template <class T, class In>
  auto change(In const& in, index_t) const {
    return sam::transformed(in, one_if<T, Keep, Inverted>{keep});
  }
  template <class T>
  auto options(index_t) const {
    return sam::detail::scan_options_of<T>(bit_and{}, T(1));
  }
};

/// The first and the last item of consecutive items, and whether these are in order; or no items.
template <class T>
struct ordered_run {
  enum class state : std::uint8_t { empty, sorted, unsorted };
  engine::uninitialized_array<T, 2> ends;  // T need not be default constructible
  state is;

  static SAM_FUNCTION ordered_run of(T const& x) {
    ordered_run all;
    all.ends.at[0] = x;
    all.ends.at[1] = x;
    all.is = state::sorted;
    return all;
  }
  static SAM_FUNCTION ordered_run nothing() {
    ordered_run all;
    if constexpr (std::is_trivially_default_constructible_v<T>) {
      all.ends.at[0] = T();
      all.ends.at[1] = T();
    }
    all.is = state::empty;
    return all;
  }
};
/// Joins runs: all is in order if both are and no item is less than the one before it.
template <class Less>
struct join_ordered_runs {
  Less less;
  template <class T>
  SAM_FUNCTION ordered_run<T> operator()(ordered_run<T> const& a, ordered_run<T> const& b) const {
    using state = typename ordered_run<T>::state;
    if (a.is == state::empty)
      return b;
    if (b.is == state::empty)
      return a;
    ordered_run<T> all = a;
    all.ends.at[1] = b.ends.at[1];
    if (b.is == state::unsorted || static_cast<bool>(less(b.ends.at[0], a.ends.at[1])))
      all.is = state::unsorted;
    return all;
  }
  template <class A>
  SAM_FUNCTION static A identity() {
    return A::nothing();
  }
};
struct to_ordered_run {
  template <class T>
  SAM_FUNCTION ordered_run<T> operator()(T const& x) const {
    return ordered_run<T>::of(x);
  }
};
template <class T, class Truth>
struct is_ordered_run {
  SAM_FUNCTION Truth operator()(ordered_run<T> const& x) const {
    return static_cast<Truth>(x.is != ordered_run<T>::state::unsorted);
  }
};
template <class Less>
struct items_in_order : reduces_to_items {
  static constexpr char const* name = "sam::segmented_is_sorted";
  static constexpr char const* name_by_key = "sam::is_sorted_by_key";
  template <class Context, class In, class Out>
  using check = std::conjunction<is_comparison<Context, Less, item_or_any_t<In>>,
                                 holds_truths<item_or_any_t<Out>>>;
  template <class In, class Out>
  using total = ordered_run<item_or_any_t<In>>;
  Less less;

  template <class T, class In>
  auto change(In const& in, index_t) const {
    return sam::transformed(in, to_ordered_run{});
  }
  template <class T>
  auto options(index_t) const {
    return sam::detail::scan_options_of<T>(join_ordered_runs<Less>{less});
  }
  template <class T, class Out>
  static auto to(Out& out, index_t) {
    using item = std::remove_cvref_t<decltype(T::ends.at[0])>;
    return sam::transformed_to<T>(out, is_ordered_run<item, item_or_any_t<Out>>{});
  }
};

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
  detail::reduce_each_counted(context, detail::index_of_match<Keep>{{}, keep}, in, segments, out,
                              count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_find_if(Context&& context, In const& in, Segments const& segments, Keep keep,
                       Out&& out, std::source_location at = std::source_location::current()) {
  return detail::reduce_each_alone(context, detail::index_of_match<Keep>{{}, keep}, in, segments,
                                   out, at);
}

/// Counts the items of every segment for which keep(x) is true. Everything else is as for
/// segmented_find_if.
template <class Context, class In, class Segments, class Keep, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_count_if(
    Context&& context, In const& in, Segments const& segments, Keep keep, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::reduce_each_counted(context, detail::number_of_matches<Keep>{{}, keep}, in, segments, out,
                              count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_count_if(Context&& context, In const& in, Segments const& segments, Keep keep,
                        Out&& out, std::source_location at = std::source_location::current()) {
  return detail::reduce_each_alone(context, detail::number_of_matches<Keep>{{}, keep}, in, segments,
                                   out, at);
}

/// Tells of every segment whether keep(x) is true for at least one item: out holds bools, or
/// integers of 0 and 1. Everything else is as for segmented_find_if.
template <class Context, class In, class Segments, class Keep, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_any_of(
    Context&& context, In const& in, Segments const& segments, Keep keep, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::reduce_each_counted(context, detail::any_matches<Keep>{{}, keep}, in, segments, out,
                              count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_any_of(Context&& context, In const& in, Segments const& segments, Keep keep,
                      Out&& out, std::source_location at = std::source_location::current()) {
  return detail::reduce_each_alone(context, detail::any_matches<Keep>{{}, keep}, in, segments, out,
                                   at);
}

/// Tells of every segment whether keep(x) is true for all items, as it is if there are none.
/// Everything else is as for segmented_any_of.
template <class Context, class In, class Segments, class Keep, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_all_of(
    Context&& context, In const& in, Segments const& segments, Keep keep, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::reduce_each_counted(context, detail::all_match<false, Keep>{{}, keep}, in, segments, out,
                              count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_all_of(Context&& context, In const& in, Segments const& segments, Keep keep,
                      Out&& out, std::source_location at = std::source_location::current()) {
  return detail::reduce_each_alone(context, detail::all_match<false, Keep>{{}, keep}, in, segments,
                                   out, at);
}

/// Tells of every segment whether keep(x) is true for no item. Everything else is as for
/// segmented_any_of.
template <class Context, class In, class Segments, class Keep, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_none_of(
    Context&& context, In const& in, Segments const& segments, Keep keep, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::reduce_each_counted(context, detail::all_match<true, Keep>{{}, keep}, in, segments, out,
                              count, at);
}
template <class Context, class In, class Segments, class Keep, class Out>
auto segmented_none_of(Context&& context, In const& in, Segments const& segments, Keep keep,
                       Out&& out, std::source_location at = std::source_location::current()) {
  return detail::reduce_each_alone(context, detail::all_match<true, Keep>{{}, keep}, in, segments,
                                   out, at);
}

/// Tells of every segment whether no item is less than the one before it, as it is if there are
/// none: out holds bools, or integers of 0 and 1.
///
/// less  a strict weak order of items; sam::less without it
/// Everything else is as for segmented_find_if.
template <class Context, class In, class Segments, class Out, class Count, class Less = sam::less>
requires(detail::counts_segments<Segments, Count>) void segmented_is_sorted(
    Context&& context, In const& in, Segments const& segments, Out&& out, Count&& count,
    Less less = {}, std::source_location at = std::source_location::current()) {
  detail::reduce_each_counted(context, detail::items_in_order<Less>{{}, less}, in, segments, out,
                              count, at);
}
template <class Context, class In, class Segments, class Out, class Less = sam::less>
requires(!detail::counts_segments<Segments, Less>) auto segmented_is_sorted(
    Context&& context, In const& in, Segments const& segments, Out&& out, Less&& less = {},
    std::source_location at = std::source_location::current()) {
  return detail::reduce_each_alone(
      context, detail::items_in_order<std::remove_cvref_t<Less>>{{}, less}, in, segments, out, at);
}

}  // namespace sam::inline v0_1
