// SPDX-License-Identifier: MIT
// Defines segmented_reduce and reduce_by_key: the value at the end of each segment of a segmented
// scan.
#pragma once

#include <sam/backend/reduce_segments_job.hpp>
#include <sam/detail/outputs/stored_results.hpp>
#include <sam/scan.hpp>
#include <sam/segments.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#include <sam/chosen_backend/segmented.hpp>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Stores the aggregates of segments contiguously, as many as fit. Out and KeysOut, here and below,
/// are the item types of arrays, or destinations.
template <class Out, class Count>
struct totals_to_front {
  place_of_t<Out> out;
  index_t size;
  Count* count;
  SAM_FUNCTION void put(index_t, index_t rank, result_of_t<Out> const& total) const {
    if (rank < size)
      engine::put_result(out, rank, total);
  }
  SAM_FUNCTION void put_count(index_t segments) const { *count = static_cast<Count>(segments); }
};

/// Stores the aggregates, and the key of each segment's first item.
template <class Out, class Count, class KeysOut>
struct totals_and_keys_to_front : totals_to_front<Out, Count> {
  place_of_t<KeysOut> firsts;
  index_t firsts_size;
  SAM_FUNCTION void put_head(index_t, index_t rank, result_of_t<KeysOut> const& key) const {
    if (rank < firsts_size)
      engine::put_result(firsts, rank, key);
  }
};

/// Stores what `Where` does, perhaps over the items and keys that are read. No result goes behind
/// the first item of its segment, and none is stored before all items up to that are loaded.
template <class Where>
struct in_place_by_key : Where {
  bool is_in_place;        // some output is an input
  bool has_keys_in_place;  // the keys of segments go to where the keys are
  SAM_FUNCTION bool overwrites() const { return is_in_place; }
  /// Leaves a key where it is: the items of the next tile are compared with it.
  template <class Key>
  SAM_FUNCTION void put_head(index_t i, index_t rank, Key const& key) const {
    if (!(has_keys_in_place && i == rank))
      Where::put_head(i, rank, key);
  }
};
/// True if results by key may replace the keys and items, which then are arrays: the context loads
/// both once, and holds the keys that it stores. Total is the type of what is combined. A tile has
/// all three for each item, and states besides: the factor leaves space for these.
template <class Context, class Carry, class Keys, class In, class Total>
inline constexpr bool works_in_place_by_key = [] {
  if constexpr (single_pass_scheme<Carry> && array<array_within_t<Keys>> && array<In>)
    return loads_items_once<Context,
                            std::array<std::byte, 2 * (sizeof(item_or_any_t<Keys>) +
                                                       sizeof(item_or_any_t<In>) + sizeof(Total))>>;
  else
    return false;
}();

/// Stores each aggregate at its segment's index, and `nothing` for empty segments, for back ends
/// that store all aggregates of a tile at once.
template <class Out, class Offset>
struct totals_by_offsets {
  using T = result_of_t<Out>;
  place_of_t<Out> out;
  Offset const* offsets;
  index_t segments;
  T nothing;

  index_t end(index_t k) const { return static_cast<index_t>(offsets[k + 1]); }
  void put_all(index_t begin, index_t before, T const* totals, index_t count) const {
    auto const ends_below = [](Offset x, index_t i) { return static_cast<index_t>(x) < i; };
    Offset const *const ends = offsets + 1, *const behind = ends + segments;
    index_t k = std::lower_bound(ends, behind, begin, ends_below) - ends;
    // No segment is empty if as many segments as totals end here, and no item lies behind them all.
    index_t const next = k + count;
    if (count > 0 && next <= segments && end(next - 1) < before &&
        (next < segments ? end(next) >= before : end(next - 1) == before - 1)) {
      auto const self = *this;  // the compiler knows that no output changes it
      for (index_t j = 0; j < count; ++j)
        engine::put_result(self.out, k + j, totals[j]);
      return;
    }
    T const* const last = totals + count;
    for (; k < segments && end(k) < before; ++k)
      engine::put_result(out, k,
                         offsets[k] == offsets[k + 1] || totals == last ? nothing : *totals++);
  }
};

/// The largest number of items whose segments offsets of this type can describe.
template <class Offset>
inline constexpr index_t most_items_of = [] {
  if constexpr (sizeof(Offset) < sizeof(index_t))
    return index_t{highest_of<Offset>};
  else
    return highest_of<index_t>;
}();

