// SPDX-License-Identifier: MIT
// Defines segmented_find_if, segmented_count_if, segmented_any_of, segmented_all_of,
// segmented_none_of and segmented_is_sorted: searches, counts and tests in every segment, as
// segmented reductions of what a predicate says of each item, or of each and the one before it.
#pragma once

#include <sam/detail/segmented/reductions_of.hpp>
#include <sam/find.hpp>

#include <cstdint>

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
/// Gives `yes` for an item that matches, and `no` for others. They are members, 1 and 0 or the
/// other way round: for constants, g++ would store each in a branch of its own, and not use
/// vectors.
template <class Number, class Keep>
struct one_if {
  Keep keep;
  Number yes = 1, no = 0;
  template <class T>
  SAM_FUNCTION Number operator()(T const& x) const {
    return static_cast<bool>(keep(x)) ? yes : no;
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
    return sam::transformed(in, one_if<T, Keep>{keep, T(!Inverted), T(Inverted)});
  }
  template <class T>
  auto options(index_t) const {
    return sam::detail::scan_options_of<T>(bit_and{}, T(1));
  }
};

/// Bits that say what is known of the order of consecutive items. Of no items, no bit is set.
struct order_of_items {
  static constexpr std::uint32_t some = 1, first_descends = 2, another_descends = 4;
};
/// Tells of an item whether it is less than the one before it, which may be in another segment.
template <class Less>
struct order_of_neighbours {
  Less less;
  template <class T>
  SAM_FUNCTION std::uint32_t operator()(T const& before, T const& x) const {
    return order_of_items::some |
           (static_cast<bool>(less(x, before)) ? order_of_items::first_descends : 0);
  }
};
/// Joins what is known: whether the first item descends says nothing of those behind it.
struct join_orders {
  using combines_later_by = bit_or;  // for back ends that combine vectors

  SAM_FUNCTION std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    if (a == 0)
      return b;
    return a | (b > order_of_items::some ? order_of_items::another_descends : 0);
  }
  template <class A>
  SAM_FUNCTION static A identity() {
    return 0;
  }
};
template <class Truth>
struct is_in_order {
  SAM_FUNCTION Truth operator()(std::uint32_t order) const {
    return static_cast<Truth>((order & order_of_items::another_descends) == 0);
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
  using total = std::uint32_t;
  Less less;

  template <class T, class In>
  auto change(In const& in, index_t) const {
    using base = held_input_t<In>;
    return neighbours_input<base, order_of_neighbours<Less>>{sam::detail::hold_input(in), {less}};
  }
  template <class T>
  auto options(index_t) const {
    return sam::detail::scan_options_of<T>(join_orders{});
  }
  template <class T, class Out>
  static auto to(Out& out, index_t) {
    return sam::transformed_to<T>(out, is_in_order<item_or_any_t<Out>>{});
  }
};

}  // namespace detail

/// Finds the first item of every segment for which keep(x) is true: out[k] is its index in `in`, or
/// n if there is none. The number of segments goes to count.
///
/// in           n trivially copyable items in memory that `context` reaches, or a computed input
///              (<sam/inputs.hpp>); or sam::counted of these, as for segmented_reduce
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
