// SPDX-License-Identifier: MIT
// Defines unique and unique_by_key.
#pragma once

#include <sam/detail/compact_job.hpp>
#if __has_include(<sam/chosen_backend/selection.hpp>)
#include <sam/chosen_backend/selection.hpp>
#endif

#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Selects the values of the keys that kept_unlike_last keeps. K and V are the item types of
/// arrays, or sources.
template <class K, class V, class Equal>
struct value_kept_unlike_last {
  using item = marked<V>;
  kept_unlike_last<K, Equal> keys;
  V const* in;
  using key_pointer = typename kept_unlike_last<K, Equal>::pointer;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(key_pointer{keys.in}, in); }
  SAM_FUNCTION item load(index_t i, key_pointer const& k, V const* v) const {
    return {*v, keys.load(i, k).kept};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION V const& value(item const& x) { return x.value; }
  unequal_window<K, Equal> keeps_from(index_t i) const { return keys.keeps_from(i); }
  V const* values() const { return in; }
};

template <class K, class V, class Equal>
requires(source<K> || source<V>) struct value_kept_unlike_last<K, V, Equal> {
  using value_type = typename source_of_t<V>::item;
  using item = marked<value_type>;
  source_of_t<K> keys;
  source_of_t<V> in;
  Equal equal;
  static SAM_FUNCTION auto reads() { return engine::make_pointers(); }
  SAM_FUNCTION item load(index_t i) const {
    return {in.at(i), i == 0 || !static_cast<bool>(equal(keys.at(i - 1), keys.at(i)))};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION value_type const& value(item const& x) { return x.value; }
};
/// Selects both the keys that kept_unlike_last keeps and their values.
template <class K, class V, class Equal>
struct pair_kept_unlike_last {
  struct item {
    K value;
    V second;
    bool kept;
  };
  kept_unlike_last<K, Equal> keys;
  V const* in;
  using key_pointer = typename kept_unlike_last<K, Equal>::pointer;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(key_pointer{keys.in}, in); }
  SAM_FUNCTION item load(index_t i, key_pointer const& k, V const* v) const {
    auto const key = keys.load(i, k);
    return {key.value, *v, key.kept};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION K const& value(item const& x) { return x.value; }
  static SAM_FUNCTION V const& second(item const& x) { return x.second; }
};
template <class KeysOut, class ValuesOut>
inline constexpr bool pairs_go_to_arrays = false;
template <class K, class V>
inline constexpr bool pairs_go_to_arrays<checked_array<K> const, checked_array<V> const> = true;
/// True if one selection of arrays moves both keys and values, also those of counted keys, whose
/// marks it must be able to leave out.
template <class Context, class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
inline constexpr bool selects_pairs = [] {
  using K = job_input_t<std::remove_const_t<Keys>>;
  using V = job_input_t<std::remove_const_t<Values>>;
  if constexpr (is_array_source<K> && is_array_source<V> && pairs_go_to_arrays<KeysOut, ValuesOut>)
    return engine::selects_first<
        Context, as_loaded<kept_among_first<pair_kept_unlike_last<K, V, Equal>, known_count>>>;
  else
    return false;
}();

template <class Keys, class Values, class Equal>
auto values_unlike_last(Keys const& keys, Values const& values, Equal const& equal) {
  using K = job_input_t<Keys>;
  using V = job_input_t<Values>;
  if constexpr (is_array_source<K> && is_array_source<V>)
    return value_kept_unlike_last<K, V, Equal>{{keys.data, equal}, values.data};
  else
    return value_kept_unlike_last<K, V, Equal>{sam::detail::source_from(keys),
                                               sam::detail::source_from(values), equal};
}

template <class Context, class In, class Out, class Count, class Equal>
void unique(Context& context, In const& in, Out& out, Count& count, Equal const& equal,
            std::source_location at) {
  using T = item_or_any_t<array_within_t<In>>;
  sam::detail::expect_runs_on<Context, Equal, T, T>();
  checked_call const call(context, "sam::unique", at);
  auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  auto const kept = call.template counts<parameter::count>(count, 1, from.size, from, to);
  detail::apart_from_count(call, in, to);
  detail::apart_from_count(call, in, kept);
  sam::detail::apart_from_arrays(call, kept, from);
  sam::detail::compact_to_front(
      call, detail::selection_of(call, in, detail::unlike_last(from, equal), from.size),
      detail::items_taken(call, in, from), to, kept);
}

template <class Context, class Keys, class Values, class KeysOut, class ValuesOut, class Count,
          class Equal>
void unique_by_key(Context& context, Keys const& keys, Values const& values, KeysOut& keys_out,
                   ValuesOut& values_out, Count& count, Equal const& equal,
                   std::source_location at) {
  using K = item_or_any_t<array_within_t<Keys>>;
  using V = item_or_any_t<Values>;
  using C = item_of<Count>;
  sam::detail::expect_runs_on<Context, Equal, K, K>();
  checked_call const call(context, "sam::unique_by_key", at);
  auto const k = sam::detail::input_of<parameter::keys>(call, detail::items_within(keys));
  auto const v = sam::detail::input_of<parameter::values>(call, values);
  auto const k_out = sam::detail::output_of<parameter::keys_out>(call, keys_out);
  auto const v_out = sam::detail::output_of<parameter::values_out>(call, values_out);
  call.same_size(v, k);
  auto const kept = call.template counts<parameter::count>(count, 1, k.size, k, v, k_out, v_out);
  detail::apart_from_count(call, keys, k_out);
  detail::apart_from_count(call, keys, v_out);
  detail::apart_from_count(call, keys, kept);
  sam::detail::expect_in_place_or_apart<marked<K>>(call, k_out, k);
  sam::detail::expect_in_place_or_apart<marked<V>>(call, v_out, v);
  sam::detail::expect_output_apart(call, k_out, v);
  sam::detail::expect_output_apart(call, v_out, k);
  call.apart(v_out, k_out);
  sam::detail::apart_from_arrays(call, kept, k);
  sam::detail::apart_from_arrays(call, kept, v);
  sam::detail::expect_outputs_apart(call, v_out, k_out);
  sam::detail::expect_outputs_apart(call, k_out, kept);
  sam::detail::expect_outputs_apart(call, v_out, kept);
  index_t const n = detail::items_taken(call, keys, k).size;
  if (n == 0)
    return sam::detail::count_nothing(context, kept.data);
  if constexpr (selects_pairs<Context, decltype(k), decltype(v), decltype(k_out), decltype(v_out),
                              Equal>) {
    pair_kept_unlike_last<K, V, Equal> const which{{k.data, equal}, v.data};
    pairs_to_front<K, V, C> const where{
        {{kept.data}, k.data, k_out.data, k_out.size}, v.data, v_out.data, v_out.size};
    sam::detail::run_compact(context, n, detail::selection_of(call, keys, which, n), where);
  } else {
    // Keys may be overwritten, so values go first.
    auto const which = detail::unlike_last(k, equal);
    auto const which_value = detail::values_unlike_last(k, v, equal);
    sam::detail::run_compact(context, n, detail::selection_of(call, keys, which_value, n),
                             detail::front_of(v_out, v.data, counter<C>{kept.data}));
    sam::detail::run_compact(context, n, detail::selection_of(call, keys, which, n),
                             detail::front_of(k_out, k.data, counter<C>{kept.data}));
  }
}

}  // namespace detail