/// Stores, for each segment, the number of non-empty segments up to it.
template <class Offset, class Index>
struct count_filled_job {
  using item = bool;
  using accumulator = Index;
  Offset const* offsets;
  Index* upto;
  using pointer = pointer_with_neighbours<Offset, 1>;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(pointer{offsets + 1}); }
  /// Returns true if segment k is not empty; the first offset is taken as 0.
  SAM_FUNCTION bool load(index_t k, pointer const& end) const {
    return *end != (k == 0 ? Offset(0) : end.data[-1]);
  }
  SAM_FUNCTION bool load(index_t k) const { return load(k, pointer{offsets + 1 + k}); }
  SAM_FUNCTION Index to_accumulator(bool filled) const { return filled ? 1 : 0; }
  SAM_FUNCTION void store(index_t k, bool, Index y) const { upto[k] = y; }
  SAM_FUNCTION Index* target() const { return upto; }
};

/// Stores the aggregates of non-empty segments by rank. If all segments are non-empty, they go to
/// their final positions, else to `totals`, from which spread_totals_job copies them.
template <class Out, class Index>
struct totals_of_filled {
  using T = result_of_t<Out>;
  static constexpr bool has_many_items = true;  // few items go along a merge path
  place_of_t<Out> out;
  T* totals;
  Index const* upto;
  index_t segments;
  SAM_FUNCTION bool are_all() const { return static_cast<index_t>(upto[segments - 1]) == segments; }
  SAM_FUNCTION void put(index_t, index_t rank, T const& total) const {
    if (rank >= segments)  // only if the offsets are invalid
      return;
    if constexpr (is_array_place<Out>)
      (are_all() ? out : totals)[rank] = total;
    else if (are_all())
      engine::put_result(out, rank, total);
    else
      totals[rank] = total;
  }
};
template <class Out, class Index>
struct spread_totals_job {
  using T = result_of_t<Out>;
  using item = T;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  totals_of_filled<Out, Index> of;
  T nothing;

