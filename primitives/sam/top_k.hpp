// SPDX-License-Identifier: MIT
// Defines top_k, top_k_pairs, top_k_indices and nth_element: selections by rank.
#pragma once

#include <sam/detail/selection/order_search.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/histogram.hpp>
#include <sam/chosen_backend/merge.hpp>
#include <sam/chosen_backend/scan.hpp>
#include <sam/chosen_backend/segmented_sort.hpp>
#include <sam/chosen_backend/selection.hpp>
#include <sam/chosen_backend/sort.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

/// Rejects more results than there are items.
inline void expect_rank(call_checks const& call, extent const& out, extent const& in) {
  if (out.items > in.items)
    call.refuse(out.name, "holds ", out.items, " items, but ", in.name, " holds only ", in.items);
}

/// Checks the arguments of a search for the item of one rank.
inline void expect_rank_of(call_checks const& call, index_t rank, extent const& in,
                           extent const& out) {
  if (rank < 0 || rank >= in.items)
    call.refuse("rank", "is ", rank, "; it must be in [0, ", in.items, "), as in holds ", in.items,
                " items");
  call.size_is(out, 1, "the result");
  call.apart(out, in);
}

/// Checks what a choice of k items reads and writes.
template <class Context, class In, class Given, class To>
void expect_choice(checked_call<Context> const& call, In const& in, Given const& given,
                   To const& to) {
  sam::detail::expect_rank(call, to, given.all);
  detail::expect_apart_from_read(call, to, given.all);
  detail::apart_from_count(call, in, to);
}
inline index_t most_of(known_count const& number) { return number.n; }
template <class Number>
index_t most_of(Number const& number) {
  return number.capacity;
}
/// Names the type of the number of some first items.
template <class First>
using number_of_t = std::remove_cvref_t<decltype(std::declval<First>().number)>;

template <class Context, class In, class Out>
void top_k(char const* function, Context& context, In const& in, Out& out, sort_order order,
           result_order results, std::source_location at) {
  using Key = item_or_any_t<In>;
  checked_call const call(context, function, at);
  auto const given = detail::first_items_of<parameter::in>(call, in);
  auto const to = sam::detail::output_of<parameter::out>(call, detail::place_of(out));
  sam::detail::expect_choice(call, in, given, to);
  index_t const n = given.taken.size;
  auto const wanted = detail::results_wanted(call, out, to, engine::min_of(to.size, n));
  index_t const k = sam::detail::most_of(wanted);
  auto const stored = detail::in_memory(context, given, detail::results_in_memory(to));
  auto const& from = std::get<0>(stored);
  auto const& chosen = std::get<1>(stored);
  if (k > 0)
    sam::detail::with_sum_for<Context>(n, [&]<class Index>(Index) {
      using search = top_k_search<Context, Key, Index, no_values, number_of_t<decltype(from)>,
                                  std::remove_const_t<decltype(wanted)>>;
      search(context, n, from.taken.data, from.number, k, wanted, order)
          .run(chosen.data, nullptr, nullptr, results);
    });
  detail::give_results(context, chosen, to, k, sam::detail::up_to(from.number, wanted));
}

/// Checks the arrays of a choice of pairs, and calls use with the keys and values in memory, the
/// places for k results, k, and the number that is wanted.
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Use>
void with_pairs(checked_call<Context> const& call, KeysIn const& keys_in, ValuesIn const& values_in,
                KeysOut& keys_out, ValuesOut& values_out, Use const& use) {
  auto const keys = detail::first_items_of<parameter::keys_in>(call, keys_in);
  auto const values = sam::detail::input_of<parameter::values_in>(call, values_in);
  auto const to_keys =
      sam::detail::output_of<parameter::keys_out>(call, detail::place_of(keys_out));
  auto const to_values = sam::detail::output_of<parameter::values_out>(call, values_out);
  call.same_size(values, keys.all);
  call.same_size(to_values, to_keys);
  sam::detail::expect_choice(call, keys_in, keys, to_keys);
  sam::detail::expect_choice(call, keys_in, keys, to_values);
  detail::expect_apart_from_read(call, to_keys, values);
  detail::expect_apart_from_read(call, to_values, values);
  call.apart(to_values, to_keys);
  sam::detail::expect_outputs_apart(call, to_values, to_keys);
  detail::apart_from_count(call, keys_out, to_values);
  auto const wanted = detail::results_wanted(call, keys_out, to_keys,
                                             engine::min_of(to_keys.size, keys.taken.size));
  auto const [from, with, chosen_keys, chosen_values] =
      detail::in_memory(call.context(), keys, detail::beside(values, keys),
                        detail::results_in_memory(to_keys), detail::results_in_memory(to_values));
  index_t const k = sam::detail::most_of(wanted);
  if (k == 0)
    return;
  use(from, with.data, chosen_keys.data, chosen_values.data, k, wanted);
  auto const given = sam::detail::up_to(from.number, wanted);
  detail::give_results(call.context(), chosen_keys, to_keys, k, given);
  detail::give_results(call.context(), chosen_values, to_values, k, given);
}

