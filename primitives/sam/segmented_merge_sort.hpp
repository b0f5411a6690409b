// SPDX-License-Identifier: MIT
// Defines segmented_merge_sort, segmented_merge_sort_pairs and segmented_merge_argsort: stable
// sorts of each segment by a comparison. They are sorts of all keys with the numbers of their
// segments.
#pragma once

#include <sam/merge_sort.hpp>
#include <sam/segmented_radix_sort.hpp>

#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Compares keys of one segment by `less`, and others by their segments.
template <class Less>
struct less_in_segments {
  Less less;
  template <class Key>
  SAM_FUNCTION bool operator()(key_in_segment<Key> const& a, key_in_segment<Key> const& b) const {
    return a.segment != b.segment ? a.segment < b.segment : static_cast<bool>(less(a.key, b.key));
  }
};
/// Gives the keys of such pairs.
template <class Key>
struct keys_alone {
  using item = Key;
  key_in_segment<Key> const* items;
  SAM_FUNCTION item at(index_t i) const { return items[i].key; }
};

/// Sorts the first n keys in segments, and the values or indices with them. `items` and `words`
/// have room for what the sort stores; keys_out or values_out may be null.
template <class Context, class Key, class Value, class Less, class Segments, class Number>
void run_segmented_merge_sort(Context& context, index_t n, Key const* keys, Value const* values,
                              Segments const& segments, key_in_segment<Key>* items,
                              std::uint32_t* words, Key* keys_out, Value* values_out,
                              Less const& less, Number const& number) {
  using item = key_in_segment<Key>;
  if (n == 0)
    return;
  auto const heads = sam::detail::heads_in(segments, context, words, n);
  context.run(n, number_segments_job<Key, std::remove_const_t<decltype(heads)>>{keys, heads, items},
              engine::resolve_policy<bound::inclusive>(scan_policy<>{}, from_nothing{}));
  less_in_segments<Less> const order{less};
  if constexpr (std::is_same_v<Value, no_values>)
    sam::detail::run_merge_sort(
        context,
        merge_sort_job<item, no_values, less_in_segments<Less>>{{items}, n, {items}, order},
        number);
  else
    sam::detail::run_merge_sort(context,
                                merge_sort_job<item, Value, less_in_segments<Less>>{
                                    {items, values, nullptr},
                                    n,
                                    {keys_out == nullptr ? nullptr : items, values_out, nullptr},
                                    order},
                                number);
  if (keys_out != nullptr)
    detail::run_first(context, n, copy_input_job<keys_alone<Key>>{{items}, keys_out}, number);
}

/// Returns what a sort of segments stores beside its arrays: segments, numbered keys and words.
template <class Keys, class Segments>
auto numbered_segments_to_store(call_checks const& call, Keys const& given,
                                Segments const& segments) {
  using Key = std::remove_cvref_t<decltype(*given.taken.data)>;
  index_t const buffer = index_t{1} << 32;
  if (index_t const most = segments.most_segments(given.all.size); most > buffer)
    call.refuse("segments", "may be ", most, "; this sort takes at most ", buffer);
  return std::tuple{
      sam::detail::segments_to_store(segments, given.all.size),
      room_for<key_in_segment<Key>>{given.taken.size},
      room_for<std::uint32_t>{sam::detail::words_for_heads(segments, given.all.size)}};
}
/// Stores these, and calls sort(keys, results, segments, items, words); then gives the results.
template <class Context, class Keys, class Out, class Segments, class Sort>
void with_numbered_segments(checked_call<Context> const& call, Keys const& given, Out const& to,
                            Segments const& segments, Sort const& sort) {
  auto const [keys, results, stored] =
      detail::in_memory(call.context(), given, detail::results_in_memory(to),
                        sam::detail::numbered_segments_to_store(call, given, segments));
  auto const& [first, items, words] = stored;
  sort(keys, results, sam::detail::stored_segments(segments, first), items.data, words.data);
  detail::give_results(call.context(), results, to, keys.taken.size, keys.number);
}

