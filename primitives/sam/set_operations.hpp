// SPDX-License-Identifier: MIT
// Defines set_union, set_intersection, set_difference and set_symmetric_difference of sorted
// arrays, also by key.
#pragma once

#include <sam/detail/locate_job.hpp>
#include <sam/detail/merge_sort_job.hpp>
#include <sam/detail/outputs/stored_results.hpp>
#include <sam/detail/selection/set_job.hpp>
#if __has_include(<sam/chosen_backend/selection.hpp>)
#include <sam/chosen_backend/selection.hpp>
#endif

#include <utility>

namespace sam::inline v0_1 {

namespace detail {

template <class Context, class A, class B, class Out, class Count, class Less>
using is_set_operation =
    std::conjunction<is_context<Context>, reads_first_items<parameter::a, Context, A>,
                     reads_first_items<parameter::b, Context, B>,
                     writes_items<parameter::out, Context, Out>,
                     counts_to<parameter::count, Context, Count>, have_one_item_type<A, Out>,
                     have_one_item_type<B, Out>, is_comparison<Context, Less, item_or_any_t<A>>>;
/// Stands for the values of b if no result has any.
struct unread_values {};
template <class Context, class ValuesB, class ValuesOut>
struct are_values_of_b : std::conjunction<reads_items<parameter::values_b, Context, ValuesB>,
                                          have_one_item_type<ValuesB, ValuesOut>> {};
template <class Context, class ValuesOut>
struct are_values_of_b<Context, unread_values, ValuesOut> : std::true_type {};
template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Count, class Less>
using is_set_operation_by_key =
    std::conjunction<is_context<Context>, reads_first_items<parameter::keys_a, Context, KeysA>,
                     reads_items<parameter::values_a, Context, ValuesA>,
                     reads_first_items<parameter::keys_b, Context, KeysB>,
                     are_values_of_b<Context, ValuesB, ValuesOut>,
                     writes_items<parameter::keys_out, Context, KeysOut>,
                     writes_items<parameter::values_out, Context, ValuesOut>,
                     counts_to<parameter::count, Context, Count>,
                     have_one_item_type<KeysA, KeysOut>, have_one_item_type<KeysB, KeysOut>,
                     have_one_item_type<ValuesA, ValuesOut>,
                     is_comparison<Context, Less, item_or_any_t<KeysA>>>;

/// Compacts the values that Rule keeps of the first items of both arrays, by their numbers.
template <class Rule, class Context, class K, class V, class Count, class Less, class A, class B>
void run_set_operation(Context& context, kept_of_sets<Rule, K, V, Less> const& which,
                       checked_array<V> const& out, checked_array<Count> const& count, A const& a,
                       B const& b) {
  to_front<V, Count> const where{{count.data}, nullptr, out.data, out.size};
  if constexpr (std::is_same_v<A, known_count> && std::is_same_v<B, known_count>)
    sam::detail::run_compact(context, which.size(), which, where);
  else
    sam::detail::run_compact(context, which.size(),
                             kept_of_first<kept_of_sets<Rule, K, V, Less>, A, B>{which, a, b},
                             where);
}

/// Runs a set operation by the context's own kernels.
template <class Rule, class Context, class K, class Less, class Value, class Count, class A,
          class B>
void run_sets(Context& context, kept_of_sets<Rule, K, K, Less> const& of,
              set_output<K, Value, Count> const& to, A const& a, B const& b) {
  merge_pass<K, no_values, Less> const pass{{of.a}, {of.b}, of.n_a, of.n_b, 0, {nullptr}, of.less};
  context.template run_sets<Rule>(detail::sized_merge(pass, a, b), to);
}

template <class Rule, class Context, class A, class B, class Out, class Count, class Less>
void set_operation(char const* function, Context& context, A const& a, B const& b, Out& out,
                   Count& count, Less const& less, std::source_location at) {
  using T = item_or_any_t<A>;
  sam::detail::expect_runs_on<Context, Less, T, T>();
  checked_call const call(context, function, at);
  auto const given_a = detail::first_items_of<parameter::a>(call, a);
  auto const given_b = detail::first_items_of<parameter::b>(call, b);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  detail::expect_apart_from_read(call, to, given_a.all, given_b.all);
  kept_of_sets<Rule, T, T, Less> const of_all{nullptr,          nullptr,          nullptr, nullptr,
                                              given_a.all.size, given_b.all.size, less};
  auto const kept =
      call.template counts<parameter::count>(count, 1, of_all.size(), given_a.all, given_b.all, to);
  sam::detail::expect_outputs_apart(call, to, kept);
  detail::apart_from_count(call, a, to);
  detail::apart_from_count(call, b, to);
  detail::apart_from_count(call, a, kept);
  detail::apart_from_count(call, b, kept);
  auto const [first, second, found] =
      detail::in_memory(context, given_a, given_b, detail::results_in_memory(to));
  kept_of_sets<Rule, T, T, Less> const which{first.taken.data,
                                             second.taken.data,
                                             first.taken.data,
                                             second.taken.data,
                                             first.taken.size,
                                             second.taken.size,
                                             less};
  if (which.size() == 0)
    return sam::detail::count_nothing(context, kept.data);
  if constexpr (runs_sets<Context, T>)
    sam::detail::run_sets(context, which,
                          set_output<T, no_values, item_of<Count>>{found.data, found.size, nullptr,
                                                                   nullptr, nullptr, 0, kept.data},
                          first.number, second.number);
  else
    sam::detail::run_set_operation(context, which, found, kept, first.number, second.number);
  detail::give_results(context, found, to, to.size,
                       loaded_count<item_of<Count>>{kept.data, to.size});
}

template <class Rule, class Context, class KeysA, class ValuesA, class KeysB, class ValuesB,
          class KeysOut, class ValuesOut, class Count, class Less>
void set_operation_by_key(char const* function, Context& context, KeysA const& keys_a,
                          ValuesA const& values_a, KeysB const& keys_b, ValuesB const& values_b,
                          KeysOut& keys_out, ValuesOut& values_out, Count& count, Less const& less,
                          std::source_location at) {
  using K = item_or_any_t<KeysA>;
  using V = item_or_any_t<ValuesA>;
  sam::detail::expect_runs_on<Context, Less, K, K>();
  checked_call const call(context, function, at);
  auto const a = detail::first_items_of<parameter::keys_a>(call, keys_a);
  auto const with_a = sam::detail::input_of<parameter::values_a>(call, values_a);
  auto const b = detail::first_items_of<parameter::keys_b>(call, keys_b);
  auto const with_b = [&] {
    if constexpr (std::is_same_v<ValuesB, unread_values>)
      return checked_array<V const>{nullptr, 0, parameter::values_b::name};
    else
      return sam::detail::input_of<parameter::values_b>(call, values_b);
  }();
  if constexpr (!std::is_same_v<ValuesB, unread_values>)
    call.same_size(with_b, b.all);
  auto const keys = sam::detail::output_of<parameter::keys_out>(call, keys_out);
  auto const values = sam::detail::output_of<parameter::values_out>(call, values_out);
  call.same_size(with_a, a.all);
  detail::expect_apart_from_read(call, keys, a.all, with_a, b.all, with_b);
  detail::expect_apart_from_read(call, values, a.all, with_a, b.all, with_b);
  call.apart(values, keys);
  sam::detail::expect_outputs_apart(call, values, keys);
  kept_of_sets<Rule, K, K, Less> const of_all{nullptr,    nullptr,    nullptr, nullptr,
                                              a.all.size, b.all.size, less};
  auto const kept = call.template counts<parameter::count>(count, 1, of_all.size(), a.all, with_a,
                                                           b.all, with_b, keys, values);
  sam::detail::expect_outputs_apart(call, keys, kept);
  sam::detail::expect_outputs_apart(call, values, kept);
  auto const apart_from_counts = [&](auto const& written) {
    detail::apart_from_count(call, keys_a, written);
    detail::apart_from_count(call, keys_b, written);
  };
  apart_from_counts(keys);
  apart_from_counts(values);
  apart_from_counts(kept);
  auto const [ka, va, kb, vb, found_keys, found_values] =
      detail::in_memory(context, a, detail::beside(with_a, a), b, detail::beside(with_b, b),
                        detail::results_in_memory(keys), detail::results_in_memory(values));
  kept_of_sets<Rule, K, V, Less> const of_values{ka.taken.data, kb.taken.data, va.data, vb.data,
                                                 ka.taken.size, kb.taken.size, less};
  kept_of_sets<Rule, K, K, Less> const of_keys{ka.taken.data, kb.taken.data, ka.taken.data,
                                               kb.taken.data, ka.taken.size, kb.taken.size,
                                               less};
  if (of_keys.size() == 0)
    return sam::detail::count_nothing(context, kept.data);
  if constexpr (runs_sets<Context, K>) {
    sam::detail::run_sets(context, of_keys,
                          set_output<K, V, item_of<Count>>{found_keys.data, found_keys.size,
                                                           va.data, vb.data, found_values.data,
                                                           found_values.size, kept.data},
                          ka.number, kb.number);
  } else {
    sam::detail::run_set_operation(context, of_values, found_values, kept, ka.number, kb.number);
    sam::detail::run_set_operation(context, of_keys, found_keys, kept, ka.number, kb.number);
  }
  loaded_count<item_of<Count>> const number{kept.data, highest_of<index_t>};
  detail::give_results(context, found_keys, keys, keys.size, number);
  detail::give_results(context, found_values, values, values.size, number);
}

template <class Rule, class Context, class A, class B, class Out, class Count, class Less>
void set_operation_to(char const* function, Context& context, A const& a, B const& b, Out& out,
                      Count& count, Less const& less, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    sam::detail::set_operation_to<Rule>(function, *sam::detail::lend_context(context), a, b, out,
                                        count, less, at);
  else if constexpr (is_set_operation<Context, A, B, Out, Count&, Less>::value)
    sam::detail::with_place(context, count, [&](auto& place) {
      sam::detail::set_operation<Rule>(function, context, a, b, out, place, less, at);
    });
}
template <class Rule, class Context, class A, class B, class Out, class Less>
index_t count_set_operation(char const* function, Context& context, A const& a, B const& b,
                            Out& out, Less const& less, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    return sam::detail::count_set_operation<Rule>(function, *sam::detail::lend_context(context), a,
                                                  b, out, less, at);
  else
    return sam::detail::count_of(context, [&](auto count) {
      sam::detail::set_operation_to<Rule>(function, context, a, b, out, count, less, at);
    });
}

template <class Rule, class Context, class KeysA, class ValuesA, class KeysB, class ValuesB,
          class KeysOut, class ValuesOut, class Count, class Less>
void set_operation_by_key_to(char const* function, Context& context, KeysA const& keys_a,
                             ValuesA const& values_a, KeysB const& keys_b, ValuesB const& values_b,
                             KeysOut& keys_out, ValuesOut& values_out, Count& count,
                             Less const& less, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    sam::detail::set_operation_by_key_to<Rule>(function, *sam::detail::lend_context(context),
                                               keys_a, values_a, keys_b, values_b, keys_out,
                                               values_out, count, less, at);
  else if constexpr (is_set_operation_by_key<Context, KeysA, ValuesA, KeysB, ValuesB, KeysOut,
                                             ValuesOut, Count&, Less>::value)
    sam::detail::with_place(context, count, [&](auto& place) {
      sam::detail::set_operation_by_key<Rule>(function, context, keys_a, values_a, keys_b, values_b,
                                              keys_out, values_out, place, less, at);
    });
}

template <class Rule, class Context, class KeysA, class ValuesA, class KeysB, class ValuesB,
          class KeysOut, class ValuesOut, class Less>
index_t count_set_operation_by_key(char const* function, Context& context, KeysA const& keys_a,
                                   ValuesA const& values_a, KeysB const& keys_b,
                                   ValuesB const& values_b, KeysOut& keys_out,
                                   ValuesOut& values_out, Less const& less,
                                   std::source_location at) {
  if constexpr (stands_for_context<Context>)
    return sam::detail::count_set_operation_by_key<Rule>(
        function, *sam::detail::lend_context(context), keys_a, values_a, keys_b, values_b, keys_out,
        values_out, less, at);
  else
    return sam::detail::count_of(context, [&](auto count) {
      sam::detail::set_operation_by_key_to<Rule>(function, context, keys_a, values_a, keys_b,
                                                 values_b, keys_out, values_out, count, less, at);
    });
}

}  // namespace detail

/// Copies the union of two sorted arrays, as multisets, to the front of out, in order: of m equal
/// items in a and n in b, the m items of a, then the last n - m items of b if n > m.
///
/// a, b         sorted items of any trivially copyable type, in memory that `context` reaches.
///              Either may be empty, or sam::counted(items, number), and they may be one array.
///              Either may be a computed input (<sam/inputs.hpp>), whose items are first stored in
///              memory of the context. If they are not sorted, out and count are unspecified, but
///              nothing else is written
/// out          items of the same type, apart from a and b, or a computed output
///              (<sam/outputs.hpp>). If it is too small, the items beyond its end are dropped, and
///              count is still the number of all; as many items as a and b have together are always
///              enough. The rest of out is not changed
/// count        a variable or an array of one integer that can hold the number of items of a and b
///              together, apart from all arrays. If a device cannot reach a variable, the call
///              waits. Without count, the call waits and returns the number
/// less         a const function object, bool less(x, y) const: a strict weak order. Without it,
///              items are compared by sam::less, which is <. Items are equal if neither is less
/// traffic      on a CPU one read of each item. On a GPU one, and another of each item of the
///              result, with a search in a and b for each tile. On other devices, and for few
///              items, a search in a and b for each of their items. One write for each item of the
///              result
/// workspace    none on a CPU, nor for few items; on a GPU a third of a byte for each item of up to
///              8 bytes, two thirds for larger ones. Memory for the items of computed inputs
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out or count
/// throws       sam::invalid_argument  if arrays overlap, count is not one item or cannot hold the
///                                     number; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Odeh, Green, Mwassi, Shmueli, Birk, IPDPSW 2012 (merge path); Billeter, Olsson,
///              Assarsson, HPG 2009 (compaction by prefix sums)
template <class Context, class A, class B, class Out, class Count, class Less = sam::less>
requires(detail::is_place<Count>) void set_union(
    Context&& context, A const& a, B const& b, Out&& out, Count&& count, Less less = {},
    std::source_location at = std::source_location::current()) {
  detail::set_operation_to<detail::union_rule>("sam::set_union", context, a, b, out, count, less,
                                               at);
}
template <class Context, class A, class B, class Out, class Less = sam::less>
requires(!detail::is_place<Less>) index_t
    set_union(Context&& context, A const& a, B const& b, Out&& out, Less&& less = {},
              std::source_location at = std::source_location::current()) {
  return detail::count_set_operation<detail::union_rule>("sam::set_union", context, a, b, out,
                                                         std::remove_cvref_t<Less>(less), at);
}

/// Copies the intersection of two sorted arrays, as multisets, to the front of out, in order: of m
/// equal items in a and n in b, the first min(m, n) items of a.
///
/// out, count   as many items as a has are always enough; count can hold that number
/// traffic      as for set_union; but few items, and other devices, take a search in b for each
///              item of a
/// Everything else is as for set_union.
template <class Context, class A, class B, class Out, class Count, class Less = sam::less>
requires(detail::is_place<Count>) void set_intersection(
    Context&& context, A const& a, B const& b, Out&& out, Count&& count, Less less = {},
    std::source_location at = std::source_location::current()) {
  detail::set_operation_to<detail::intersection_rule>("sam::set_intersection", context, a, b, out,
                                                      count, less, at);
}
template <class Context, class A, class B, class Out, class Less = sam::less>
requires(!detail::is_place<Less>) index_t
    set_intersection(Context&& context, A const& a, B const& b, Out&& out, Less&& less = {},
                     std::source_location at = std::source_location::current()) {
  return detail::count_set_operation<detail::intersection_rule>(
      "sam::set_intersection", context, a, b, out, std::remove_cvref_t<Less>(less), at);
}

/// Copies the difference of two sorted arrays, as multisets, to the front of out, in order: of m
/// equal items in a and n in b, the last m - n items of a if m > n.
///
/// out, count   as many items as a has are always enough; count can hold that number
/// traffic      as for set_union; but few items, and other devices, take a search in b for each
///              item of a
/// Everything else is as for set_union.
template <class Context, class A, class B, class Out, class Count, class Less = sam::less>
requires(detail::is_place<Count>) void set_difference(
    Context&& context, A const& a, B const& b, Out&& out, Count&& count, Less less = {},
    std::source_location at = std::source_location::current()) {
  detail::set_operation_to<detail::difference_rule>("sam::set_difference", context, a, b, out,
                                                    count, less, at);
}
template <class Context, class A, class B, class Out, class Less = sam::less>
requires(!detail::is_place<Less>) index_t
    set_difference(Context&& context, A const& a, B const& b, Out&& out, Less&& less = {},
                   std::source_location at = std::source_location::current()) {
  return detail::count_set_operation<detail::difference_rule>(
      "sam::set_difference", context, a, b, out, std::remove_cvref_t<Less>(less), at);
}

/// Copies the symmetric difference of two sorted arrays, as multisets, to the front of out, in
/// order: of m equal items in a and n in b, the last m - n items of a if m > n, or the last n - m
/// items of b. Everything else is as for set_union.
template <class Context, class A, class B, class Out, class Count, class Less = sam::less>
requires(detail::is_place<Count>) void set_symmetric_difference(
    Context&& context, A const& a, B const& b, Out&& out, Count&& count, Less less = {},
    std::source_location at = std::source_location::current()) {
  detail::set_operation_to<detail::symmetric_difference_rule>("sam::set_symmetric_difference",
                                                              context, a, b, out, count, less, at);
}
template <class Context, class A, class B, class Out, class Less = sam::less>
requires(!detail::is_place<Less>) index_t
    set_symmetric_difference(Context&& context, A const& a, B const& b, Out&& out, Less&& less = {},
                             std::source_location at = std::source_location::current()) {
  return detail::count_set_operation<detail::symmetric_difference_rule>(
      "sam::set_symmetric_difference", context, a, b, out, std::remove_cvref_t<Less>(less), at);
}

/// Applies set_union to keys, and copies the value of each key of the result.
///
/// keys_a, values_a, keys_b, values_b  sorted keys, which may be counted, and a value for each; all
///                                     may be computed
/// keys_out, values_out                outputs of any sizes, as out in set_union, apart from one
///                                     another and from the others
/// traffic                             twice that of set_union; on a GPU that of set_union, and a
///                                     read and a write of each value of the result
/// Everything else is as for set_union.
template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Count, class Less = sam::less>
requires(detail::is_place<Count>) void set_union_by_key(
    Context&& context, KeysA const& keys_a, ValuesA const& values_a, KeysB const& keys_b,
    ValuesB const& values_b, KeysOut&& keys_out, ValuesOut&& values_out, Count&& count,
    Less less = {}, std::source_location at = std::source_location::current()) {
  detail::set_operation_by_key_to<detail::union_rule>("sam::set_union_by_key", context, keys_a,
                                                      values_a, keys_b, values_b, keys_out,
                                                      values_out, count, less, at);
}
template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Less = sam::less>
requires(!detail::is_place<Less>) index_t
    set_union_by_key(Context&& context, KeysA const& keys_a, ValuesA const& values_a,
                     KeysB const& keys_b, ValuesB const& values_b, KeysOut&& keys_out,
                     ValuesOut&& values_out, Less&& less = {},
                     std::source_location at = std::source_location::current()) {
  return detail::count_set_operation_by_key<detail::union_rule>(
      "sam::set_union_by_key", context, keys_a, values_a, keys_b, values_b, keys_out, values_out,
      std::remove_cvref_t<Less>(less), at);
}

/// Applies set_intersection to keys, and copies the value of each key of the result. These are keys
/// of a, so keys_b have no values. Everything else is as for set_union_by_key.
template <class Context, class KeysA, class ValuesA, class KeysB, class KeysOut, class ValuesOut,
          class Count, class Less = sam::less>
requires(detail::is_place<Count>) void set_intersection_by_key(
    Context&& context, KeysA const& keys_a, ValuesA const& values_a, KeysB const& keys_b,
    KeysOut&& keys_out, ValuesOut&& values_out, Count&& count, Less less = {},
    std::source_location at = std::source_location::current()) {
  detail::set_operation_by_key_to<detail::intersection_rule>(
      "sam::set_intersection_by_key", context, keys_a, values_a, keys_b, detail::unread_values{},
      keys_out, values_out, count, less, at);
}
template <class Context, class KeysA, class ValuesA, class KeysB, class KeysOut, class ValuesOut,
          class Less = sam::less>
requires(!detail::is_place<Less>) index_t
    set_intersection_by_key(Context&& context, KeysA const& keys_a, ValuesA const& values_a,
                            KeysB const& keys_b, KeysOut&& keys_out, ValuesOut&& values_out,
                            Less&& less = {},
                            std::source_location at = std::source_location::current()) {
  return detail::count_set_operation_by_key<detail::intersection_rule>(
      "sam::set_intersection_by_key", context, keys_a, values_a, keys_b, detail::unread_values{},
      keys_out, values_out, std::remove_cvref_t<Less>(less), at);
}

/// Applies set_difference to keys, and copies the value of each key of the result. These are keys
/// of a, so keys_b have no values. Everything else is as for set_union_by_key.
template <class Context, class KeysA, class ValuesA, class KeysB, class KeysOut, class ValuesOut,
          class Count, class Less = sam::less>
requires(detail::is_place<Count>) void set_difference_by_key(
    Context&& context, KeysA const& keys_a, ValuesA const& values_a, KeysB const& keys_b,
    KeysOut&& keys_out, ValuesOut&& values_out, Count&& count, Less less = {},
    std::source_location at = std::source_location::current()) {
  detail::set_operation_by_key_to<detail::difference_rule>(
      "sam::set_difference_by_key", context, keys_a, values_a, keys_b, detail::unread_values{},
      keys_out, values_out, count, less, at);
}
template <class Context, class KeysA, class ValuesA, class KeysB, class KeysOut, class ValuesOut,
          class Less = sam::less>
requires(!detail::is_place<Less>) index_t
    set_difference_by_key(Context&& context, KeysA const& keys_a, ValuesA const& values_a,
                          KeysB const& keys_b, KeysOut&& keys_out, ValuesOut&& values_out,
                          Less&& less = {},
                          std::source_location at = std::source_location::current()) {
  return detail::count_set_operation_by_key<detail::difference_rule>(
      "sam::set_difference_by_key", context, keys_a, values_a, keys_b, detail::unread_values{},
      keys_out, values_out, std::remove_cvref_t<Less>(less), at);
}

/// Applies set_symmetric_difference to keys, and copies the value of each key of the result.
/// Everything else is as for set_union_by_key.
template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Count, class Less = sam::less>
requires(detail::is_place<Count>) void set_symmetric_difference_by_key(
    Context&& context, KeysA const& keys_a, ValuesA const& values_a, KeysB const& keys_b,
    ValuesB const& values_b, KeysOut&& keys_out, ValuesOut&& values_out, Count&& count,
    Less less = {}, std::source_location at = std::source_location::current()) {
  detail::set_operation_by_key_to<detail::symmetric_difference_rule>(
      "sam::set_symmetric_difference_by_key", context, keys_a, values_a, keys_b, values_b, keys_out,
      values_out, count, less, at);
}
template <class Context, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut,
          class ValuesOut, class Less = sam::less>
requires(!detail::is_place<Less>) index_t
    set_symmetric_difference_by_key(Context&& context, KeysA const& keys_a, ValuesA const& values_a,
                                    KeysB const& keys_b, ValuesB const& values_b,
                                    KeysOut&& keys_out, ValuesOut&& values_out, Less&& less = {},
                                    std::source_location at = std::source_location::current()) {
  return detail::count_set_operation_by_key<detail::symmetric_difference_rule>(
      "sam::set_symmetric_difference_by_key", context, keys_a, values_a, keys_b, values_b, keys_out,
      values_out, std::remove_cvref_t<Less>(less), at);
}

}  // namespace sam::inline v0_1
