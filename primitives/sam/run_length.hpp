// SPDX-License-Identifier: MIT
// Defines run_length_encode and run_length_decode.
#pragma once

#include <sam/detail/outputs/stored_results.hpp>
#include <sam/detail/run_length_job.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#include <sam/chosen_backend/segmented.hpp>
#include <sam/chosen_backend/selection.hpp>
#endif

#include <tuple>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Checks the arrays of an encoding in runs, and returns the checked ones: in, values, lengths and
/// count. The values may be written in place if `InPlace` says so.
template <class T, bool InPlace, class Context, class In, class Values, class Lengths, class Count>
auto arrays_of_runs(checked_call<Context> const& call, In const& in, Values& values,
                    Lengths& lengths, Count& count) {
  auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  auto const firsts = sam::detail::output_of<parameter::values>(call, values);
  auto const sizes = sam::detail::output_of<parameter::lengths>(call, lengths);
  auto const runs =
      call.template counts<parameter::count>(count, 1, from.size, from, firsts, sizes);
  call.template fits<item_or_any_t<Lengths>>(sizes.name, from.size);
  if constexpr (InPlace)
    sam::detail::expect_in_place_or_apart<headed<T>>(call, firsts, from);
  else
    call.apart(firsts, from);
  sam::detail::expect_output_apart(call, sizes, from);
  call.apart(sizes, firsts);
  sam::detail::expect_outputs_apart(call, sizes, firsts);
  sam::detail::expect_outputs_apart(call, sizes, runs);
  sam::detail::expect_outputs_apart(call, firsts, runs);
  sam::detail::apart_from_arrays(call, runs, from);
  detail::apart_from_count(call, in, firsts);
  detail::apart_from_count(call, in, sizes);
  detail::apart_from_count(call, in, runs);
  return std::tuple(from, firsts, sizes, runs);
}

template <class Context, class In, class Values, class Lengths, class Count, class Equal>
void run_length_encode(Context& context, In const& in, Values& values, Lengths& lengths,
                       Count& count, Equal const& equal, std::source_location at) {
  using T = item_or_any_t<array_within_t<In>>;
  sam::detail::expect_runs_on<Context, Equal, T, T>();
  checked_call const call(context, "sam::run_length_encode", at);
  auto const [from, firsts, sizes, runs] =
      sam::detail::arrays_of_runs<T, true>(call, in, values, lengths, count);
  index_t const n = detail::items_taken(call, in, from).size;
  if (n == 0)
    return sam::detail::count_nothing(context, runs.data);
  auto const heads = detail::unlike_last(from, equal);
  auto const to = detail::front_of(firsts, from.data, counter<item_of<Count>>{runs.data});
  using lengths_type = job_output_t<std::remove_cvref_t<decltype(sizes)>>;
  [[maybe_unused]] runs_to_front<std::remove_const_t<decltype(to)>, lengths_type> const where{
      to, sizes.data, sizes.size};
  [[maybe_unused]] auto const number = detail::count_for_job(call, in, n);
  if constexpr (!works_on_device<Context> && array<array_within_t<In>> && array<Values> &&
                array<Lengths>)
    sam::detail::run_encode_by_packing(context, n, heads, to, sizes.data, sizes.size);
  else if (n <= index_t{highest_of<std::uint32_t>})
    sam::detail::run_encode<std::uint32_t>(context, n, heads, where, number);
  else
    sam::detail::run_encode<std::uint64_t>(context, n, heads, where, number);
}

template <class Context, class In, class Values, class Lengths, class Before, class Count,
          class Equal>
