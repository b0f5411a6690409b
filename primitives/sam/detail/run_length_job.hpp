// SPDX-License-Identifier: MIT
// Encodes and decodes runs. On devices, runs are encoded as segments and decoded by bits that mark
// where they begin. CPUs encode by selection and decode contiguous ranges of items.
#pragma once

#include <sam/backend/decode_runs_job.hpp>
#include <sam/delta.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/scan.hpp>
#include <sam/segments.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace sam::inline v0_1 {

namespace detail {

// --- Encoding ------------------------------------------------------------------------------------

/// Loads items of which only the first of each run is stored, and counts the items of each run as a
/// segmented sum of ones. Items are held, since the output may overwrite them.
template <class T, class Heads, class Count>
struct items_of_runs {
  using item = headed<T>;
  using accumulator = segmented_value<Count, Count>;
  static constexpr bool counts_lengths = true;
  static constexpr bool holds_keys = true;
  static constexpr ones<Count> values{};
  using pointer = decltype(std::declval<Heads const&>().pointer());
  Heads heads;
  plus op;
  from_nothing start;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(heads.pointer()); }
  SAM_FUNCTION item load(index_t i, pointer const& x) const { return {*x, heads.at(i, x)}; }
  SAM_FUNCTION item load(index_t i) const { return load(i, heads.pointer() + i); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {1, x.head ? Count(1) : Count(0)};
  }
  static SAM_FUNCTION T const& key(index_t, item const& x) { return x.value; }
  SAM_FUNCTION T const& key(pointer const& x) const { return heads.key(x); }
};

/// Does so with the items of a source, of which Heads marks the first ones of runs.
template <class T, class Heads, class Count>
requires(!requires(Heads const& h) { h.pointer(); }) struct items_of_runs<T, Heads, Count> {
  using item = headed<T>;
  using accumulator = segmented_value<Count, Count>;
  static constexpr bool counts_lengths = true;
  static constexpr bool holds_keys = true;
  static constexpr ones<Count> values{};
  Heads heads;
  plus op;
  from_nothing start;

  SAM_FUNCTION item load(index_t i) const { return {heads.key(i), heads.at(i)}; }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {1, x.head ? Count(1) : Count(0)};
  }
  static SAM_FUNCTION T const& key(index_t, item const& x) { return x.value; }
};

/// Stores the first item and the length of each run. Values is to_front or to_destination; Lengths
/// is the item type of an array, or a destination.
template <class Values, class Lengths>
struct runs_to_front {
  Values values;
  place_of_t<Lengths> lengths;
  index_t lengths_size;

  SAM_FUNCTION bool overwrites() const requires requires(Values v) { v.is_in_place(); }
  { return values.is_in_place(); }
  SAM_FUNCTION void put_head(index_t i, index_t run, typename Values::value_type const& x) const {
    values.put(i, run, x);
  }
  template <class Sum>
  SAM_FUNCTION void put(index_t, index_t run, Sum length) const {
    if (run < lengths_size)
      engine::put_result(lengths, run, static_cast<result_of_t<Lengths>>(length));
  }
  SAM_FUNCTION void put_count(index_t runs) const { values.close(runs); }
};

/// Selects the ends of all runs but the last: the indices at which another run begins.
template <class T, class Equal>
struct end_of_run {
  using item = bool;
  kept_unlike_last<T, Equal> heads;
  using pointer = typename kept_unlike_last<T, Equal>::pointer;
  SAM_FUNCTION auto reads() const { return heads.reads(); }
  SAM_FUNCTION bool load(index_t i, pointer const& p) const {
    return i > 0 && heads.load(i, p).kept;
  }
  SAM_FUNCTION bool keeps(bool x) const { return x; }
  unequal_window<T, Equal> keeps_from(index_t i) const {
    auto kept = heads.keeps_from(i);
    kept.others = false;
    return kept;
  }
};

/// Stores the ends of runs; the last run ends with the last item.
template <class Length, class Count>
struct ends_to_front : indices_to_front<Length, Count> {
  index_t n;
  SAM_FUNCTION void close(index_t others) const {
    if (others < this->size)
      this->out[others] = static_cast<Length>(n);
    counter<Count>::close(others + 1);
  }
};

