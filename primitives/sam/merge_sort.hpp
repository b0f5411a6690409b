// SPDX-License-Identifier: MIT
// Defines merge_sort, merge_sort_pairs and merge_argsort: stable sorts by a comparison.
#pragma once

#include <sam/detail/inputs/order_arguments.hpp>
#include <sam/detail/locate_job.hpp>
#include <sam/detail/merge_sort_job.hpp>
#include <sam/radix_sort.hpp>
#if __has_include(<sam/chosen_backend/merge.hpp>)
#include <sam/chosen_backend/merge.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

template <class Key, class Value, class Less>
auto radix_options_of() {
  sort_options<Key, Value, sort_facts{.all_bits = true}> options{};
  options.order = descends<Less, Key> ? sort_order::descending : sort_order::ascending;
  return options;
}

template <class Context, class In, class Out, class Less>
void merge_sort(Context& context, In const& in, Out& out, Less const& less,
                std::source_location at) {
  using Key = item_or_any_t<In>;
  if constexpr (sorts_by_radix<Less, Key>) {
    sam::detail::radix_sort("sam::merge_sort", context, in, all_items{}, out, natural_digits{},
                            sam::detail::radix_options_of<Key, no_values, Less>(), at);
  } else {
    sam::detail::expect_runs_on<Context, Less, Key, Key>();
    checked_call const call(context, "sam::merge_sort", at);
    auto const given = detail::first_items_of<parameter::in>(call, in);
    auto const to = sam::detail::output_of<parameter::out>(call, out);
    call.same_size(to, given.all);
    detail::expect_in_place_or_apart_from_read(call, to, given.all);
    detail::apart_from_count(call, in, to);
    auto const [from, sorted] = detail::in_memory(context, given, detail::results_in_memory(to));
    index_t const n = from.taken.size;
    sam::detail::run_merge_sort(
        context, merge_sort_job<Key, no_values, Less>{{from.taken.data}, n, {sorted.data}, less},
        from.number);
    detail::give_results(context, sorted, to, n, from.number);
  }
}

template <class Context, class Keys, class Out, class Less>
void merge_argsort(Context& context, Keys const& keys, Out& out, Less const& less,
                   std::source_location at) {
  using Key = item_or_any_t<Keys>;
  using Index = item_or_any_t<Out>;
  if constexpr (sorts_by_radix<Less, Key>) {
    sam::detail::radix_argsort("sam::merge_argsort", context, keys, all_items{}, out,
                               natural_digits{}, sam::detail::radix_options_of<Key, Index, Less>(),
                               at);
  } else {
    sam::detail::expect_runs_on<Context, Less, Key, Key>();
    checked_call const call(context, "sam::merge_argsort", at);
    auto const given = detail::first_items_of<parameter::keys>(call, keys);
    auto const to = sam::detail::output_of<parameter::out>(call, out);
    call.same_size(to, given.all);
    call.template fits<Index>(to.name, given.all.size - 1);
    detail::expect_apart_from_read(call, to, given.all);
    detail::apart_from_count(call, keys, to);
    auto const [from, order] = detail::in_memory(context, given, detail::results_in_memory(to));
    sam::detail::run_merge_sort(
        context,
        merge_sort_job<Key, Index, Less>{{from.taken.data, nullptr, nullptr},
                                         from.taken.size,
                                         {nullptr, order.data, nullptr},
                                         less},
        from.number);
    detail::give_results(context, order, to, from.taken.size, from.number);
  }
}

/// Rejects keys and values of which the sizes differ, or the outputs overlap other arrays.
template <class Keys, class Values, class ToKeys, class ToValues>
void expect_pairs(call_checks const& call, Keys const& keys, Values const& values,
                  ToKeys const& to_keys, ToValues const& to_values) {
  call.same_size(values, keys);
  call.same_size(to_keys, keys);
  call.same_size(to_values, keys);
  detail::expect_pairs_apart(call, keys, values, to_keys, to_values);
}