void append_runs(Context& context, In const& in, Values& values, Lengths& lengths,
                 Before const& before, Count& count, Equal const& equal, std::source_location at) {
  using T = item_or_any_t<In>;
  sam::detail::expect_runs_on<Context, Equal, T, T>();
  checked_call const call(context, "sam::run_length_encode", at);
  auto const [from, firsts, sizes, runs] =
      sam::detail::arrays_of_runs<T, false>(call, in, values, lengths, count);
  auto const earlier = detail::count_before(call, before, firsts, runs);
  detail::before_apart(call, before, sizes);
  index_t const n = detail::items_taken(call, in, from).size;
  if (n == 0)
    return detail::copy_count(context, earlier, runs.data);
  auto const given = detail::first_items_of<parameter::in>(call, in);
  auto const stored = std::get<0>(detail::in_memory(context, given));
  T const* const items = stored.taken.data;
  auto const number = stored.number;
  using joins =
      joins_last_run<engine::array_source<T>, Equal, std::remove_const_t<decltype(earlier)>,
                     std::remove_const_t<decltype(number)>>;
  runs_to_front<to_front<T, item_of<Count>>, item_of<Lengths>> const where{
      {{runs.data}, items, firsts.data, firsts.size}, sizes.data, sizes.size};
  auto const appended = detail::append_segments(
      where, earlier, joins{{items}, firsts.data, firsts.size, equal, earlier, number}, sizes,
      plus{});
  kept_unlike_last<T, Equal> const heads{items, equal};
  if (n <= index_t{highest_of<std::uint32_t>})
    sam::detail::run_encode<std::uint32_t>(context, n, heads, appended, number);
  else
    sam::detail::run_encode<std::uint64_t>(context, n, heads, appended, number);
}

/// Marks lengths that are checked before use.
template <class Held>
struct lengths_to_check {
  Held lengths;
  auto* data() const { return sam::detail::raw_pointer(std::data(lengths)); }
  std::size_t size() const { return static_cast<std::size_t>(std::size(lengths)); }
};
template <class L>
inline constexpr bool are_lengths_to_check = false;
template <class Held>
inline constexpr bool are_lengths_to_check<lengths_to_check<Held>> = true;
/// Names the type of the array that holds the lengths.
template <class L>
struct memory_of_lengths {
  using type = L;
};
template <class Held>
struct memory_of_lengths<lengths_to_check<Held>> {
  using type = Held;
};
template <class L>
using memory_of_lengths_t = typename memory_of_lengths<L>::type;

template <class Context, class Values, class Lengths, class Out, class Count>
void run_length_decode(Context& context, Values const& values, Lengths const& lengths, Out& out,
                       Count& count, std::source_location at) {
  using count_type = item_of<Count>;
  checked_call const call(context, "sam::run_length_decode", at);
  auto const runs = detail::first_items_of<parameter::values>(call, values);
  auto const given = sam::detail::input_of<parameter::lengths>(call, lengths);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.same_size(given, runs.all);
  auto const total = call.template counts<parameter::count>(count, 1, 0, runs.all, given, to);
  detail::expect_apart_from_read(call, to, runs.all, given);
  sam::detail::expect_outputs_apart(call, to, total);
  detail::apart_from_count(call, values, to);
  detail::apart_from_count(call, values, total);
  index_t const n = runs.taken.size;
  auto const [of_runs, sizes, decoded] =
      detail::in_memory(context, runs, detail::beside(given, runs), detail::results_in_memory(to));
  using length = std::remove_pointer_t<decltype(sizes.data)>;
  if constexpr (are_lengths_to_check<Lengths>)
    sam::detail::expect_lengths(call, checked_array<length>{sizes.data, n, sizes.name}, runs.number,
                                sizeof(count_type) < sizeof(index_t)
                                    ? static_cast<index_t>(highest_of<count_type>)
                                    : highest_of<index_t>);
  if (n == 0)
    return sam::detail::count_nothing(context, total.data);
  sam::detail::run_decode(context, of_runs.taken.data, sizes.data, n, runs.number, decoded.data,
                          to.size, total.data);
  detail::give_results(context, decoded, to, to.size,
                       loaded_count<count_type>{total.data, to.size});
}

}  // namespace detail

