// SPDX-License-Identifier: MIT
// Defines the ways to specify segments: by head flags, offsets, keys or length.
#pragma once

#include <sam/arguments/flags.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/offsets/by_offsets.hpp>
#include <sam/detail/segmented_job.hpp>
#include <sam/scan_options.hpp>

#include <cstddef>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Holds segments by head flags. Every way to specify segments is a class with these members:
///
/// check(call, n, components, out)  rejects segments that do not fit n items or overlap out
/// check_apart(call, written)       rejects an array that is written and overlaps the segments'
///                                  array
/// most_segments(n)                 returns the largest number of segments of n items
/// heads<Heading, TupleSize>(context, n, components)  returns the head flags; see
///                                  sam/detail/segmented_job.hpp
///
/// It holds a span of an array that the caller owns, or a copy of a view, as borrow() returns.
template <class Flags>
struct by_heads {
  Flags flags;

  template <class Context>
  void check(checked_call<Context> const& call, index_t n, index_t, extent const& out) const {
    static_assert(are_flags<parameter::heads, Context, Flags>::value);
    auto const all = sam::detail::flags_of<parameter::heads>(call, flags);
    call.apart(all.memory, out);
    if constexpr (are_packed_bits<Flags>) {
      call.size_is(all.memory, div_up(n, 32), "a bit for each item of in");
      if (all.size < n)
        call.refuse("heads", "holds ", all.size, " bits but must hold ", n,
                    ", one for each item of in");
    } else {
      call.size_is(all.memory, n, "one for each item of in");
    }
  }
  void check_apart(call_checks const& call, extent const& written) const {
    if constexpr (are_packed_bits<Flags>)
      call.apart(written, call.items<std::uint32_t const>("heads", flags.words()));
    else
      call.apart(written, call.items<item_of<Flags> const>("heads", flags));
  }
  index_t most_segments(index_t n) const { return n; }
  template <direction Heading, int TupleSize, class Context>
  auto heads(Context&, index_t, index_t) const {
    if constexpr (are_packed_bits<Flags>)
      return heads_by_bit{flags.words().data()};
    else
      return heads_by_flag<item_of<Flags>>{sam::detail::raw_pointer(std::data(flags))};
  }
};

template <class Keys, class Equal>
struct by_keys {
  Keys keys;
  Equal equal;

  template <class Context>
  void check(checked_call<Context> const& call, index_t n, index_t, extent const& out) const {
    static_assert(parameter::keys::is_reached<Context, Keys>::value);
    static_assert(runs_on<Context, Equal, item_of<Keys>, item_of<Keys>>::value);
    sam::detail::expect_runs_on<Context, Equal, item_of<Keys>, item_of<Keys>>();
    extent const all = call.template input<parameter::keys>(keys);
    call.apart(all, out);
    call.size_is(all, n, "one for each item of in");
  }
  void check_apart(call_checks const& call, extent const& written) const {
    call.apart(written, call.items<item_of<Keys> const>("keys", keys));
  }
  index_t most_segments(index_t n) const { return n; }
  template <direction Heading, int TupleSize, class Context>
  auto heads(Context&, index_t n, index_t components) const {
    index_t const limit = Heading == direction::forward ? components : n - components;
    return heads_by_key<item_of<Keys>, Equal, Heading, TupleSize>{
        sam::detail::raw_pointer(std::data(keys)), equal, components, limit};
  }
};

/// Segments by the keys of a computed input. A call resolves them before it uses them.
template <class Keys, class Equal>
requires is_lazy<Keys>
struct by_keys<Keys, Equal> {
  Keys keys;
  Equal equal;
  index_t most_segments(index_t n) const { return n; }
};
/// Returns keys as segments hold them.
template <class Keys>
auto hold_keys(Keys const& keys) {
  if constexpr (is_lazy<Keys>)
    return keys;
  else
    return sam::detail::borrow(keys);
}
/// Computed keys that have passed their checks.
template <class Checked, class Equal>
struct by_checked_keys {
  Checked keys;
  Equal equal;

