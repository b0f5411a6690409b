// SPDX-License-Identifier: MIT
// The ways to say where segments lie.
#pragma once

#include <sam/compact_job.hpp>
#include <sam/flags.hpp>
#include <sam/mark_job.hpp>
#include <sam/reduce.hpp>
#include <sam/segmented_job.hpp>

namespace sam {

namespace detail {

/// What every way to say it asks of its array.
template <class A, class Context, class Out>
void expect_segments(std::string_view function, std::string_view argument, Context const& context,
                     A const& a, Out const& out, std::source_location at) {
  static_assert(is_within_reach<Context, A>, "sam: the context cannot reach the segments' array");
  expect_items(function, argument, a, at);
  expect_apart(function, argument, a, "out", out, at);
  expect_reach(function, argument, context, a, at);
}
template <class A>
void expect_length(std::string_view function, std::string_view argument, A const& a, index_t wanted,
                   std::string_view because, std::source_location at) {
  if (size_of(a) != wanted)
    throw invalid_argument(function, argument,
                           "holds " + std::to_string(size_of(a)) + " items but must hold " +
                               std::to_string(wanted) + ", " + std::string(because),
                           at);
}

template <class Flags>
struct by_heads {
  Flags const& flags;

  template <class Context, class Out>
  void expect(std::string_view function, Context const& context, index_t n, index_t, Out const& out,
              std::source_location at) const {
    expect_segments(function, "heads", context, memory_of(flags), out, at);
    if constexpr (are_packed_bits<Flags>) {
      expect_length(function, "heads", memory_of(flags), div_up(n, 32), "a bit for each item of in",
                    at);
      if (static_cast<index_t>(flags.size()) < n)
        throw invalid_argument(function, "heads",
                               "holds " + std::to_string(flags.size()) + " bits but must hold " +
                                   std::to_string(n) + ", one for each item of in",
                               at);
    } else
      expect_length(function, "heads", flags, n, "one for each item of in", at);
  }
  template <class Count>
  void expect_apart_from(std::string_view function, std::string_view argument, Count const& count,
                         std::source_location at) const {
    expect_apart(function, argument, count, "heads", memory_of(flags), at);
  }
  index_t most_segments(index_t n) const { return n; }
  template <direction Heading, int TupleSize, class Context>
  auto heads(Context&, index_t, index_t) const {
    if constexpr (are_packed_bits<Flags>)
      return heads_by_bit{flags.words().data()};
    else
      return heads_by_flag<item_of<Flags>>{flags.data()};
  }
};

template <class Keys, class Equal>
struct by_keys {
  Keys const& keys;
  Equal equal;

  template <class Context, class Out>
  void expect(std::string_view function, Context const& context, index_t n, index_t, Out const& out,
              std::source_location at) const {
    expect_runs_on<Context, Equal, item_of<Keys>, item_of<Keys>>();
    expect_segments(function, "keys", context, keys, out, at);
    expect_length(function, "keys", keys, n, "one for each item of in", at);
  }
  template <class Count>
  void expect_apart_from(std::string_view function, std::string_view argument, Count const& count,
                         std::source_location at) const {
    expect_apart(function, argument, count, "keys", keys, at);
  }
  index_t most_segments(index_t n) const { return n; }
  template <direction Heading, int TupleSize, class Context>
  auto heads(Context&, index_t n, index_t components) const {
    index_t const limit = Heading == direction::forward ? components : n - components;
    return heads_by_key<item_of<Keys>, Equal, Heading, TupleSize>{keys.data(), equal, components,
                                                                  limit};
  }
};

struct by_length {
  index_t length;