/// Encodes runs by two selections, in contexts whose calls return when the work is done. The first
/// stores the ends of runs, whose differences are the lengths. On a CPU, selections are so much
/// faster that reading the items twice pays off. Values go last, since they may overwrite items.
template <class Context, class T, class Equal, class Length, class Count>
void run_encode_by_packing(Context& context, index_t n, kept_unlike_last<T, Equal> const& heads,
                           to_front<T, Count> const& values, Length* lengths,
                           index_t lengths_size) {
  if (lengths_size > 0) {
    index_t runs = 0;
    detail::run_compact(
        context, n, end_of_run<T, Equal>{heads},
        ends_to_front<Length, Count>{{{values.count, &runs}, lengths, lengths_size}, n});
    std::span const ends(lengths, static_cast<std::size_t>(min_of(runs, lengths_size)));
    sam::delta_encode(context, ends, ends);
  }
  detail::run_compact(context, n, heads, values);
}

template <class In, class Equal>
auto heads_of_runs(kept_unlike_last<In, Equal> const& kept) {
  if constexpr (is_array_source<In>)
    return heads_by_key_alone<In, Equal>{kept.in, kept.equal, 1, {}};
  else
    return heads_by_computed_key<In, Equal, direction::forward>{kept.in, kept.equal, 1, 1};
}
template <class Sum, class Context, class In, class Equal, class Where, class Number>
void run_encode(Context& context, index_t n, kept_unlike_last<In, Equal> const& kept,
                Where const& where, Number const& number) {
  using T = typename source_of_t<In>::item;
  auto const heads = detail::heads_of_first(detail::heads_of_runs(kept), number);
  using items = items_of_runs<T, std::remove_const_t<decltype(heads)>, Sum>;
  if constexpr (limits_segments<Context, Number, carry::decoupled>) {
    auto const plain = detail::heads_of_runs(kept);
    using plain_items = items_of_runs<T, std::remove_const_t<decltype(plain)>, Sum>;
    return detail::run_limited_segments<carry::decoupled>(
        context, n, items{heads, {}, {}}, detail::segments_of_first(where, number),
        plain_items{plain, {}, {}}, where, number);
  } else {
    detail::run_segments<carry::decoupled>(context, n, items{heads, {}, {}},
                                           detail::segments_of_first(where, number));
  }
}

// --- Decoding ------------------------------------------------------------------------------------

/// Adds numbers of items, and saturates at the largest index_t.
struct saturating_sum {
  static constexpr bool commutative = true;
  SAM_FUNCTION constexpr index_t operator()(index_t a, index_t b) const {
    index_t const buffer = highest_of<index_t> - a;
    return b > buffer ? highest_of<index_t> : a + b;
  }
};

/// Returns the number of items of a run: 0 for a negative length, and at most the largest index_t.
template <class Length>
SAM_FUNCTION constexpr index_t items_of_run(Length length) {
  constexpr bool may_be_longer = sizeof(Length) >= sizeof(index_t) && Length(-1) > Length(0);
  if (length < Length(1))
    return 0;
  if constexpr (may_be_longer)
    if (length > static_cast<Length>(highest_of<index_t>))
      return highest_of<index_t>;
  return static_cast<index_t>(length);
}

/// Scans lengths and stores where each run starts. Starts are cut to `size`, so that an Offset of
/// 32 bits is often enough. Runs past the first ones, by their number, start there.
template <class Length, class Offset, class Count, class Number>
struct run_starts_job {
  using item = Length;
  using accumulator = index_t;
  Length const* lengths;
  Offset* starts;
  index_t size;
  Number number;
  counter<Count> total;

  SAM_FUNCTION Length load(index_t r) const { return lengths[r]; }
  SAM_FUNCTION index_t to_accumulator(Length length) const {
    return sam::detail::items_of_run(length);
  }
  SAM_FUNCTION void store(index_t r, Length length, index_t start) const {
    constexpr bool is_known = std::is_same_v<Number, known_count>;
    index_t const runs = number();
    if (size > 0)
      starts[r] = static_cast<Offset>(is_known || r < runs ? min_of(start, size) : size);
    if (r == runs - 1)
      total.close(saturating_sum{}(start, sam::detail::items_of_run(length)));
    if constexpr (!is_known)
      if (r == 0 && runs == 0)
        total.close(0);
  }
};
/// The scan policy for run_starts_job.
inline constexpr auto pass_over_lengths =
    resolve_policy<bound::exclusive>(scan_policy<saturating_sum>{}, from_value<index_t>{0});

