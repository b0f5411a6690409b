// SPDX-License-Identifier: MIT
// Defines compact, compact_flagged, compact_indices and compact_indices_flagged.
#pragma once

#include <sam/arguments/flags.hpp>
#include <sam/detail/compact_job.hpp>
#if __has_include(<sam/chosen_backend/selection.hpp>)
#include <sam/chosen_backend/selection.hpp>
#endif

#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// True if a call reads flags as it reads items: computed flags, or the first ones of some.
template <class F>
inline constexpr bool are_read_as_items = is_lazy<F> || is_counted<F>;
/// Tells whether such a flag is set.
struct is_set {
  template <class T>
  SAM_FUNCTION bool operator()(T flag) const {
    return static_cast<bool>(flag);
  }
};
/// Checks flags that calls read in either way.
template <class Parameter, class Context, class F>
struct are_any_flags : are_flags<Parameter, Context, F> {};
template <class Parameter, class Context, class F>
requires are_read_as_items<F>
struct are_any_flags<Parameter, Context, F>
    : std::conjunction<reads_first_items<Parameter, Context, F>,
                       are_flag_items<array_within_t<F>>> {
};

template <class Context, class In, class Out, class Keep, class Count>
void compact(Context& context, In const& in, Out& out, Keep const& keep, Count& count,
             std::source_location at) {
  sam::detail::expect_runs_on<Context, Keep, item_or_any_t<array_within_t<In>>>();
  checked_call const call(context, "sam::compact", at);
  auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  auto const kept = call.template counts<parameter::count>(count, 1, from.size, from, to);
  detail::apart_from_count(call, in, to);
  detail::apart_from_count(call, in, kept);
  sam::detail::apart_from_arrays(call, to, from);
  sam::detail::apart_from_arrays(call, kept, from);
  using which = kept_by_predicate<job_input_t<std::remove_const_t<decltype(from)>>, Keep>;
  sam::detail::compact_to_front(
      call, detail::selection_of(call, in, which{sam::detail::source_from(from), keep}, from.size),
      detail::items_taken(call, in, from), to, kept);
}

template <class Context, class In, class Out, class Keep, class Before, class Count>
void append(Context& context, In const& in, Out& out, Keep const& keep, Before const& before,
            Count& count, std::source_location at) {
  sam::detail::expect_runs_on<Context, Keep, item_or_any_t<Out>>();
  checked_call const call(context, "sam::compact", at);
  auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  auto const kept = call.template counts<parameter::count>(count, 1, from.size, from, to);
  detail::apart_from_count(call, in, to);
  detail::apart_from_count(call, in, kept);
  sam::detail::expect_output_apart(call, to, from);
  sam::detail::apart_from_arrays(call, kept, from);
  sam::detail::expect_outputs_apart(call, to, kept);
  auto const earlier = detail::count_before(call, before, to, kept);
  index_t const n = detail::items_taken(call, in, from).size;
  if (n == 0)
    return detail::copy_count(context, earlier, kept.data);
  using which = kept_by_predicate<job_input_t<std::remove_const_t<decltype(from)>>, Keep>;
  sam::detail::run_compact(
      context, n,
      detail::selection_of(call, in, which{sam::detail::source_from(from), keep}, from.size),
      detail::append_to(to, kept.data, earlier));
}

template <class Context, class In, class Flags, class Out, class Count>
void compact_flagged(Context& context, In const& in, Flags const& flags, Out& out, Count& count,
                     std::source_location at) {
  checked_call const call(context, "sam::compact_flagged", at);
  auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  auto const by = sam::detail::flags_of<parameter::flags>(call, flags, from.size);
  call.apart(by.memory, to);
  sam::detail::expect_apart_from_inputs(call, to, by.memory);
  auto const kept = call.template counts<parameter::count>(count, 1, from.size, from, to);
  detail::apart_from_count(call, in, to);
  detail::apart_from_count(call, in, kept);
  call.apart(by.memory, kept);
  sam::detail::apart_from_arrays(call, kept, from);
  using which = kept_by_flag<job_input_t<std::remove_const_t<decltype(from)>>,
                             std::remove_const_t<decltype(by.first)>>;
  sam::detail::compact_to_front(
      call,
      detail::selection_of(call, in, which{sam::detail::source_from(from), by.first}, from.size),
      detail::items_taken(call, in, from), to, kept);
}

/// Compacts by `stencil`, which errors name as Parameter does.
template <class Parameter, class Context, class In, class Stencil, class Out, class Keep,
          class Count>