template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
void top_k_pairs(Context& context, KeysIn const& keys_in, ValuesIn const& values_in,
                 KeysOut& keys_out, ValuesOut& values_out, sort_order order, result_order results,
                 std::source_location at) {
  using Key = item_or_any_t<KeysIn>;
  using Value = item_or_any_t<ValuesIn>;
  checked_call const call(context, "sam::top_k_pairs", at);
  sam::detail::with_pairs(
      call, keys_in, values_in, keys_out, values_out,
      [&](auto const& keys, Value const* values, Key* to_keys, Value* to_values, index_t k,
          auto const& wanted) {
        index_t const n = keys.taken.size;
        sam::detail::with_sum_for<Context>(n, [&]<class Index>(Index) {
          using columns_type = columns<column<Value>>;
          top_k_search<Context, Key, Index, Index, number_of_t<decltype(keys)>,
                       std::remove_cvref_t<decltype(wanted)>>
              search(context, n, keys.taken.data, keys.number, k, wanted, order, 2 * k);
          Index* const order_found = search.more() + k;
          search.run(to_keys, search.more(), order_found, results);
          detail::run_first(
              context, k,
              gather_job<Index, columns_type>{{order_found}, n, {{{values}, to_values}, {}}},
              search.found());
        });
      });
}

template <class Context, class Keys, class Out>
void top_k_indices(Context& context, Keys const& keys, Out& out, sort_order order,
                   result_order results, std::source_location at) {
  using Key = item_or_any_t<Keys>;
  using To = item_or_any_t<Out>;
  checked_call const call(context, "sam::top_k_indices", at);
  auto const given = detail::first_items_of<parameter::keys>(call, keys);
  auto const to = sam::detail::output_of<parameter::out>(call, detail::place_of(out));
  call.template fits<To>(to.name, given.all.size - 1);
  sam::detail::expect_choice(call, keys, given, to);
  index_t const n = given.taken.size;
  auto const wanted = detail::results_wanted(call, out, to, engine::min_of(to.size, n));
  index_t const k = sam::detail::most_of(wanted);
  auto const stored = detail::in_memory(context, given, detail::results_in_memory(to));
  auto const& from = std::get<0>(stored);
  auto const& chosen = std::get<1>(stored);
  if (k > 0)  // the indices are sorted in place
    sam::detail::with_sum_for<Context>(n, [&]<class Index>(Index) {
      using search = top_k_search<Context, Key, Index, To, number_of_t<decltype(from)>,
                                  std::remove_const_t<decltype(wanted)>>;
      search(context, n, from.taken.data, from.number, k, wanted, order)
          .run(nullptr, chosen.data, chosen.data, results);
    });
  detail::give_results(context, chosen, to, k, sam::detail::up_to(from.number, wanted));
}

/// The order of integers by a comparison of the library.
template <class Less, class Key>
inline constexpr sort_order order_by =
    descends<Less, Key> ? sort_order::descending : sort_order::ascending;
constexpr sort_order opposite(sort_order order) {
  return order == sort_order::ascending ? sort_order::descending : sort_order::ascending;
}

