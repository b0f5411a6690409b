// SPDX-License-Identifier: MIT
// Defines the ways to specify segments: by head flags, offsets, keys or length.
#pragma once

#include <sam/arguments/flags.hpp>
#include <sam/backend/mark_job.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/inputs/copy_input.hpp>
#include <sam/detail/segmented_job.hpp>
#include <sam/scan_options.hpp>

#include <cstddef>
#include <span>
#include <tuple>

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

// --- Offsets -------------------------------------------------------------------------------------

/// Maps offset k to a bit: word(k) is the index of its word, and [k] the word with only this bit
/// set. Offsets outside the bits set none.
template <class Offset>
struct bits_of_offsets {
  mark_job<Offset> marks;

  SAM_FUNCTION index_t word(index_t k) const {
    return engine::max_of(0, engine::min_of(marks.bit(k), marks.bits - 1)) / 32;
  }
  SAM_FUNCTION std::uint32_t operator[](index_t k) const {
    index_t const bit = marks.bit(k);
    return bit < 0 || bit >= marks.bits ? 0u : 1u << (bit % 32);
  }
  /// Returns true if offset k is the first to set a bit in its word.
  SAM_FUNCTION bool at(index_t k) const { return k == 0 || word(k - 1) != word(k); }
};

/// Writes the words. The offsets that fall into one word are contiguous, and so form a segment. So
/// no two threads write to the same word.
template <class Offset>
struct to_words {
  bits_of_offsets<Offset> bits;
  SAM_FUNCTION void put(index_t k, index_t, std::uint32_t word) const {
    bits.marks.words[bits.word(k)] = word;
  }
};

/// Finds the first invalid offset: the smallest such k, or last + 1 if all are valid.
template <class Offset>
struct check_offsets_job {
  using item = index_t;
  using accumulator = index_t;
  Offset const* offsets;
  index_t last, rows;
  index_t* result;

  SAM_FUNCTION index_t load(index_t k) const {
    Offset const offset = offsets[k];  // may be wider than index_t
    bool const wrong = (k == 0 && offset != Offset(0)) ||
                       (k == last && offset != static_cast<Offset>(rows)) ||
                       (k > 0 && offset < offsets[k - 1]);
    return wrong ? k : last + 1;
  }
  SAM_FUNCTION index_t to_accumulator(index_t k) const { return k; }
  SAM_FUNCTION void store(index_t k, index_t, index_t smallest) const {
    if (k == last)
      *result = smallest;
  }
};

template <class Offsets, bool Checked>
struct by_offsets {
  Offsets offsets;

  auto const* data() const {
    return static_cast<item_of<Offsets> const*>(sam::detail::raw_pointer(std::data(offsets)));
  }
  index_t segments() const { return sam::size_of(offsets) - 1; }

  template <class Context>
  void check(checked_call<Context> const& call, index_t n, index_t components,
             extent const& out) const {
    static_assert(parameter::offsets::is_reached<Context, Offsets>::value);
    extent const all = call.template input<parameter::offsets>(offsets);
    call.apart(all, out);
    if (all.items == 0)
      call.refuse("offsets", "holds no items; it must hold one more than there are segments");
    index_t const rows = div_up(n, components);
    call.template fits<item_of<Offsets>>("offsets", rows);
    if constexpr (Checked)
      check_order(call, rows);
  }
  void check_apart(call_checks const& call, extent const& written) const {
    call.apart(written, call.items<item_of<Offsets> const>("offsets", offsets));
  }
  /// Counts segments that are not empty. Items before the first offset and behind the last form two
  /// more.
  index_t most_segments(index_t n) const { return engine::min_of(segments() + 2, n); }

  /// Returns the number of words of workspace that `heads` needs for n items.
  static index_t words_for(index_t n) { return div_up(n, 32); }

  template <direction Heading, int TupleSize, class Context>
  auto heads(Context& context, index_t n, index_t components) const {
    auto* const words = engine::workspace<std::uint32_t>(context, words_for(n));
    return heads_in<Heading, TupleSize>(context, words, n, components);
  }
  /// Returns the job that marks the heads of `rows` rows. Forward, an offset marks the segment's
  /// first row; backward, the last row of the one before.
  template <direction Heading>
  auto marks(std::uint32_t* words, index_t rows) const {
    return mark_job<item_of<Offsets>>{data(), sam::size_of(offsets),
                                      Heading == direction::forward ? 0 : 1, rows, words};
  }
  template <direction Heading, int TupleSize, class Context>
  auto heads_in(Context& context, std::uint32_t* words, index_t n, index_t components) const {
    using offset = item_of<Offsets>;
    index_t const rows = div_up(n, components);
    auto const marks = this->template marks<Heading>(words, rows);
    if constexpr (marks_bits<Context, mark_job<offset>>) {
      context.mark_bits(marks);
    } else {
      detail::fill(context, div_up(rows, 32), words, std::uint32_t{0});
      bits_of_offsets<offset> const bits{marks};
      detail::run_segmented_reduce<std::uint32_t, carry::decoupled>(
          context, sam::size_of(offsets), bits, bits, bit_or{}, from_nothing{},
          to_words<offset>{bits});
    }
    if constexpr (TupleSize == 1)
      return heads_by_bit{words};
    else
      return heads_of_rows<heads_by_bit>{{words}, components};
  }

