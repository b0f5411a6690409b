// SPDX-License-Identifier: MIT
// Defines segmented_argmin and segmented_argmax, and argmin_by_key and argmax_by_key: the index of
// the extreme item of every segment. They are segmented reductions of items with their indices.
#pragma once

#include <sam/arguments/computed_source.hpp>
#include <sam/extremes.hpp>
#include <sam/segmented_reduce.hpp>

namespace sam::inline v0_1 {

namespace detail {

/// Makes a located item of an item and its index. Items past the first ones, by their number, count
/// as none.
template <class T, class Number>
struct to_located {
  Number number;
  SAM_FUNCTION located<T> operator()(indexed_item<T> const& x) const {
    if constexpr (!std::is_same_v<Number, known_count>)
      if (x.index >= number())
        return located<T>::nothing();
    return located<T>::of(x.value, x.index);
  }
};
/// Makes a key of a number and its index, in the same way. Key is one that smallest_key combines,
/// or a short_key.
template <class T, bool Max, class Key, class Number>
struct to_located_key {
  /// The most items whose indices fit beside their keys.
  static constexpr index_t most =
      sizeof(T) <= 4 ? index_t{highest_of<std::uint32_t>} : highest_of<index_t>;
  Number number;
  SAM_FUNCTION Key operator()(indexed_item<T> const& x) const {
    if constexpr (!std::is_same_v<Number, known_count>)
      if (x.index >= number())
        return smallest_key::identity<Key>();
    return sam::detail::located_key<Max, Key>(x.value, x.index);
  }
};
/// Combines short keys, or vectors of them.
struct smallest_short_key : minimum {
  /// Returns the index of the item of a key; a negative one for no item.
  static index_t index_of_choice(short_key x) {
    auto const index = static_cast<std::uint32_t>(x);
    return index == highest_of<std::uint32_t> ? -1 : static_cast<index_t>(index);
  }
};
/// Names the keys by which a context orders numbers of T, and what combines them. CPUs combine
/// vectors of integers.
template <bool OnDevice, class T>
struct located_keys {
  static constexpr bool are_right = has_extreme_keys<T>;
  using key = std::conditional_t<sizeof(T) <= 4, split_key, long_key>;
  using op = smallest_key;
};
template <class T>
struct located_keys<false, T> {
  static constexpr bool are_right = has_extreme_keys<T> && sizeof(T) <= 4;
  using key = short_key;
  using op = smallest_short_key;
};

/// Stores the indices of what Op has chosen. `nowhere` stands for no item. Out is the item type of
/// an array, or a destination.
template <class Located, class Op, class Out>
struct places_of_located {
  using item = Located;
  place_of_t<Out> places;
  index_t nowhere;
  SAM_FUNCTION void put(index_t k, Located const& x) const {
    index_t const chosen = Op::index_of_choice(x);
    engine::put_result(places, k, static_cast<result_of_t<Out>>(chosen < 0 ? nowhere : chosen));
  }
};

/// Calls use(source, op, most), where `source` gives what `op` combines for each of the n items of
/// `from`, as far as `number` says: keys, if there are any for the items, or located items. No more
/// than `most` items can have what the source gives; Most is an upper bound of n.
template <bool Max, index_t Most, class Context, class Source, class Less, class Number, class Use>
void with_located(Context const&, Source const& from, index_t n, Less const& less,
                  Number const& number, Use const& use) {
  using T = typename Source::item;
  using indexed = indexed_source<Source>;
  using keys = located_keys<works_on_device<Context>, T>;
  using to_key = to_located_key<T, Max, typename keys::key, Number>;
  constexpr index_t most_keys = [] {
    if constexpr (std::is_same_v<Less, natural_order> && keys::are_right)
      return to_key::most;
    else
      return 0;
  }();
  if constexpr (most_keys > 0)
    if (n <= most_keys)
      return use(transformed_source<indexed, to_key>{{from}, {number}}, typename keys::op{},
                 std::integral_constant<index_t, most_keys>{});
  if constexpr (most_keys < Most)
    use(transformed_source<indexed, to_located<T, Number>>{{from}, {number}},
        first_of_order<extreme_order<Less, Max>>{sam::detail::extreme_order_of<Max>(less)},
        std::integral_constant<index_t, Most>{});
}

/// Locates the extreme items of segments, and stores them to the front of an output as where(place)
/// says, where `place` is a destination of what is reduced.
template <bool Max, class Context, class In, class Heads, class Less, class Out, class Where,
          class Number>
void locate_to_front(Context& context, In const& in, Heads const& heads, Less const& less,
                     Out const& to, Where const& where, Number const& number) {
  using to_type = job_output_t<Out>;
  sam::detail::with_located<Max, most_items_of<result_of_t<to_type>>>(
      context, sam::detail::source_from(in), in.size, less, known_count{},
      [&]<class Source, class Op, class Most>(Source const& source, Op const& op, Most) {
        using T = typename Source::item;
        sam::detail::run_segmented_reduce<T, carry::decoupled, Most::value>(
            context, in.size, source_values<Source>{source}, heads, op, from_nothing{},
            where(places_of_located<T, Op, to_type>{to.data, 0}), number);
      });
}
/// Locates the extreme items of segments by offsets. A segment without items has the index
/// `nowhere`.
template <bool Max, class Context, class In, class Segments, class Less, class Out, class Number>
void locate_by_offsets(Context& context, In const& in, Segments const& segments, Less const& less,
                       Out const& to, index_t nowhere, Number const& number) {
  using to_type = job_output_t<Out>;
  using offset = std::remove_cvref_t<decltype(*segments.data())>;
  constexpr index_t most = min_of(most_items_of<result_of_t<to_type>>, most_items_of<offset>);
  sam::detail::with_located<Max, most>(
      context, sam::detail::source_from(in), in.size, less, number,
      [&]<class Source, class Op, class Most>(Source const& source, Op const& op, Most) {
        using T = typename Source::item;
        sam::detail::run_segmented_reduce_by_offsets(
            context, checked_input<Source, 0>{source, in.size, in.name, {}}, segments,
            checked_output<places_of_located<T, Op, to_type>, 0, 0>{
                {to.data, nowhere}, to.size, to.name, {}},
            scan_policy<Op>{op}, from_nothing{}, op.template identity<T>());
      });
}

/// Checks searches of every segment's extreme item at compile time.
template <class Context, class In, class Segments, class Out, class Less>
using finds_segments_extremes =
    std::conjunction<finds_extremes<Context, In, Less>, are_segments<Segments>,
                     writes_items<parameter::out, Context, Out>,
                     parameter::out::holds_integers<item_or_any_t<Out>>>;

template <bool Max, class Context, class In, class Segments, class Out, class Count, class Less>
void segmented_arg(Context& context, In const& in, Segments const& given, Out& out, Count& count,
                   Less const& less, std::source_location at) {
  using T = item_or_any_t<In>;
  using index = item_or_any_t<Out>;
  using order = std::conditional_t<std::is_same_v<Less, natural_order>, sam::less, Less>;
  sam::detail::expect_runs_on<Context, order, T, T>();
  checked_call const call(context, Max ? "sam::segmented_argmax" : "sam::segmented_argmin", at);
  auto const [all, from, first] = detail::first_items_of<parameter::in>(call, in);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  sam::detail::expect_output_apart(call, to, all);
  auto const segments = sam::detail::resolve_segments(call, given);
  sam::detail::check_segments(call, segments, all.size, 1, to);
  detail::apart_from_count(call, in, to);
  if constexpr (is_by_offsets<Segments>) {
    call.size_is(to, sam::detail::most_by_offsets(segments), "one for each segment");
    call.template fits<index>(to.name, all.size);
    auto const some = sam::detail::results_of_segments(to, segments);
    if (all.size == 0 || some.size == 0)
      sam::detail::fill_output(context, some, static_cast<index>(all.size));
    else if constexpr (is_counted<In>)
      sam::detail::locate_by_offsets<Max>(context, all, segments, less, some, all.size,
                                          detail::count_in(call, in, all.size));
    else
      sam::detail::locate_by_offsets<Max>(context, all, segments, less, some, all.size,
                                          known_count{all.size});
  } else {
    auto const number = call.template counts<parameter::count>(count, 1, all.size, all, to);
    segments.check_apart(call, number);
    sam::detail::apart_from_arrays(call, number, all);
    sam::detail::expect_outputs_apart(call, to, number);
    detail::apart_from_count(call, in, number);
    call.template fits<index>(to.name, all.size);
    if (from.size == 0)
      return sam::detail::count_nothing(context, number.data);
    sam::detail::locate_to_front<Max>(
        context, from, segments.template heads<direction::forward, 1>(context, from.size, 1), less,
        to,
        [&]<class Place>(Place const& place) {
          return totals_to_front<Place, item_of<Count>>{place, to.size, number.data};
        },
        first);
  }
}

template <bool Max, class Context, class Keys, class In, class UniqueKeys, class Out, class Count,
          class Less, class Equal>
void arg_by_key(Context& context, Keys const& keys, In const& in, UniqueKeys& unique_keys, Out& out,
                Count& count, Less const& less, Equal const& equal, std::source_location at) {
  using T = item_or_any_t<In>;
  using order = std::conditional_t<std::is_same_v<Less, natural_order>, sam::less, Less>;
  sam::detail::expect_runs_on<Context, order, T, T>();
  checked_call const call(context, Max ? "sam::argmax_by_key" : "sam::argmin_by_key", at);
  constexpr bool can = works_in_place_by_key<Context, carry::decoupled, Keys, In, located<T>>;
  sam::detail::with_arrays_by_key<by_key::in_place, can>(
      call, keys, in, unique_keys, out, count, equal,
      [&](auto const& segments, auto const& from, auto const& all_keys, auto const& firsts,
          auto const& to, auto const& number) {
        call.template fits<item_or_any_t<Out>>(to.name, from.size);
        auto const taken = detail::items_taken(call, keys, from);
        if (taken.size == 0)
          return sam::detail::count_nothing(context, number.data);
        sam::detail::locate_to_front<Max>(
            context, taken, segments.template heads<direction::forward, 1>(context, taken.size, 1),
            less, to,
            [&]<class Place>(Place const& place) {
              return sam::detail::results_by_key<can, Place>(place, number.data, all_keys, from,
                                                             firsts, to);
            },
            detail::count_for_job(call, keys, taken.size));
      });
}

template <bool Max, class Context, class In, class Segments, class Out, class Count, class Less>
void segmented_arg_counted(Context& context, In const& in, Segments const& segments, Out& out,
                           Count& count, Less const& less, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    sam::detail::segmented_arg_counted<Max>(*sam::detail::lend_context(context), in, segments, out,
                                            count, less, at);
  else if constexpr (all_right<finds_segments_extremes<Context, In, Segments, Out, Less>,
                               counts_to<parameter::count, Context, Count&>>)
    sam::detail::with_place(context, count, [&](auto& place) {
      sam::detail::segmented_arg<Max>(context, in, segments, out, place, less, at);
    });
}
/// Returns nothing by offsets, else the number of segments.
template <bool Max, class Context, class In, class Segments, class Out, class Less>
auto segmented_arg_alone(Context& context, In const& in, Segments const& segments, Out& out,
                         Less const& less, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    return sam::detail::segmented_arg_alone<Max>(*sam::detail::lend_context(context), in, segments,
                                                 out, less, at);
  else if constexpr (!is_by_offsets<Segments>)
    return sam::detail::count_of(context, [&](auto count) {
      sam::detail::segmented_arg_counted<Max>(context, in, segments, out, count, less, at);
    });
  else if constexpr (finds_segments_extremes<Context, In, Segments, Out, Less>::value)
    sam::detail::segmented_arg<Max>(context, in, segments, out, out, less, at);
}

template <bool Max, class Context, class Keys, class In, class UniqueKeys, class Out, class Count,
          class Less, class Equal>
void arg_by_key_to(Context& context, Keys const& keys, In const& in, UniqueKeys& unique_keys,
                   Out& out, Count& count, Less const& less, Equal const& equal,
                   std::source_location at) {
  if constexpr (stands_for_context<Context>)
    sam::detail::arg_by_key_to<Max>(*sam::detail::lend_context(context), keys, in, unique_keys, out,
                                    count, less, equal, at);
  else if constexpr (all_right<is_context<Context>,
                               reads_first_items<parameter::keys, Context, Keys>,
                               is_equivalence<Context, Equal, array_within_t<Keys>>,
                               reads_items<parameter::in, Context, In>,
                               finds_segments_extremes<
                                   Context, In, by_keys<array_within_t<Keys>, Equal>, Out, Less>,
                               writes_items<parameter::unique_keys, Context, UniqueKeys>,
                               counts_to<parameter::count, Context, Count&>,
                               have_one_item_type<Keys, UniqueKeys>>)
    sam::detail::with_place(context, count, [&](auto& place) {
      sam::detail::arg_by_key<Max>(context, keys, in, unique_keys, out, place, less, equal, at);
    });
}

template <bool Max, class Context, class Keys, class In, class UniqueKeys, class Out, class Less,
          class Equal>
index_t counted_arg_by_key(Context& context, Keys const& keys, In const& in,
                           UniqueKeys& unique_keys, Out& out, Less const& less, Equal const& equal,
                           std::source_location at) {
  if constexpr (stands_for_context<Context>)
    return sam::detail::counted_arg_by_key<Max>(*sam::detail::lend_context(context), keys, in,
                                                unique_keys, out, less, equal, at);
  else
    return sam::detail::count_of(context, [&](auto count) {
      sam::detail::arg_by_key_to<Max>(context, keys, in, unique_keys, out, count, less, equal, at);
    });
}

}  // namespace detail

/// Finds the smallest item of every segment: out[k] is its index in `in`, the lowest one if there
/// are several. The number of segments goes to count.
///
/// in           n items of any trivially copyable type, in memory that `context` reaches, or
///              sam::counted(items, number), or a computed input (<sam/inputs.hpp>)
/// segments     by_heads(flags), by_keys(keys) or by_length(length), see <sam/segments.hpp>; or
///              by_offsets, by_ranges and their checked forms, which take no count. Keys may be
///              computed, and offsets counted: places of out past the number of segments then keep
///              their values
/// out          integers that can hold n, apart from in and from the segments' array, or a computed
///              output (<sam/outputs.hpp>). By offsets, one for each segment, which is n for a
///              segment without items. Else n are always enough; if there are fewer, indices beyond
///              the end are dropped
/// count        as for segmented_reduce. Without it, the call waits and returns the number of
///              segments, or returns nothing if they are by offsets
/// less         a const function object, bool less(a, b) const: a strict weak order. Without it,
///              items are compared by <, and a NaN is the smallest item, as for argmin
/// traffic      n reads of an item and of its flag or key, and a write for each segment
/// workspace    by offsets that of segmented_reduce, whose out would hold 8 bytes for each segment,
///              or 16 if items are larger or `less` is given
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out or count
/// throws       sam::invalid_argument  if arrays overlap or do not have the required sizes, or out
///                                     or count cannot hold their numbers; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       as segmented_reduce, with the operator of argmin
template <class Context, class In, class Segments, class Out, class Count,
          class Less = detail::natural_order>
requires(detail::counts_segments<Segments, Count>) void segmented_argmin(
    Context&& context, In const& in, Segments const& segments, Out&& out, Count&& count,
    Less less = {}, std::source_location at = std::source_location::current()) {
  detail::segmented_arg_counted<false>(context, in, segments, out, count, less, at);
}
template <class Context, class In, class Segments, class Out, class Less = detail::natural_order>
requires(!detail::counts_segments<Segments, Less>) auto segmented_argmin(
    Context&& context, In const& in, Segments const& segments, Out&& out, Less&& less = {},
    std::source_location at = std::source_location::current()) {
  return detail::segmented_arg_alone<false>(context, in, segments, out,
                                            std::remove_cvref_t<Less>(less), at);
}

/// Finds the largest item of every segment. Everything else is as for segmented_argmin.
template <class Context, class In, class Segments, class Out, class Count,
          class Less = detail::natural_order>
requires(detail::counts_segments<Segments, Count>) void segmented_argmax(
    Context&& context, In const& in, Segments const& segments, Out&& out, Count&& count,
    Less less = {}, std::source_location at = std::source_location::current()) {
  detail::segmented_arg_counted<true>(context, in, segments, out, count, less, at);
}
template <class Context, class In, class Segments, class Out, class Less = detail::natural_order>
requires(!detail::counts_segments<Segments, Less>) auto segmented_argmax(
    Context&& context, In const& in, Segments const& segments, Out&& out, Less&& less = {},
    std::source_location at = std::source_location::current()) {
  return detail::segmented_arg_alone<true>(context, in, segments, out,
                                           std::remove_cvref_t<Less>(less), at);
}

/// Finds the smallest item of every run of equal keys, as segmented_argmin with by_keys(keys,
/// equal), and writes the first key of each run to unique_keys.
///
/// keys, in     n items each; keys may be sam::counted(keys, number), and either may be computed
/// unique_keys  a computed output or an array of keys, apart from out. Like out, it may hold fewer
///              items than there are runs. Both may be inputs, as for reduce_by_key
/// count        as for segmented_argmin; it may be omitted
/// equal        a const function object that returns true if two keys are equal; == if it is
///              missing
/// Everything else is as for segmented_argmin.
template <class Context, class Keys, class In, class UniqueKeys, class Out, class Count,
          class Less = detail::natural_order, class Equal = detail::equal_items>
requires(detail::is_place<Count>) void argmin_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Out&& out,
    Count&& count, Less less = {}, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::arg_by_key_to<false>(context, keys, in, unique_keys, out, count, less, equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Out,
          class Less = detail::natural_order, class Equal = detail::equal_items>
requires(!detail::is_place<Less>) index_t
    argmin_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                  Out&& out, Less&& less = {}, Equal equal = {},
                  std::source_location at = std::source_location::current()) {
  return detail::counted_arg_by_key<false>(context, keys, in, unique_keys, out, less, equal, at);
}

/// Finds the largest item of every run of equal keys. Everything else is as for argmin_by_key.
template <class Context, class Keys, class In, class UniqueKeys, class Out, class Count,
          class Less = detail::natural_order, class Equal = detail::equal_items>
requires(detail::is_place<Count>) void argmax_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Out&& out,
    Count&& count, Less less = {}, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::arg_by_key_to<true>(context, keys, in, unique_keys, out, count, less, equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Out,
          class Less = detail::natural_order, class Equal = detail::equal_items>
requires(!detail::is_place<Less>) index_t
    argmax_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                  Out&& out, Less&& less = {}, Equal equal = {},
                  std::source_location at = std::source_location::current()) {
  return detail::counted_arg_by_key<true>(context, keys, in, unique_keys, out, less, equal, at);
}

}  // namespace sam::inline v0_1
