// SPDX-License-Identifier: MIT
// segmented_reduce and reduce_by_key: what is known at the end of each segment of a segmented scan.
#pragma once

#include <sam/reduce_segments_job.hpp>
#include <sam/scan.hpp>
#include <sam/segments.hpp>

#include <algorithm>
#include <cstddef>

namespace sam {

namespace detail {

/// The totals one behind the other, as many as there is room for.
template <class T, class Count>
struct totals_to_front {
  T* out;
  index_t size;
  Count* count;
  SAM_FUNCTION void put(index_t, index_t rank, T const& total) const {
    if (rank < size)
      out[rank] = total;
  }
  SAM_FUNCTION void put_count(index_t segments) const { *count = static_cast<Count>(segments); }
};

/// The same, and of each segment the key of its first item.
template <class T, class Count, class Key>
struct totals_and_keys_to_front : totals_to_front<T, Count> {
  Key* firsts;
  index_t firsts_size;
  SAM_FUNCTION void put_head(index_t, index_t rank, Key const& key) const {
    if (rank < firsts_size)
      firsts[rank] = key;
  }
};

/// Each total to the place of its segment among all, and `nothing` to the empty ones, for a back
/// end that puts all totals of a tile at once.
template <class T, class Offset>
struct totals_by_offsets {
  T* out;
  Offset const* offsets;
  index_t segments;
  T nothing;

  index_t end(index_t k) const { return static_cast<index_t>(offsets[k + 1]); }
  void put_all(index_t begin, index_t before, T const* totals, index_t count) const {
    auto const ends_below = [](Offset x, index_t i) { return static_cast<index_t>(x) < i; };
    auto const* const first =
        std::lower_bound(offsets + 1, offsets + 1 + segments, begin, ends_below);
    T const* const last = totals + count;
    for (index_t k = first - offsets - 1; k < segments && end(k) < before; ++k)
      out[k] = offsets[k] == offsets[k + 1] || totals == last ? nothing : *totals++;
  }
};

/// Counts, up to each segment, those that have items.
template <class Offset, class Index>
struct count_filled_job {
  using item = bool;
  using summary = Index;
  Offset const* offsets;
  Index* upto;
  using pointer = pointer_with_neighbours<Offset, 1>;
  SAM_FUNCTION auto reads() const { return make_pointers(pointer{offsets + 1}); }
  /// The first offset is 0.
  SAM_FUNCTION bool load(index_t k, pointer const& end) const {
    return *end != (k == 0 ? Offset(0) : end.data[-1]);
  }
  SAM_FUNCTION bool load(index_t k) const { return load(k, pointer{offsets + 1 + k}); }
  SAM_FUNCTION Index summarise(bool filled) const { return filled ? 1 : 0; }
  SAM_FUNCTION void finish(index_t k, bool, Index y) const { upto[k] = y; }
  SAM_FUNCTION Index* target() const { return upto; }
};

/// Totals of segments that have items, where these are counted: if all have, in their places, and
/// else one behind the other in `totals`, from where they are spread.
template <class T, class Index>
struct totals_of_filled {
  T* out;
  T* totals;
  Index const* upto;
  index_t segments;
  SAM_FUNCTION bool are_all() const { return static_cast<index_t>(upto[segments - 1]) == segments; }
  SAM_FUNCTION void put(index_t, index_t rank, T const& total) const {
    (are_all() ? out : totals)[rank] = total;
  }
};
template <class T, class Index>
struct spread_totals_job {
  using item = T;
  using summary = std::uint32_t;
  static constexpr bool independent = true;
  totals_of_filled<T, Index> of;
  T nothing;

  SAM_FUNCTION T load(index_t k) const { return total(k == 0 ? 0 : of.upto[k - 1], of.upto[k]); }
  SAM_FUNCTION summary summarise(T const&) const { return 0; }
  SAM_FUNCTION void finish(index_t k, T const& x, summary) const {
    if (k < room())
      of.out[k] = x;
  }
  SAM_FUNCTION T* front() const { return of.out; }
  SAM_FUNCTION index_t room() const { return of.are_all() ? 0 : of.segments; }
  SAM_FUNCTION void make(index_t begin, index_t count, T* to) const {
    Index before = begin == 0 ? 0 : of.upto[begin - 1];
    for (index_t k = 0; k < count; ++k) {
      Index const upto = of.upto[begin + k];
      to[k] = total(before, upto);
      before = upto;
    }
  }