  template <class Context>
  void check(checked_call<Context> const& call, index_t n, index_t, extent const& out) const {
    sam::detail::apart_from_arrays(call, out, keys);
    call.size_is(keys, n, "one for each item of in");
  }
  void check_apart(call_checks const& call, extent const& written) const {
    sam::detail::apart_from_arrays(call, written, keys);
  }
  index_t most_segments(index_t n) const { return n; }
  template <direction Heading, int TupleSize, class Context>
  auto heads(Context&, index_t n, index_t components) const {
    return heads_by_computed_key<job_input_t<Checked>, Equal, Heading>{
        keys.source, equal, components,
        Heading == direction::forward ? components : n - components};
  }
};
/// Returns segments with checked keys, if these are computed.
template <class Context, class Segments>
Segments const& resolve_segments(checked_call<Context> const&, Segments const& segments) {
  return segments;
}
template <class Context, class Keys, class Equal>
requires is_lazy<Keys>
auto resolve_segments(checked_call<Context> const& call, by_keys<Keys, Equal> const& segments) {
  static_assert(reads_items<parameter::keys, Context, Keys>::value);
  using item = item_or_any_t<Keys>;
  static_assert(runs_on<Context, Equal, item, item>::value);
  sam::detail::expect_runs_on<Context, Equal, item, item>();
  auto const keys = sam::detail::input_of<parameter::keys>(call, segments.keys);
  return by_checked_keys<std::remove_const_t<decltype(keys)>, Equal>{keys, segments.equal};
}

/// Rejects segments that do not fit n items, or whose array a computed output or an array overlaps.
template <class Context, class Segments, class Out>
void check_segments(checked_call<Context> const& call, Segments const& segments, index_t n,
                    index_t components, Out const& out) {
  segments.check(call, n, components, out);
  if constexpr (is_computed_output<Out>)
    for (extent const& written : out.arrays.all_written())
      segments.check_apart(call, written);
}

struct by_length {
  index_t length;

  template <class Context>
  void check(checked_call<Context> const& call, index_t, index_t, extent const&) const {
    check_length(call);
  }
  void check_length(call_checks const& call) const { call.at_least("length", length, 1); }
  void check_apart(call_checks const&, extent const&) const {}
  index_t most_segments(index_t n) const { return length < n ? div_up(n, max_of(length, 1)) : 1; }
  template <direction Heading, int TupleSize, class Word = std::uint64_t, class Context>
  auto heads(Context&, index_t, index_t components) const {
    heads_by_length<Heading, Word> const rows(length);
    if constexpr (TupleSize == 1)
      return rows;
    else
      return heads_of_rows<heads_by_length<Heading, Word>>{rows, components};
  }
};

/// Calls f(heads) for the segments of n items. On a GPU, whose integers have 32 bits, lengths are
/// computed in 32 bits if they fit.
template <direction Heading, int TupleSize, class Context, class Segments, class F>
void with_heads(Context& context, Segments const& segments, index_t n, index_t components, F f) {
  if constexpr (std::is_same_v<Segments, by_length> && has_own_memory<Context>)
    if (engine::max_of(n, segments.length) <= index_t{highest_of<std::uint32_t>})
      return f(segments.template heads<Heading, TupleSize, std::uint32_t>(context, n, components));
  f(segments.template heads<Heading, TupleSize>(context, n, components));
}

/// Returns segments for calls that store them with their inputs: in_memory(context, ...,
/// segments.to_store()), then segments.stored(...). Those of an array are complete.
template <class Context, class Segments>
decltype(auto) given_segments(checked_call<Context> const& call, Segments const& segments) {
  return sam::detail::resolve_segments(call, segments);
}

template <class S>
inline constexpr bool is_by_keys = false;
template <class Keys, class Equal>
inline constexpr bool is_by_keys<by_keys<Keys, Equal>> = true;

template <class S>
inline constexpr bool is_segments = is_by_offsets<S> || is_by_keys<S>;
template <>
inline constexpr bool is_segments<by_length> = true;
template <class Flags>
inline constexpr bool is_segments<by_heads<Flags>> = true;