/// Selects the values of runs that have items.
template <class T, class Length>
struct kept_by_length {
  using item = marked<T>;
  T const* in;
  Length const* lengths;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(in, lengths); }
  SAM_FUNCTION item load(index_t, T const* x, Length const* length) const {
    return {*x, *length > Length(0)};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION T const& value(item const& x) { return x.value; }
  T const* values() const { return in; }
};

/// The result of a check of lengths: their saturated sum, and the index of the first negative one
/// or -1 if there is none.
struct lengths_accumulator {
  index_t sum;
  index_t negative;
};
struct join_lengths {
  SAM_FUNCTION constexpr lengths_accumulator operator()(lengths_accumulator const& a,
                                                        lengths_accumulator const& b) const {
    return {saturating_sum{}(a.sum, b.sum), a.negative >= 0 ? a.negative : b.negative};
  }
};
template <class Length, class Number>
struct check_lengths_job {
  using item = lengths_accumulator;
  using accumulator = lengths_accumulator;
  static constexpr bool ends = true;
  Length const* lengths;
  index_t last;
  Number number;
  lengths_accumulator* result;

  SAM_FUNCTION item load(index_t r) const {
    if (r >= number())
      return {0, -1};
    return {sam::detail::items_of_run(lengths[r]), lengths[r] < Length(0) ? r : -1};
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return x; }
  SAM_FUNCTION void store(index_t r, item const&, accumulator const& y) const {
    if (r == last)
      *result = y;
  }
};

/// Rejects lengths if one is negative or if their sum is more than `most`. Runs a scan over them
/// and waits for it.
template <class Context, class Length, class Number>
void expect_lengths(checked_call<Context> const& call, checked_array<Length const> const& lengths,
                    Number const& number, index_t most) {
  if (lengths.size == 0)
    return;
  auto const found =
      engine::result_of<lengths_accumulator>(call.context(), [&](lengths_accumulator* place) {
        call.context().run(
            lengths.size,
            check_lengths_job<Length, Number>{lengths.data, lengths.size - 1, number, place},
            resolve_policy<bound::inclusive>(scan_policy<join_lengths>{}, from_nothing{}));
      });
  if (found.negative >= 0)
    call.refuse_found(lengths.name, "is negative at item ", found.negative, " of ", lengths.size);
  if (found.sum > most || found.sum == highest_of<index_t>)
    call.refuse_found(lengths.name, "sums to more than ", min_of(most, highest_of<index_t> - 1),
                      ", which is all that count holds");
}

struct count_bits {
  SAM_FUNCTION int operator()(std::uint32_t word) const { return engine::count_bits(word); }
};

/// Stores item i from its run, whose index among non-empty runs is the number of those that begin
/// up to i, minus one. That number is the sum of `ranks` for the word of i and of a bit count.
template <class T, class Rank>
struct run_length_decode_job {
  using item = T;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  T const* values;  // of non-empty runs
  std::uint32_t const* begins;
  Rank const* ranks;
  index_t const* total;  // number of items
  T* out;

  SAM_FUNCTION void make(index_t begin, index_t count, T* to) const {
    index_t word = begin >> 5;
    auto bit = static_cast<unsigned>(begin) % 32;
    std::uint32_t bits = begins[word];
    Rank before = ranks[word];
    for (index_t k = 0; k < count; ++k, ++bit) {
      if (bit == 32) {
        bits = begins[++word];
        before = ranks[word];
        bit = 0;
      }
      to[k] = value(before + static_cast<Rank>(engine::count_bits(bits & ~0u >> (31 - bit))));
    }
  }
  SAM_FUNCTION T load(index_t i) const {
    std::uint32_t const upto = begins[i >> 5] & ~0u >> (31 - static_cast<unsigned>(i) % 32);
    return value(ranks[i >> 5] + static_cast<Rank>(engine::count_bits(upto)));
  }
  SAM_FUNCTION accumulator to_accumulator(T const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, T const& x, accumulator) const {
    if (i < capacity())
      out[i] = x;
  }
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION index_t capacity() const { return *total; }

 private:
  /// Returns the value of a run; `upto` may be 0 if there is no item.
  SAM_FUNCTION T value(Rank upto) const { return values[upto == 0 ? 0 : upto - 1]; }
};