template <class Context, class In, class Segments, class Out, class Less>
void segmented_merge_sort(Context& context, In const& in, Segments const& asked, Out& out,
                          Less const& less, std::source_location at) {
  using Key = item_or_any_t<In>;
  if constexpr (sorts_by_radix<Less, Key>) {
    sam::detail::radix_sort("sam::segmented_merge_sort", context, in, each_of<Segments>{asked}, out,
                            natural_digits{}, sam::detail::radix_options_of<Key, no_values, Less>(),
                            at);
  } else {
    sam::detail::expect_runs_on<Context, Less, Key, Key>();
    checked_call const call(context, "sam::segmented_merge_sort", at);
    auto const segments = sam::detail::given_segments(call, asked);
    auto const given = detail::first_items_of<parameter::in>(call, in);
    auto const to = sam::detail::output_of<parameter::out>(call, out);
    call.same_size(to, given.all);
    detail::expect_in_place_or_apart_from_read(call, to, given.all);
    detail::apart_from_count(call, in, to);
    segments.check_apart(call, to);
    segments.check(call, given.all.size, 1, {nullptr, 0, 1, "out"});
    sam::detail::with_numbered_segments(
        call, given, to, segments,
        [&](auto const& from, auto const& sorted, auto const& all, auto* items, auto* words) {
          sam::detail::run_segmented_merge_sort(
              context, from.taken.size, from.taken.data, static_cast<no_values const*>(nullptr),
              all, items, words, sorted.data, static_cast<no_values*>(nullptr), less, from.number);
        });
  }
}

template <class Context, class KeysIn, class ValuesIn, class Segments, class KeysOut,
          class ValuesOut, class Less>
void segmented_merge_sort_pairs(Context& context, KeysIn const& keys_in, ValuesIn const& values_in,
                                Segments const& asked, KeysOut& keys_out, ValuesOut& values_out,
                                Less const& less, std::source_location at) {
  using Key = item_or_any_t<KeysIn>;
  if constexpr (sorts_by_radix<Less, Key>) {
    using Value = item_or_any_t<ValuesIn>;
    sam::detail::radix_sort_pairs("sam::segmented_merge_sort_pairs", context, keys_in, values_in,
                                  each_of<Segments>{asked}, keys_out, values_out, natural_digits{},
                                  sam::detail::radix_options_of<Key, Value, Less>(), at);
  } else {
    sam::detail::expect_runs_on<Context, Less, Key, Key>();
    checked_call const call(context, "sam::segmented_merge_sort_pairs", at);
    auto const segments = sam::detail::given_segments(call, asked);
    auto const given = detail::first_items_of<parameter::keys_in>(call, keys_in);
    auto const given_values = sam::detail::input_of<parameter::values_in>(call, values_in);
    auto const to_keys = sam::detail::output_of<parameter::keys_out>(call, keys_out);
    auto const to_values = sam::detail::output_of<parameter::values_out>(call, values_out);
    sam::detail::expect_pairs(call, given.all, given_values, to_keys, to_values);
    detail::apart_from_count(call, keys_in, to_keys);
    detail::apart_from_count(call, keys_in, to_values);
    segments.check_apart(call, to_keys);
    segments.check_apart(call, to_values);
    segments.check(call, given.all.size, 1, {nullptr, 0, 1, "out"});
    detail::sort_with_values(
        context, given, given_values,
        sam::detail::numbered_segments_to_store(call, given, segments), to_keys, to_values, false,
        [&]<class Value>(auto const& from, Value const* values, auto const& stored,
                         Key* sorted_keys, Value* sorted_values) {
          auto const& [first, items, words] = stored;
          sam::detail::run_segmented_merge_sort(context, from.taken.size, from.taken.data, values,
                                                sam::detail::stored_segments(segments, first),
                                                items.data, words.data, sorted_keys, sorted_values,
                                                less, from.number);
          return from.number;
        });
  }
}