/// Copies the items that are not equal to their predecessor in in: the first item of each run of
/// equal items.
///
/// in, out, count  as for compact: without count the call waits and returns the number; out may
///                 begin where in does. in may be a computed input, and out a computed output
/// equal           a const function object equal(a, b) that is an equivalence; == if it is missing.
///                 sam::equal_nan{} takes all NaNs for equal
/// Everything else is as for compact.
template <class Context, class In, class Out, class Count, class Equal = detail::equal_items>
requires(detail::is_place<Count>) void unique(
    Context&& context, In const& in, Out&& out, Count&& count, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::unique(*detail::lend_context(context), in, std::forward<Out>(out),
                       std::forward<Count>(count), equal, at);
  else if constexpr (detail::all_right<
                         detail::compacts_items<Context, In, Out, Count>,
                         detail::have_one_item_type<detail::array_within_t<In>, Out>,
                         detail::is_equivalence<Context, Equal, detail::array_within_t<In>>>)
    detail::with_place(context, count,
                       [&](auto& place) { detail::unique(context, in, out, place, equal, at); });
}
template <class Context, class In, class Out>
index_t unique(Context&& context, In const& in, Out&& out,
               std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::unique(*detail::lend_context(context), in, std::forward<Out>(out), at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::unique(context, in, out, count, detail::equal_items{}, at);
    });
}
template <class Context, class In, class Out, class Equal>
requires(!detail::is_place<Equal>) index_t
    unique(Context&& context, In const& in, Out&& out, Equal&& equal,
           std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::unique(*detail::lend_context(context), in, std::forward<Out>(out),
                       std::forward<Equal>(equal), at);
  else
    return detail::count_of(context,
                            [&](auto count) { sam::unique(context, in, out, count, equal, at); });
}

