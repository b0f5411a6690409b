// SPDX-License-Identifier: MIT
// unique and unique_by_key.
#pragma once

#include <sam/compact_job.hpp>

namespace sam {

namespace detail {

/// The values that stand beside keys that kept_unlike_last keeps.
template <class K, class V, class Equal>
struct value_kept_unlike_last {
  using item = marked<V>;
  kept_unlike_last<K, Equal> keys;
  V const* in;
  using key_pointer = typename kept_unlike_last<K, Equal>::pointer;
  SAM_FUNCTION auto reads() const { return make_pointers(key_pointer{keys.in}, in); }
  SAM_FUNCTION item load(index_t i, key_pointer const& k, V const* v) const {
    return {*v, keys.load(i, k).kept};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION V const& value(item const& x) { return x.value; }
  flag_window keeps_from(index_t i) const { return keys.keeps_from(i); }
  V const* values() const { return in; }
};

}  // namespace detail

/// Drops every item that is equal to the one before it in in: of a run of equal items the first is
/// kept. equal(a, b), == unless it is given, is to be an equivalence. All else as for compact; out
/// may begin where in does.
template <class Context, array In, output_array Out, output_array Count,
          detail::equivalence<item_of<In>> Equal = detail::equal_items>
void unique(Context& context, In const& in, Out&& out, Count&& count, Equal equal = {},
            std::source_location at = std::source_location::current()) {
  using T = item_of<In>;
  detail::expect_runs_on<Context, Equal, T, T>();
  [[maybe_unused]] auto const call = begin_call(context, "sam::unique");
  detail::compact_to_front("sam::unique", context,
                           detail::kept_unlike_last<T, Equal>{in.data(), equal}, in, out, count,
                           at);
}

/// As above; waits, and returns how many items were kept.
template <class Context, array In, output_array Out,
          detail::equivalence<item_of<In>> Equal = detail::equal_items>
index_t unique(Context& context, In const& in, Out&& out, Equal equal = {},
               std::source_location at = std::source_location::current()) {
  return detail::count_of(context, [&](auto count) { unique(context, in, out, count, equal, at); });
}

/// unique of keys, and of each the value that stands beside it: of a run of equal keys the first
/// key and its value are kept.
///
/// keys, values          n trivially copyable items each
/// keys_out, values_out  room for as many as are kept, as out has in compact, each on its own.
///                       keys_out may begin where keys does, values_out where values does; each
///                       lies apart from all others
/// traffic               2 n reads of a key and n of a value, and a write of both for each that is
///                       kept
/// All else as for unique.
template <class Context, array Keys, array Values, output_array KeysOut, output_array ValuesOut,
          output_array Count, detail::equivalence<item_of<Keys>> Equal = detail::equal_items>
void unique_by_key(Context& context, Keys const& keys, Values const& values, KeysOut&& keys_out,
                   ValuesOut&& values_out, Count&& count, Equal equal = {},
                   std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::unique_by_key";
  using K = item_of<Keys>;
  using V = item_of<Values>;
  detail::expect_runs_on<Context, Equal, K, K>();
  [[maybe_unused]] auto const call = begin_call(context, name);
  index_t const n = size_of(keys);
  argument_names const of_keys{"keys", "keys_out"}, of_values{"values", "values_out"};
  expect_same_size(name, keys, values, at, {"keys", "values"});
  detail::expect_compact(name, context, keys, keys_out, count, at, of_keys);
  detail::expect_compact(name, context, values, values_out, count, at, of_values);
  detail::expect_in_place_or_apart<detail::marked<K>>(name, context, keys, keys_out, at, of_keys);
  detail::expect_in_place_or_apart<detail::marked<V>>(name, context, values, values_out, at,
                                                      of_values);
  expect_apart(name, "keys_out", keys_out, "values", values, at);
  expect_apart(name, "values_out", values_out, "keys", keys, at);
  expect_apart(name, "values_out", values_out, "keys_out", keys_out, at);
  if (n == 0)
    return detail::count_nothing(context, count.data());
  // What only packs is so much faster that to read the keys twice pays. They may be written over,
  // so values go first.
  detail::kept_unlike_last<K, Equal> const which{keys.data(), equal};
  detail::run_compact(context, n, detail::value_kept_unlike_last<K, V, Equal>{which, values.data()},
                      detail::to_front<V, item_of<Count>>{
                          {count.data()}, values.data(), values_out.data(), size_of(values_out)});
  detail::run_compact(context, n, which,
                      detail::to_front<K, item_of<Count>>{
                          {count.data()}, keys.data(), keys_out.data(), size_of(keys_out)});
}

/// As above; waits, and returns how many keys were kept.
template <class Context, array Keys, array Values, output_array KeysOut, output_array ValuesOut,
          detail::equivalence<item_of<Keys>> Equal = detail::equal_items>
index_t unique_by_key(Context& context, Keys const& keys, Values const& values, KeysOut&& keys_out,
                      ValuesOut&& values_out, Equal equal = {},
                      std::source_location at = std::source_location::current()) {
  return detail::count_of(context, [&](auto count) {
    unique_by_key(context, keys, values, keys_out, values_out, count, equal, at);
  });
}

}  // namespace sam
