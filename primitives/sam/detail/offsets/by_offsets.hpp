// SPDX-License-Identifier: MIT
// Holds segments by offsets: all of an array, the first ones by a number in memory, and those that
// begins and ends describe.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/backend/mark_job.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/inputs/copy_input.hpp>
#include <sam/detail/segmented_job.hpp>

#include <cstddef>
#include <span>
#include <tuple>

namespace sam::inline v0_1::detail {

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

/// Finds the first invalid offset of some segments: the smallest such k, or last + 1 if all are
/// valid.
template <class Offset, class Number>
struct check_offsets_job {
  using item = index_t;
  using accumulator = index_t;
  Offset const* offsets;
  index_t last, rows;
  Number segments;
  index_t* result;

  SAM_FUNCTION index_t load(index_t k) const {
    index_t const end = segments();
    if (k > end)
      return last + 1;
    Offset const offset = offsets[k];  // may be wider than index_t
    bool const wrong = (k == 0 && offset != Offset(0)) ||
                       (k == end && offset != static_cast<Offset>(rows)) ||
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
      check_order(call, rows, known_count{segments()});
  }
  void check_apart(call_checks const& call, extent const& written) const {
    call.apart(written, call.items<item_of<Offsets> const>("offsets", offsets));
  }
  /// Returns segments by a copy of these offsets that has passed its checks.
  auto stored(checked_array<item_of<Offsets> const> const& copy) const {
    using copies = std::span<item_of<Offsets> const>;
    return by_offsets<copies, false>{copies(copy.data, static_cast<std::size_t>(copy.size))};
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

 protected:
  /// Rejects offsets of the first segments, by their number, that do not go from 0 to `rows` or
  /// that decrease. Runs a scan and waits for it.
  template <class Context, class Number>
  void check_order(checked_call<Context> const& call, index_t rows, Number const& number) const {
    index_t const last = segments();
    index_t const wrong = engine::result_of<index_t>(call.context(), [&](index_t* place) {
      call.context().run(
          last + 1, check_offsets_job<item_of<Offsets>, Number>{data(), last, rows, number, place},
          resolve_policy<bound::inclusive>(scan_policy<minimum>{}, from_nothing{}));
    });
    if (wrong <= last)
      call.refuse_found("offsets", "is wrong at item ", wrong, " of ", last + 1,
                        "; it must begin with 0, never fall, and end with ", rows);
  }
};

/// Returns a number of segments in memory: on a CPU as it is now.
template <class Context, class Number>
auto count_of_segments(checked_call<Context> const& call, Number const& number) {
  if constexpr (works_on_device<Context>)
    return number;
  else
    return known_count{detail::number_now(call.context(), number)};
}
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
template <class Offsets, class Number, bool Checked>
struct by_counted_offsets {
  Offsets offsets;
  Number number;
  index_t most_segments(index_t n) const { return engine::min_of(sam::size_of(offsets) + 1, n); }
  static index_t words_for(index_t n) { return div_up(n, 32); }
};
/// The first segments by offsets. On a device there are as many as there may be, of which those
/// past their number are empty.
template <class Offset, class Number, bool Checked>
struct by_first_offsets : by_offsets<std::span<Offset const>, false> {
  using base = by_offsets<std::span<Offset const>, false>;
  Number number;
  extent given, given_number;

  /// Returns where the end of the last segment lies, behind which no items belong to a segment. On
  /// a device, stored offsets past the number are this end, too.
  Offset const* end_of_last() const { return this->data() + this->segments(); }
  by_first_offsets stored(checked_array<Offset const> const& copy) const {
    return {{{copy.data, static_cast<std::size_t>(copy.size)}}, number, given, given_number};
  }

  template <class Context>
  void check(checked_call<Context> const& call, index_t n, index_t components,
             extent const& out) const {
    call.apart(given, out);
    call.apart(given_number, out);
    base::check(call, n, components, out);
    if constexpr (Checked)
      this->check_order(call, div_up(n, components), number);
  }
  void check_apart(call_checks const& call, extent const& written) const {
    call.apart(written, given);
    call.apart(written, given_number);
  }
};
/// Offsets that have passed their checks, and from which the first ones have yet to be taken.
template <class Offset, class Number, bool Checked>
struct by_given_offsets : by_offsets<std::span<Offset const>, false> {
  Number number;
  extent given_number;