/// Finds the first items by an order; top_k finds the first ones of the reversed order.
template <class Context, class In, class Out, class Less>
void first_by_order(char const* function, Context& context, In const& in, Out& out,
                    Less const& less, std::source_location at) {
  using Key = item_or_any_t<In>;
  sam::detail::expect_runs_on<Context, Less, Key, Key>();
  checked_call const call(context, function, at);
  auto const given = detail::first_items_of<parameter::in>(call, in);
  auto const to = sam::detail::output_of<parameter::out>(call, detail::place_of(out));
  sam::detail::expect_choice(call, in, given, to);
  auto const wanted = detail::results_wanted(call, out, to, to.size);
  auto const [from, chosen] = detail::in_memory(context, given, detail::results_in_memory(to));
  sam::detail::run_order_search<Context, Key, no_values>(
      context, from.taken, {from.taken.data}, from.number, 0, sam::detail::most_of(wanted),
      {chosen.data}, less, wanted);
  detail::give_results(context, chosen, to, engine::min_of(to.size, from.taken.size),
                       sam::detail::up_to(from.number, wanted));
}
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Less>
void first_pairs_by_order(Context& context, KeysIn const& keys_in, ValuesIn const& values_in,
                          KeysOut& keys_out, ValuesOut& values_out, Less const& less,
                          std::source_location at) {
  using Key = item_or_any_t<KeysIn>;
  using Value = item_or_any_t<ValuesIn>;
  sam::detail::expect_runs_on<Context, Less, Key, Key>();
  checked_call const call(context, "sam::top_k_pairs", at);
  sam::detail::with_pairs(call, keys_in, values_in, keys_out, values_out,
                          [&](auto const& keys, Value const* values, Key* to_keys, Value* to_values,
                              index_t k, auto const& wanted) {
                            sam::detail::run_order_search<Context, Key, Value>(
                                context, keys.taken, {keys.taken.data, values, nullptr},
                                keys.number, 0, k, {to_keys, to_values, nullptr}, less, wanted);
                          });
}
template <class Context, class Keys, class Out, class Less>
void first_indices_by_order(Context& context, Keys const& keys, Out& out, Less const& less,
                            std::source_location at) {
  using Key = item_or_any_t<Keys>;
  using Index = item_or_any_t<Out>;
  sam::detail::expect_runs_on<Context, Less, Key, Key>();
  checked_call const call(context, "sam::top_k_indices", at);
  auto const given = detail::first_items_of<parameter::keys>(call, keys);
  auto const to = sam::detail::output_of<parameter::out>(call, detail::place_of(out));
  call.template fits<Index>(to.name, given.all.size - 1);
  sam::detail::expect_choice(call, keys, given, to);
  auto const wanted = detail::results_wanted(call, out, to, to.size);
  auto const [from, chosen] = detail::in_memory(context, given, detail::results_in_memory(to));
  sam::detail::run_order_search<Context, Key, Index>(
      context, from.taken, {from.taken.data, nullptr, nullptr}, from.number, 0,
      sam::detail::most_of(wanted), {nullptr, chosen.data, nullptr}, less, wanted);
  detail::give_results(context, chosen, to, engine::min_of(to.size, from.taken.size),
                       sam::detail::up_to(from.number, wanted));
}
template <class Context, class In, class Out, class Less>
void nth_by_order(Context& context, In const& in, index_t rank, Out& out, Less const& less,
                  std::source_location at) {
  using Key = item_or_any_t<In>;
  sam::detail::expect_runs_on<Context, Less, Key, Key>();
  checked_call const call(context, "sam::nth_element", at);
  auto const given = detail::first_items_of<parameter::in>(call, in);
  auto const to = call.template output<parameter::out>(out);
  sam::detail::expect_rank_of(call, rank, given.all, to);
  detail::apart_from_count(call, in, to);
  auto const from = std::get<0>(detail::in_memory(context, given));
  sam::detail::run_order_search<Context, Key, no_values>(
      context, from.taken, {from.taken.data}, from.number, rank, rank + 1, {to.data}, less);
}

/// Writes the key that a search has found.
template <class Key, class State>
struct put_found_job {
  using item = Key;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  State const* found;
  Key* out;
  SAM_FUNCTION Key load(index_t) const { return number_digits<Key>::key_of(found->known); }
  SAM_FUNCTION accumulator to_accumulator(Key const&) const { return 0; }
  SAM_FUNCTION void store(index_t, Key const& x, accumulator) const { *out = x; }
};

/// 1 if there is an item of a rank, by the number of items in memory.
template <class Number>
struct number_of_rank {
  Number number;
  index_t rank;
  SAM_FUNCTION index_t operator()() const { return rank < number() ? 1 : 0; }
};

