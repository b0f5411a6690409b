// SPDX-License-Identifier: MIT
// Defines find_runs: offsets and lengths of runs of more than one equal item.
#pragma once

#include <sam/detail/selection/long_runs.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#include <sam/chosen_backend/segmented.hpp>
#endif

#include <cstdint>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

template <class Context, class In, class Offsets, class Lengths, class Count, class Equal>
void find_runs(Context& context, In const& in, Offsets& offsets, Lengths& lengths, Count& count,
               Equal const& equal, std::source_location at) {
  using T = item_or_any_t<array_within_t<In>>;
  sam::detail::expect_runs_on<Context, Equal, T, T>();
  checked_call const call(context, "sam::find_runs", at);
  auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  auto const begins = sam::detail::output_of<parameter::offsets>(call, offsets);
  auto const sizes = sam::detail::output_of<parameter::lengths>(call, lengths);
  auto const number =
      call.template counts<parameter::count>(count, 1, from.size, from, begins, sizes);
  call.template fits<item_or_any_t<Offsets>>(begins.name, from.size);
  call.template fits<item_or_any_t<Lengths>>(sizes.name, from.size);
  sam::detail::expect_output_apart(call, begins, from);
  sam::detail::expect_output_apart(call, sizes, from);
  call.apart(sizes, begins);
  sam::detail::expect_outputs_apart(call, sizes, begins);
  sam::detail::expect_outputs_apart(call, sizes, number);
  sam::detail::expect_outputs_apart(call, begins, number);
  sam::detail::apart_from_arrays(call, number, from);
  detail::apart_from_count(call, in, begins);
  detail::apart_from_count(call, in, sizes);
  detail::apart_from_count(call, in, number);
  index_t const n = detail::items_taken(call, in, from).size;
  if (n == 0)
    return sam::detail::count_nothing(context, number.data);
  auto const first = detail::count_for_job(call, in, n);
  ends_of_long_runs<job_input_t<std::remove_const_t<decltype(from)>>, Equal> const ends{
      sam::detail::source_from(from), equal};
  long_runs_to_front<job_output_t<std::remove_const_t<decltype(begins)>>,
                     job_output_t<std::remove_const_t<decltype(sizes)>>, item_of<Count>> const
      where{begins.data, begins.size, sizes.data, sizes.size, number.data};
  if (n <= index_t{highest_of<std::uint32_t>})
    sam::detail::run_find_runs<std::uint32_t>(context, n, ends, where, first);
  else
    sam::detail::run_find_runs<std::uint64_t>(context, n, ends, where, first);
}

}  // namespace detail

/// Finds the runs of more than one equal item: writes the index of each run's first item to
/// offsets, the number of its items to lengths, in order, and the number of these runs to count.
/// An item that equals neither of its neighbours is in none of them.
///
/// in           n trivially copyable items in memory that `context` reaches, or
///              sam::counted(items, number), or a computed input (<sam/inputs.hpp>), of which each
///              item is computed three times. n may be 0, and may exceed 2^32
/// offsets, lengths  integers that can hold n, apart from in and from each other: arrays or
///              computed outputs (<sam/outputs.hpp>). n / 2 are always enough; what does not fit is
///              dropped
/// count        a variable or an array of one integer that can hold n, apart from all other arrays.
///              If a device cannot reach a variable, the call waits. Without count the call waits
///              and returns the number
/// equal        a const function object equal(a, b) that is an equivalence; == if it is missing
/// traffic      n reads of an item, and two writes for each of these runs
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading the outputs
/// throws       sam::invalid_argument  if arrays overlap, or outputs cannot hold n; nothing is
///                                     written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       as run_length_encode: every other segment is such a run but its first item
template <class Context, class In, class Offsets, class Lengths, class Count,
          class Equal = detail::equal_items>
requires(detail::is_place<Count> &&
         !array<Equal>) void find_runs(Context&& context, In const& in, Offsets&& offsets,
                                       Lengths&& lengths, Count&& count, Equal equal = {},
                                       std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::find_runs(*detail::lend_context(context), in, std::forward<Offsets>(offsets),
                          std::forward<Lengths>(lengths), std::forward<Count>(count), equal, at);
  } else {
    namespace parameter = detail::parameter;
    if constexpr (detail::all_right<
                      detail::is_context<Context>,
                      detail::reads_first_items<parameter::in, Context, In>,
                      detail::writes_items<parameter::offsets, Context, Offsets>,
                      parameter::offsets::holds_integers<detail::item_or_any_t<Offsets>>,
                      detail::writes_items<parameter::lengths, Context, Lengths>,
                      parameter::lengths::holds_integers<detail::item_or_any_t<Lengths>>,
                      detail::counts_to<parameter::count, Context, Count>,
                      detail::is_equivalence<Context, Equal, In>>)
      detail::with_place(context, count, [&](auto& place) {
        detail::find_runs(context, in, offsets, lengths, place, equal, at);
      });
  }
}
template <class Context, class In, class Offsets, class Lengths, class Equal = detail::equal_items>
requires(!detail::is_place<Equal>) index_t
    find_runs(Context&& context, In const& in, Offsets&& offsets, Lengths&& lengths,
              Equal&& equal = {}, std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::find_runs(*detail::lend_context(context), in, std::forward<Offsets>(offsets),
                          std::forward<Lengths>(lengths), std::remove_cvref_t<Equal>(equal), at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::find_runs(context, in, offsets, lengths, count, std::remove_cvref_t<Equal>(equal), at);
    });
}

}  // namespace sam::inline v0_1