  template <class Context>
  void check(checked_call<Context> const& call, index_t n, index_t components,
             extent const& out) const {
    call.apart(given_number, out);
    by_offsets<std::span<Offset const>, false>::check(call, n, components, out);
    if constexpr (Checked)
      this->check_order(call, div_up(n, components), number);
  }
  void check_apart(call_checks const& call, extent const& written) const {
    by_offsets<std::span<Offset const>, false>::check_apart(call, written);
    call.apart(written, given_number);
  }
  checked_input<first_offsets<Offset, Number>, 0> to_store(index_t) const {
    return {{this->data(), number}, sam::size_of(this->offsets), "offsets", {}};
  }
  by_first_offsets<Offset, Number, Checked> stored(checked_array<Offset const> const& first) const {
    return {{{first.data, static_cast<std::size_t>(first.size)}},
            number,
            {this->data(), first.size, sizeof(Offset), "offsets"},
            given_number};
  }
};

/// Gives ranges as offsets: 0, the first begin, the first end, the second begin, and so on. So
/// range k is segment 2 k + 1. Offsets behind the ranges, of which there is at least one, are
/// `rows`, or the last end if rows is below 0.
template <class Offset, class Number>
struct offsets_of_ranges {
  using item = Offset;
  Offset const *begins, *ends;
  Number number;
  index_t rows;
  SAM_FUNCTION item at(index_t k) const {
    index_t const range = (k - 1) / 2, ranges = number();
    if (k == 0)
      return Offset(0);
    if (range < ranges)
      return k % 2 == 1 ? begins[range] : ends[range];
    return rows >= 0 ? static_cast<Offset>(rows) : ranges > 0 ? ends[ranges - 1] : Offset(0);
  }
};
/// Finds the first invalid range of some: the smallest such k, or last + 1 if all are valid.
template <class Offset, class Number>
struct check_ranges_job {
  using item = index_t;
  using accumulator = index_t;
  Offset const *firsts, *pasts;  // the begins and ends
  index_t last, rows;
  Number number;
  index_t* result;

  SAM_FUNCTION index_t load(index_t k) const {
    if (k >= number())
      return last + 1;
    bool const wrong = firsts[k] < (k == 0 ? Offset(0) : pasts[k - 1]) || pasts[k] < firsts[k] ||
                       pasts[k] > static_cast<Offset>(rows);
    return wrong ? k : last + 1;
  }
  SAM_FUNCTION index_t to_accumulator(index_t k) const { return k; }
  SAM_FUNCTION void store(index_t k, index_t, index_t smallest) const {
    if (k == last)
      *result = smallest;
  }
};
/// Segments by ranges. A call resolves them before it uses them.
template <class Begins, class Ends, bool Checked>
struct by_begins_and_ends {
  Begins begins;
  Ends ends;
  index_t most_segments(index_t n) const { return engine::min_of(2 * sam::size_of(begins) + 1, n); }
  static index_t words_for(index_t n) { return div_up(n, 32); }
};
/// Segments by ranges whose number lies in memory. A call resolves them before it uses them.
template <class Begins, class Ends, class Number, bool Checked>
struct by_counted_ranges : by_begins_and_ends<Begins, Ends, Checked> {
  Number number;
};
/// Checks segments by ranges.
struct range_checks {
  extent begins, ends, number;
  void check_apart(call_checks const& call, extent const& written) const {
    call.apart(written, begins);
    call.apart(written, ends);
    call.apart(written, number);
  }
};
/// Ranges as offsets in memory, of every second segment of which there are results. On a device
/// there are as many as there may be, of which those past their number are empty.
template <class Offset, class Number, bool Checked>
struct by_offsets_of_ranges : by_offsets<std::span<Offset const>, false> {
  range_checks given_ranges;
  Number number;