/// Checks an array that segments refer to.
template <class Parameter, class A>
using keeps = std::conjunction<typename Parameter::template is_array<A>,
                               typename Parameter::template has_items<A>,
                               typename Parameter::template is_kept<A>>;

template <class S>
struct are_segments {
  static constexpr bool value = is_segments<std::remove_cvref_t<S>>;
  static_assert(value,
                "sam: segments must be by_offsets(offsets), by_heads(flags), by_keys(keys) or "
                "by_length(length); see <sam/segments.hpp>");
};

/// Returns offsets as segments hold them.
template <bool Checked, class Offsets>
requires(!is_counted<std::remove_cvref_t<Offsets>>) auto hold_offsets(Offsets&& offsets) {
  if constexpr (all_right<keeps<parameter::offsets, Offsets>,
                          parameter::offsets::holds_integers<item_or_any_t<Offsets>>>)
    return by_offsets<borrowed_t<Offsets>, Checked>{sam::detail::borrow(offsets)};
  else
    return by_length{1};
}
template <bool Checked, class Items, class Number>
auto hold_offsets(counted_array<Items, Number> const& offsets) {
  if constexpr (all_right<parameter::offsets::is_array<Items const&>,
                          parameter::offsets::holds_integers<item_or_any_t<Items>>,
                          parameter::number::is_array<Number const&>,
                          parameter::number::holds_integers<item_or_any_t<Number>>>)
    return by_counted_offsets<borrowed_t<Items const&>, borrowed_t<Number const&>, Checked>{
        sam::detail::borrow(offsets.items), sam::detail::borrow(offsets.number)};
  else
    return by_length{1};
}

/// Returns begins and ends as segments hold them.
template <bool Checked, class Begins, class Ends>
requires(!is_counted<std::remove_cvref_t<Begins>>) auto hold_ranges(Begins&& begins, Ends&& ends) {
  if constexpr (all_right<keeps<parameter::begins, Begins>,
                          parameter::begins::holds_integers<item_or_any_t<Begins>>,
                          keeps<parameter::ends, Ends>, have_one_item_type<Begins, Ends>>)
    return by_begins_and_ends<borrowed_t<Begins>, borrowed_t<Ends>, Checked>{
        sam::detail::borrow(begins), sam::detail::borrow(ends)};
  else
    return by_length{1};
}
template <bool Checked, class Items, class Number, class Ends>
auto hold_ranges(counted_array<Items, Number> const& begins, Ends&& ends) {
  if constexpr (all_right<parameter::begins::is_array<Items const&>,
                          parameter::begins::holds_integers<item_or_any_t<Items>>,
                          parameter::number::is_array<Number const&>,
                          parameter::number::holds_integers<item_or_any_t<Number>>,
                          keeps<parameter::ends, Ends>, have_one_item_type<Items, Ends>>)
    return by_counted_ranges<borrowed_t<Items const&>, borrowed_t<Ends>, borrowed_t<Number const&>,
                             Checked>{
        {sam::detail::borrow(begins.items), sam::detail::borrow(ends)},
        sam::detail::borrow(begins.number)};
  else
    return by_length{1};
}

/// Checks a segmented scan or reduction at compile time.
template <class Context, class In, class Segments, class T, class... Options>
using is_segmented =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     are_segments<Segments>, are_scan_options<T, Options...>,
                     calls_operator<Context, T, Options...>, converts_items<array_within_t<In>, T>>;

}  // namespace detail

/// A type that by_heads, by_offsets, by_checked_offsets, by_ranges, by_checked_ranges, by_length or
/// by_keys returns.
template <class S>
concept segments = detail::is_segments<S>;