  SAM_FUNCTION T load(index_t k) const { return total(k == 0 ? 0 : of.upto[k - 1], of.upto[k]); }
  SAM_FUNCTION accumulator to_accumulator(T const&) const { return 0; }
  SAM_FUNCTION void store(index_t k, T const& x, accumulator) const {
    if (k < capacity())
      engine::put_result(of.out, k, x);
  }
  SAM_FUNCTION T* front() const requires is_array_place<Out> { return of.out; }
  SAM_FUNCTION index_t capacity() const { return of.are_all() ? 0 : of.segments; }
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

template <class Policy>
struct is_segmented_reduction_policy {
  static constexpr bool value =
      Policy::order == 1 && Policy::tuple_size == 1 && Policy::heading == direction::forward;
  static_assert(value,
                "sam: the policy of a segmented reduction must be of order 1 and tuples of 1, "
                "and go forward");
};
template <class T, class... Options>
struct are_segmented_reduction_options
    : is_segmented_reduction_policy<typename decltype(sam::detail::scan_options_of<T>(
          std::declval<Options const&>()...))::policy_type> {};
/// Checks a segmented reduction at compile time.
template <class Context, class In, class Segments, class Out, class... Options>
using reduces_segments_of = std::conjunction<
    is_segmented<Context, In, Segments, accumulator_for<Out, Options...>, Options...>,
    writes_items<parameter::out, Context, Out>,
    stores_accumulator<accumulator_for<Out, Options...>, item_or_any_t<Out>>,
    are_segmented_reduction_options<accumulator_for<Out, Options...>, Options...>>;
/// Names the type in which a call with such options combines items.
template <class Out, class Options>
using reduced_as = accumulator_of<typename Options::policy_type, item_or_any_t<Out>>;

/// Reduces segments to the front of an array, and counts them.
template <class T, class Context, class In, class Segments, class Policy, class Start, class Where,
          class Number = known_count>
void reduce_to_front(Context& context, In const& in, Segments const& segments, Policy const& policy,
                     Start const& start, Where const& where, Number const& number = {}) {
  if (in.size == 0)
    return sam::detail::count_nothing(context, where.count);
  sam::detail::run_segmented_reduce<T, typename Policy::carry>(
      context, in.size, sam::detail::values_of(in),
      segments.template heads<direction::forward, 1>(context, in.size, 1), policy.op, start, where,
      number);
}

template <class Context, class In, class Segments, class Out, class Count, class Options>
void segmented_reduce(char const* function, Context& context, In const& in,
                      Segments const& given_segments, Out& out, Count& count,
                      Options const& options, std::source_location at) {
  using T = reduced_as<Out, Options>;
  checked_call const call(context, function, at);
  auto const [from, taken, first] = detail::first_items_of<parameter::in>(call, in);
  auto const to = sam::detail::results_as<T>(sam::detail::output_of<parameter::out>(call, out));
  sam::detail::expect_output_apart(call, to, from);
  auto const segments = sam::detail::resolve_segments(call, given_segments);
  sam::detail::check_segments(call, segments, from.size, 1, to);
  auto const number = call.template counts<parameter::count>(count, 1, from.size, from, to);
  segments.check_apart(call, number);
  sam::detail::apart_from_arrays(call, number, from);
  sam::detail::expect_outputs_apart(call, to, number);
  detail::apart_from_count(call, in, to);
  detail::apart_from_count(call, in, number);
  sam::detail::reduce_to_front<T>(
      context, taken, segments, options.policy, options.start,
      totals_to_front<job_output_t<std::remove_const_t<decltype(to)>>, item_of<Count>>{
          to.data, to.size, number.data},
      first);
}

/// Tells which inputs a reduction by key may overwrite.
enum class by_key { apart, in_place };

/// True if two arguments begin at one address. Computed ones have none.
template <class A, class B>
bool is_same_memory(A const& a, B const& b) {
  extent const one = a, other = b;
  return one.items != 0 && one.data != nullptr && one.data == other.data;
}
/// Rejects an output of a reduction by key that overlaps an array that is read, unless it is that
/// array and `Where` allows this.
template <by_key Where, bool Can, class Context, class Out, class In>
void expect_apart_by_key(checked_call<Context> const& call, Out const& out, In const& in) {
  if constexpr (Where == by_key::apart) {
    sam::detail::expect_output_apart(call, out, in);
  } else {
    sam::detail::in_place_or_apart(call, out, in);
    if constexpr (!Can)
      if (sam::detail::is_same_memory(out, in))
        call.refuse(out.name, "is ", in.name, ", but ", call.context().name(),
                    " loads such items twice; pass memory apart from ", in.name);
  }
}

/// Checks the arrays of a reduction by key. Calls use(segments, in, keys, unique_keys, out, count)
/// with the checked ones. `Can` is true if outputs may be inputs.
template <by_key Where, bool Can, class Context, class Keys, class In, class UniqueKeys, class Out,
          class Count, class Equal, class Use>
void with_arrays_by_key(checked_call<Context> const& call, Keys const& keys, In const& in,
                        UniqueKeys& unique_keys, Out& out, Count& count, Equal const& equal,
                        Use const& use) {
  auto const held = sam::detail::hold_keys(detail::items_within(keys));
  by_keys<std::remove_const_t<decltype(held)>, Equal> const given{held, equal};
  auto const from = sam::detail::input_of<parameter::in>(call, in);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  sam::detail::expect_apart_by_key<Where, Can>(call, to, from);
  auto const segments = sam::detail::resolve_segments(call, given);
  segments.check(call, from.size, 1, extent{});
  auto const all_keys = sam::detail::input_of<parameter::keys>(call, detail::items_within(keys));
  sam::detail::expect_apart_by_key<Where, Can>(call, to, all_keys);
  auto const firsts = sam::detail::output_of<parameter::unique_keys>(call, unique_keys);
  sam::detail::expect_apart_by_key<Where, Can>(call, firsts, from);
  sam::detail::expect_apart_by_key<Where, Can>(call, firsts, all_keys);
  call.apart(firsts, to);
  sam::detail::expect_outputs_apart(call, firsts, to);
  auto const runs =
      call.template counts<parameter::count>(count, 1, from.size, from, to, all_keys, firsts);
  sam::detail::apart_from_arrays(call, runs, from);
  sam::detail::apart_from_arrays(call, runs, all_keys);
  sam::detail::expect_outputs_apart(call, to, runs);
  sam::detail::expect_outputs_apart(call, firsts, runs);
  detail::apart_from_count(call, keys, to);
  detail::apart_from_count(call, keys, firsts);
  detail::apart_from_count(call, keys, runs);
  use(segments, from, all_keys, firsts, to, runs);
}

/// Returns where the results of a reduction by key go, which may be its inputs if `Can`. Totals go
/// to `place`, of the item type of an array or of a destination.
template <bool Can, class Place, class Count, class Keys, class In, class UniqueKeys, class Out>
auto results_by_key(place_of_t<Place> const& place, Count* count, Keys const& keys, In const& in,
                    UniqueKeys const& unique_keys, Out const& out) {
  using where = totals_and_keys_to_front<Place, Count, job_output_t<UniqueKeys>>;
  where const all{{place, out.size, count}, unique_keys.data, unique_keys.size};
  if constexpr (Can) {
    bool const over_keys = sam::detail::is_same_memory(unique_keys, keys);
    return in_place_by_key<where>{all,
                                  over_keys || sam::detail::is_same_memory(unique_keys, in) ||
                                      sam::detail::is_same_memory(out, keys) ||
                                      sam::detail::is_same_memory(out, in),
                                  over_keys};
  } else {
    return all;
  }
}

template <class Context, class In, class Keys, class UniqueKeys, class Out, class Count,
          class Options, class Equal>
void reduce_by_key(char const* function, Context& context, Keys const& keys, In const& in,
                   UniqueKeys& unique_keys, Out& out, Count& count, Options const& options,
                   Equal const& equal, std::source_location at) {
  using T = reduced_as<Out, Options>;
  using carry = typename std::remove_cvref_t<decltype(options.policy)>::carry;
  constexpr bool can = works_in_place_by_key<Context, carry, Keys, In, T>;
  checked_call const call(context, function, at);
  sam::detail::with_arrays_by_key<by_key::in_place, can>(
      call, keys, in, unique_keys, out, count, equal,
      [&](auto const& segments, auto const& from, auto const& all_keys, auto const& firsts,
          auto const& to, auto const& number) {
        auto const taken = detail::items_taken(call, keys, from);
        auto const totals = sam::detail::results_as<T>(to);
        using place = job_output_t<std::remove_const_t<decltype(totals)>>;
        sam::detail::reduce_to_front<T>(context, taken, segments, options.policy, options.start,
                                        sam::detail::results_by_key<can, place>(
                                            totals.data, number.data, all_keys, from, firsts, to),
                                        detail::count_for_job(call, keys, taken.size));
      });
}

template <class Context, class In, class Keys, class UniqueKeys, class Out, class Before,
          class Count, class Policy, class Equal>
void append_by_key(Context& context, Keys const& keys, In const& in, UniqueKeys& unique_keys,
                   Out& out, Before const& before, Count& count, Policy const& policy,
                   Equal const& equal, std::source_location at) {
  using T = item_of<Out>;
  using K = item_of<UniqueKeys>;
  checked_call const call(context, "sam::reduce_by_key", at);
  sam::detail::with_arrays_by_key<by_key::apart, false>(
      call, keys, in, unique_keys, out, count, equal,
      [&](auto const& segments, auto const& from, auto const& all_keys, auto const& firsts,
          auto const& to, auto const& runs) {
        auto const earlier = detail::count_before(call, before, to, runs);
        detail::before_apart(call, before, firsts);
        auto const taken = detail::items_taken(call, keys, from);
        if (taken.size == 0)
          return detail::copy_count(context, earlier, runs.data);
        auto const number = detail::count_for_job(call, keys, taken.size);
        auto const keys_from = sam::detail::source_from(all_keys);
        using joins = joins_last_run<std::remove_const_t<decltype(keys_from)>, Equal,
                                     std::remove_const_t<decltype(earlier)>,
                                     std::remove_const_t<decltype(number)>>;
        totals_and_keys_to_front<T, item_of<Count>, K> const where{
            {to.data, to.size, runs.data}, firsts.data, firsts.size};
        sam::detail::run_segmented_reduce<T, typename Policy::carry>(
            context, taken.size, sam::detail::values_of(taken),
            segments.template heads<direction::forward, 1>(context, taken.size, 1), policy.op,
            from_nothing{},
            detail::append_segments(
                where, earlier, joins{keys_from, firsts.data, firsts.size, equal, earlier, number},
                to, policy.op),
            number);
      });
}

template <class Index, class Context, class In, class Segments, class Out, class T, class Op,
          class Start, class Carry>
void reduce_to_segments(Context& context, In const& in, Segments const& segments, Out const& out,
                        scan_policy<Op, 1, 1, Carry> const& policy, Start const& start,
                        T const& nothing) {
  using to_type = job_output_t<Out>;
  using offset = std::remove_cvref_t<decltype(*segments.data())>;
  constexpr index_t unit = max_of(16, alignof(T));
  auto const rounded = [](index_t bytes) { return div_up(bytes, unit) * unit; };
  index_t const n = in.size, m = segments.segments();
  index_t const of_words = rounded(segments.words_for(n) * 4);
  index_t const of_counts = rounded(m * index_t{sizeof(Index)});
  auto* const memory =
      engine::workspace<std::byte>(context, of_words + of_counts + m * index_t{sizeof(T)});
  auto* const words = reinterpret_cast<std::uint32_t*>(memory);
  auto* const upto = reinterpret_cast<Index*>(memory + of_words);
  auto* const totals = reinterpret_cast<T*>(memory + of_words + of_counts);
  totals_of_filled<to_type, Index> const where{out.data, totals, upto, m};
  context.run(m, count_filled_job<offset, Index>{segments.data(), upto},
              resolve_policy<bound::inclusive>(scan_policy<>{}, from_nothing{}));
  sam::detail::run_segmented_reduce<T, Carry, most_items_of<offset>>(
      context, n, sam::detail::values_of(in),
      segments.template heads_in<direction::forward, 1>(context, words, n, 1), policy.op, start,
      where);
  context.run(m, spread_totals_job<to_type, Index>{where, nothing}, pass_over_flags<std::uint32_t>);
}

/// Reduces segments by offsets, by a segmented scan.
template <class Context, class In, class Segments, class Out, class Policy, class Start, class T>
void scan_to_reduce_segments(Context& context, In const& in, Segments const& segments,
                             Out const& out, Policy const& policy, Start const& start,
                             T const& nothing) {
  using offset = std::remove_cvref_t<decltype(*segments.data())>;
  index_t const n = in.size, m = segments.segments();
  if constexpr (marks_bits<Context, mark_job<offset>> && !works_on_device<Context> &&
                single_pass_scheme<typename Policy::carry>)
    sam::detail::run_segmented_reduce<T, typename Policy::carry>(
        context, n, sam::detail::values_of(in),
        segments.template heads<direction::forward, 1>(context, n, 1), policy.op, start,
        totals_by_offsets<job_output_t<Out>, offset>{out.data, segments.data(), m, nothing});
  else if constexpr (most_items_of<offset> <= index_t{highest_of<std::uint32_t>})
    sam::detail::reduce_to_segments<std::uint32_t>(context, in, segments, out, policy, start,
                                                   nothing);
  else if (n <= index_t{highest_of<std::uint32_t>})
    sam::detail::reduce_to_segments<std::uint32_t>(context, in, segments, out, policy, start,
                                                   nothing);
  else
    sam::detail::reduce_to_segments<index_t>(context, in, segments, out, policy, start, nothing);
}

/// Names the job that a back end runs in place of another one, with the same results: by default
/// the job itself.
template <class Job>
struct faster_job {
  static Job const& of(Job const& job) { return job; }
};

/// Reduces segments by offsets. Arrays have been checked, and neither items nor segments are empty.
template <class Context, class In, class Segments, class Out, class Policy, class Start, class T>
void run_segmented_reduce_by_offsets(Context& context, In const& in, Segments const& segments,
                                     Out const& out, Policy const& policy, Start const& start,
                                     T const& nothing) {
  using offset = std::remove_cvref_t<decltype(*segments.data())>;
  using job_type = reduce_segments_job<job_input_t<In>, T, offset, typename Policy::op_type, Start,
                                       job_output_t<Out>>;
  if constexpr (single_pass_scheme<typename Policy::carry> && reduces_segments<Context, job_type>)
    if (context.reduce_segments(faster_job<job_type>::of(
            job_type{in.size, sam::detail::source_from(in), segments.segments(), segments.data(),
                     out.data, policy.op, start, nothing})))
      return;
  sam::detail::scan_to_reduce_segments(context, in, segments, out, policy, start, nothing);
}

/// Puts the results of the first segments, by their number. Out is the item type of an array, or a
/// destination.
template <class Out, class Number>
struct first_results {
  using item = result_of_t<Out>;
  place_of_t<Out> out;
  Number number;
  SAM_FUNCTION void put(index_t k, item const& x) const {
    if (k < number())
      engine::put_result(out, k, x);
  }
};
/// Puts the results of ranges, which are every second segment. Out may be first_results.
template <class Out>
struct results_of_ranges {
  using item = result_of_t<Out>;
  place_of_t<Out> out;
  SAM_FUNCTION void put(index_t k, item const& x) const {
    if (k % 2 == 1)
      engine::put_result(out, k / 2, x);
  }
};
/// Returns the checked output of a reduction by offsets, cut to the segments that there are.
template <class Out, class Segments>
auto results_of_segments(Out const& out, Segments const& segments) {
  constexpr bool are_ranges = requires { segments.ranges(); };
  if constexpr (!requires { segments.number; }) {
    return out;
  } else if constexpr (!std::is_same_v<decltype(segments.number), known_count>) {
    using destination = first_results<job_output_t<Out>, decltype(segments.number)>;
    if constexpr (are_ranges)
      return checked_output<results_of_ranges<destination>, 0, 0>{
          {{out.data, segments.number}}, 2 * out.size, out.name, {}};
    else
      return checked_output<destination, 0, 0>{{out.data, segments.number}, out.size, out.name, {}};
  } else if constexpr (are_ranges) {
    return checked_output<results_of_ranges<job_output_t<Out>>, 0, 0>{
        {out.data}, 2 * segments.ranges(), out.name, {}};
  } else {
    auto cut = out;
    cut.size = segments.segments();
    return cut;
  }
}

template <class Context, class In, class Segments, class Out, class Options>
void segmented_reduce_by_offsets(char const* function, Context& context, In const& in,
                                 Segments const& given_offsets, Out& out, Options const& options,
                                 std::source_location at) {
  using T = reduced_as<Out, Options>;
  checked_call const call(context, function, at);
  auto const [from, taken, first] = detail::first_items_of<parameter::in>(call, in);
  auto const all = sam::detail::results_as<T>(sam::detail::output_of<parameter::out>(call, out));
  sam::detail::expect_output_apart(call, all, from);
  auto const given = sam::detail::given_segments(call, given_offsets);
  sam::detail::check_segments(call, given, from.size, 1, all);
  call.size_is(all, sam::detail::most_by_offsets(given), "one for each segment");
  detail::apart_from_count(call, in, all);
  auto const segments = sam::detail::segments_of_items<In>(call, given, first);
  auto const to = sam::detail::results_of_segments(all, segments);
  T const nothing = sam::detail::start_of<bound::exclusive, T>(options.policy, options.start).value;
  if (taken.size == 0 || to.size == 0)
    return sam::detail::fill_output(context, to, nothing);
  sam::detail::run_segmented_reduce_by_offsets(context, taken, segments, to, options.policy,
                                               options.start, nothing);
}

/// Checks that a reduction by offsets, whose segments may be empty, has a value for these.
template <class T, class... Options>
struct reduces_empty_segments {
  static constexpr bool value = [] {
    using options = decltype(sam::detail::scan_options_of<T>(std::declval<Options const&>()...));
    constexpr bool known = !std::is_same_v<typename options::start_type, from_nothing> ||
                           has_identity<typename options::policy_type::op_type, T>;
    static_assert(known, "sam: segments may be empty and this operator has no identity over out's "
                         "item type; give segmented_reduce an initial value");
    return known;
  }();
};

/// True if the argument after out receives the number of segments. By offsets it does not, since
/// the caller knows the number.
template <class Segments, class X>
inline constexpr bool counts_segments =
    is_place<X> && !is_by_offsets<std::remove_cvref_t<Segments>>;

template <class Context, class In, class Segments, class Out, class Count, class... Given>
void segmented_reduce_counted(Context& context, In const& in, Segments const& segments, Out& out,
                              Count& count, std::source_location at, Given const&... given) {
  if constexpr (stands_for_context<Context>) {
    sam::detail::segmented_reduce_counted(*sam::detail::lend_context(context), in, segments, out,
                                          count, at, given...);
  } else if constexpr (all_right<reduces_segments_of<Context, In, Segments, Out, Given...>,
                                 counts_to<parameter::count, Context, Count&>>) {
    auto const options = sam::detail::scan_options_of<accumulator_for<Out, Given...>>(given...);
    sam::detail::with_place(context, count, [&](auto& place) {
      sam::detail::segmented_reduce("sam::segmented_reduce", context, in, segments, out, place,
                                    options, at);
    });
  }
}
/// Reduces segments without a count argument: returns nothing by offsets, else the number of
/// segments.
template <class Context, class In, class Segments, class Out, class... Given>
auto segmented_reduce_alone(Context& context, In const& in, Segments const& segments, Out& out,
                            std::source_location at, Given const&... given) {
  if constexpr (stands_for_context<Context>)
    return sam::detail::segmented_reduce_alone(*sam::detail::lend_context(context), in, segments,
                                               out, at, given...);
  else if constexpr (!is_by_offsets<Segments>)
    return sam::detail::count_of(context, [&](auto count) {
      sam::detail::segmented_reduce_counted(context, in, segments, out, count, at, given...);
    });
  else if constexpr (all_right<reduces_segments_of<Context, In, Segments, Out, Given...>,
                               reduces_empty_segments<accumulator_for<Out, Given...>, Given...>>)
    sam::detail::segmented_reduce_by_offsets(
        "sam::segmented_reduce", context, in, segments, out,
        sam::detail::scan_options_of<accumulator_for<Out, Given...>>(given...), at);
}

}  // namespace detail