template <class Context, class In, class Out>
void nth_element(Context& context, In const& in, index_t rank, Out& out, std::source_location at) {
  using Key = item_or_any_t<In>;
  using digits_type = number_digits<Key>;
  checked_call const call(context, "sam::nth_element", at);
  auto const given = detail::first_items_of<parameter::in>(call, in);
  auto const to = call.template output<parameter::out>(out);
  sam::detail::expect_rank_of(call, rank, given.all, to);
  detail::apart_from_count(call, in, to);
  index_t const n = given.taken.size;
  if (rank >= n)
    return;
  auto const from = std::get<0>(detail::in_memory(context, given));
  sam::detail::with_sum_for<Context>(n, [&]<class Count>(Count) {
    using memory_type = select_memory<digits_type, Count>;
    index_t const few = memory_type::template few_of<Context>(n);
    workspace_parts sizes(nullptr);
    memory_type const unplaced(sizes, few);
    workspace_parts parts(engine::workspace<std::byte>(context, sizes.bytes()));
    memory_type const memory(parts, few);
    constexpr bool is_known = std::is_same_v<decltype(from.number), known_count>;
    sam::detail::select_rank(
        context, sam::detail::search_among<Count>(from.taken.data, n, from.number), digits_type{},
        known_count{rank + 1}, memory, is_known ? to.data : static_cast<Key*>(nullptr));
    using state = std::remove_pointer_t<decltype(memory.found())>;
    if constexpr (!is_known)  // there may be too few keys
      detail::run_first(context, 1, put_found_job<Key, state>{memory.found(), to.data},
                        sam::detail::number_of_rank{from.number, rank});
  });
}

/// The item of a rank, and the number of items that there were.
template <class T>
struct ranked_item {
  T item;
  index_t number;
};
/// Returns what find(out) stores, where `out` is an array of one item. Waits for it, and rejects a
/// rank that a number of items in memory does not allow.
template <class T, class Context, class In, class Find>
T nth_value(Context& context, In const& in, index_t rank, std::source_location at,
            Find const& find) {
  if constexpr (is_counted<In>) {
    auto const found = engine::result_of<ranked_item<T>>(context, [&](ranked_item<T>* place) {
      std::span<T, 1> const out(&place->item, 1);
      find(out);
      checked_call const call(context, "sam::nth_element", at);
      detail::store_number(context, detail::count_in(call, in, highest_of<index_t>),
                           &place->number);
    });
    if (rank >= found.number && !engine::measures(context))
      call_checks("sam::nth_element", at)
          .refuse("rank", "is ", rank, "; it must be in [0, ", found.number,
                  "), as in holds so many items");
    return found.item;
  } else {
    return engine::result_of<T>(context, [&](T* place) {
      std::span<T, 1> const out(place, 1);
      find(out);
    });
  }
}

/// Checks that keys are numbers, which selections by rank order by their digits.
template <class A>
struct holds_numeric_keys {
  static constexpr bool value = numeric_key<item_or_any_t<A>>;
  static_assert(value,
                "sam: the keys must be integers, bools or floats of 16 to 64 bits; for others "
                "pass a comparison, bool less(a, b) const");
};
template <class Context, class In, class Out>
using is_top_k = std::conjunction<is_context<Context>,
                                  stores_to<parameter::in, parameter::out, Context, In, Out>,
                                  holds_numeric_keys<In>>;
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
using is_top_k_of_pairs =
    std::conjunction<is_context<Context>,
                     stores_to<parameter::keys_in, parameter::keys_out, Context, KeysIn, KeysOut>,
                     reads_items<parameter::values_in, Context, ValuesIn>,
                     writes_items<parameter::values_out, Context, ValuesOut>,
                     have_one_item_type<ValuesIn, ValuesOut>, holds_numeric_keys<KeysIn>>;
template <class Context, class Keys, class Out>
using is_top_k_of_indices =
    std::conjunction<is_context<Context>, reads_first_items<parameter::keys, Context, Keys>,
                     writes_items<parameter::out, Context, Out>,
                     typename parameter::out::template holds_integers<item_or_any_t<Out>>,
                     holds_numeric_keys<Keys>>;