/// Applies unique to keys, and copies the value of each key that is kept.
///
/// keys, values          n trivially copyable items each, or computed inputs; keys may be
///                       sam::counted(items, number)
/// keys_out, values_out  arrays for the kept keys and values, of any sizes, as out in compact.
///                       keys_out may begin where keys does, values_out where values does; no other
///                       arrays may overlap. Either may be a computed output
/// traffic               2 n reads of a key and n of a value, and a write of both for each kept
///                       key; on GPUs n reads of each, if all are arrays, of pairs of up to 80
///                       bytes
/// Everything else is as for unique.
template <class Context, class Keys, class Values, class KeysOut, class ValuesOut, class Count,
          class Equal = detail::equal_items>
requires(detail::is_place<Count>) void unique_by_key(
    Context&& context, Keys const& keys, Values const& values, KeysOut&& keys_out,
    ValuesOut&& values_out, Count&& count, Equal equal = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::unique_by_key(*detail::lend_context(context), keys, values,
                              std::forward<KeysOut>(keys_out), std::forward<ValuesOut>(values_out),
                              std::forward<Count>(count), equal, at);
  } else {
    namespace parameter = detail::parameter;
    if constexpr (detail::all_right<
                      detail::is_context<Context>,
                      detail::reads_first_items<parameter::keys, Context, Keys>,
                      detail::reads_items<parameter::values, Context, Values>,
                      detail::writes_items<parameter::keys_out, Context, KeysOut>,
                      detail::writes_items<parameter::values_out, Context, ValuesOut>,
                      detail::counts_to<parameter::count, Context, Count>,
                      detail::have_one_item_type<detail::array_within_t<Keys>, KeysOut>,
                      detail::have_one_item_type<Values, ValuesOut>,
                      detail::is_equivalence<Context, Equal, detail::array_within_t<Keys>>>)
      detail::with_place(context, count, [&](auto& place) {
        detail::unique_by_key(context, keys, values, keys_out, values_out, place, equal, at);
      });
  }
}
template <class Context, class Keys, class Values, class KeysOut, class ValuesOut>
index_t unique_by_key(Context&& context, Keys const& keys, Values const& values, KeysOut&& keys_out,
                      ValuesOut&& values_out,
                      std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::unique_by_key(*detail::lend_context(context), keys, values,
                              std::forward<KeysOut>(keys_out), std::forward<ValuesOut>(values_out),
                              at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::unique_by_key(context, keys, values, keys_out, values_out, count, detail::equal_items{},
                         at);
    });
}
template <class Context, class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
requires(!detail::is_place<Equal>) index_t
    unique_by_key(Context&& context, Keys const& keys, Values const& values, KeysOut&& keys_out,
                  ValuesOut&& values_out, Equal&& equal,
                  std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::unique_by_key(*detail::lend_context(context), keys, values,
                              std::forward<KeysOut>(keys_out), std::forward<ValuesOut>(values_out),
                              std::forward<Equal>(equal), at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::unique_by_key(context, keys, values, keys_out, values_out, count, equal, at);
    });
}

}  // namespace sam::inline v0_1