void compact_by_stencil(char const* function, Context& context, In const& in,
                        Stencil const& stencil, Out& out, Keep const& keep, Count& count,
                        std::source_location at) {
  sam::detail::expect_runs_on<Context, Keep, item_or_any_t<Stencil>>();
  checked_call const call(context, function, at);
  auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  auto const by = sam::detail::input_of<Parameter>(call, stencil);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.same_size(by, from);
  call.apart(by, to);
  sam::detail::apart_from_arrays(call, to, by);
  sam::detail::expect_apart_from_inputs(call, to, by);
  auto const kept = call.template counts<parameter::count>(count, 1, from.size, from, to, by);
  detail::apart_from_count(call, in, to);
  detail::apart_from_count(call, in, kept);
  sam::detail::apart_from_arrays(call, kept, from);
  sam::detail::apart_from_arrays(call, kept, by);
  using which = kept_by_stencil<job_input_t<std::remove_const_t<decltype(from)>>,
                                job_input_t<std::remove_const_t<decltype(by)>>, Keep>;
  sam::detail::compact_to_front(call,
                                detail::selection_of(call, in,
                                                     which{sam::detail::source_from(from),
                                                           sam::detail::source_from(by), keep},
                                                     from.size),
                                detail::items_taken(call, in, from), to, kept);
}

/// Finds the indices of items of `in`, which errors name as Parameter does.
template <class Parameter, class Context, class In, class Out, class Keep, class Count>
void compact_indices(char const* function, Context& context, In const& in, Out& out,
                     Keep const& keep, Count& count, std::source_location at) {
  sam::detail::expect_runs_on<Context, Keep, item_or_any_t<array_within_t<In>>>();
  checked_call const call(context, function, at);
  auto const from = sam::detail::input_of<Parameter>(call, detail::items_within(in));
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  auto const kept = call.template counts<parameter::count>(count, 1, from.size, from, to);
  detail::apart_from_count(call, in, to);
  detail::apart_from_count(call, in, kept);
  sam::detail::apart_from_arrays(call, to, from);
  sam::detail::apart_from_arrays(call, kept, from);
  call.template fits<item_or_any_t<Out>>(to.name, from.size - 1);
  sam::detail::expect_output_apart(call, to, from);
  using which = index_kept_by_predicate<job_input_t<std::remove_const_t<decltype(from)>>, Keep>;
  sam::detail::indices_to_out(
      call, detail::items_taken(call, in, from).size,
      detail::selection_of(call, in, which{sam::detail::source_from(from), keep}, from.size), to,
      kept);
}

template <class Context, class Flags, class Out, class Count>
void compact_indices_flagged(Context& context, Flags const& flags, Out& out, Count& count,
                             std::source_location at) {
  checked_call const call(context, "sam::compact_indices_flagged", at);
  auto const by = sam::detail::flags_of<parameter::flags>(call, flags);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  auto const kept = call.template counts<parameter::count>(count, 1, by.size, by.memory, to);
  call.template fits<item_or_any_t<Out>>(to.name, by.size - 1);
  sam::detail::expect_output_apart(call, to, by.memory);
  using flag = std::remove_const_t<decltype(by.first)>;
  sam::detail::indices_to_out(call, by.size, index_kept_by_flag<flag>{by.first}, to, kept);
}

template <class Out>
struct holds_indices : parameter::out::holds_integers<item_or_any_t<Out>> {};

}  // namespace detail