/// Checks a comparison that stands in place of a sort_order, which orders any keys.
template <class Less>
inline constexpr bool stands_for_order = !is_location<Less> && !std::is_same_v<Less, sort_order>;
template <class Context, class In, class Out, class Less>
using is_nth_by_order =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     is_comparison<Context, Less, item_or_any_t<In>>,
                     typename parameter::out::template is_place<Out>,
                     have_one_item_type<In, std::span<place_item_t<Out>>>>;
template <class Context, class In, class Out>
using is_nth_element =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     holds_numeric_keys<In>, typename parameter::out::template is_place<Out>,
                     have_one_item_type<In, std::span<place_item_t<Out>>>>;

}  // namespace detail

/// Finds the k largest items, the largest first, where k is the size of out.
///
/// in           n integers, bools or floats in memory that `context` reaches. Floats are in IEEE
///              754's total order: -0 before +0, and positive NaNs after all numbers, so that they
///              are the largest. n may exceed 2^32. in may be a computed input
///              (<sam/inputs.hpp>), whose items are first stored in memory of the context. in may
///              be sam::counted(items, number); with fewer than k items, the rest of out does not
///              change
/// out          k items, at most n, apart from in, or a computed output (<sam/outputs.hpp>). k may
///              be 0. out may be sam::counted(out, number) of a span or another view: k is
///              number[0], which the call reads when its work runs, and at most the size of out,
///              whose other items do not change. A search on a device takes as long as one for as
///              many items as out has
/// order        sort_order::descending, which is the default, for the largest items;
///              sort_order::ascending for the smallest, the smallest first
/// results      result_order::unsorted leaves out the sort of the k items. They then have some
///              order, which is the same on every run
/// traffic      two reads of each item, and one more for each 11 bits of a key: 5 n reads for 32
///              bits. Less for
///              - k up to n / 64 of many items: mostly n reads. Many are 2^18 on a CPU, and more
///                than 8 MiB of keys on a device;
///              - fewer items on a CPU: 3 n reads of up to 2^14 items, and n reads of up to 2^18 if
///                k is at most 16 or, above 2^14 items, n / 256.
///              - k up to 128 on a device, which goes from blocks of items to the first k of each:
///                n reads, and few more
///              A device sorts all of up to 2^18 items, or of up to 2^21 if k is larger or the
///              number of items lies in memory
/// workspace    memory for k keys, 2 k indices and a sort of k keys, and about 10 KB; on a CPU also
///              for up to 2^15 keys. Of many items also for a key and an index of up to a 16th of
///              them; for few on a device of all
/// determinism  the same result on every run and for every number of threads. Of items that compare
///              equal, those with the lowest indices are chosen, and come first
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if out holds more items than in or overlaps it; nothing is
///                                     written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Alabi, Blanchard, Gordon, Steinbach, JEA 2012 (selection by digits)
template <class Context, class In, class Out>
void top_k(Context&& context, In const& in, Out&& out, sort_order order = sort_order::descending,
           result_order results = result_order::sorted,
           std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::top_k(*detail::lend_context(context), in, std::forward<Out>(out), order, results,
                      at);
  else if constexpr (std::conjunction_v<detail::is_top_k<Context, In, detail::place_within_t<Out>>,
                                        detail::reads_wanted<Context, Out>>)
    detail::top_k("sam::top_k", context, in, out, order, results, at);
}
/// Finds the k largest items by a comparison, the largest first.
///
/// in           n items of any trivially copyable type
/// less         a const function object, bool less(a, b) const: a strict weak order, as for
///              merge_sort. Integers under sam::less, sam::greater, std::less or std::greater are
///              chosen by their digits
/// results      as above. Items chosen by comparisons are sorted in any case
/// traffic      a sort of runs of n items, as in merge_sort, and another of the first k of each
///              run, which has at least 2 k items; for large k that is a merge sort. On CPUs n
///              reads, if k is at most 4096 and n / 8; else 2 n and a sort of about k items, if n
///              is at least 2^18 and k at most about n / 2, or 2 n / 5 of pairs and indices
/// workspace    memory for 2 n items, on CPUs often for n / 3 or 4 k
/// Everything else is as above. Where a device reads the number of items, it sorts all of them.
template <class Context, class In, class Out, class Less>
requires(detail::stands_for_order<Less>) void top_k(
    Context&& context, In const& in, Out&& out, Less less,
    result_order results = result_order::sorted,
    std::source_location at = std::source_location::current()) {
  using Key = detail::item_or_any_t<In>;
  if constexpr (detail::stands_for_context<Context>)
    return sam::top_k(*detail::lend_context(context), in, std::forward<Out>(out), less, results,
                      at);
  else if constexpr (std::conjunction_v<
                         detail::is_choice_by_order<Context, In, detail::place_within_t<Out>, Less>,
                         detail::reads_wanted<Context, Out>>) {
    if constexpr (detail::sorts_by_radix<Less, Key>)
      detail::top_k("sam::top_k", context, in, out, detail::opposite(detail::order_by<Less, Key>),
                    results, at);
    else
      detail::first_by_order("sam::top_k", context, in, out, detail::reversed_order<Less>{less},
                             at);
  }
}

