// SPDX-License-Identifier: MIT
// run_length_encode and run_length_decode.
#pragma once

#include <sam/compact_job.hpp>
#include <sam/delta.hpp>
#include <sam/reduce.hpp>

#include <algorithm>

namespace sam {

namespace detail {

// --- Encoding ------------------------------------------------------------------------------------

/// How many runs have begun, in the lower half; one more than where the last of them began, in the
/// upper half.
template <class Sum>
struct begun_runs {
  static constexpr int half = 4 * sizeof(Sum);
  static constexpr bool commutative = true;
  static SAM_FUNCTION Sum lower(Sum sum) { return sum & ((Sum(1) << half) - 1); }
  static SAM_FUNCTION Sum begins(index_t i) { return Sum(i + 1) << half | 1; }
  static SAM_FUNCTION index_t runs(Sum sum) { return static_cast<index_t>(lower(sum)); }
  static SAM_FUNCTION index_t begin(Sum sum) { return static_cast<index_t>(sum >> half) - 1; }

  SAM_FUNCTION Sum operator()(Sum a, Sum b) const {
    Sum const later = (a >> half) < (b >> half) ? b : a;
    return later >> half << half | lower(a + b);
  }
  static SAM_FUNCTION Sum identity() { return 0; }
};

template <class T, class Index>
struct maybe_head {
  T value;
  Index begins;  // one more than its index where a run begins, else 0
};

/// Puts the first item of each run in its place, and the length of a run once the next begins.
template <class Sum, class Index, class T, class Equal, class Length, class Count>
struct run_length_encode_job {
  using item = maybe_head<T, Index>;
  using summary = Sum;
  using op = begun_runs<Sum>;
  static constexpr bool scatters = true;
  kept_unlike_last<T, Equal> heads;
  to_front<T, Count> values;
  Length* lengths;
  index_t lengths_size;
  index_t last;

  using pointer = typename kept_unlike_last<T, Equal>::pointer;
  SAM_FUNCTION auto reads() const { return heads.reads(); }
  SAM_FUNCTION item load(index_t i, pointer const& p) const {
    auto const x = heads.load(i, p);
    return {x.value, x.kept ? static_cast<Index>(i + 1) : Index(0)};
  }
  SAM_FUNCTION item load(index_t i) const { return load(i, pointer{heads.in + i}); }
  SAM_FUNCTION bool overwrites() const { return values.is_in_place(); }
  SAM_FUNCTION summary summarise(item const& x) const {
    return x.begins == 0 ? Sum(0) : op::begins(static_cast<index_t>(x.begins) - 1);
  }
  SAM_FUNCTION void finish(index_t i, item const& x, summary before) const {
    index_t runs = op::runs(before);
    index_t begin = op::begin(before);
    if (x.begins != 0) {
      values.put(i, runs, x.value);
      if (runs > 0)
        put_length(runs - 1, i - begin);
      ++runs;
      begin = i;
    }
    if (i == last) {
      put_length(runs - 1, last + 1 - begin);
      values.close(runs);
    }
  }

 private:
  SAM_FUNCTION void put_length(index_t run, index_t length) const {
    if (run < lengths_size)
      lengths[run] = static_cast<Length>(length);
  }
};

/// Where runs end but the last: where another begins.
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
  flag_window keeps_from(index_t i) const {
    flag_window kept = heads.keeps_from(i);
    if (i == 0)
      kept.flags[0] = 0;
    return kept;
  }
};

/// The last run ends where the items do.
template <class Length, class Count>
struct ends_to_front : indices_to_front<Length, Count> {
  index_t n;
  SAM_FUNCTION void close(index_t others) const {
    if (others < this->size)
      this->out[others] = static_cast<Length>(n);
    counter<Count>::close(others + 1);
  }
};

/// For contexts whose calls return when all is done. What only packs is so much faster on a CPU
/// that it pays to read items twice, and then the ends of runs, whose differences are lengths.
/// Items may be written over, so values go last.
template <class Context, class T, class Equal, class Length, class Count>
void run_encode_by_packing(Context& context, index_t n, kept_unlike_last<T, Equal> const& heads,
                           to_front<T, Count> const& values, Length* lengths,
                           index_t lengths_size) {
  if (lengths_size > 0) {
    index_t runs = 0;
    run_compact(context, n, end_of_run<T, Equal>{heads},
                ends_to_front<Length, Count>{{{values.count, &runs}, lengths, lengths_size}, n});
    std::span const ends(lengths, static_cast<std::size_t>(min_of(runs, lengths_size)));
    delta_encode(context, ends, ends);
  }
  run_compact(context, n, heads, values);
}

template <class Sum, class Index, class Context, class T, class Equal, class Length, class Count>
void run_encode(Context& context, index_t n, kept_unlike_last<T, Equal> const& heads,
                to_front<T, Count> const& values, Length* lengths, index_t lengths_size) {
  run(context, n,
      run_length_encode_job<Sum, Index, T, Equal, Length, Count>{heads, values, lengths,
                                                                 lengths_size, n - 1},
      make_pass<bound::exclusive>(scan_policy<begun_runs<Sum>>{}, from_value<Sum>{0}));
}

// --- Decoding ------------------------------------------------------------------------------------

/// What is known of the runs to be decoded. Their items are cut into blocks of a few, so that the
/// run of an item is searched among those that begin in its block.
struct run_starts {
  static constexpr index_t block = 32;
  index_t* total;       // of all items
  index_t* starts;      // of each run
  index_t* last_begun;  // of each block the run that its first item lies in
  index_t runs;
  index_t blocks;