/// Reduces every segment: out[k] combines, in index order, the items of segment k; the number of
/// segments goes to count.
///
/// in           n items in memory that `context` reaches; converted as by inclusive_scan. It may be
///              sam::counted(items, number), and a computed input (<sam/inputs.hpp>). Offsets and
///              ranges are those of all items that there may be, and are cut to the number
/// segments     by_heads(flags), by_keys(keys) or by_length(length), see <sam/segments.hpp>; or
///              by_offsets, which takes no count: see below
/// out          an array for one item per segment, apart from all others; n items are always
///              enough. If it is too small, the items beyond its end are dropped. It may be a
///              computed output (<sam/outputs.hpp>)
/// count        a variable or an array of one integer that can hold n, apart from all others. If a
///              device cannot reach a variable, the call waits. Without count the call waits and
///              returns the number. A variable after out is taken for count, so an initial value
///              must be passed as T(x)
/// options      as for inclusive_scan: an operator, which need not commute, or a scan_policy
///              of order 1; and an initial value, from which every segment starts
/// traffic      n reads of an item and of its flag or key, and a write for each segment
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out or count
/// throws       sam::invalid_argument  if arrays overlap or do not have the required sizes, or
///                                     count cannot hold n; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       as segmented_inclusive_scan; this is its value at the end of every segment
template <class Context, class In, class Segments, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_reduce(
    Context&& context, In const& in, Segments const& segments, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::segmented_reduce_counted(context, in, segments, out, count, at);
}
template <class Context, class In, class Segments, class Out, class Count, class Option>
requires(detail::counts_segments<Segments, Count>) void segmented_reduce(
    Context&& context, In const& in, Segments const& segments, Out&& out, Count&& count,
    Option option, std::source_location at = std::source_location::current()) {
  detail::segmented_reduce_counted(context, in, segments, out, count, at, option);
}
template <class Context, class In, class Segments, class Out, class Count, class Option,
          class Other = detail::item_or_any_t<Out>>