  template <class Context, class Out>
  void expect(std::string_view function, Context const&, index_t, index_t, Out const&,
              std::source_location at) const {
    expect_length(function, at);
  }
  void expect_length(std::string_view function, std::source_location at) const {
    if (length < 1)
      throw invalid_argument(function, "length",
                             "is " + std::to_string(length) + "; it must be at least 1", at);
  }
  template <class Count>
  void expect_apart_from(std::string_view, std::string_view, Count const&,
                         std::source_location) const {}
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

/// f(heads), of segments of n items: on a device, whose integers are of 32 bits, by such numbers
/// where these do.
template <direction Heading, int TupleSize, class Context, class Segments, class F>
void with_heads(Context& context, Segments const& segments, index_t n, index_t components, F f) {
  if constexpr (std::is_same_v<Segments, by_length> && has_own_memory<Context>)
    if (max_of(n, segments.length) <= index_t{highest_of<std::uint32_t>})
      return f(segments.template heads<Heading, TupleSize, std::uint32_t>(context, n, components));
  f(segments.template heads<Heading, TupleSize>(context, n, components));
}

// --- Offsets -------------------------------------------------------------------------------------

/// What offsets set in words, one by one: offset k sets a bit of word(k), which is operator[].
template <class Offset>
struct bits_of_offsets {
  mark_job<Offset> marks;

  SAM_FUNCTION index_t word(index_t k) const {
    return max_of(0, min_of(marks.bit(k), marks.bits - 1)) / 32;
  }
  SAM_FUNCTION std::uint32_t operator[](index_t k) const {
    index_t const bit = marks.bit(k);
    return bit < 0 || bit >= marks.bits ? 0u : 1u << (bit % 32);
  }
  /// Whether offset k is the first to set a bit in its word.
  SAM_FUNCTION bool at(index_t k) const { return k == 0 || word(k - 1) != word(k); }
};

/// Where the words go: all offsets into a word stand side by side, so that it is a segment of
/// theirs, and no two threads write a word.
template <class Offset>
struct to_words {
  bits_of_offsets<Offset> bits;
  SAM_FUNCTION void put(index_t k, index_t, std::uint32_t word) const {
    bits.marks.words[bits.word(k)] = word;
  }
};

/// The first offset that is not as it should be: the smallest k, or m + 1 if all are well.
template <class Offset>
struct check_offsets_job {
  using item = index_t;
  using summary = index_t;
  Offset const* offsets;
  index_t last, rows;
  index_t* result;

  SAM_FUNCTION index_t load(index_t k) const {
    Offset const offset = offsets[k];  // which may be longer than an index
    bool const wrong = (k == 0 && offset != Offset(0)) ||
                       (k == last && offset != static_cast<Offset>(rows)) ||
                       (k > 0 && offset < offsets[k - 1]);
    return wrong ? k : last + 1;
  }
  SAM_FUNCTION index_t summarise(index_t k) const { return k; }
  SAM_FUNCTION void finish(index_t k, index_t, index_t smallest) const {
    if (k == last)
      *result = smallest;
  }
};

template <class Offsets, bool Checked>
struct by_offsets {
  Offsets const& offsets;

  index_t segments() const { return size_of(offsets) - 1; }

  template <class Context, class Out>
  void expect(std::string_view function, Context& context, index_t n, index_t components,
              Out const& out, std::source_location at) const {
    expect_segments(function, "offsets", context, offsets, out, at);
    if (size_of(offsets) == 0)
      throw invalid_argument(function, "offsets",
                             "holds no items; it must hold one more than there are segments", at);
    index_t const rows = div_up(n, components);
    expect_fits<item_of<Offsets>>(function, "offsets", rows, at);
    if constexpr (Checked) {
      index_t const last = segments();
      index_t const wrong = result_of(context, [&](index_t* place) {
        run(context, last + 1,
            check_offsets_job<item_of<Offsets>>{offsets.data(), last, rows, place},
            make_pass<bound::inclusive>(scan_policy<minimum>{}, from_nothing{}));
      });
      if (wrong <= last)
        throw invalid_argument(
            function, "offsets",
            "is wrong at item " + std::to_string(wrong) + " of " + std::to_string(last + 1) +
                "; it must begin with 0, never fall, and end with " + std::to_string(rows),
            at);
    }
  }

  template <class Count>
  void expect_apart_from(std::string_view function, std::string_view argument, Count const& count,
                         std::source_location at) const {
    expect_apart(function, argument, count, "offsets", offsets, at);
  }
  /// That are not empty; items before the first offset and behind the last are two more.
  index_t most_segments(index_t n) const { return min_of(segments() + 2, n); }

