// SPDX-License-Identifier: MIT
// Checks and runs scans that continue from a state, or whose number of items lies in the context's
// memory.
#pragma once

#include <sam/detail/counted_input.hpp>
#include <sam/detail/scan_job.hpp>
#include <sam/detail/states/carried_scan_job.hpp>
#include <sam/detail/states/stream_scan.hpp>
#include <sam/scan_options.hpp>

namespace sam::inline v0_1::detail {

// --- Checks at compile time ----------------------------------------------------------------------

/// True if an argument is a scan_state, or an array of them.
template <class A>
inline constexpr bool holds_states = is_scan_state<std::remove_cvref_t<place_item_t<A>>>;

/// Checks the type of a state.
template <class A, class T, class Policy, bound Bound>
struct is_state_for {
  static constexpr bool is_fixed = Policy::tuple_size != run_time_tuple;
  static_assert(is_fixed,
                "sam: policies whose tuple size is known at run time only have no states");
  static constexpr bool value =
      is_fixed && is_state_of<std::remove_cvref_t<place_item_t<A>>, T, Policy, Bound>;
  static_assert(value || !is_fixed,
                "sam: before and after must be scan_states of out's item type, or that of "
                "accumulate_in, and of the call's policy, or stream_states of these; "
                "exclusive scans of orders above 1 take an exclusive_scan_state or an "
                "exclusive_stream_state");
};
template <class Before, class After>
struct are_one_state {
  static constexpr bool value = std::is_same_v<std::remove_cvref_t<place_item_t<Before>>,
                                               std::remove_cvref_t<place_item_t<After>>>;
  static_assert(value, "sam: before and after must be states of the same type");
};
/// Checks a state that is read: an array in reach, or a variable that is passed by value.
template <class Context, class A, bool IsArray = array<A>>
struct reads_state {
  static constexpr bool value = sizeof(A) <= 1024;
  static_assert(value, "sam: before is a variable of more than 1024 bytes; pass an array of one "
                       "state in memory that the context reaches");
};
template <class Context, class A>
struct reads_state<Context, A, true> : reads_from<parameter::before, Context, A> {};
/// Checks a place that receives a state.
template <class Context, class A, bool IsArray = array<A>>
struct writes_state : parameter::after::is_place<A&> {};
template <class Context, class A>
struct writes_state<Context, A, true> : writes_to<parameter::after, Context, A> {};

// --- Arguments -----------------------------------------------------------------------------------

/// Returns what a job holds of the state that is read.
template <class Context, class A, class Out>
auto state_before(checked_call<Context> const& call, A const& before, Out const& out) {
  if constexpr (array<A>) {
    auto const state = call.template input<parameter::before>(before);
    call.size_is(state, 1, "one state");
    call.apart(out, state);
    sam::detail::expect_apart_from_inputs(call, out, state);
    return state.data;
  } else {
    return held_state<A>{before};
  }
}
template <class Context, class A, class Out>
auto state_after(checked_call<Context> const& call, A& after, extent const& in, Out const& out) {
  auto const state = call.template output<parameter::after>(after);
  call.size_is(state, 1, "one state");
  call.apart(state, in);
  call.apart(state, out);
  sam::detail::expect_outputs_apart(call, state, out);
  return state.data;
}
template <class Context, class State>
void states_apart(checked_call<Context> const& call, State const* before, State const* after) {
  call.apart(extent{after, 1, sizeof(State), "after"}, extent{before, 1, sizeof(State), "before"});
}
template <class Context, class State, class Before>
void states_apart(checked_call<Context> const&, held_state<Before> const&, State const*) {}

/// Waits for the work if a state is left in a variable, which the next call may copy at once.
template <class Context, class After>
void wait_for_variable(Context& context, After const&) {
  if constexpr (!array<After>)
    context.wait();
}

// --- Runs ----------------------------------------------------------------------------------------

/// Names the job that scans from a state.
template <class In, class Out, class Accumulator, class Transform, class Policy, class Before,
          class State, class Count, bound Bound>
using carried_job_of = carried_scan_job<
    In, Out, Accumulator, Transform,
    std::remove_cvref_t<decltype(detail::operator_in_scan_order(std::declval<Policy>()))>, Before,
    State*, Count, Bound, Policy::heading>;

/// Runs one round of a scan with states: a scan of order 1. `Only` names the job's type, given that
/// of the scan.
template <bound Bound, template <class> class Only, class In, class Out, class Context,
          class Transform, class Policy, class Before, class State, class Count>
void run_carried_round(Context& context, index_t n, source_of_t<In> const& in,
                       place_of_t<Out> const& out, Transform const& transform, Policy const& policy,
                       Before const& before, State* after, Count const& count, int round) {
  using T = accumulator_of<Policy, result_of_t<Out>>;
  auto const op = detail::operator_in_scan_order(policy);
  using op_type = std::remove_const_t<decltype(op)>;
  using carry_type = carry::without_stored_values<typename Policy::carry>;
  constexpr bool lacks_identity = Bound == bound::exclusive && !has_identity<op_type, T>;
  using scanned = std::conditional_t<lacks_identity, maybe<T>, T>;
  using job = carried_job_of<In, Out, scanned, Transform, Policy, Before, State, Count, Bound>;
  Only<job> const work{job{in, out, transform, op, before, after, count, round}};
  if constexpr (lacks_identity) {
    using scan = scan_policy<maybe_operator<op_type>, 1, Policy::tuple_size, carry_type>;
    maybe<T> none;
    none.some = false;
    context.run(n, work, engine::resolve_policy<Bound>(scan{{op}}, from_value<maybe<T>>{none}));
  } else {
    using scan = scan_policy<op_type, 1, Policy::tuple_size, carry_type>;
    if constexpr (Bound == bound::inclusive)
      context.run(n, work, engine::resolve_policy<Bound>(scan{op}, from_nothing{}));
    else
      context.run(n, work,
                  engine::resolve_policy<Bound>(scan{op}, from_value<T>{sam::identity_of<T>(op)}));
  }
}

/// Runs a scan with states: one round for each order, of which the later ones read out. Rounds need
/// memory for their results if out is computed, or if its items are of another type than the scan
/// values. So results are converted once, behind the last round.
template <bound Bound, class In, class Out, class Context, class Transform, class Policy,
          class Before, class State, class Count>
void run_carried_scan(Context& context, index_t n, source_of_t<In> const& in,
                      place_of_t<Out> const& out, Transform const& transform, Policy const& policy,
                      Before const& before, State* after, Count const& count) {
  using T = accumulator_of<Policy, result_of_t<Out>>;
  if (n == 0)
    return detail::copy_state(context, before, after);
  if constexpr (Policy::order > 1 && !std::is_same_v<T, Out>) {
    using source = engine::array_source<T>;
    T* const scanned = engine::workspace<T>(context, n);
    detail::run_carried_scan<Bound, In, T>(context, n, in, scanned, transform, policy, before,
                                           after, count);
    detail::run_first(context, n, copy_input_job<source, Out>{source{scanned}, out}, count);
  } else {
    detail::run_carried_round<Bound, std::type_identity_t, In, Out>(
        context, n, in, out, transform, policy, before, after, count, 0);
    if constexpr (Policy::order > 1)
      for (int round = 1; round < Policy::order; ++round)
        detail::run_carried_round<Bound, std::type_identity_t, T, T>(
            context, n, array_source<T>{out}, out, std::identity{}, policy, before, after, count,
            round);
  }
}

/// Checks and runs a scan of `in`, which may be counted, from one state to another.
template <bound Bound, class Context, class In, class Out, class Transform, class Policy,
          class Before, class After>
void carried_scan(char const* function, Context& context, In const& in, Out& out,
                  Transform const& transform, std::source_location at, Policy const& policy,
                  Before const& before, After& after) {
  sam::detail::expect_runs_on<Context, Transform, item_or_any_t<array_within_t<In>>>();
  sam::detail::with_place(context, after, [&](auto& place) {
    checked_call const call(context, function, at);
    auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
    auto const to = sam::detail::output_of<parameter::out>(call, out);
    call.same_size(to, from);
    sam::detail::in_place_or_apart(call, to, from);
    auto const count = detail::count_in(call, in, from.size);
    detail::apart_from_count(call, in, to);
    auto const start = detail::state_before(call, before, to);
    auto* const end = detail::state_after(call, place, from, to);
    detail::states_apart(call, start, end);
    sam::detail::apart_from_arrays(call, extent{end, 1, sizeof(*end), "after"}, from);
    detail::apart_from_count(call, in, extent{end, 1, sizeof(*end), "after"});
    using T = item_or_any_t<Out>;
    using in_type = job_input_t<std::remove_const_t<decltype(from)>>;
    using to_type = job_output_t<std::remove_const_t<decltype(to)>>;
    constexpr bool keeps_values = std::is_same_v<accumulator_of<Policy, T>, T>;
    if constexpr (is_stream_state<std::remove_pointer_t<decltype(end)>>)
      detail::run_stream_scan<Bound, in_type, to_type>(context, from.size,
                                                       sam::detail::source_from(from), to.data,
                                                       transform, policy, start, end, count);
    else if constexpr (array<Out> && keeps_values && scans_at_once<Bound, Context, Policy, T>)
      detail::scan_at_once<Bound>(context, detail::items_taken(call, in, from), to, transform,
                                  policy, start, end);
    else
      detail::run_carried_scan<Bound, in_type, to_type>(context, from.size,
                                                        sam::detail::source_from(from), to.data,
                                                        transform, policy, start, end, count);
  });
  detail::wait_for_variable(context, after);
}

/// Checks and runs a scan of a counted array without states.
template <bound Bound, class Context, class In, class Out, class Transform, class Policy,
          class Start>
void counted_scan(char const* function, Context& context, In const& in, Out& out,
                  Transform const& transform, std::source_location at, Policy const& policy,
                  Start const& start) {
  using T [[maybe_unused]] = item_or_any_t<Out>;
  using A [[maybe_unused]] = accumulator_of<Policy, T>;
  sam::detail::expect_runs_on<Context, Transform, item_or_any_t<array_within_t<In>>>();
  checked_call const call(context, function, at);
  auto const from = sam::detail::input_of<parameter::in>(call, in.items);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  sam::detail::expect_components(call, policy);
  call.same_size(to, from);
  sam::detail::in_place_or_apart(call, to, from);
  detail::apart_from_count(call, in, to);
  if constexpr (counts_later<Context, In>) {
    auto const count = detail::count_in(call, in, from.size);
    if (from.size == 0)
      return;
    auto const op = detail::operator_in_scan_order(policy);
    using op_type = std::remove_const_t<decltype(op)>;
    using scan = scan_policy<op_type, Policy::order, Policy::tuple_size,
                             carry::without_stored_values<typename Policy::carry>>;
    auto const resolved = engine::resolve_policy<Bound>(
        detail::cut_to(from.size, scan{op, policy.components}), start);
    auto const run = [&]<class To>(std::type_identity<To>, place_of_t<To> const& place) {
      using in_type = job_input_t<std::remove_const_t<decltype(from)>>;
      auto const source = sam::detail::source_from(from);
      if constexpr (Policy::heading == direction::forward) {
        scan_job<in_type, scanned_as<A, To>, Transform> const job{source, place, transform};
        context.run(from.size, detail::storing_first(job, count), resolved);
      } else {
        using job = carried_scan_job<in_type, To, A, Transform, op_type, no_state, no_state,
                                     std::remove_const_t<decltype(count)>, Bound, Policy::heading>;
        context.run(from.size, job{source, place, transform, op, {}, {}, count, 0}, resolved);
      }
    };
    using to_type = job_output_t<std::remove_const_t<decltype(to)>>;
    if constexpr (is_array_place<to_type> ||
                  runs_in_one_round<A, std::remove_const_t<decltype(resolved)>>) {
      run(std::type_identity<to_type>{}, to.data);
    } else {
      T* const scanned = engine::workspace<T>(context, from.size);
      run(std::type_identity<T>{}, scanned);
      detail::give_items(context, from.size, scanned, to.data, count);
    }
  } else {
    detail::run_scan<Bound>(context, detail::items_taken(call, in, from), to, transform, policy,
                            start);
  }
}

// --- Reductions ----------------------------------------------------------------------------------

/// Checks and runs a reduction from one state to another.
template <class Context, class In, class Transform, class Policy, class Before, class After>
void carried_reduce(char const* function, Context& context, In const& in,
                    Transform const& transform, std::source_location at, Policy const& policy,
                    Before const& before, After& after) {
  using T = typename place_item_t<After>::value_type;
  sam::detail::expect_runs_on<Context, Transform, item_or_any_t<array_within_t<In>>>();
  sam::detail::with_place(context, after, [&](auto& place) {
    checked_call const call(context, function, at);
    auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
    auto const count = detail::count_in(call, in, from.size);
    extent const none{nullptr, 0, 1, "out"};
    auto const start = detail::state_before(call, before, none);
    auto* const end = detail::state_after(call, place, from, none);
    detail::states_apart(call, start, end);
    sam::detail::apart_from_arrays(call, extent{end, 1, sizeof(*end), "after"}, from);
    using source = job_input_t<std::remove_const_t<decltype(from)>>;
    detail::apart_from_count(call, in, extent{end, 1, sizeof(*end), "after"});
    if constexpr (is_stream_state<std::remove_pointer_t<decltype(end)>>)
      detail::run_stream_reduce<source>(context, from.size, sam::detail::source_from(from),
                                        transform, policy, start, end, count);
    else if constexpr (scans_at_once<bound::inclusive, Context, Policy, T> &&
                       Policy::heading == direction::forward)
      detail::reduce_at_once(context, detail::items_taken(call, in, from), transform, policy, start,
                             end);
    else if (from.size == 0)
      detail::copy_state(context, start, end);
    else
      detail::run_carried_round<bound::inclusive, carried_reduce_job, source, T>(
          context, from.size, sam::detail::source_from(from), static_cast<T*>(nullptr), transform,
          policy, start, end, count, 0);
  });
  detail::wait_for_variable(context, after);
}

/// Runs a reduction of a counted array whose arguments have been checked. Components without items
/// hold their result already, if there is one.
template <class In, class Context, class T, class Transform, class Policy, class Start, class Count>
void run_counted_reduce(Context& context, index_t capacity, source_of_t<In> const& in, T* out,
                        Transform const& transform, Policy const& policy, Start const& start,
                        Count const& count) {
  using op_type = typename Policy::op_type;
  using A = accumulator_of<Policy, T>;
  using results = scanned_as<A, T>;
  auto const resolved =
      engine::with_carry_scheme<carry::without_stored_values<typename Policy::carry>>(
          engine::resolve_policy<bound::inclusive>(policy, start));
  if constexpr (has_identity<op_type, A>)
    context.run(capacity,
                counted_reduce_job<In, results, Transform, op_type, Start, Count>{
                    in, out, transform, policy.op, count, capacity, policy.components},
                resolved);
  else
    context.run(capacity,
                counted_last_row_job<In, results, Transform, Count>{in, out, transform, count,
                                                                    policy.components},
                resolved);
}

}  // namespace sam::inline v0_1::detail