/// Returns segments by head flags. A flag is an integer or bool for each item, not 0 where a
/// segment begins, or a bit of packed_bits. In a backward scan, it marks where a segment ends. A
/// flag affects only the component of its own item.
///
/// flags    the array must live until the call that uses the segments has done its work; a
///          temporary that owns its items does not compile
template <class Flags>
auto by_heads(Flags&& flags) {
  using given = std::remove_cvref_t<Flags>;
  if constexpr (detail::are_packed_bits<given>)
    return detail::by_heads<given>{flags};
  else if constexpr (detail::all_right<detail::keeps<detail::parameter::heads, Flags>,
                                       detail::are_flag_items<Flags>>)
    return detail::by_heads<detail::borrowed_t<Flags>>{detail::borrow(flags)};
  else
    return detail::by_length{1};
}

/// Returns segments by offsets: segment k is items [offsets[k], offsets[k + 1]). With tuples,
/// offsets count tuples: all components of a tuple begin a segment together.
///
/// offsets  m + 1 integers for m segments, from 0 to n, in non-decreasing order, as in compressed
///          sparse rows. Other offsets give unspecified results, but nothing is written outside the
///          outputs; by_checked_offsets rejects them. The array must live until the call that uses
///          the segments has done its work; a temporary that owns its items does not compile. Of
///          sam::counted(offsets, number), the first number[0] segments, by a number in memory that
///          the context reaches
template <class Offsets>
auto by_offsets(Offsets&& offsets) {
  return detail::hold_offsets<false>(std::forward<Offsets>(offsets));
}
/// Returns segments by offsets that every call checks before use. The check reads all offsets and
/// waits for the result. Invalid offsets throw sam::invalid_argument. Of sam::counted(offsets,
/// number), the first segments must hold all items.
template <class Offsets>
auto by_checked_offsets(Offsets&& offsets) {
  return detail::hold_offsets<true>(std::forward<Offsets>(offsets));
}

/// Returns segments by their begins and ends: segment k is items [begins[k], ends[k]), and there
/// may be items between segments, before the first and behind the last one. A reduction, a search
/// of extreme items and a selection by rank pass over these. A scan and a sort take those between
/// two segments for a segment.
///
/// begins, ends  m integers of one type each: begins[k] <= ends[k] <= begins[k + 1]. Other ranges
///               give unspecified results, but nothing is written outside the outputs;
///               by_checked_ranges rejects them. A call copies them to memory of the context. They
///               must live until it has done its work; a temporary that owns its items does not
///               compile. begins may be sam::counted(begins, number): the first number[0] ranges
template <class Begins, class Ends>
auto by_ranges(Begins&& begins, Ends&& ends) {
  return detail::hold_ranges<false>(std::forward<Begins>(begins), std::forward<Ends>(ends));
}
/// Returns segments by ranges that every call checks before use. The check reads all begins and
/// ends and waits for the result. Invalid ranges throw sam::invalid_argument.
template <class Begins, class Ends>
auto by_checked_ranges(Begins&& begins, Ends&& ends) {
  return detail::hold_ranges<true>(std::forward<Begins>(begins), std::forward<Ends>(ends));
}

/// Returns segments of `length` items each, as rows of a matrix; the last one may be shorter. With
/// tuples, `length` counts tuples. It reads no array.
inline auto by_length(index_t length) { return detail::by_length{length}; }

/// Returns segments by keys: one begins wherever an item's key is not equal to the previous key of
/// its component.
///
/// keys     one for each item; for all calls but selections by rank also a computed input
///          (<sam/inputs.hpp>). The array must live until the call that uses the segments has
///          done its work; a temporary that owns its items does not compile
/// equal    a const function object that returns true if two neighbouring keys are equal; == if it
///          is missing
template <class Keys, class Equal = detail::equal_items>
auto by_keys(Keys&& keys, Equal equal = {}) {
  using given = std::remove_cvref_t<Keys>;
  if constexpr (detail::is_lazy<given>)
    return detail::by_keys<given, Equal>{keys, equal};
  else if constexpr (detail::all_right<detail::keeps<detail::parameter::keys, Keys>,
                                       detail::is_equivalence<void, Equal, Keys>>)
    return detail::by_keys<detail::borrowed_t<Keys>, Equal>{detail::borrow(keys), equal};
  else
    return detail::by_length{1};
}

}  // namespace sam::inline v0_1
