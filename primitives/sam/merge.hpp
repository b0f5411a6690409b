// SPDX-License-Identifier: MIT
// Defines merge and merge_by_key, which merge two sorted arrays.
#pragma once

#include <sam/detail/locate_job.hpp>
#include <sam/detail/merge_sort_job.hpp>
#include <sam/detail/outputs/stored_results.hpp>
#if __has_include(<sam/chosen_backend/merge.hpp>)
#include <sam/chosen_backend/merge.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

template <class Context, class A, class B, class Out, class Less>
using is_merge =
    std::conjunction<is_context<Context>, reads_first_items<parameter::a, Context, A>,
                     reads_first_items<parameter::b, Context, B>,
                     writes_items<parameter::out, Context, Out>, have_one_item_type<A, Out>,
                     have_one_item_type<B, Out>, is_comparison<Context, Less, item_or_any_t<A>>>;

/// The number of merged items, given those of both arrays.
template <class A, class B>
struct number_of_both {
  A a;
  B b;
  SAM_FUNCTION index_t operator()() const { return a() + b(); }
};
inline known_count count_of_both(known_count const& a, known_count const& b) { return {a.n + b.n}; }
template <class A, class B>
number_of_both<A, B> count_of_both(A const& a, B const& b) {
  return {a, b};
}

template <class Context, class A, class B, class Out, class Less>
void merge(Context& context, A const& a, B const& b, Out& out, Less const& less,
           std::source_location at) {
  using T = item_or_any_t<A>;
  sam::detail::expect_runs_on<Context, Less, T, T>();
  checked_call const call(context, "sam::merge", at);
  auto const given_a = detail::first_items_of<parameter::a>(call, a);
  auto const given_b = detail::first_items_of<parameter::b>(call, b);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.size_is(to, given_a.all.size + given_b.all.size, "the items of a and b");
  detail::expect_apart_from_read(call, to, given_a.all, given_b.all);
  detail::apart_from_count(call, a, to);
  detail::apart_from_count(call, b, to);
  auto const [first, second, merged] =
      detail::in_memory(context, given_a, given_b, detail::results_in_memory(to));
  sam::detail::run_merge(context,
                         merge_job<T, no_values, Less>{{first.taken.data},
                                                       {second.taken.data},
                                                       first.taken.size,
                                                       second.taken.size,
                                                       {merged.data},
                                                       less},
                         first.number, second.number);
  detail::give_results(context, merged, to, first.taken.size + second.taken.size,
                       detail::count_of_both(first.number, second.number));
}

template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Less>
using is_merge_by_key =
    std::conjunction<is_context<Context>, reads_first_items<parameter::keys_a, Context, KeysA>,
                     reads_items<parameter::values_a, Context, ValuesA>,
                     reads_first_items<parameter::keys_b, Context, KeysB>,
                     reads_items<parameter::values_b, Context, ValuesB>,
                     writes_items<parameter::keys_out, Context, KeysOut>,
                     writes_items<parameter::values_out, Context, ValuesOut>,
                     have_one_item_type<KeysA, KeysOut>, have_one_item_type<KeysB, KeysOut>,
                     have_one_item_type<ValuesA, ValuesOut>, have_one_item_type<ValuesB, ValuesOut>,
                     is_comparison<Context, Less, item_or_any_t<KeysA>>>;

template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Less>
void merge_by_key(Context& context, KeysA const& keys_a, ValuesA const& values_a,
                  KeysB const& keys_b, ValuesB const& values_b, KeysOut& keys_out,
                  ValuesOut& values_out, Less const& less, std::source_location at) {
  using Key = item_or_any_t<KeysA>;
  using Value = item_or_any_t<ValuesA>;
  sam::detail::expect_runs_on<Context, Less, Key, Key>();
  checked_call const call(context, "sam::merge_by_key", at);
  auto const a = detail::first_items_of<parameter::keys_a>(call, keys_a);
  auto const with_a = sam::detail::input_of<parameter::values_a>(call, values_a);
  auto const b = detail::first_items_of<parameter::keys_b>(call, keys_b);
  auto const with_b = sam::detail::input_of<parameter::values_b>(call, values_b);
  auto const keys = sam::detail::output_of<parameter::keys_out>(call, keys_out);
  auto const values = sam::detail::output_of<parameter::values_out>(call, values_out);
  call.same_size(with_a, a.all);
  call.same_size(with_b, b.all);
  call.size_is(keys, a.all.size + b.all.size, "the items of keys_a and keys_b");
  call.same_size(values, keys);
  auto const expect_apart = [&](auto const& to) {
    detail::expect_apart_from_read(call, to, a.all, with_a, b.all, with_b);
    detail::apart_from_count(call, keys_a, to);
    detail::apart_from_count(call, keys_b, to);
  };
  expect_apart(keys);
  expect_apart(values);
  call.apart(values, keys);
  sam::detail::expect_outputs_apart(call, values, keys);
  auto const [ka, va, kb, vb, merged_keys, merged_values] =
      detail::in_memory(context, a, detail::beside(with_a, a), b, detail::beside(with_b, b),
                        detail::results_in_memory(keys), detail::results_in_memory(values));
  sam::detail::run_merge(
      context,
      merge_job<Key, Value, Less>{{ka.taken.data, va.data, nullptr},
                                  {kb.taken.data, vb.data, nullptr},
                                  ka.taken.size,
                                  kb.taken.size,
                                  {merged_keys.data, merged_values.data, nullptr},
                                  less},
      ka.number, kb.number);
  index_t const n = ka.taken.size + kb.taken.size;
  auto const number = detail::count_of_both(ka.number, kb.number);
  detail::give_results(context, merged_keys, keys, n, number);
  detail::give_results(context, merged_values, values, n, number);
}

}  // namespace detail

/// Merges two sorted arrays into one. Of items of which neither is less than the other, those of a
/// come first, and those of each array keep their order.
///
/// a, b         sorted items of any trivially copyable type, in memory that `context` reaches.
///              Either may be empty, or sam::counted(items, number). Either may be a computed input
///              (<sam/inputs.hpp>), whose items are first stored in memory of the context. If they
///              are not sorted, the contents of out are unspecified, but nothing is written outside
///              of it
/// out          as many items as a and b have together, apart from both, or a computed output
///              (<sam/outputs.hpp>). With numbers in memory, the merged items are at its front, and
///              the rest does not change
/// less         a const function object, bool less(x, y) const: a strict weak order. Without it,
///              items are compared by sam::less, which is <
/// traffic      one read and one write of each item, and a search in a and b for each chunk of out
/// workspace    none on a CPU; on a GPU 8 bytes for each tile of many items. Memory for the items
///              of computed inputs
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

/// Merges two arrays of sorted keys, and moves the values with their keys. Keys may be
/// sam::counted(keys, number), and all inputs and outputs may be computed. Everything else is as
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
