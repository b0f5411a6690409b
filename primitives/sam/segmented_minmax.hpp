// SPDX-License-Identifier: MIT
// Defines segmented_minmax and minmax_by_key, the smallest and the largest number of every segment
// or run of equal keys, and segmented_find_minmax and find_minmax_by_key, which also tell where
// these are.
#pragma once

#include <sam/detail/segmented/reductions_of.hpp>
#include <sam/extremes.hpp>
#include <sam/minmax.hpp>

namespace sam::inline v0_1 {

namespace detail {

template <bool ByKeys = false>
struct both_extremes : reduces_to_items, reduction_to_both<ByKeys> {
  static constexpr char const* name = "sam::segmented_minmax";
  static constexpr char const* name_by_key = "sam::minmax_by_key";
  template <class Context, class In, class Out>
  using check = std::conjunction<are_ordered_numbers<item_or_any_t<In>>,
                                 receives_both<item_or_any_t<Out>, item_or_any_t<In>>>;
  template <class In, class Out>
  using total = typename reduction_to_both<ByKeys>::template total<In>;
  using reduction_to_both<ByKeys>::to;

  template <class Context, class In, class Use>
  void with_choice(In const&, index_t, Use const& use) const {
    use(both_extremes<!works_on_device<Context>>{});
  }
  template <class T>
  auto options(index_t) const {
    return sam::detail::scan_options_of<T>(choose_both{});
  }
};

template <class Pair, class T>
struct receives_pairs {
  static constexpr bool value = std::is_same_v<Pair, minmax_values<T>>;
  static_assert(value, "sam: out must hold sam::minmax_values<T>, T being in's item type");
};
template <class Index>
struct to_located_pair {
  template <class T>
  SAM_FUNCTION located_pair<T, Index> operator()(indexed_item<T> const& x) const {
    auto const one = located<T, Index>::of(x.value, x.index);
    return {one, one};
  }
};
/// Makes the keys of both extremes of a number and its index.
template <class Key>
struct to_key_pair {
  template <class T>
  SAM_FUNCTION key_pair<Key> operator()(indexed_item<T> const& x) const {
    return {detail::located_key<false, Key>(x.value, x.index),
            detail::located_key<true, Key>(x.value, x.index)};
  }
};
/// Reads the numbers whose keys are the extreme ones, and stores them with their indices.
template <class Source, class Index, class Out>
struct located_by_keys {
  using item = key_pair<split_key>;
  using one = located<typename Source::item, Index>;
  Source from;
  place_of_t<Out> out;
  SAM_FUNCTION one of(split_key const& x) const {
    index_t const i = smallest_key::index_of_choice(x);
    return i < 0 ? one::nothing() : one::of(from.at(i), i);
  }
  SAM_FUNCTION void put(index_t k, item const& x) const {
    engine::put_result(out, k, located_pair<typename Source::item, Index>{of(x.min), of(x.max)});
  }
};
/// Devices combine keys of both extremes, by a few instructions for a warp, and read the two
/// numbers again, from a cache as a rule.
template <class Source, class T, class Offset, class Out>
requires(has_extreme_keys<T> && sizeof(T) <= 4) struct faster_job<reduce_segments_job<
    transformed_source<indexed_source<Source>, to_located_pair<std::int32_t>>,
    located_pair<T, std::int32_t>, Offset,
    first_of_both_orders<natural_extreme<false>, natural_extreme<true>>, from_nothing, Out>> {
  template <class Job>
  static auto of(Job const& job) {
    using keys = transformed_source<indexed_source<Source>, to_key_pair<split_key>>;
    using to = located_by_keys<Source, std::int32_t, Out>;
    return reduce_segments_job<keys, typename to::item, Offset, smallest_key, from_nothing, to>{
        job.n,
        {job.items.base, {}},
        job.segments,
        job.offsets,
        {job.items.base.base, job.out},
        {},
        {},
        smallest_key::identity<typename to::item>()};
  }
};

template <class T>
struct to_minmax_values {
  index_t nowhere;
  template <class Index>
  SAM_FUNCTION indexed_value<T> of(located<T, Index> const& x) const {
    return {x.value(), x.index < 0 ? nowhere : index_t{x.index}};
  }
  template <class Index>
  SAM_FUNCTION minmax_values<T> operator()(located_pair<T, Index> const& x) const {
    return {of(x.min), of(x.max)};
  }
};
/// True if CPUs find both extreme items of In by keys: each has its number, so ordered that the
/// extreme one is the smallest, above its index. The items are read again where they were found.
template <class Less, class In>
inline constexpr bool has_keys_of_both = false;
template <class Less, array In>
inline constexpr bool has_keys_of_both<Less, In> = std::is_same_v<Less, natural_order>&&
                                                       has_extreme_keys<item_or_any_t<In>> &&
                                                   sizeof(item_or_any_t<In>) <= 4;
template <class T>
struct from_keys_of_located {
  T const* items;
  index_t n;
  SAM_FUNCTION indexed_value<T> of(short_key x) const {
    index_t const i = smallest_key::index_of_choice(x);
    return i < 0 ? indexed_value<T>{T{}, n} : indexed_value<T>{items[i], i};
  }
  SAM_FUNCTION minmax_values<T> operator()(key_pair<short_key> const& x) const {
    return {of(x.min), of(x.max)};
  }
};
template <class T>
struct both_extremes_by_keys : reduces_to_items {
  static constexpr char const* name = "sam::segmented_find_minmax";
  static constexpr char const* name_by_key = "sam::find_minmax_by_key";
  template <class In, class Out>
  using total = key_pair<short_key>;
  T const* items;