requires(detail::counts_segments<Segments, Count>) void segmented_reduce(
    Context&& context, In const& in, Segments const& segments, Out&& out, Count&& count,
    Option option, Other other, std::source_location at = std::source_location::current()) {
  detail::segmented_reduce_counted(context, in, segments, out, count, at, option, other);
}

/// Reduces every segment, without a count argument. By offsets or ranges it returns nothing, since
/// these give the number of segments. With all others it waits and returns the number.
///
/// out          by offsets or ranges, one item for each segment that there may be; if their number
///              is counted, items past it keep their values. For a segment without items it is
///              the initial value, or the combination of no items: 0 for a sum, the identity of any
///              other operator
/// workspace    by offsets n / 8 bytes. On GPUs also, for each segment, 4 bytes (8 if there are
///              2^32) and an item of out. These are written and, if any segment is empty, read
///              again. CUDA needs almost none of it for few items. If in is counted, also a copy of
///              the offsets
/// Everything else is as above.
template <class Context, class In, class Segments, class Out>
auto segmented_reduce(Context&& context, In const& in, Segments const& segments, Out&& out,
                      std::source_location at = std::source_location::current()) {
  return detail::segmented_reduce_alone(context, in, segments, out, at);
}
template <class Context, class In, class Segments, class Out, class Option>
requires(!detail::counts_segments<Segments, Option>) auto segmented_reduce(
    Context&& context, In const& in, Segments const& segments, Out&& out, Option&& option,
    std::source_location at = std::source_location::current()) {
  return detail::segmented_reduce_alone(context, in, segments, out, at, option);
}
template <class Context, class In, class Segments, class Out, class Option,
          class Other = detail::item_or_any_t<Out>>