/// Finds the k largest keys, the largest first, and their values. Everything else is as for top_k.
///
/// keys_in, values_in    n keys, which may be counted, and a value of any trivially copyable type
///                       for each; both may be computed
/// keys_out, values_out  k of them, apart from one another and from the inputs; or computed
///                       outputs. keys_out may be counted
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
void top_k_pairs(Context&& context, KeysIn const& keys_in, ValuesIn const& values_in,
                 KeysOut&& keys_out, ValuesOut&& values_out,
                 sort_order order = sort_order::descending,
                 result_order results = result_order::sorted,
                 std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::top_k_pairs(*detail::lend_context(context), keys_in, values_in,
                            std::forward<KeysOut>(keys_out), std::forward<ValuesOut>(values_out),
                            order, results, at);
  else if constexpr (std::conjunction_v<
                         detail::is_top_k_of_pairs<Context, KeysIn, ValuesIn,
                                                   detail::place_within_t<KeysOut>, ValuesOut>,
                         detail::reads_wanted<Context, KeysOut>>)
    detail::top_k_pairs(context, keys_in, values_in, keys_out, values_out, order, results, at);
}
/// Finds the k largest keys by a comparison, and their values. Everything else is as for top_k.
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Less>
requires(detail::stands_for_order<Less>) void top_k_pairs(
    Context&& context, KeysIn const& keys_in, ValuesIn const& values_in, KeysOut&& keys_out,
    ValuesOut&& values_out, Less less, result_order results = result_order::sorted,
    std::source_location at = std::source_location::current()) {
  using Key = detail::item_or_any_t<KeysIn>;
  if constexpr (detail::stands_for_context<Context>)
    return sam::top_k_pairs(*detail::lend_context(context), keys_in, values_in,
                            std::forward<KeysOut>(keys_out), std::forward<ValuesOut>(values_out),
                            less, results, at);
  else if constexpr (std::conjunction_v<detail::is_order_of_pairs<Context, KeysIn, ValuesIn,
                                                                  detail::place_within_t<KeysOut>,
                                                                  ValuesOut, Less>,
                                        detail::reads_wanted<Context, KeysOut>>) {
    if constexpr (detail::sorts_by_radix<Less, Key>)
      detail::top_k_pairs(context, keys_in, values_in, keys_out, values_out,
                          detail::opposite(detail::order_by<Less, Key>), results, at);
    else
      detail::first_pairs_by_order(context, keys_in, values_in, keys_out, values_out,
                                   detail::reversed_order<Less>{less}, at);
  }
}

/// Finds the indices of the k largest keys, that of the largest first. Everything else is as for
/// top_k.
///
/// out          k integers that can hold n - 1, apart from keys, or a computed output
template <class Context, class Keys, class Out>
void top_k_indices(Context&& context, Keys const& keys, Out&& out,
                   sort_order order = sort_order::descending,
                   result_order results = result_order::sorted,
                   std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::top_k_indices(*detail::lend_context(context), keys, std::forward<Out>(out), order,
                              results, at);
  else if constexpr (std::conjunction_v<
                         detail::is_top_k_of_indices<Context, Keys, detail::place_within_t<Out>>,
                         detail::reads_wanted<Context, Out>>)
    detail::top_k_indices(context, keys, out, order, results, at);
}
/// Finds the indices of the k largest keys by a comparison. Everything else is as for top_k.
template <class Context, class Keys, class Out, class Less>
requires(detail::stands_for_order<Less>) void top_k_indices(
    Context&& context, Keys const& keys, Out&& out, Less less,
    result_order results = result_order::sorted,
    std::source_location at = std::source_location::current()) {
  using Key = detail::item_or_any_t<Keys>;
  if constexpr (detail::stands_for_context<Context>)
    return sam::top_k_indices(*detail::lend_context(context), keys, std::forward<Out>(out), less,
                              results, at);
  else if constexpr (std::conjunction_v<detail::is_order_of_indices<
                                            Context, Keys, detail::place_within_t<Out>, Less>,
                                        detail::reads_wanted<Context, Out>>) {
    if constexpr (detail::sorts_by_radix<Less, Key>)
      detail::top_k_indices(context, keys, out, detail::opposite(detail::order_by<Less, Key>),
                            results, at);
    else
      detail::first_indices_by_order(context, keys, out, detail::reversed_order<Less>{less}, at);
  }
}