 private:
  SAM_FUNCTION T total(Index before, Index upto) const {
    return before == upto ? nothing : of.totals[before];
  }
};

/// What a reduction asks of its arrays and its policy.
template <class Context, class In, class Segments, class Out, class Policy>
void expect_segmented_reduce(std::string_view function, Context& context, In const& in,
                             Segments const& segments, Out const& out, Policy const& policy,
                             std::source_location at) {
  static_assert(Policy::order == 1 && Policy::tuple_size == 1 &&
                    Policy::heading == direction::forward,
                "sam: a segmented reduction is of order 1 and tuples of 1, and goes forward");
  expect_scan(function, context, in, out, policy, at);
  expect_apart(function, "out", out, "in", in, at);
  segments.expect(function, context, size_of(in), 1, out, at);
}
template <class Context, class Count, class Other>
void expect_count(std::string_view function, Context const& context, Count const& count,
                  index_t most, std::string_view argument, Other const& other,
                  std::source_location at) {
  expect_counts(function, "count", context, count, 1, most, at);
  expect_apart(function, "count", count, argument, other, at);
}

/// To a place that counts segments.
template <class Context, class In, class Segments, class T, class Policy, class Start, class Where>
void reduce_to_front(Context& context, In const& in, Segments const& segments, T const*,
                     Policy const& policy, Start const& start, Where const& where) {
  index_t const n = size_of(in);
  if (n == 0)
    return count_nothing(context, where.count);
  run_segmented_reduce<T, typename Policy::carry>(
      context, n, static_cast<item_of<In> const*>(in.data()),
      segments.template heads<direction::forward, 1>(context, n, 1), policy.op, start, where);
}

template <class Context, class In, class Segments, class Out, class Count, class Policy,
          class Start>
void segmented_reduce(Context& context, In const& in, Segments const& segments, Out& out,
                      Count& count, Policy const& policy, Start const& start,
                      std::source_location at) {
  constexpr auto name = "sam::segmented_reduce";
  using T = item_of<Out>;
  [[maybe_unused]] auto const call = begin_call(context, name);
  expect_segmented_reduce(name, context, in, segments, out, policy, at);
  expect_count(name, context, count, size_of(in), "in", in, at);
  expect_apart(name, "count", count, "out", out, at);
  segments.expect_apart_from(name, "count", count, at);
  reduce_to_front(context, in, segments, out.data(), policy, start,
                  totals_to_front<T, item_of<Count>>{out.data(), size_of(out), count.data()});
}

template <class Context, class In, class Keys, class Firsts, class Out, class Count, class Policy,
          class Start, class Equal>
void reduce_by_key(Context& context, Keys const& keys, In const& in, Firsts& firsts, Out& out,
                   Count& count, Policy const& policy, Start const& start, Equal const& equal,
                   std::source_location at) {
  constexpr auto name = "sam::reduce_by_key";
  using T = item_of<Out>;
  using key = item_of<Keys>;
  static_assert(std::is_same_v<key, item_of<Firsts>>, "sam: keys and unique_keys differ in type");
  static_assert(is_within_reach<Context, Firsts>, "sam: the context cannot reach unique_keys");
  [[maybe_unused]] auto const call = begin_call(context, name);
  by_keys<Keys, Equal> const segments{keys, equal};
  expect_segmented_reduce(name, context, in, segments, out, policy, at);
  expect_items(name, "unique_keys", firsts, at);
  expect_apart(name, "unique_keys", firsts, "in", in, at);
  expect_apart(name, "unique_keys", firsts, "keys", keys, at);
  expect_apart(name, "unique_keys", firsts, "out", out, at);
  expect_reach(name, "unique_keys", context, firsts, at);
  expect_count(name, context, count, size_of(in), "in", in, at);
  expect_apart(name, "count", count, "out", out, at);
  expect_apart(name, "count", count, "keys", keys, at);
  expect_apart(name, "count", count, "unique_keys", firsts, at);
  reduce_to_front(context, in, segments, out.data(), policy, start,
                  totals_and_keys_to_front<T, item_of<Count>, key>{
                      {out.data(), size_of(out), count.data()}, firsts.data(), size_of(firsts)});
}

template <class Index, class Context, class In, class Offsets, class T, class Op, class Start,
          class Carry>
void reduce_to_segments(Context& context, In const& in, Offsets const& segments, T* out,
                        scan_policy<Op, 1, 1, Carry> const& policy, Start const& start,
                        T const& nothing) {
  using offset = std::remove_cvref_t<decltype(*segments.offsets.data())>;
  constexpr index_t unit = max_of(16, alignof(T));
  auto const rounded = [](index_t bytes) { return div_up(bytes, unit) * unit; };
  index_t const n = size_of(in), m = segments.segments();
  index_t const of_words = rounded(segments.words_for(n) * 4);
  index_t const of_counts = rounded(m * index_t{sizeof(Index)});
  auto* const memory = scratch<std::byte>(context, of_words + of_counts + m * index_t{sizeof(T)});
  auto* const words = reinterpret_cast<std::uint32_t*>(memory);
  auto* const upto = reinterpret_cast<Index*>(memory + of_words);
  auto* const totals = reinterpret_cast<T*>(memory + of_words + of_counts);
  totals_of_filled<T, Index> const where{out, totals, upto, m};
  run(context, m, count_filled_job<offset, Index>{segments.offsets.data(), upto},
      make_pass<bound::inclusive>(scan_policy<>{}, from_nothing{}));
  run_segmented_reduce<T, Carry>(
      context, n, static_cast<item_of<In> const*>(in.data()),
      segments.template heads_in<direction::forward, 1>(context, words, n, 1), policy.op, start,
      where);
  run(context, m, spread_totals_job<T, Index>{where, nothing}, pass_over_flags<std::uint32_t>);
}

template <class Context, class In, class Offsets, class Out, class Policy, class Start>
void segmented_reduce(Context& context, In const& in, Offsets const& segments, Out& out,
                      Policy const& policy, Start const& start, item_of<Out> const& nothing,
                      std::source_location at) {
  constexpr auto name = "sam::segmented_reduce";
  using T = item_of<Out>;
  using offset = std::remove_cvref_t<decltype(*segments.offsets.data())>;
  [[maybe_unused]] auto const call = begin_call(context, name);
  expect_segmented_reduce(name, context, in, segments, out, policy, at);
  index_t const n = size_of(in), m = segments.segments();
  expect_length(name, "out", out, m, "one for each segment", at);
  if (m == 0 || n == 0)
    return fill(context, m, out.data(), nothing);
  if constexpr (single_pass_scheme<typename Policy::carry>) {
    reduce_segments_job<item_of<In>, T, offset, typename Policy::op_type, Start> const job{
        n, in.data(), m, segments.offsets.data(), out.data(), policy.op, start, nothing};
    if constexpr (reduces_segments<Context, decltype(job)>)
      if (reduce_segments(context, job))
        return;
  }
  if constexpr (marks_bits<Context, offset> && !works_on_device<Context> &&
                single_pass_scheme<typename Policy::carry>) {
    run_segmented_reduce<T, typename Policy::carry>(
        context, n, static_cast<item_of<In> const*>(in.data()),
        segments.template heads<direction::forward, 1>(context, n, 1), policy.op, start,
        totals_by_offsets<T, offset>{out.data(), segments.offsets.data(), m, nothing});
  } else if (m <= index_t{highest_of<std::uint32_t>})
    reduce_to_segments<std::uint32_t>(context, in, segments, out.data(), policy, start, nothing);
  else
    reduce_to_segments<index_t>(context, in, segments, out.data(), policy, start, nothing);
}

}  // namespace detail

/// Segments of which it is not known beforehand how many there are.
template <class S>
concept uncounted_segments = segments<S> && !detail::is_by_offsets<S>;

/// Reduction of every segment: out[k] combines, in index order, the items of segment k; their
/// number goes to count.
///
/// in           n items in memory that `context` reaches
/// segments     by_heads(flags), by_keys(keys) or by_length(length), see <sam/segments.hpp>
/// out          room for as many items as there are segments, apart from all else; n are always
///              enough. Where it holds fewer, those beyond its end are dropped
/// count        an array of one integer that can hold n, apart from all else
/// policy       a scan_policy of order 1, or just an operator, which need not commute
/// traffic      n reads of an item and of what says where segments lie, and a write for each of
///              these
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out or count
/// throws       sam::invalid_argument  if arrays overlap or are not as long as they must be, or
///                                     count cannot hold n; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       as segmented_inclusive_scan, of which this is the end of every segment
template <class Context, array In, uncounted_segments Segments, output_array Out,
          output_array Count, class Policy = scan_policy<>>
void segmented_reduce(Context& context, In const& in, Segments const& segments, Out&& out,
                      Count&& count, Policy policy = {},
                      std::source_location at = std::source_location::current()) {
  detail::segmented_reduce(context, in, segments, out, count, as_policy(policy), from_nothing{},
                           at);
}

/// As above; every segment starts from `init`.
template <class Context, array In, uncounted_segments Segments, output_array Out,
          output_array Count, class Policy>
void segmented_reduce(Context& context, In const& in, Segments const& segments, Out&& out,
                      Count&& count, Policy policy, item_of<Out> init,
                      std::source_location at = std::source_location::current()) {
  detail::segmented_reduce(context, in, segments, out, count, as_policy(policy),
                           from_value<item_of<Out>>{init}, at);
}

/// The same by_offsets(offsets): out holds one item for each segment. Of a segment without items it
/// is the combination of none: the operator's identity, but for a sum 0. Takes n/8 bytes of the
/// context's memory and, but on CPUs, for each segment 4 bytes (8 where there are 2^32) and an item
/// of out; these are written and, if a segment is empty, read again. For few items CUDA needs next
/// to none of that.
template <class Context, array In, segments Segments, output_array Out,
          class Policy = scan_policy<>>
requires(detail::is_by_offsets<Segments>) void segmented_reduce(
    Context& context, In const& in, Segments const& segments, Out&& out, Policy policy = {},
    std::source_location at = std::source_location::current()) {
  auto const whole = as_policy(policy);
  static_assert(
      has_identity<typename decltype(whole)::op_type, item_of<Out>>,
      "sam: segments may be empty and this operator has no identity over out's item type; "
      "give segmented_reduce an initial value");
  detail::segmented_reduce(context, in, segments, out, whole, from_nothing{},
                           empty_of<item_of<Out>>(whole.op), at);
}

/// As above; every segment starts from `init`, and the operator needs no identity.
template <class Context, array In, segments Segments, output_array Out, class Policy>
requires(detail::is_by_offsets<Segments>) void segmented_reduce(
    Context& context, In const& in, Segments const& segments, Out&& out, Policy policy,
    item_of<Out> init, std::source_location at = std::source_location::current()) {
  detail::segmented_reduce(context, in, segments, out, as_policy(policy),
                           from_value<item_of<Out>>{init}, init, at);
}

/// segmented_reduce by_keys(keys, equal), which also writes the first key of each segment to
/// unique_keys.
///
/// keys, in     n items each; keys are compared by equal, or by ==
/// unique_keys  apart from keys, in and out; as out, it may hold fewer than there are segments,
///              and what is behind the last one stays as it was
/// traffic      that of segmented_reduce by keys, and a write for each segment's key
/// out, count, policy, workspace, determinism, returns, throws, source  as segmented_reduce
template <class Context, array Keys, array In, output_array Unique, output_array Out,
          output_array Count, class Policy = scan_policy<>, class Equal = detail::equal_items>
void reduce_by_key(Context& context, Keys const& keys, In const& in, Unique&& unique_keys,
                   Out&& out, Count&& count, Policy policy = {}, Equal equal = {},
                   std::source_location at = std::source_location::current()) {
  detail::reduce_by_key(context, keys, in, unique_keys, out, count, as_policy(policy),
                        from_nothing{}, equal, at);
}

}  // namespace sam