template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Less>
void merge_sort_pairs(Context& context, KeysIn const& keys_in, ValuesIn const& values_in,
                      KeysOut& keys_out, ValuesOut& values_out, Less const& less,
                      std::source_location at) {
  using Key = item_or_any_t<KeysIn>;
  if constexpr (sorts_by_radix<Less, Key>) {
    using Value = item_or_any_t<ValuesIn>;
    sam::detail::radix_sort_pairs("sam::merge_sort_pairs", context, keys_in, values_in, all_items{},
                                  keys_out, values_out, natural_digits{},
                                  sam::detail::radix_options_of<Key, Value, Less>(), at);
  } else {
    sam::detail::expect_runs_on<Context, Less, Key, Key>();
    checked_call const call(context, "sam::merge_sort_pairs", at);
    auto const given = detail::first_items_of<parameter::keys_in>(call, keys_in);
    auto const given_values = sam::detail::input_of<parameter::values_in>(call, values_in);
    auto const to_keys = sam::detail::output_of<parameter::keys_out>(call, keys_out);
    auto const to_values = sam::detail::output_of<parameter::values_out>(call, values_out);
    sam::detail::expect_pairs(call, given.all, given_values, to_keys, to_values);
    detail::apart_from_count(call, keys_in, to_keys);
    detail::apart_from_count(call, keys_in, to_values);
    detail::sort_with_values(
        context, given, given_values, nothing_to_store{}, to_keys, to_values, false,
        [&]<class Value>(auto const& keys, Value const* values, nothing_to_store, Key* sorted_keys,
                         Value* sorted_values) {
          sam::detail::run_merge_sort(
              context,
              merge_sort_job<Key, Value, Less>{{keys.taken.data, values, nullptr},
                                               keys.taken.size,
                                               {sorted_keys, sorted_values, nullptr},
                                               less},
              keys.number);
          return keys.number;
        });
  }
}

template <class Context, class In, class Out, class Less>
using is_merge_sort =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     writes_items<parameter::out, Context, Out>, have_one_item_type<In, Out>,
                     is_comparison<Context, Less, item_or_any_t<In>>>;

}  // namespace detail

/// Sorts items stably by a comparison, from in to out. Items of which neither is less than the
/// other keep their order.
///
/// in, out      n items each, of any trivially copyable type, in memory that `context` reaches; in
///              may be sam::counted(items, number), and the rest of out then does not change. out
///              may be in; any other overlap is an error. n may be 0, and may exceed 2^32. in may
///              be a computed input (<sam/inputs.hpp>), whose items are first stored in memory of
///              the context; out may then be an array that it reads. out may be a computed output
///              (<sam/outputs.hpp>), which receives the items at the end
/// less         a const function object, bool less(a, b) const: a strict weak order, such as < of
///              floats without NaN. If it is none, the order is unspecified, but nothing is written
///              outside of out. Without it, items are compared by sam::less, which is <. Integers
///              under sam::less, sam::greater, std::less or std::greater are sorted by radix_sort,
///              which is faster and gives the same result
/// traffic      a read and a write of all items for the first sort of runs, and for each merge of
///              pairs of runs. On a CPU runs have up to 256 KiB, on a GPU some thousand items
/// workspace    memory for n items, which the context keeps
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ or arrays overlap; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Odeh, Green, Mwassi, Shmueli, Birk, IPDPSW 2012 (merge path)
template <class Context, class In, class Out, class Less = sam::less>
requires(!detail::is_location<Less>) void merge_sort(
    Context&& context, In const& in, Out&& out, Less less = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::merge_sort(*detail::lend_context(context), in, std::forward<Out>(out), less, at);
  else if constexpr (detail::is_merge_sort<Context, In, Out, Less>::value)
    detail::merge_sort(context, in, out, less, at);
}

/// Sorts values stably with their keys. Everything else is as for merge_sort.
///
/// keys_in, values_in, keys_out, values_out
///              n items each; keys_in may be counted, and inputs and outputs may be computed: the
///              values of several arrays as for radix_sort_pairs. keys_out may be keys_in, and
///              values_out may be values_in; any other overlap is an error
/// workspace    memory for 2 n pairs of a key and a value
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut,
          class Less = sam::less>
requires(!detail::is_location<Less>) void merge_sort_pairs(
    Context&& context, KeysIn const& keys_in, ValuesIn const& values_in, KeysOut&& keys_out,
    ValuesOut&& values_out, Less less = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::merge_sort_pairs(*detail::lend_context(context), keys_in, values_in,
                                 std::forward<KeysOut>(keys_out),
                                 std::forward<ValuesOut>(values_out), less, at);
  else if constexpr (detail::is_order_of_pairs<Context, KeysIn, ValuesIn, KeysOut, ValuesOut,
                                               Less>::value)
    detail::merge_sort_pairs(context, keys_in, values_in, keys_out, values_out, less, at);
}

/// Writes the indices of the keys in the order in which merge_sort would sort them.
///
/// out          n integers that can hold n - 1, apart from keys
/// workspace    memory for 2 n pairs of a key and an index
/// Everything else is as for merge_sort.
template <class Context, class Keys, class Out, class Less = sam::less>
requires(!detail::is_location<Less>) void merge_argsort(
    Context&& context, Keys const& keys, Out&& out, Less less = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::merge_argsort(*detail::lend_context(context), keys, std::forward<Out>(out), less,
                              at);
  else if constexpr (detail::is_order_of_indices<Context, Keys, Out, Less>::value)
    detail::merge_argsort(context, keys, out, less, at);
}

}  // namespace sam::inline v0_1