/// Decodes runs by one bit for each item of `out`, which is set if a run begins there.
template <class Offset, class Context, class T, class Length, class Number, class Count>
void run_decode_by_bits(Context& context, T const* values, Length const* lengths, index_t runs,
                        Number const& number, T* out, index_t size, Count* count) {
  auto const bytes = [](auto const* of, index_t items) {
    constexpr index_t unit = max_of(16, alignof(T));
    return div_up(items * index_t{sizeof(*of)}, unit) * unit;
  };
  index_t const words = div_up(size, 32);
  T* kept = nullptr;
  Offset *starts = nullptr, *ranks = nullptr;
  std::uint32_t* begins = nullptr;
  index_t* totals = nullptr;
  auto* memory = engine::workspace<std::byte>(context, bytes(kept, runs) + bytes(starts, runs) +
                                                           bytes(begins, words) +
                                                           bytes(ranks, words) + bytes(totals, 2));
  auto const take = [&]<class X>(X*& piece, index_t items) {
    piece = reinterpret_cast<X*>(memory);
    memory += bytes(piece, items);
  };
  take(kept, runs), take(starts, runs), take(begins, words), take(ranks, words), take(totals, 2);

  context.run(
      runs,
      run_starts_job<Length, Offset, Count, Number>{lengths, starts, size, number, {count, totals}},
      pass_over_lengths);
  decode_runs_job<T, Offset> const job{values, starts, runs, totals, out, size};
  if constexpr (decodes_runs<Context, decltype(job)>)
    if (context.decode_runs(job))
      return;
  detail::run_compact(context, runs,
                      detail::among_first(kept_by_length<T, Length>{values, lengths}, number),
                      to_front<T, index_t>{{totals + 1}, values, kept, runs});
  std::span<Offset const> const offsets(starts, static_cast<std::size_t>(runs));
  by_offsets<decltype(offsets), false>{offsets}.template heads_in<direction::forward, 1>(
      context, begins, size, 1);
  context.run(words, scan_job<std::uint32_t, Offset, count_bits>{{begins}, ranks, {}},
              engine::resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<Offset>{0}));
  context.run(size, run_length_decode_job<T, Offset>{kept, begins, ranks, totals, out},
              pass_over_flags<std::uint32_t>);
}

/// Adds a length to those of fewer than 2^32 runs.
template <class Length>
index_t with_run(index_t sum, Length length) {
  if constexpr (sizeof(Length) < sizeof(index_t))  // cannot overflow, and is vectorised
    return sum + sam::detail::items_of_run(length);
  else
    return saturating_sum{}(sum, sam::detail::items_of_run(length));
}
template <class Length>
index_t sum_of_lengths(Length const* lengths, index_t count) {
  index_t sum = 0;
  for (index_t r = 0; r < count; ++r)
    sum = detail::with_run(sum, lengths[r]);
  return sum;
}

/// Stores sums of groups of `some` lengths.
template <class Length>
struct lengths_sum_job {
  static constexpr index_t some = 16;
  using item = index_t;
  using accumulator = index_t;
  Length const* lengths;
  index_t runs;
  index_t* to;  // the end of each group

  index_t load(index_t b) const {
    Length const* const own = lengths + b * some;
    return (b + 1) * some <= runs ? detail::sum_of_lengths(own, some)
                                  : detail::sum_of_lengths(own, runs - b * some);
  }
  index_t to_accumulator(index_t sum) const { return sum; }
  void store(index_t b, index_t, index_t end) const { to[b] = end; }
  index_t* target() const { return to; }
};

/// Writes a value to items i up to `end`, if that is larger, and returns the next item. Most runs
/// take one step, which may write too many items; the next run overwrites these.
template <class T>
index_t repeat(T value, T* to, index_t i, index_t end, index_t count) {
  constexpr index_t step = max_of(index_t{64} / index_t{sizeof(T)}, index_t{1});
  index_t k = i;
  for (; k + step <= count; k += step) {
    for (index_t j = 0; j < step; ++j)
      to[k + j] = value;
    if (k + step >= end)
      return max_of(i, end);
  }
  for (; k < end; ++k)
    to[k] = value;
  return max_of(i, end);
}