  static index_t room_for(index_t runs, index_t blocks) { return 1 + runs + blocks; }
  static run_starts in(index_t* memory, index_t runs, index_t blocks) {
    return {memory, memory + 1, memory + 1 + runs, runs, blocks};
  }

  /// Notes where a run starts; of the blocks whose first item is in it, the first learns of it.
  SAM_FUNCTION void note(index_t run, index_t start, index_t length) const {
    starts[run] = start;
    index_t const next_block = div_up(start, block);
    if (next_block * block < start + length && next_block < blocks)
      last_begun[next_block] = run;
  }
  /// The run that item i < *total lies in.
  SAM_FUNCTION index_t run_of(index_t i) const {
    index_t const next_block = i / block + 1;
    bool const is_last = next_block >= blocks || next_block * block >= *total;
    index_t low = last_begun[next_block - 1];
    index_t const high = is_last ? runs - 1 : last_begun[next_block];
    // The last run that starts at i or before; without a branch on that, which is anybody's guess.
    for (index_t left = high - low + 1; left > 1;) {
      index_t const half = left / 2;
      low += starts[low + half] <= i ? half : 0;
      left -= half;
    }
    return low;
  }
};

/// Sums up lengths, and notes where each run starts if there is anything to decode.
template <class Length, class Count>
struct run_starts_job {
  using item = Length;
  using summary = index_t;
  Length const* lengths;
  run_starts to;
  Count* count;

  SAM_FUNCTION Length load(index_t r) const { return lengths[r]; }
  SAM_FUNCTION index_t summarise(Length length) const { return static_cast<index_t>(length); }
  SAM_FUNCTION void finish(index_t r, Length length, index_t start) const {
    if (to.blocks > 0)
      to.note(r, start, static_cast<index_t>(length));
    if (r == to.runs - 1) {
      if (to.blocks > 0)
        *to.total = start + static_cast<index_t>(length);
      *count = static_cast<Count>(start + static_cast<index_t>(length));
    }
  }
};

/// A pass over items that nothing is summed of.
template <class T>
struct run_length_decode_job {
  using item = bool;
  using summary = std::uint32_t;
  run_starts from;
  T const* values;
  T* out;

  SAM_FUNCTION bool load(index_t) const { return false; }
  SAM_FUNCTION summary summarise(bool) const { return 0; }
  SAM_FUNCTION void finish(index_t i, bool, summary) const {
    if (i < *from.total)
      out[i] = values[from.run_of(i)];
  }
};

/// Sums of some lengths each.
template <class Length>
struct lengths_sum_job {
  static constexpr index_t some = 16;
  using item = index_t;
  using summary = index_t;
  Length const* lengths;
  index_t runs;
  index_t* to;  // where each sum ends

  index_t load(index_t b) const {
    Length const* const own = lengths + b * some;
    index_t sum = 0;
    if ((b + 1) * some <= runs)
      for (index_t k = 0; k < some; ++k)
        sum += static_cast<index_t>(own[k]);
    else
      for (index_t k = 0; k < runs - b * some; ++k)
        sum += static_cast<index_t>(own[k]);
    return sum;
  }
  index_t summarise(index_t sum) const { return sum; }
  void finish(index_t b, index_t, index_t end) const { to[b] = end; }
  index_t* target() const { return to; }
};

/// For threads that make a stretch of items each: it is known where every few runs start, and from
/// there on lengths say the rest.
template <class T, class Length>
struct run_length_decode_stretches_job {
  static constexpr index_t some = lengths_sum_job<Length>::some;
  using item = bool;
  using summary = std::uint32_t;
  T const* values;
  Length const* lengths;
  index_t runs;
  index_t const* starts;  // of every `some` runs, and behind the last
  T* out;