template <class Context, class Keys, class Segments, class Out, class Less>
void segmented_merge_argsort(Context& context, Keys const& keys, Segments const& asked, Out& out,
                             Less const& less, std::source_location at) {
  using Key = item_or_any_t<Keys>;
  using Index = item_or_any_t<Out>;
  if constexpr (sorts_by_radix<Less, Key>) {
    sam::detail::radix_argsort("sam::segmented_merge_argsort", context, keys,
                               each_of<Segments>{asked}, out, natural_digits{},
                               sam::detail::radix_options_of<Key, Index, Less>(), at);
  } else {
    sam::detail::expect_runs_on<Context, Less, Key, Key>();
    checked_call const call(context, "sam::segmented_merge_argsort", at);
    auto const segments = sam::detail::given_segments(call, asked);
    auto const given = detail::first_items_of<parameter::keys>(call, keys);
    auto const to = sam::detail::output_of<parameter::out>(call, out);
    call.same_size(to, given.all);
    call.template fits<Index>(to.name, given.all.size - 1);
    detail::expect_apart_from_read(call, to, given.all);
    detail::apart_from_count(call, keys, to);
    segments.check_apart(call, to);
    segments.check(call, given.all.size, 1, {nullptr, 0, 1, "out"});
    sam::detail::with_numbered_segments(
        call, given, to, segments,
        [&](auto const& from, auto const& order, auto const& all, auto* items, auto* words) {
          sam::detail::run_segmented_merge_sort(
              context, from.taken.size, from.taken.data, static_cast<Index const*>(nullptr), all,
              items, words, static_cast<Key*>(nullptr), order.data, less, from.number);
        });
  }
}

}  // namespace detail

/// Sorts the items of every segment stably by a comparison; each segment keeps its place.
///
/// in, out      as for merge_sort: in may be sam::counted(items, number), or a computed input. Of
///              counted items, segments belong to all that there may be
/// segments     by_offsets(offsets), by_checked_offsets(offsets), by_ranges(begins, ends),
///              by_heads(flags) or by_keys(keys), whose arrays lie apart from out, or
///              by_length(length); see <sam/segments.hpp>. There may be 2^32. Keys may be computed
///              and offsets counted; items behind the last segment are then sorted as one
/// less         as for merge_sort. Integers under sam::less, sam::greater, std::less or
///              std::greater are sorted by segmented_radix_sort
/// traffic      that of merge_sort of items with 4 bytes more, and three reads and two writes of an
///              item, for segments of any length
/// workspace    that of merge_sort of such items, and memory for n of them
/// determinism, returns, throws  as for merge_sort; also sam::invalid_argument if segments are
///              invalid or too many
/// source       as for merge_sort
template <class Context, class In, class Segments, class Out, class Less = sam::less>
requires(!detail::is_location<Less>) void segmented_merge_sort(
    Context&& context, In const& in, Segments const& segments, Out&& out, Less less = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_merge_sort(*detail::lend_context(context), in, segments,
                                     std::forward<Out>(out), less, at);
  else if constexpr (detail::all_right<detail::is_merge_sort<Context, In, Out, Less>,
                                       detail::are_segments<Segments>>)
    detail::segmented_merge_sort(context, in, segments, out, less, at);
}

/// Sorts values stably with their keys, in every segment. Arrays are as for merge_sort_pairs,
/// everything else is as for segmented_merge_sort.
template <class Context, class KeysIn, class ValuesIn, class Segments, class KeysOut,
          class ValuesOut, class Less = sam::less>
requires(!detail::is_location<Less>) void segmented_merge_sort_pairs(
    Context&& context, KeysIn const& keys_in, ValuesIn const& values_in, Segments const& segments,
    KeysOut&& keys_out, ValuesOut&& values_out, Less less = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_merge_sort_pairs(*detail::lend_context(context), keys_in, values_in,
                                           segments, std::forward<KeysOut>(keys_out),
                                           std::forward<ValuesOut>(values_out), less, at);
  else if constexpr (detail::all_right<detail::is_order_of_pairs<Context, KeysIn, ValuesIn, KeysOut,
                                                                 ValuesOut, Less>,
                                       detail::are_segments<Segments>>)
    detail::segmented_merge_sort_pairs(context, keys_in, values_in, segments, keys_out, values_out,
                                       less, at);
}

/// Writes the indices, among all keys, of the keys of every segment in the order in which
/// segmented_merge_sort would sort them, from the segment's place on.
///
/// out          n integers that can hold n - 1, apart from keys, or a computed output
/// Everything else is as for segmented_merge_sort.
template <class Context, class Keys, class Segments, class Out, class Less = sam::less>
requires(!detail::is_location<Less>) void segmented_merge_argsort(
    Context&& context, Keys const& keys, Segments const& segments, Out&& out, Less less = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_merge_argsort(*detail::lend_context(context), keys, segments,
                                        std::forward<Out>(out), less, at);
  else if constexpr (detail::all_right<detail::is_order_of_indices<Context, Keys, Out, Less>,
                                       detail::are_segments<Segments>>)
    detail::segmented_merge_argsort(context, keys, segments, out, less, at);
}

}  // namespace sam::inline v0_1
