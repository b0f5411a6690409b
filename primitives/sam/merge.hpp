// SPDX-License-Identifier: MIT
// Defines merge and merge_by_key, which merge two sorted arrays.
#pragma once

#include <sam/detail/locate_job.hpp>
#include <sam/detail/merge_sort_job.hpp>
#if __has_include(<sam/chosen_backend/merge.hpp>)
#include <sam/chosen_backend/merge.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

template <class Context, class A, class B, class Out, class Less>
using is_merge =
    std::conjunction<is_context<Context>, reads_from<parameter::a, Context, A>,
                     reads_from<parameter::b, Context, B>, writes_to<parameter::out, Context, Out>,
                     have_one_item_type<A, Out>, have_one_item_type<B, Out>,
                     is_comparison<Context, Less, item_or_any_t<A>>>;

template <class Context, class A, class B, class Out, class Less>
void merge(Context& context, A const& a, B const& b, Out& out, Less const& less,
           std::source_location at) {
  using T = item_of<A>;
  sam::detail::expect_runs_on<Context, Less, T, T>();
  checked_call const call(context, "sam::merge", at);
  auto const first = call.template input<parameter::a>(a);
  auto const second = call.template input<parameter::b>(b);
  auto const to = call.template output<parameter::out>(out);
  call.size_is(to, first.size + second.size, "the items of a and b");
  call.apart(to, first);
  call.apart(to, second);
  sam::detail::run_merge(
      context, merge_job<T, no_values, Less>{
                   {first.data}, {second.data}, first.size, second.size, {to.data}, less});
}

template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Less>
using is_merge_by_key =
    std::conjunction<is_context<Context>, reads_from<parameter::keys_a, Context, KeysA>,
                     reads_from<parameter::values_a, Context, ValuesA>,
                     reads_from<parameter::keys_b, Context, KeysB>,
                     reads_from<parameter::values_b, Context, ValuesB>,
                     writes_to<parameter::keys_out, Context, KeysOut>,
                     writes_to<parameter::values_out, Context, ValuesOut>,
                     have_one_item_type<KeysA, KeysOut>, have_one_item_type<KeysB, KeysOut>,
                     have_one_item_type<ValuesA, ValuesOut>, have_one_item_type<ValuesB, ValuesOut>,
                     is_comparison<Context, Less, item_or_any_t<KeysA>>>;

template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Less>
void merge_by_key(Context& context, KeysA const& keys_a, ValuesA const& values_a,
                  KeysB const& keys_b, ValuesB const& values_b, KeysOut& keys_out,
                  ValuesOut& values_out, Less const& less, std::source_location at) {
  using Key = item_of<KeysA>;
  using Value = item_of<ValuesA>;
  sam::detail::expect_runs_on<Context, Less, Key, Key>();
  checked_call const call(context, "sam::merge_by_key", at);
  auto const ka = call.template input<parameter::keys_a>(keys_a);
  auto const va = call.template input<parameter::values_a>(values_a);
  auto const kb = call.template input<parameter::keys_b>(keys_b);
  auto const vb = call.template input<parameter::values_b>(values_b);
  auto const keys = call.template output<parameter::keys_out>(keys_out);
  auto const values = call.template output<parameter::values_out>(values_out);
  call.same_size(va, ka);
  call.same_size(vb, kb);
  call.size_is(keys, ka.size + kb.size, "the items of keys_a and keys_b");
  call.same_size(values, keys);
  for (extent const& to : {extent(keys), extent(values)})
    for (extent const& from : {extent(ka), extent(va), extent(kb), extent(vb)})
      call.apart(to, from);
  call.apart(values, keys);
  sam::detail::run_merge(context, merge_job<Key, Value, Less>{{ka.data, va.data, nullptr},
                                                              {kb.data, vb.data, nullptr},
                                                              ka.size,
                                                              kb.size,
                                                              {keys.data, values.data, nullptr},
                                                              less});
}

}  // namespace detail

/// Merges two sorted arrays into one. Of items of which neither is less than the other, those of a
/// come first, and those of each array keep their order.
///
/// a, b         sorted items of any trivially copyable type, in memory that `context` reaches.
///              Either may be empty. If they are not sorted, the contents of out are unspecified,
///              but nothing is written outside of it
/// out          as many items as a and b have together, apart from both
/// less         a const function object, bool less(x, y) const: a strict weak order. Without it,
///              items are compared by sam::less, which is <
/// traffic      one read and one write of each item, and a search in a and b for each chunk of out
/// workspace    none on a CPU; on a GPU 8 bytes for each tile of many items
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if out has another size or overlaps a or b; nothing is
///                                     written
///              sam::device_error      if the back end cannot queue the work
/// source       Odeh, Green, Mwassi, Shmueli, Birk, IPDPSW 2012 (merge path)
template <class Context, class A, class B, class Out, class Less = sam::less>
requires(!detail::is_location<Less>) void merge(
    Context&& context, A const& a, B const& b, Out&& out, Less less = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::merge(*detail::lend_context(context), a, b, std::forward<Out>(out), less, at);
  else if constexpr (detail::is_merge<Context, A, B, Out, Less>::value)
    detail::merge(context, a, b, out, less, at);
}

/// Merges two arrays of sorted keys, and moves the values with their keys. Everything else is as
/// for merge.
template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Less = sam::less>
requires(!detail::is_location<Less>) void merge_by_key(
    Context&& context, KeysA const& keys_a, ValuesA const& values_a, KeysB const& keys_b,
    ValuesB const& values_b, KeysOut&& keys_out, ValuesOut&& values_out, Less less = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::merge_by_key(*detail::lend_context(context), keys_a, values_a, keys_b, values_b,
                             std::forward<KeysOut>(keys_out), std::forward<ValuesOut>(values_out),
                             less, at);
  else if constexpr (detail::is_merge_by_key<Context, KeysA, ValuesA, KeysB, ValuesB, KeysOut,
                                             ValuesOut, Less>::value)
    detail::merge_by_key(context, keys_a, values_a, keys_b, values_b, keys_out, values_out, less,
                         at);
}

}  // namespace sam::inline v0_1