/// Finds the item that would be at index `rank` if the items were sorted.
///
/// in           n items, as for top_k
/// rank         in [0, n). If in has a number in memory that is not above rank, out does not
///              change; without out, the call throws sam::invalid_argument
/// out          a variable or an array of one item, apart from in. If a device cannot reach a
///              variable, the call waits. Without out, the call waits and returns the item
/// traffic      n reads of an item for each 11 bits of a key; on a CPU n, if n is at most 2^14
/// workspace    about 10 KB; on a CPU for up to 2^15 keys more
/// Everything else is as for top_k.
template <class Context, class In, class Out>
requires(detail::is_place<Out>) void nth_element(
    Context&& context, In const& in, index_t rank, Out&& out,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::nth_element(*detail::lend_context(context), in, rank, std::forward<Out>(out), at);
  else if constexpr (detail::is_nth_element<Context, In, Out>::value)
    detail::with_place(context, out,
                       [&](auto& place) { detail::nth_element(context, in, rank, place, at); });
}
template <class Context, class In>
auto nth_element(Context&& context, In const& in, index_t rank,
                 std::source_location at = std::source_location::current()) {
  using T = detail::item_or_any_t<In>;
  if constexpr (detail::stands_for_context<Context>)
    return sam::nth_element(*detail::lend_context(context), in, rank, at);
  else if constexpr (std::conjunction_v<
                         detail::is_context<Context>,
                         detail::reads_first_items<detail::parameter::in, Context, In>,
                         detail::holds_numeric_keys<In>>)
    return detail::nth_value<T>(context, in, rank, at, [&](auto const& out) {
      sam::nth_element(context, in, rank, out, at);
    });
  else
    return T{};  // a check failed to compile
}
/// Finds the item that would be at index `rank` if merge_sort sorted the items by a comparison.
///
/// in           n items of any trivially copyable type
/// less         as for merge_sort
/// traffic      as for top_k by a comparison, with k = rank + 1. On CPUs 3 n reads of 2^18 items
///              and more
/// workspace    memory for 2 n items, on CPUs often for n / 3
/// Everything else is as above.
template <class Context, class In, class Out, class Less>
requires(detail::is_place<Out> && !detail::is_location<Less>) void nth_element(
    Context&& context, In const& in, index_t rank, Out&& out, Less less,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::nth_element(*detail::lend_context(context), in, rank, std::forward<Out>(out), less,
                            at);
  else if constexpr (detail::is_nth_by_order<Context, In, Out, Less>::value)
    detail::with_place(context, out, [&](auto& place) {
      detail::nth_by_order(context, in, rank, place, less, at);
    });
}
template <class Context, class In, class Less>
requires(!detail::is_place<Less> && !detail::is_location<Less>) auto nth_element(
    Context&& context, In const& in, index_t rank, Less&& less,
    std::source_location at = std::source_location::current()) {
  using T = detail::item_or_any_t<In>;
  using order = std::remove_cvref_t<Less>;
  if constexpr (detail::stands_for_context<Context>)
    return sam::nth_element(*detail::lend_context(context), in, rank, order(less), at);
  else if constexpr (std::conjunction_v<
                         detail::is_context<Context>,
                         detail::reads_first_items<detail::parameter::in, Context, In>,
                         detail::is_comparison<Context, order, T>>)
    return detail::nth_value<T>(context, in, rank, at, [&](auto const& out) {
      sam::nth_element(context, in, rank, out, order(less), at);
    });
  else
    return T{};  // a check failed to compile
}

}  // namespace sam::inline v0_1