 private:
  /// Rejects offsets that do not go from 0 to `rows` or that decrease. Runs a scan and waits for
  /// it.
  template <class Context>
  void check_order(checked_call<Context> const& call, index_t rows) const {
    index_t const last = segments();
    index_t const wrong = engine::result_of<index_t>(call.context(), [&](index_t* place) {
      call.context().run(last + 1, check_offsets_job<item_of<Offsets>>{data(), last, rows, place},
                         resolve_policy<bound::inclusive>(scan_policy<minimum>{}, from_nothing{}));
    });
    if (wrong <= last)
      call.refuse("offsets", "is wrong at item ", wrong, " of ", last + 1,
                  "; it must begin with 0, never fall, and end with ", rows);
  }
};

/// Gives offsets, of which those past the last segment become its end, so that they begin empty
/// segments.
template <class Offset, class Number>
struct first_offsets {
  using item = Offset;
  Offset const* offsets;
  Number segments;
  SAM_FUNCTION item at(index_t k) const { return offsets[engine::min_of(k, segments())]; }
};
/// Segments by offsets whose number lies in memory. A call resolves them before it uses them.
template <class Offsets, class Number>
struct by_counted_offsets {
  Offsets offsets;
  Number number;
  index_t most_segments(index_t n) const { return engine::min_of(sam::size_of(offsets) + 1, n); }
  static index_t words_for(index_t n) { return div_up(n, 32); }
};
/// The first segments by offsets. On a device there are as many as there may be, of which those
/// past their number are empty.
template <class Offset, class Number>
struct by_first_offsets : by_offsets<std::span<Offset const>, false> {
  using base = by_offsets<std::span<Offset const>, false>;
  Number number;
  extent given, given_number;

  template <class Context>
  void check(checked_call<Context> const& call, index_t n, index_t components,
             extent const& out) const {
    call.apart(given, out);
    call.apart(given_number, out);
    base::check(call, n, components, out);
  }
  void check_apart(call_checks const& call, extent const& written) const {
    call.apart(written, given);
    call.apart(written, given_number);
  }
};
/// Offsets that have passed their checks, and from which the first ones have yet to be taken.
template <class Offset, class Number>
struct by_given_offsets : by_offsets<std::span<Offset const>, false> {
  Number number;
  extent given_number;

  template <class Context>
  void check(checked_call<Context> const& call, index_t n, index_t components,
             extent const& out) const {
    call.apart(given_number, out);
    by_offsets<std::span<Offset const>, false>::check(call, n, components, out);
  }
  void check_apart(call_checks const& call, extent const& written) const {
    by_offsets<std::span<Offset const>, false>::check_apart(call, written);
    call.apart(written, given_number);
  }
  checked_input<first_offsets<Offset, Number>, 0> to_store() const {
    return {{this->data(), number}, sam::size_of(this->offsets), "offsets", {}};
  }
  by_first_offsets<Offset, Number> stored(checked_array<Offset const> const& first) const {
    return {{{first.data, static_cast<std::size_t>(first.size)}},
            number,
            {this->data(), first.size, sizeof(Offset), "offsets"},
            given_number};
  }
};
/// Returns segments for calls that store them with their inputs: in_memory(context, ...,
/// segments.to_store()), then segments.stored(...). Those of an array are complete.
template <class Context, class Segments>
decltype(auto) given_segments(checked_call<Context> const& call, Segments const& segments) {
  return sam::detail::resolve_segments(call, segments);
}
template <class Segments>
auto segments_to_store(Segments const& segments) {
  if constexpr (requires { segments.to_store(); })
    return segments.to_store();
  else
    return nothing_to_store{};
}
template <class Segments, class Stored>
decltype(auto) stored_segments(Segments const& segments, Stored const& stored) {
  if constexpr (requires { segments.stored(stored); })
    return segments.stored(stored);
  else
    return (segments);
}
template <class Context, class Offsets, class Number>
auto given_segments(checked_call<Context> const& call,
                    by_counted_offsets<Offsets, Number> const& segments) {
  static_assert(reads_from<parameter::offsets, Context, Offsets>::value);
  static_assert(reads_from<parameter::number, Context, Number>::value);
  using offset = item_of<Offsets>;
  auto const all = call.template input<parameter::offsets>(segments.offsets);
  auto const number = call.template input<parameter::number>(segments.number);
  call.size_is(number, 1, "the number of segments");
  if (all.size == 0)
    call.refuse(all.name, "holds no items; it must hold one more than there are segments");
  loaded_count<item_of<Number>> const count{number.data, all.size - 1};
  if constexpr (works_on_device<Context>) {
    return by_given_offsets<offset, std::remove_const_t<decltype(count)>>{
        {{all.data, static_cast<std::size_t>(all.size)}}, count, number};
  } else {
    return by_first_offsets<offset, known_count>{
        {{all.data, static_cast<std::size_t>(count() + 1)}}, {count()}, all, number};
  }
}
template <class Context, class Offsets, class Number>
auto resolve_segments(checked_call<Context> const& call,
                      by_counted_offsets<Offsets, Number> const& segments) {
  auto const given = sam::detail::given_segments(call, segments);
  auto const first = sam::detail::in_memory(call.context(), sam::detail::segments_to_store(given));
  return sam::detail::stored_segments(given, std::get<0>(first));
}
/// Returns the number of segments by offsets that there may be.
template <class Segments>
index_t most_by_offsets(Segments const& segments) {
  if constexpr (requires { segments.given; })
    return segments.given.items - 1;
  else
    return segments.segments();
}