  bool load(index_t) const { return false; }
  summary summarise(bool) const { return 0; }
  void finish(index_t i, bool, summary) const { make(i, 1, out + i); }
  T* target() const { return out; }

  void make(index_t begin, index_t count, T* to) const {
    index_t const* const last = starts + div_up(runs, some);
    index_t b = std::upper_bound(starts, last, begin) - starts - 1;
    for (index_t i = 0; i < count; ++b) {
      if (starts[b + 1] == starts[b])
        continue;
      index_t end = starts[b] - begin;
      for (index_t r = b * some; r < min_of((b + 1) * some, runs) && i < count; ++r) {
        end += static_cast<index_t>(lengths[r]);
        i = repeat(values[r], to, i, min_of(end, count), count);
      }
    }
  }

 private:
  /// Repeats a value from item i to `end`, if that is behind, and returns where the next goes. Most
  /// runs take one step, which stores more than they need: the next run writes over that.
  static index_t repeat(T value, T* to, index_t i, index_t end, index_t count) {
    constexpr index_t step = max_of(index_t{128} / index_t{sizeof(T)}, index_t{1});
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
};

/// For contexts whose calls return when all is done.
template <class Context, class T, class Length, class Count>
void run_decode_by_stretches(Context& context, T const* values, Length const* lengths, index_t runs,
                             T* out, index_t size, Count* count) {
  index_t const sums = div_up(runs, lengths_sum_job<Length>::some);
  auto* const starts = scratch<index_t>(context, 1 + sums);
  starts[0] = 0;
  run(context, sums, lengths_sum_job<Length>{lengths, runs, starts + 1},
      make_pass<bound::inclusive>(scan_policy<>{}, from_nothing{}));
  *count = static_cast<Count>(starts[sums]);
  if (index_t const n = min_of(size, starts[sums]); n > 0)
    run(context, n, run_length_decode_stretches_job<T, Length>{values, lengths, runs, starts, out},
        pass_over_flags<std::uint32_t>);
}

template <class Context, class T, class Length, class Count>
void run_decode(Context& context, T const* values, Length const* lengths, index_t runs, T* out,
                index_t size, Count* count) {
  auto const sums = make_pass<bound::exclusive>(scan_policy<>{}, from_value<index_t>{0});
  if (size == 0)
    return run(context, runs, run_starts_job<Length, Count>{lengths, {{}, {}, {}, runs, 0}, count},
               sums);
  if constexpr (works_on_device<Context>) {
    index_t const blocks = div_up(size, run_starts::block);
    auto const starts =
        run_starts::in(scratch<index_t>(context, run_starts::room_for(runs, blocks)), runs, blocks);
    fill(context, blocks, starts.last_begun, index_t{0});
    run(context, runs, run_starts_job<Length, Count>{lengths, starts, count}, sums);
    run(context, blocks,
        scan_job<index_t, index_t, std::identity>{starts.last_begun, starts.last_begun, {}},
        make_pass<bound::inclusive>(scan_policy<maximum>{}, from_nothing{}));
    run(context, size, run_length_decode_job<T>{starts, values, out},
        pass_over_flags<std::uint32_t>);
  } else {
    run_decode_by_stretches(context, values, lengths, runs, out, size, count);
  }
}

}  // namespace detail

/// Run-length encoding: of each run of equal items the first goes to values, how many there are to
/// lengths, in order, and the number of runs to count.
///
/// in           n trivially copyable items in memory that `context` reaches. n may be 0, and may
///              exceed 2^32
/// values       room for as many items of the same type as there are runs; where it holds fewer,
///              those beyond its end are dropped. It may begin where in does; any other overlap is
///              an error
/// lengths      the same of integers that can hold n, apart from in and values
/// count        an array of one integer that can hold n, apart from all others
/// equal        ==, or a function object equal(a, b) that is an equivalence
/// traffic      n reads of an item, and a write of an item and a length for each run; on CPUs n
///              reads more, and a read and a write more of each length
/// determinism, returns, throws  as compact
/// source       as compact; of two sums that are scanned at once, one takes a length's place
template <class Context, array In, output_array Values, output_array Lengths, output_array Count,
          detail::equivalence<item_of<In>> Equal = detail::equal_items>
void run_length_encode(Context& context, In const& in, Values&& values, Lengths&& lengths,
                       Count&& count, Equal equal = {},
                       std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::run_length_encode";
  using T = item_of<In>;
  static_assert(integer<item_of<Lengths>>, "sam: lengths must hold integers");
  [[maybe_unused]] auto const named = name_call(context, name);
  index_t const n = size_of(in);
  argument_names const names{"in", "values"};
  detail::expect_compact(name, context, in, values, count, at, names);
  detail::expect_beside(name, "lengths", context, lengths, "count", count, at);
  expect_fits<item_of<Lengths>>(name, "lengths", n, at);
  detail::expect_in_place_or_apart<detail::maybe_head<T, index_t>>(name, context, in, values, at,
                                                                   names);
  expect_apart(name, "lengths", lengths, "in", in, at);
  expect_apart(name, "lengths", lengths, "values", values, at);
  if (n == 0)
    return detail::count_nothing(context, count.data());
  detail::kept_unlike_last<T, Equal> const heads{in.data(), equal};
  detail::to_front<T, item_of<Count>> const to{
      {count.data()}, in.data(), values.data(), size_of(values)};
  if constexpr (!works_on_device<Context>)
    detail::run_encode_by_packing(context, n, heads, to, lengths.data(), size_of(lengths));
  else if (n < index_t{std::numeric_limits<std::uint32_t>::max()})
    detail::run_encode<std::uint64_t, std::uint32_t>(context, n, heads, to, lengths.data(),
                                                     size_of(lengths));
  else
    detail::run_encode<detail::uint128, index_t>(context, n, heads, to, lengths.data(),
                                                 size_of(lengths));
}

/// As above; waits, and returns the number of runs.
template <class Context, array In, output_array Values, output_array Lengths,
          detail::equivalence<item_of<In>> Equal = detail::equal_items>
index_t run_length_encode(Context& context, In const& in, Values&& values, Lengths&& lengths,
                          Equal equal = {},
                          std::source_location at = std::source_location::current()) {
  return detail::count_of(context, [&](auto count) {
    run_length_encode(context, in, values, lengths, count, equal, at);
  });
}

/// What run_length_encode undoes: values[0] lengths[0] times, then values[1] lengths[1] times, ...
///
/// values       trivially copyable items in memory that `context` reaches
/// lengths      as many integers as there are values, none of them negative; they may be 0
/// out          room for as many items as the lengths are together, of the same type, apart from
///              values and lengths. Where it holds fewer, those beyond its end are dropped; where
///              it holds more, the rest stays as it was
/// count        an array of one integer that can hold the sum of lengths, to which that sum goes:
///              with an empty out, nothing else is asked for; apart from all others
/// traffic      a write for each item, and in all one read of each value and length; a read and a
///              write of 8 bytes for each run, and of 16 for every 32 items in out; on CPUs in
///              place of the latter one read more of each length
/// workspace    8 bytes for each run and for every 32 items in out, on CPUs for every 16 runs; a
///              context keeps it
/// determinism, returns, throws  as compact
/// source       Baxter, moderngpu (load-balancing search); the scan as in compact
template <class Context, array Values, array Lengths, output_array Out, output_array Count>
void run_length_decode(Context& context, Values const& values, Lengths const& lengths, Out&& out,
                       Count&& count, std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::run_length_decode";
  static_assert(std::is_same_v<item_of<Values>, item_of<Out>>,
                "sam: values and out differ in item type");
  static_assert(integer<item_of<Lengths>>, "sam: lengths must hold integers");
  [[maybe_unused]] auto const named = name_call(context, name);
  expect_same_size(name, values, lengths, at, {"values", "lengths"});
  detail::expect_counts(name, "count", context, count, 1, 0, at);
  detail::expect_beside(name, "values", context, values, "count", count, at);
  detail::expect_beside(name, "lengths", context, lengths, "count", count, at);
  detail::expect_beside(name, "out", context, out, "count", count, at);
  expect_apart(name, "out", out, "values", values, at);
  expect_apart(name, "out", out, "lengths", lengths, at);
  if (size_of(values) == 0)
    return detail::count_nothing(context, count.data());
  detail::run_decode(context, values.data(), lengths.data(), size_of(values), out.data(),
                     size_of(out), count.data());
}

/// As above; waits, and returns the sum of lengths.
template <class Context, array Values, array Lengths, output_array Out>
index_t run_length_decode(Context& context, Values const& values, Lengths const& lengths, Out&& out,
                          std::source_location at = std::source_location::current()) {
  return detail::count_of(
      context, [&](auto count) { run_length_decode(context, values, lengths, out, count, at); });
}

}  // namespace sam