/// Copies the items of in for which keep(x) is true to the front of out, in order, and their number
/// to count. The rest of out is not changed.
///
/// in, out      n trivially copyable items, and an array of the same item type for those that are
///              kept, in memory that `context` reaches. in may be sam::counted(items, number),
///              whose number lies in that memory, and a computed input (<sam/inputs.hpp>); out may
///              be a computed output (<sam/outputs.hpp>). Their arrays lie apart from all others.
///              If out is too small, the items beyond its end are dropped, and count is still the
///              number of all kept ones; n items are always enough. out may begin where in does;
///              any other overlap is an error. n may be 0, and may exceed 2^32
/// keep         a const function object that takes an item and returns the same result for it each
///              time; otherwise the contents of out and count are unspecified, but nothing else is
///              written
/// count        a variable or an array of one integer that can hold n, apart from in and out. If a
///              device cannot reach a variable, the call waits. Without count, the call waits and
///              returns the number
/// traffic      n reads of an item, and a write for each kept item
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out or count
/// throws       sam::invalid_argument  if arrays overlap, count is not one item or cannot hold n,
///                                     or out is in and the context does not support that: Kokkos
///                                     on devices, CUDA with items of about 90 bytes and more;
///                                     nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Billeter, Olsson, Assarsson, HPG 2009 (compaction by prefix sums); Maleki, Yang,
///              Burtscher, PLDI 2016 (the scan, in one pass)
template <class Context, class In, class Out, class Keep, class Count>
requires(!detail::is_location<Count>) void compact(
    Context&& context, In const& in, Out&& out, Keep keep, Count&& count,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact(*detail::lend_context(context), in, std::forward<Out>(out), keep,
                        std::forward<Count>(count), at);
  else if constexpr (detail::all_right<
                         detail::compacts_items<Context, In, Out, Count>,
                         detail::have_one_item_type<detail::array_within_t<In>, Out>,
                         detail::is_predicate<Context, Keep, detail::array_within_t<In>>>)
    detail::with_place(context, count,
                       [&](auto& place) { detail::compact(context, in, out, keep, place, at); });
}
template <class Context, class In, class Out, class Keep>
index_t compact(Context&& context, In const& in, Out&& out, Keep keep,
                std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact(*detail::lend_context(context), in, std::forward<Out>(out), keep, at);
  else
    return detail::count_of(context,
                            [&](auto count) { sam::compact(context, in, out, keep, count, at); });
}

/// Appends the items of in for which keep(x) is true to the items that out holds already, so that
/// arrays are compacted one after another as one.
///
/// in, out      as above, but out lies apart from in
/// before       how many items precede those to be written: an integer, or an array of one in
///              memory that `context` reaches, apart from all other arrays. The first item that is
///              kept goes to out[before]
/// count        receives before plus the number of kept items, which it must be able to hold. For a
///              variable, which may be the one passed as `before`, the call waits
/// Everything else is as above.
template <class Context, class In, class Out, class Keep, class Before, class Count>
requires(!detail::is_location<Before> && !detail::is_location<Count>) void compact(
    Context&& context, In const& in, Out&& out, Keep keep, Before const& before, Count&& count,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::compact(*detail::lend_context(context), in, std::forward<Out>(out), keep, before,
                        std::forward<Count>(count), at);
  } else if constexpr (detail::all_right<
                           detail::compacts_items<Context, In, Out, Count>,
                           detail::counts_before<Context, Before>,
                           detail::have_one_item_type<detail::array_within_t<In>, Out>,
                           detail::is_predicate<Context, Keep, detail::array_within_t<In>>>) {
    detail::with_place(context, count, [&](auto& place) {
      detail::append(context, in, out, keep, before, place, at);
    });
    if constexpr (!array<Count>)
      context.wait();
  }
}

/// Copies the items whose flag is not zero to the front of out, in order, and their number to
/// count.
///
/// flags        an integer or bool for each item of in, or packed_bits, apart from out and count;
///              n more reads. It may be a computed input
/// Everything else is as for compact.
template <class Context, class In, class Flags, class Out, class Count>
requires(!detail::is_location<Count>) void compact_flagged(
    Context&& context, In const& in, Flags const& flags, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact_flagged(*detail::lend_context(context), in, flags, std::forward<Out>(out),
                                std::forward<Count>(count), at);
  else if constexpr (detail::all_right<
                         detail::compacts_items<Context, In, Out, Count>,
                         std::conditional_t<
                             detail::is_lazy<Flags>,
                             detail::are_any_flags<detail::parameter::flags, Context, Flags>,
                             detail::are_flags<detail::parameter::flags, Context, Flags>>,
                         detail::have_one_item_type<detail::array_within_t<In>, Out>>)
    detail::with_place(context, count, [&](auto& place) {
      if constexpr (detail::is_lazy<Flags>)
        detail::compact_by_stencil<detail::parameter::flags>(
            "sam::compact_flagged", context, in, flags, out, detail::is_set{}, place, at);
      else
        detail::compact_flagged(context, in, flags, out, place, at);
    });
}
template <class Context, class In, class Flags, class Out>
index_t compact_flagged(Context&& context, In const& in, Flags const& flags, Out&& out,
                        std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact_flagged(*detail::lend_context(context), in, flags, std::forward<Out>(out),
                                at);
  else
    return detail::count_of(
        context, [&](auto count) { sam::compact_flagged(context, in, flags, out, count, at); });
}