  template <class, class In>
  auto change(In const& in, index_t) const {
    return sam::transformed(sam::indexed(in), to_key_pair<short_key>{});
  }
  template <class Total>
  auto options(index_t) const {
    return sam::detail::scan_options_of<Total>(smallest_key{});
  }
  template <class Total, class Out>
  auto to(Out& out, index_t n) const {
    return sam::transformed_to<Total>(out, from_keys_of_located<T>{items, n});
  }
};
/// Index holds indices of the items.
template <class Less, class Index = index_t>
struct both_located_extremes : reduces_to_items {
  static constexpr char const* name = "sam::segmented_find_minmax";
  static constexpr char const* name_by_key = "sam::find_minmax_by_key";
  template <class Context, class In, class Out>
  using check = std::conjunction<orders_items<Context, Less, item_or_any_t<In>>,
                                 receives_pairs<item_or_any_t<Out>, item_or_any_t<In>>>;
  template <class In, class Out>
  using total = located_pair<item_or_any_t<In>, Index>;
  Less less;

  /// Calls use(what) with what is faster for n items: devices look back for each byte of a total.
  template <class Context, class In, class Use>
  void with_choice(In const& in, index_t n, Use const& use) const {
    if constexpr (works_on_device<Context>) {
      if (n <= index_t{highest_of<std::int32_t>})
        return use(both_located_extremes<Less, std::int32_t>{{}, less});
    } else if constexpr (has_keys_of_both<Less, In>) {
      if (n <= index_t{highest_of<std::uint32_t>} && sam::detail::is_contiguous(in))
        return use(
            both_extremes_by_keys<item_or_any_t<In>>{{}, sam::detail::raw_pointer(std::data(in))});
    }
    use(*this);
  }