template <class S>
inline constexpr bool is_by_offsets = false;
template <class Offsets, class Number>
inline constexpr bool is_by_offsets<by_counted_offsets<Offsets, Number>> = true;
template <class Offset, class Number>
inline constexpr bool is_by_offsets<by_first_offsets<Offset, Number>> = true;
template <class Offset, class Number>
inline constexpr bool is_by_offsets<by_given_offsets<Offset, Number>> = true;
template <class Offsets, bool Checked>
inline constexpr bool is_by_offsets<by_offsets<Offsets, Checked>> = true;

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

/// Returns counted offsets as segments hold them.
template <class Items, class Number>
auto hold_counted_offsets(counted_array<Items, Number> const& offsets) {
  if constexpr (all_right<parameter::offsets::is_array<Items const&>,
                          parameter::offsets::holds_integers<item_or_any_t<Items>>,
                          parameter::number::is_array<Number const&>,
                          parameter::number::holds_integers<item_or_any_t<Number>>>)
    return by_counted_offsets<borrowed_t<Items const&>, borrowed_t<Number const&>>{
        sam::detail::borrow(offsets.items), sam::detail::borrow(offsets.number)};
  else
    return by_length{1};
}

/// Checks that keys are an array, and offsets not counted, for calls that read no computed ones.
template <class S>
struct has_keys_in_memory : std::true_type {};
template <class Keys, class Equal>
requires is_lazy<Keys>
struct has_keys_in_memory<by_keys<Keys, Equal>> : parameter::keys::is_array<Keys> {
};

template <class Offsets, class Number>
struct has_keys_in_memory<by_counted_offsets<Offsets, Number>>
    : parameter::offsets::is_array<counted_array<Offsets, Number>> {};

/// Checks a segmented scan or reduction at compile time.
template <class Context, class In, class Segments, class T, class... Options>
using is_segmented =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     are_segments<Segments>, are_scan_options<T, Options...>,
                     calls_operator<Context, T, Options...>, converts_items<array_within_t<In>, T>>;

}  // namespace detail

/// A type that by_heads, by_offsets, by_checked_offsets, by_length or by_keys returns.
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
///          the segments has done its work; a temporary that owns its items does not compile
///          or sam::counted(offsets, number), for all calls but selections by rank: the first
///          number[0] segments, by a number in memory that the context reaches
template <class Offsets>
auto by_offsets(Offsets&& offsets) {
  using given = std::remove_cvref_t<Offsets>;
  if constexpr (detail::is_counted<given>)
    return detail::hold_counted_offsets(offsets);
  else if constexpr (detail::all_right<detail::keeps<detail::parameter::offsets, Offsets>,
                                       detail::parameter::offsets::holds_integers<
                                           detail::item_or_any_t<Offsets>>>)
    return detail::by_offsets<detail::borrowed_t<Offsets>, false>{detail::borrow(offsets)};
  else
    return detail::by_length{1};
}
/// Returns segments by offsets that every call checks before use. The check reads all offsets and
/// waits for the result. Invalid offsets throw sam::invalid_argument.
template <class Offsets>
auto by_checked_offsets(Offsets&& offsets) {
  if constexpr (detail::all_right<
                    detail::keeps<detail::parameter::offsets, Offsets>,
                    detail::parameter::offsets::holds_integers<detail::item_or_any_t<Offsets>>>)
    return detail::by_offsets<detail::borrowed_t<Offsets>, true>{detail::borrow(offsets)};
  else
    return detail::by_length{1};
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