/// Copies the items for which keep(s) is true, s being the item of stencil at the same index, to
/// the front of out, in order, and their number to count.
///
/// stencil      an item of any trivially copyable type for each item of in, apart from out and
///              count; n more reads. It may be in, and a computed input
/// keep         a predicate on items of stencil
/// Everything else is as for compact.
template <class Context, class In, class Stencil, class Out, class Keep, class Count>
requires(!detail::is_location<Count>) void compact_by_stencil(
    Context&& context, In const& in, Stencil const& stencil, Out&& out, Keep keep, Count&& count,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact_by_stencil(*detail::lend_context(context), in, stencil,
                                   std::forward<Out>(out), keep, std::forward<Count>(count), at);
  else if constexpr (detail::all_right<
                         detail::compacts_items<Context, In, Out, Count>,
                         detail::reads_items<detail::parameter::stencil, Context, Stencil>,
                         detail::have_one_item_type<detail::array_within_t<In>, Out>,
                         detail::is_predicate<Context, Keep, Stencil>>)
    detail::with_place(context, count, [&](auto& place) {
      detail::compact_by_stencil<detail::parameter::stencil>("sam::compact_by_stencil", context, in,
                                                             stencil, out, keep, place, at);
    });
}
template <class Context, class In, class Stencil, class Out, class Keep>
index_t compact_by_stencil(Context&& context, In const& in, Stencil const& stencil, Out&& out,
                           Keep keep, std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact_by_stencil(*detail::lend_context(context), in, stencil,
                                   std::forward<Out>(out), keep, at);
  else
    return detail::count_of(context, [&](auto count) {
      sam::compact_by_stencil(context, in, stencil, out, keep, count, at);
    });
}

/// Writes the indices of the items for which keep(x) is true to the front of out, in order.
///
/// out          integers that can hold n - 1, apart from in
/// Everything else is as for compact.
template <class Context, class In, class Out, class Keep, class Count>
requires(!detail::is_location<Count>) void compact_indices(
    Context&& context, In const& in, Out&& out, Keep keep, Count&& count,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact_indices(*detail::lend_context(context), in, std::forward<Out>(out), keep,
                                std::forward<Count>(count), at);
  else if constexpr (detail::all_right<
                         detail::compacts_items<Context, In, Out, Count>,
                         detail::holds_indices<Out>,
                         detail::is_predicate<Context, Keep, detail::array_within_t<In>>>)
    detail::with_place(context, count, [&](auto& place) {
      detail::compact_indices<detail::parameter::in>("sam::compact_indices", context, in, out, keep,
                                                     place, at);
    });
}
template <class Context, class In, class Out, class Keep>
index_t compact_indices(Context&& context, In const& in, Out&& out, Keep keep,
                        std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact_indices(*detail::lend_context(context), in, std::forward<Out>(out), keep,
                                at);
  else
    return detail::count_of(
        context, [&](auto count) { sam::compact_indices(context, in, out, keep, count, at); });
}

/// Writes the indices of the flags that are not zero to the front of out, in order. Of packed_bits,
/// these are the indices of the set bits below its size.
///
/// flags        integers, bools or packed_bits, apart from out and count; or a computed input, or
///              sam::counted(flags, number) of an array or of such an input
/// out          integers that can hold the number of flags minus 1
/// Everything else is as for compact.
template <class Context, class Flags, class Out, class Count>
requires(!detail::is_location<Count>) void compact_indices_flagged(
    Context&& context, Flags const& flags, Out&& out, Count&& count,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact_indices_flagged(*detail::lend_context(context), flags,
                                        std::forward<Out>(out), std::forward<Count>(count), at);
  else if constexpr (detail::all_right<
                         detail::is_context<Context>,
                         detail::are_any_flags<detail::parameter::flags, Context, Flags>,
                         detail::writes_items<detail::parameter::out, Context, Out>,
                         detail::counts_to<detail::parameter::count, Context, Count>,
                         detail::holds_indices<Out>>)
    detail::with_place(context, count, [&](auto& place) {
      if constexpr (detail::are_read_as_items<Flags>)
        detail::compact_indices<detail::parameter::flags>("sam::compact_indices_flagged", context,
                                                          flags, out, detail::is_set{}, place, at);
      else
        detail::compact_indices_flagged(context, flags, out, place, at);
    });
}
template <class Context, class Flags, class Out>
index_t compact_indices_flagged(Context&& context, Flags const& flags, Out&& out,
                                std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::compact_indices_flagged(*detail::lend_context(context), flags,
                                        std::forward<Out>(out), at);
  else
    return detail::count_of(
        context, [&](auto count) { sam::compact_indices_flagged(context, flags, out, count, at); });
}

}  // namespace sam::inline v0_1