  index_t ranges() const {
    if constexpr (std::is_same_v<Number, known_count>)
      return number();
    else
      return most_ranges();
  }
  index_t most_ranges() const { return given_ranges.begins.items; }
  template <class Context>
  void check(checked_call<Context> const& call, index_t n, index_t components,
             extent const& out) const {
    given_ranges.check_apart(call, out);
    index_t const rows = div_up(n, components);
    call.template fits<Offset>("begins", rows);
    if constexpr (Checked)
      check_order(call, rows);
  }
  void check_apart(call_checks const& call, extent const& written) const {
    given_ranges.check_apart(call, written);
  }
  /// Returns the offsets that describe the ranges of `rows` rows, or those up to the last end.
  offsets_of_ranges<Offset, Number> all_offsets(index_t rows) const {
    return {begins(), ends(), number, rows};
  }
  checked_input<offsets_of_ranges<Offset, Number>, 0> to_store(index_t rows) const {
    return {all_offsets(rows), 2 * ranges() + 2, "begins", {}};
  }
  by_offsets_of_ranges stored(checked_array<Offset const> const& all) const {
    return {{{all.data, static_cast<std::size_t>(all.size)}}, given_ranges, number};
  }

 private:
  auto const* begins() const { return static_cast<Offset const*>(given_ranges.begins.data); }
  auto const* ends() const { return static_cast<Offset const*>(given_ranges.ends.data); }
  /// Rejects ranges that leave the rows, or that are not in order. Runs a scan and waits for it.
  template <class Context>
  void check_order(checked_call<Context> const& call, index_t rows) const {
    index_t const last = ranges() - 1;
    if (last < 0)
      return;
    index_t const wrong = engine::result_of<index_t>(call.context(), [&](index_t* place) {
      call.context().run(
          last + 1, check_ranges_job<Offset, Number>{begins(), ends(), last, rows, number, place},
          resolve_policy<bound::inclusive>(scan_policy<minimum>{}, from_nothing{}));
    });
    if (wrong <= last)
      call.refuse_found(
          "begins", "is wrong at item ", wrong, " of ", last + 1,
          "; a range must begin behind the one before, not end before it begins, and end "
          "by ",
          rows);
  }
};
template <class Context, class Begins, class Ends, bool Checked>
auto given_segments(checked_call<Context> const& call,
                    by_begins_and_ends<Begins, Ends, Checked> const& segments) {
  static_assert(reads_from<parameter::begins, Context, Begins>::value);
  static_assert(reads_from<parameter::ends, Context, Ends>::value);
  auto const begins = call.template input<parameter::begins>(segments.begins);
  auto const ends = call.template input<parameter::ends>(segments.ends);
  call.same_size(ends, begins);
  return by_offsets_of_ranges<item_of<Begins>, known_count, Checked>{
      {}, {begins, ends, {}}, {begins.size}};
}
template <class Context, class Begins, class Ends, class Number, bool Checked>
auto given_segments(checked_call<Context> const& call,
                    by_counted_ranges<Begins, Ends, Number, Checked> const& segments) {
  static_assert(reads_from<parameter::number, Context, Number>::value);
  by_begins_and_ends<Begins, Ends, Checked> const& arrays = segments;
  range_checks all = sam::detail::given_segments(call, arrays).given_ranges;
  auto const number = call.template input<parameter::number>(segments.number);
  call.size_is(number, 1, "the number of segments");
  all.number = number;
  auto const count = sam::detail::count_of_segments(
      call, loaded_count<item_of<Number>>{number.data, all.begins.items});
  return by_offsets_of_ranges<item_of<Begins>, std::remove_const_t<decltype(count)>, Checked>{
      {}, all, count};
}

// Return segments as a call stores them with its inputs, `rows` rows of tuples in all.

template <class Segments>
auto segments_to_store(Segments const& segments, index_t rows) {
  if constexpr (requires { segments.to_store(rows); })
    return segments.to_store(rows);
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
template <class Context, class Offsets, class Number, bool Checked>
auto given_segments(checked_call<Context> const& call,
                    by_counted_offsets<Offsets, Number, Checked> const& segments) {
  static_assert(reads_from<parameter::offsets, Context, Offsets>::value);
  static_assert(reads_from<parameter::number, Context, Number>::value);
  using offset = item_of<Offsets>;
  auto const all = call.template input<parameter::offsets>(segments.offsets);
  auto const number = call.template input<parameter::number>(segments.number);
  call.size_is(number, 1, "the number of segments");
  if (all.size == 0)
    call.refuse(all.name, "holds no items; it must hold one more than there are segments");
  auto const count = sam::detail::count_of_segments(
      call, loaded_count<item_of<Number>>{number.data, all.size - 1});
  using count_type = std::remove_const_t<decltype(count)>;
  if constexpr (works_on_device<Context>)
    return by_given_offsets<offset, count_type, Checked>{
        {{all.data, static_cast<std::size_t>(all.size)}}, count, number};
  else
    return by_first_offsets<offset, count_type, Checked>{
        {{all.data, static_cast<std::size_t>(count() + 1)}}, count, all, number};
}
/// Gives offsets that are cut to the first items, by their number.
template <class Source, class Number>
struct offsets_up_to {
  using item = typename Source::item;
  Source offsets;
  Number number;
  SAM_FUNCTION item at(index_t k) const {
    item const offset = offsets.at(k);
    index_t const n = number();
    return static_cast<index_t>(offset) < n ? offset : static_cast<item>(n);
  }
};
/// Returns the offsets of segments, also of those that have yet to be stored.
template <class Segments>
auto offsets_of(Segments const& segments) {
  using source = array_source<std::remove_cvref_t<decltype(*segments.data())>>;
  if constexpr (requires { segments.to_store(-1); })
    return segments.to_store(-1);
  else
    return checked_input<source, 0>{{segments.data()}, segments.segments() + 1, "offsets", {}};
}
/// Returns given segments for a call that stores no inputs. Where items are counted, the segments
/// are cut to `number` of them, and copied.
template <class Items, class Context, class Segments, class Number>
auto segments_of_items(checked_call<Context> const& call, Segments const& given,
                       Number const& number) {
  Context& context = call.context();
  if constexpr (is_counted<Items>) {
    auto const all = sam::detail::offsets_of(given);
    using cut = offsets_up_to<std::remove_const_t<decltype(all.source)>, Number>;
    auto const first = sam::detail::in_memory(
        context, checked_input<cut, 0>{{all.source, number}, all.size, all.name, {}});
    return given.stored(std::get<0>(first));
  } else {
    auto const first = sam::detail::in_memory(context, sam::detail::segments_to_store(given, -1));
    return sam::detail::stored_segments(given, std::get<0>(first));
  }
}

template <class Context, class Offsets, class Number, bool Checked>
auto resolve_segments(checked_call<Context> const& call,
                      by_counted_offsets<Offsets, Number, Checked> const& segments) {
  return sam::detail::segments_of_items<void>(call, sam::detail::given_segments(call, segments),
                                              known_count{0});
}
template <class Context, class Begins, class Ends, bool Checked>
auto resolve_segments(checked_call<Context> const& call,
                      by_begins_and_ends<Begins, Ends, Checked> const& segments) {
  return sam::detail::segments_of_items<void>(call, sam::detail::given_segments(call, segments),
                                              known_count{0});
}
template <class Context, class Begins, class Ends, class Number, bool Checked>
auto resolve_segments(checked_call<Context> const& call,
                      by_counted_ranges<Begins, Ends, Number, Checked> const& segments) {
  return sam::detail::segments_of_items<void>(call, sam::detail::given_segments(call, segments),
                                              known_count{0});
}
/// Returns the number of segments by offsets that there may be.
template <class Segments>
index_t most_by_offsets(Segments const& segments) {
  if constexpr (requires { segments.given; })
    return segments.given.items - 1;
  else if constexpr (requires { segments.ranges(); })
    return segments.most_ranges();
  else
    return segments.segments();
}

template <class S>
inline constexpr bool is_by_offsets = false;
template <class Offsets, class Number, bool Checked>
inline constexpr bool is_by_offsets<by_counted_offsets<Offsets, Number, Checked>> = true;
template <class Offset, class Number, bool Checked>
inline constexpr bool is_by_offsets<by_first_offsets<Offset, Number, Checked>> = true;
template <class Offset, class Number, bool Checked>
inline constexpr bool is_by_offsets<by_given_offsets<Offset, Number, Checked>> = true;
template <class Begins, class Ends, bool Checked>
inline constexpr bool is_by_offsets<by_begins_and_ends<Begins, Ends, Checked>> = true;
template <class Begins, class Ends, class Number, bool Checked>
inline constexpr bool is_by_offsets<by_counted_ranges<Begins, Ends, Number, Checked>> = true;
template <class Offset, class Number, bool Checked>
inline constexpr bool is_by_offsets<by_offsets_of_ranges<Offset, Number, Checked>> = true;
template <class Offsets, bool Checked>
inline constexpr bool is_by_offsets<by_offsets<Offsets, Checked>> = true;

}  // namespace sam::inline v0_1::detail