  /// Words of scratch that `heads` needs for n items.
  static index_t words_for(index_t n) { return div_up(n, 32); }

  template <direction Heading, int TupleSize, class Context>
  auto heads(Context& context, index_t n, index_t components) const {
    auto* const words = scratch<std::uint32_t>(context, words_for(n));
    return heads_in<Heading, TupleSize>(context, words, n, components);
  }
  template <direction Heading, int TupleSize, class Context>
  auto heads_in(Context& context, std::uint32_t* words, index_t n, index_t components) const {
    using offset = item_of<Offsets>;
    index_t const rows = div_up(n, components);
    // Forward, an offset marks the segment's first row, backward the last one of that before.
    mark_job<offset> const marks{offsets.data(), size_of(offsets),
                                 Heading == direction::forward ? 0 : 1, rows, words};
    if constexpr (marks_bits<Context, offset>) {
      mark_bits(context, marks);
    } else {
      fill(context, div_up(rows, 32), words, std::uint32_t{0});
      bits_of_offsets<offset> const bits{marks};
      run_segmented_reduce<std::uint32_t, carry::decoupled>(
          context, size_of(offsets), bits, bits, bit_or{}, from_nothing{}, to_words<offset>{bits});
    }
    if constexpr (TupleSize == 1)
      return heads_by_bit{words};
    else
      return heads_of_rows<heads_by_bit>{{words}, components};
  }
};

template <class S>
inline constexpr bool is_by_offsets = false;
template <class Offsets, bool Checked>
inline constexpr bool is_by_offsets<by_offsets<Offsets, Checked>> = true;

template <class S>
inline constexpr bool is_segments = is_by_offsets<S>;
template <>
inline constexpr bool is_segments<by_length> = true;
template <class Flags>
inline constexpr bool is_segments<by_heads<Flags>> = true;
template <class Keys, class Equal>
inline constexpr bool is_segments<by_keys<Keys, Equal>> = true;

}  // namespace detail

/// What by_heads and the others below return. They refer to the array that they are given, if any,
/// which must live as long.
template <class S>
concept segments = detail::is_segments<S>;

/// Segments by head flags: an integer or bool for each item, not 0 where a segment begins, or
/// packed_bits; where a scan goes backward, where one ends. A flag starts its item's component
/// anew, and no other.
template <flags_array Flags>
auto by_heads(Flags const& flags) {
  if constexpr (!detail::are_packed_bits<Flags>)
    static_assert(std::is_integral_v<item_of<Flags>>, "sam: head flags must be integers or bools");
  return detail::by_heads<Flags>{flags};
}

/// Segment k lies from offsets[k] to before offsets[k + 1]: m + 1 integers for m segments, from 0
/// to n, none below the one before it, as in compressed sparse rows. With tuples, offsets count
/// these: all components of a tuple begin a segment together. What other integers do is undefined.
template <array Offsets>
auto by_offsets(Offsets const& offsets) {
  static_assert(integer<item_of<Offsets>>, "sam: offsets must be integers");
  return detail::by_offsets<Offsets, false>{offsets};
}
/// The same, where wrong offsets are an error: which takes a pass over them, and waits for it.
template <array Offsets>
auto by_checked_offsets(Offsets const& offsets) {
  static_assert(integer<item_of<Offsets>>, "sam: offsets must be integers");
  return detail::by_offsets<Offsets, true>{offsets};
}

/// All segments are of one length, but for the last one, which may be shorter: the rows of a
/// matrix. With tuples, it counts these. Reads no array.
inline auto by_length(index_t length) { return detail::by_length{length}; }

/// A segment begins wherever an item's key is not equal to the one before it in its component.
/// equal(a, b), == unless it is given, is asked of neighbours only.
template <array Keys, class Equal = detail::equal_items>
auto by_keys(Keys const& keys, Equal equal = {}) {
  return detail::by_keys<Keys, Equal>{keys, equal};
}

}  // namespace sam