  template <class T, class In>
  auto change(In const& in, index_t) const {
    return sam::transformed(sam::indexed(in), to_located_pair<Index>{});
  }
  template <class T>
  auto options(index_t) const {
    return sam::detail::scan_options_of<T>(find_both::op(less));
  }
  template <class T, class Out>
  static auto to(Out& out, index_t n) {
    using item = std::remove_cvref_t<decltype(T::min.item.at[0])>;
    return sam::transformed_to<T>(out, to_minmax_values<item>{n});
  }
};

}  // namespace detail

/// Finds the smallest and the largest number of every segment by one read of the items. The number
/// of segments goes to count.
///
/// in           n numbers, in memory that `context` reaches, or a computed input
///              (<sam/inputs.hpp>); or sam::counted of these, as for segmented_reduce
/// segments     by_heads(flags), by_keys(keys) or by_length(length), see <sam/segments.hpp>; or
///              by offsets or ranges, which take no count
/// out          items of type sam::min_and_max<T>, T being in's item type, or a computed output of
///              these, or sam::zipped_to(smallest, largest): as for segmented_reduce. A segment
///              without items has the identities of sam::minimum and sam::maximum: the smallest
///              then exceeds the largest
/// count        as for segmented_reduce. Without it, the call waits and returns the number of
///              segments, or returns nothing if they are by offsets
/// floats       as by sam::minimum and sam::maximum: if an item is a NaN, so are both results,
///              without a sign or a payload
/// traffic, workspace, determinism, returns, throws  as segmented_reduce of items of twice the size
///              that are computed
/// source       as segmented_reduce
template <class Context, class In, class Segments, class Out, class Count>
requires(detail::counts_segments<Segments, Count>) void segmented_minmax(
    Context&& context, In const& in, Segments const& segments, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  detail::reduce_each_counted(context, detail::both_extremes<>{}, in, segments, out, count, at);
}
template <class Context, class In, class Segments, class Out>
auto segmented_minmax(Context&& context, In const& in, Segments const& segments, Out&& out,
                      std::source_location at = std::source_location::current()) {
  return detail::reduce_each_alone(context, detail::both_extremes<>{}, in, segments, out, at);
}

/// Finds the smallest and the largest number of every run of equal keys, and writes the first key
/// of each run to unique_keys.
///
/// keys, in     n items each, or computed inputs; keys may be sam::counted(items, number)
/// unique_keys  keys, apart from all others, or a computed output (<sam/outputs.hpp>). Like out, it
///              may hold fewer items than there are runs
/// count        as for segmented_minmax; it may be omitted
/// equal        a const function object that returns true if two keys are equal; == if it is
///              missing
/// Everything else is as for segmented_minmax.
template <class Context, class Keys, class In, class UniqueKeys, class Out, class Count,
          class Equal = detail::equal_items>
requires(detail::is_place<Count>) void minmax_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Out&& out,
    Count&& count, Equal equal = {}, std::source_location at = std::source_location::current()) {
  detail::reduce_runs_counted(context, detail::both_extremes<>{}, keys, in, unique_keys, out, count,
                              equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Out,
          class Equal = detail::equal_items>
requires(!detail::is_place<Equal>) index_t
    minmax_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                  Out&& out, Equal&& equal = {},
                  std::source_location at = std::source_location::current()) {
  return detail::reduce_runs_alone(context, detail::both_extremes<>{}, keys, in, unique_keys, out,
                                   equal, at);
}

/// Finds the smallest and the largest item of every segment and their indices in `in`, each the
/// lowest one, as find_minmax does. The number of segments goes to count.
///
/// in           n items of any trivially copyable type; else as for segmented_minmax
/// out          items of type sam::minmax_values<T>, T being in's item type, as for
///              segmented_reduce. A segment without items has the index n, and no item worth
///              reading
/// less         a const function object, bool less(a, b) const: a strict weak order. Without it,
///              items are compared by <, and a NaN is the extreme item, as for argmin
/// traffic      as for segmented_minmax; both items of a segment may be read twice
/// workspace    by offsets that of segmented_reduce, whose out would hold two items and two indices
///              for each segment
/// Everything else is as for segmented_minmax.
template <class Context, class In, class Segments, class Out, class Count,
          class Less = detail::natural_order>
requires(detail::counts_segments<Segments, Count>) void segmented_find_minmax(
    Context&& context, In const& in, Segments const& segments, Out&& out, Count&& count,
    Less less = {}, std::source_location at = std::source_location::current()) {
  detail::reduce_each_counted(context, detail::both_located_extremes<Less>{{}, less}, in, segments,
                              out, count, at);
}
template <class Context, class In, class Segments, class Out, class Less = detail::natural_order>
requires(!detail::counts_segments<Segments, Less>) auto segmented_find_minmax(
    Context&& context, In const& in, Segments const& segments, Out&& out, Less&& less = {},
    std::source_location at = std::source_location::current()) {
  return detail::reduce_each_alone(
      context, detail::both_located_extremes<std::remove_cvref_t<Less>>{{}, less}, in, segments,
      out, at);
}

/// Finds the smallest and the largest item of every run of equal keys and their indices, as
/// segmented_find_minmax with by_keys(keys, equal), and writes the first key of each run to
/// unique_keys. Everything else is as for minmax_by_key and segmented_find_minmax.
template <class Context, class Keys, class In, class UniqueKeys, class Out, class Count,
          class Less = detail::natural_order, class Equal = detail::equal_items>
requires(detail::is_place<Count>) void find_minmax_by_key(
    Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys, Out&& out,
    Count&& count, Less less = {}, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  detail::reduce_runs_counted(context, detail::both_located_extremes<Less>{{}, less}, keys, in,
                              unique_keys, out, count, equal, at);
}
template <class Context, class Keys, class In, class UniqueKeys, class Out,
          class Less = detail::natural_order, class Equal = detail::equal_items>
requires(!detail::is_place<Less>) index_t
    find_minmax_by_key(Context&& context, Keys const& keys, In const& in, UniqueKeys&& unique_keys,
                       Out&& out, Less&& less = {}, Equal equal = {},
                       std::source_location at = std::source_location::current()) {
  return detail::reduce_runs_alone(
      context, detail::both_located_extremes<std::remove_cvref_t<Less>>{{}, less}, keys, in,
      unique_keys, out, equal, at);
}

}  // namespace sam::inline v0_1