/// Encodes runs of equal items: writes the first item of each run to values, its length to lengths,
/// in order, and the number of runs to count.
///
/// in           n trivially copyable items in memory that `context` reaches, or
///              sam::counted(items, number), or a computed input (<sam/inputs.hpp>). n may be 0,
///              and may exceed 2^32
/// values       an array of in's item type; if it holds fewer items than there are runs, those
///              beyond its end are dropped. It may begin where in does; any other overlap is an
///              error
/// lengths      an array of integers that can hold n, apart from in and values; it may be too
///              short, as values. Either may be a computed output (<sam/outputs.hpp>)
/// count        as for compact, apart from all other arrays; without it the call waits and returns
///              the number
/// equal        a const function object equal(a, b) that is an equivalence; == if it is missing
/// traffic      n reads of an item, and a write of an item and a length for each run. CPUs read
///              each item once more, and read and write each length once more
/// determinism, returns, throws  as compact
/// source       as compact; lengths are segmented sums of ones
template <class Context, class In, class Values, class Lengths, class Count,
          class Equal = detail::equal_items>
requires(detail::is_place<Count> && !array<Equal>) void run_length_encode(
    Context&& context, In const& in, Values&& values, Lengths&& lengths, Count&& count,
    Equal equal = {}, std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::run_length_encode(*detail::lend_context(context), in, std::forward<Values>(values),
                                  std::forward<Lengths>(lengths), std::forward<Count>(count), equal,
                                  at);
  } else {
    namespace parameter = detail::parameter;
    if constexpr (detail::all_right<
                      detail::is_context<Context>,
                      detail::reads_first_items<parameter::in, Context, In>,
                      detail::writes_items<parameter::values, Context, Values>,
                      detail::writes_items<parameter::lengths, Context, Lengths>,
                      parameter::lengths::holds_integers<detail::item_or_any_t<Lengths>>,
                      detail::counts_to<parameter::count, Context, Count>,
                      detail::have_one_item_type<In, Values>,
                      detail::is_equivalence<Context, Equal, In>>)
      detail::with_place(context, count, [&](auto& place) {
        detail::run_length_encode(context, in, values, lengths, place, equal, at);
      });
  }
}
template <class Context, class In, class Values, class Lengths>
index_t run_length_encode(Context&& context, In const& in, Values&& values, Lengths&& lengths,
                          std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::run_length_encode(*detail::lend_context(context), in, std::forward<Values>(values),
                                  std::forward<Lengths>(lengths), at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::run_length_encode(context, in, values, lengths, count, detail::equal_items{}, at);
    });
}
template <class Context, class In, class Values, class Lengths, class Equal>
requires(!detail::is_place<Equal>) index_t
    run_length_encode(Context&& context, In const& in, Values&& values, Lengths&& lengths,
                      Equal&& equal, std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::run_length_encode(*detail::lend_context(context), in, std::forward<Values>(values),
                                  std::forward<Lengths>(lengths), std::forward<Equal>(equal), at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::run_length_encode(context, in, values, lengths, count, equal, at);
    });
}

/// Appends to the runs that values and lengths hold already, so that arrays are encoded one after
/// another as one. If the first item equals the last one in values, its run goes on.
///
/// values       as above, but apart from in. values and lengths are arrays, since the call reads
///              the last run; items of a computed input are first stored
/// before       how many runs there are: an integer, or an array of one in memory that `context`
///              reaches, apart from all other arrays
/// count        an array of one integer, which receives the number of all runs
/// Everything else is as above. Runs that did not fit values do not go on.
template <class Context, class In, class Values, class Lengths, class Before, class Count,
          class Equal = detail::equal_items>
requires((array<Before> || integer<Before>)&&array<Count>) void run_length_encode(
    Context&& context, In const& in, Values&& values, Lengths&& lengths, Before const& before,
    Count&& count, Equal equal = {}, std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::run_length_encode(*detail::lend_context(context), in, std::forward<Values>(values),
                                  std::forward<Lengths>(lengths), before,
                                  std::forward<Count>(count), equal, at);
  } else {
    namespace parameter = detail::parameter;
    if constexpr (detail::all_right<
                      detail::is_context<Context>,
                      detail::reads_first_items<parameter::in, Context, In>,
                      detail::writes_to<parameter::values, Context, Values>,
                      detail::writes_to<parameter::lengths, Context, Lengths>,
                      parameter::lengths::holds_integers<detail::item_or_any_t<Lengths>>,
                      detail::counts_before<Context, Before>,
                      detail::counts_to<parameter::count, Context, Count>,
                      detail::have_one_item_type<In, Values>,
                      detail::is_equivalence<Context, Equal, In>>)
      detail::append_runs(context, in, values, lengths, before, count, equal, at);
  }
}