/// Decodes a range of items per thread. The starts of every `some` runs are known; from there the
/// lengths give the starts of the others.
template <class T, class Length>
struct run_length_decode_stretches_job {
  static constexpr index_t some = lengths_sum_job<Length>::some;
  using item = bool;
  using accumulator = std::uint32_t;
  T const* values;
  Length const* lengths;
  index_t runs;
  index_t const* starts;  // of every group of `some` runs, and the end of the last one
  T* out;

  bool load(index_t) const { return false; }
  accumulator to_accumulator(bool) const { return 0; }
  void store(index_t i, bool, accumulator) const { make(i, 1, out + i); }
  T* target() const { return out; }

  void make(index_t begin, index_t count, T* to) const {
    index_t const* const last = starts + div_up(runs, some);
    index_t b = std::upper_bound(starts, last, begin) - starts - 1;
    for (index_t i = 0; i < count; ++b) {
      if (starts[b + 1] == starts[b])
        continue;
      index_t end = starts[b] - begin;
      for (index_t r = b * some; r < min_of((b + 1) * some, runs) && i < count; ++r) {
        end += engine::min_of(sam::detail::items_of_run(lengths[r]), count - end);
        i = detail::repeat(values[r], to, i, end, count);
      }
    }
  }
};

/// Decodes all runs from the first to the last, and needs no starts: for items that one thread
/// takes.
template <class T, class Length, class Count>
struct run_length_decode_in_turn_job {
  using item = bool;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  T const* values;
  Length const* lengths;
  index_t runs;
  T* out;
  index_t size;
  Count* count;

  bool load(index_t) const { return false; }
  accumulator to_accumulator(bool) const { return 0; }
  void store(index_t, bool, accumulator) const {
    index_t const total = detail::sum_of_lengths(lengths, runs), n = min_of(size, total);
    *count = static_cast<Count>(total);
    for (index_t r = 0, i = 0, end = 0; i < n; ++r) {
      end = detail::with_run(end, lengths[r]);
      i = detail::repeat(values[r], out, i, min_of(end, n), n);
    }
  }
};

/// Decodes runs in contexts whose calls return when the work is done.
template <class Context, class T, class Length, class Count>
void run_decode_by_stretches(Context& context, T const* values, Length const* lengths, index_t runs,
                             T* out, index_t size, Count* count) {
  // One thread decodes these before another has started.
  constexpr index_t few_bytes = 128 << 10, few_runs = 1 << 15;
  if (size * index_t{sizeof(T)} <= few_bytes && runs <= few_runs)
    return context.run(
        1, run_length_decode_in_turn_job<T, Length, Count>{values, lengths, runs, out, size, count},
        pass_over_flags<std::uint32_t>);
  index_t const sums = engine::div_up(runs, lengths_sum_job<Length>::some);
  auto* const starts = engine::workspace<index_t>(context, 1 + sums);
  bool const measures = engine::measures(context);  // then nothing is written, and no run known
  if (!measures)
    starts[0] = 0;
  context.run(sums, lengths_sum_job<Length>{lengths, runs, starts + 1},
              resolve_policy<bound::inclusive>(scan_policy<saturating_sum>{}, from_nothing{}));
  if (!measures)
    *count = static_cast<Count>(starts[sums]);
  if (index_t const n = measures ? size : engine::min_of(size, starts[sums]); n > 0)
    context.run(n, run_length_decode_stretches_job<T, Length>{values, lengths, runs, starts, out},
                pass_over_flags<std::uint32_t>);
}

/// Decodes runs, or the first ones of as many as there may be, by their number.
template <class Context, class T, class Length, class Number, class Count>
void run_decode(Context& context, T const* values, Length const* lengths, index_t runs,
                Number const& number, T* out, index_t size, Count* count) {
  if (size == 0)
    context.run(runs,
                run_starts_job<Length, index_t, Count, Number>{lengths, {}, size, number, {count}},
                pass_over_lengths);
  else if constexpr (!works_on_device<Context>)
    detail::run_decode_by_stretches(context, values, lengths, runs, out, size, count);
  else if (size <= index_t{highest_of<std::uint32_t>})
    detail::run_decode_by_bits<std::uint32_t>(context, values, lengths, runs, number, out, size,
                                              count);
  else
    detail::run_decode_by_bits<index_t>(context, values, lengths, runs, number, out, size, count);
}

}  // namespace detail

}  // namespace sam::inline v0_1