requires(!detail::counts_segments<Segments, Option>) auto segmented_reduce(
    Context&& context, In const& in, Segments const& segments, Out&& out, Option&& option,
    Other other, std::source_location at = std::source_location::current()) {
  return detail::segmented_reduce_alone(context, in, segments, out, at, option, other);
}

/// Reduces every run of equal keys, as segmented_reduce with by_keys(keys, equal), and writes the
/// first key of each run to unique_keys.
///
/// keys, in     n items each, or computed inputs; keys may be sam::counted(items, number)
/// unique_keys  an array of keys, apart from out. Like out, it may hold fewer items than there are
///              runs; items after the last key are not changed. Either may be a computed output.
///              In place, unique_keys and out may each be keys or in, if all four are arrays: items
///              after the last result then are unspecified
/// out, count   as for segmented_reduce; count may be omitted
/// option       an operator or a scan_policy, or an initial value; plus if it is missing
/// equal        a const function object that returns true if two keys are equal; == if it is
///              missing
/// traffic      that of segmented_reduce by keys, and a write of a key for each run
/// Everything else is as for segmented_reduce.
template <class Context, class Keys, class In, class UniqueKeys, class Out, class Count,
          class Option = plus, class Equal = detail::equal_items>
requires(detail::is_place<Count> && !array<Option>) void reduce_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Out&& out,
    Count&& count, Option option = {}, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::reduce_by_key(*detail::lend_context(context), keys, in,
                              std::forward<UniqueKeys>(unique_keys), std::forward<Out>(out),
                              std::forward<Count>(count), option, equal, at);
  } else {
    namespace parameter = detail::parameter;
    using key_array = detail::array_within_t<Keys>;
    using segments = detail::by_keys<key_array, Equal>;
    if constexpr (detail::all_right<
                      detail::is_context<Context>,
                      detail::reads_items<parameter::keys, Context, key_array>,
                      detail::reads_number<Context, Keys>,
                      detail::is_equivalence<Context, Equal, key_array>,
                      detail::reads_items<parameter::in, Context, In>,
                      detail::reduces_segments_of<Context, In, segments, Out, Option>,
                      detail::writes_items<parameter::unique_keys, Context, UniqueKeys>,
                      detail::counts_to<parameter::count, Context, Count>,
                      detail::have_one_item_type<key_array, UniqueKeys>>)
      detail::with_place(context, count, [&](auto& place) {
        detail::reduce_by_key("sam::reduce_by_key", context, keys, in, unique_keys, out, place,
                              detail::scan_options_of<detail::accumulator_for<Out, Option>>(option),
                              equal, at);
      });
  }
}
template <class Context, class Keys, class In, class UniqueKeys, class Out>
index_t reduce_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                      Out&& out, std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::reduce_by_key(*detail::lend_context(context), keys, in,
                              std::forward<UniqueKeys>(unique_keys), std::forward<Out>(out), at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::reduce_by_key(context, keys, in, unique_keys, out, count, plus{}, detail::equal_items{},
                         at);
    });
}
template <class Context, class Keys, class In, class UniqueKeys, class Out, class Option,
          class Equal = detail::equal_items>