/// Returns lengths that run_length_decode checks before use. The check reads all lengths and waits
/// for the result. A negative length, or a sum that count cannot hold, throws
/// sam::invalid_argument.
///
/// lengths      must live until the call has done its work; a temporary that owns its items does
///              not compile
template <class Lengths>
auto checked_lengths(Lengths&& lengths) {
  using of_array = detail::parameter::lengths;
  if constexpr (detail::all_right<typename of_array::is_array<Lengths>,
                                  typename of_array::is_kept<Lengths>>)
    return detail::lengths_to_check<detail::borrowed_t<Lengths>>{detail::borrow(lengths)};
}

/// Decodes the output of run_length_encode: writes values[0] lengths[0] times, then values[1]
/// lengths[1] times, and so on, and the sum of lengths to count.
///
/// values       trivially copyable items in memory that `context` reaches, or sam::counted(values,
///              number) for the first runs. Both may be computed inputs (<sam/inputs.hpp>), whose
///              items are first stored in memory of the context
/// lengths      as many integers as there are values, possibly 0. A negative length counts as 0,
///              and a sum above 2^63 - 1 counts as 2^63 - 1; checked_lengths(lengths) rejects both
/// out          an array of the same item type, apart from values and lengths, or a computed output
///              (<sam/outputs.hpp>), which receives the items at the end. If it holds fewer
///              items than the sum of lengths, those beyond its end are dropped; if it holds more,
///              the rest is not changed
/// count        one integer that can hold the sum of lengths, as for compact, apart from all other
///              arrays. With an empty out, only the sum is computed. Without count the call waits
///              and returns the sum
/// traffic      a write for each item, and two reads of each length. CPUs also read each value
///              once. GPUs read each value twice, write it once, write and read 4 bytes for each
///              run, and 16 bytes for every 32 items in out. Where out and these 4
///              bytes together take less than 8 MiB, CUDA instead writes and reads the 4 bytes and
///              reads a value for each item
/// workspace    on GPUs a value and 4 bytes for each run, and 8 bytes for every 32 items in out (12
///              and 12 if out holds 2^32 items or more); on CPUs 8 bytes for every 16 runs; the
///              context keeps it
/// determinism, returns, throws  as compact
/// source       the scans as in compact; the run of an item by counting bits, as Jacobson ranks
///              them in "Space-efficient static trees and graphs", FOCS 1989
template <class Context, class Values, class Lengths, class Out, class Count>
requires(!detail::is_location<Count>) void run_length_decode(
    Context&& context, Values const& values, Lengths const& lengths, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::run_length_decode(*detail::lend_context(context), values, lengths,
                                  std::forward<Out>(out), std::forward<Count>(count), at);
  } else {
    namespace parameter = detail::parameter;
    if constexpr (detail::all_right<
                      detail::is_context<Context>,
                      detail::reads_first_items<parameter::values, Context, Values>,
                      detail::reads_items<parameter::lengths, Context,
                                          detail::memory_of_lengths_t<Lengths>>,
                      parameter::lengths::holds_integers<detail::item_or_any_t<Lengths>>,
                      detail::writes_items<parameter::out, Context, Out>,
                      detail::counts_to<parameter::count, Context, Count>,
                      detail::have_one_item_type<Values, Out>>)
      detail::with_place(context, count, [&](auto& place) {
        detail::run_length_decode(context, values, lengths, out, place, at);
      });
  }
}
template <class Context, class Values, class Lengths, class Out>
index_t run_length_decode(Context&& context, Values const& values, Lengths const& lengths,
                          Out&& out, std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::run_length_decode(*detail::lend_context(context), values, lengths,
                                  std::forward<Out>(out), at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::run_length_decode(context, values, lengths, out, count, at);
    });
}

}  // namespace sam::inline v0_1