requires(!detail::is_place<Option> && !array<Equal>) index_t
    reduce_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                  Out&& out, Option&& option, Equal equal = {},
                  std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::reduce_by_key(*detail::lend_context(context), keys, in,
                              std::forward<UniqueKeys>(unique_keys), std::forward<Out>(out),
                              std::forward<Option>(option), equal, at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::reduce_by_key(context, keys, in, unique_keys, out, count, option, equal, at);
    });
}

/// Appends to the runs that unique_keys and out hold already, so that arrays are reduced by key one
/// after another as one. If the first key equals the last one in unique_keys, its run goes on.
///
/// before       how many runs there are: an integer, or an array of one in memory that `context`
///              reaches, apart from all other arrays. unique_keys and out are arrays, since the
///              call reads the last run
/// count        an array of one integer, which receives the number of all runs
/// option       an operator or a scan_policy, but no initial value; plus if it is missing
/// floats       the total of a run that goes on is the total before, combined with that of the
///              items of this array
/// Everything else is as above. Runs that did not fit unique_keys do not go on.
template <class Context, class Keys, class In, class UniqueKeys, class Out, class Before,
          class Count, class Option = plus, class Equal = detail::equal_items>
requires((array<Before> || integer<Before>)&&array<Count> &&
         !detail::is_location<Option>) void reduce_by_key(Context&& context, Keys const& keys,
                                                          In const& in, UniqueKeys&& unique_keys,
                                                          Out&& out, Before const& before,
                                                          Count&& count, Option option = {},
                                                          Equal equal = {},
                                                          std::source_location at =
                                                              std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::reduce_by_key(*detail::lend_context(context), keys, in,
                              std::forward<UniqueKeys>(unique_keys), std::forward<Out>(out), before,
                              std::forward<Count>(count), option, equal, at);
  } else {
    namespace parameter = detail::parameter;
    using key_array = detail::array_within_t<Keys>;
    using segments = detail::by_keys<key_array, Equal>;
    if constexpr (detail::all_right<detail::is_context<Context>,
                                    detail::reads_items<parameter::keys, Context, key_array>,
                                    detail::reads_number<Context, Keys>,
                                    detail::is_equivalence<Context, Equal, key_array>,
                                    detail::reads_items<parameter::in, Context, In>,
                                    detail::reduces_segments_of<Context, In, segments, Out, Option>,
                                    detail::accumulates_in_items<Option>,
                                    detail::writes_to<parameter::out, Context, Out>,
                                    detail::writes_to<parameter::unique_keys, Context, UniqueKeys>,
                                    detail::counts_before<Context, Before>,
                                    detail::counts_to<parameter::count, Context, Count>,
                                    detail::have_one_item_type<key_array, UniqueKeys>>)
      detail::append_by_key(context, keys, in, unique_keys, out, before, count,
                            sam::as_policy(option), equal, at);
  }
}

}  // namespace sam::inline v0_1
