// SPDX-License-Identifier: MIT
// Runs scans and reductions from one stream_state to another.
#pragma once

#include <sam/detail/counted_input.hpp>
#include <sam/detail/scan_job.hpp>
#include <sam/detail/states/carried_scan_job.hpp>
#include <sam/detail/stream/stream_passes.hpp>
#include <sam/detail/workspace_parts.hpp>

namespace sam::inline v0_1::detail {

/// The items of an array as a stream takes them, and the places of their results.
///
/// Op       the operator, flipped for a backward scan
template <class In, class Out, class Accumulator, class Transform, class Op, class Count,
          bound Bound, direction Direction, bool StoresEach>
struct stream_scan_job {
  using T = Accumulator;
  using stored = result_of_t<Out>;
  static constexpr bound kind = Bound;
  static constexpr bool stores_each = StoresEach;
  static constexpr bool computes =
      !is_array_source<In> || !is_array_place<Out> || !std::is_same_v<Transform, std::identity>;
  source_of_t<In> in;
  place_of_t<Out> out;
  Transform transform;
  Op op;
  Count number;

  SAM_FUNCTION index_t count() const { return number(); }
  SAM_FUNCTION T load(index_t p) const {
    return detail::transformed_item<T>(in, transform, index_of(p));
  }
  SAM_FUNCTION void store(index_t p, T const& y) const {
    engine::put_result(out, index_of(p), static_cast<stored>(y));
  }
  SAM_FUNCTION void store_empty([[maybe_unused]] index_t p) const {
    if constexpr (has_identity<Op, T>)
      store(p, sam::empty_of<T>(op));
  }

 private:
  SAM_FUNCTION index_t index_of(index_t p) const {
    return Direction == direction::forward ? p : number() - 1 - p;
  }
};

/// Returns the number of items before an array if the host knows it, else -1. No number means
/// anything in calls that are measured.
template <class Context, class Before>
index_t items_of_state(Context const& context, Before const& before) {
  if (engine::works_on_device<Context> && std::is_pointer_v<Before>)
    return -1;
  return engine::measures(context) ? -1 : (*before).items;
}

/// Plans the passes of n items.
template <class State, class Context, class Before>
auto stream_plan_for(Context const& context, index_t n, Before const& before) {
  return stream_plan<typename State::group_type, State::components>(
      n, detail::items_of_state(context, before), context.teams_at_once());
}
/// Returns workspace, of which few items need none.
template <class T, class Context>
T* workspace_for_stream(Context& context, index_t n) {
  return n > 0 ? engine::workspace<T>(context, n) : nullptr;
}

/// Runs a job over up to n items of a stream, in one round.
template <class Context, class Job, class Op, class Before, class State>
void run_stream(Context& context, index_t n, Job const& job, Op const& op, Before const& before,
                State* after) {
  if (n == 0)
    return detail::copy_state(context, before, after);
  auto const plan = detail::stream_plan_for<State>(context, n, before);
  auto* const groups =
      detail::workspace_for_stream<typename State::group_type>(context, plan.groups);
  detail::run_stream_round(context, stream_round<Job, Op, Before, State>{job, op, before, after, 0},
                           plan, groups);
}

/// Runs a round of the scan of a stream from one stream_state to another.
template <bound Bound, class In, class Out, class Context, class Transform, class Policy,
          class Before, class State, class Count, class Plan>
void run_stream_scan_round(Context& context, Plan const& plan, source_of_t<In> const& in,
                           place_of_t<Out> const& out, Transform const& transform,
                           Policy const& policy, Before const& before, State* after,
                           Count const& count, typename State::group_type* groups, int round) {
  auto const op = detail::operator_in_scan_order(policy);
  using op_type = std::remove_const_t<decltype(op)>;
  using job = stream_scan_job<In, Out, typename State::group_type, Transform, op_type, Count, Bound,
                              Policy::heading, true>;
  stream_round<job, op_type, Before, State> const all{
      {in, out, transform, op, count}, op, before, after, round};
  detail::run_stream_round(context, all, plan, groups);
}

/// Runs a scan of up to n items from one stream_state to another: one round for each order, of
/// which the later ones read the results of the earlier ones.
template <bound Bound, class In, class Out, class Context, class Transform, class Policy,
          class Before, class State, class Count>
void run_stream_scan(Context& context, index_t n, source_of_t<In> const& in,
                     place_of_t<Out> const& out, Transform const& transform, Policy const& policy,
                     Before const& before, State* after, Count const& count) {
  using T = typename State::value_type;
  if (n == 0)
    return detail::copy_state(context, before, after);
  constexpr bool keeps_rounds = Policy::order > 1 && !std::is_same_v<T, Out>;
  auto const plan = detail::stream_plan_for<State>(context, n, before);
  workspace_parts sizes(nullptr);
  sizes.take<T>(plan.groups);
  sizes.take<T>(keeps_rounds ? n : 0);
  workspace_parts parts(detail::workspace_for_stream<std::byte>(context, sizes.bytes()));
  T* const groups = parts.take<T>(plan.groups);
  auto const run =
      [&]<class Source, class To, class F>(std::type_identity<Source>, std::type_identity<To>,
                                           source_of_t<Source> const& from,
                                           place_of_t<To> const& to, F const& f, int round) {
        detail::run_stream_scan_round<Bound, Source, To>(context, plan, from, to, f, policy, before,
                                                         after, count, groups, round);
      };
  if constexpr (Policy::order == 1) {
    run(std::type_identity<In>{}, std::type_identity<Out>{}, in, out, transform, 0);
  } else {
    std::type_identity<T> const scanned;
    T* results;
    if constexpr (keeps_rounds)
      results = parts.take<T>(n);
    else
      results = out;
    run(std::type_identity<In>{}, scanned, in, results, transform, 0);
    for (int round = 1; round < Policy::order; ++round)
      run(scanned, scanned, engine::array_source<T>{results}, results, std::identity{}, round);
    if constexpr (keeps_rounds)
      detail::run_first(
          context, n,
          copy_input_job<engine::array_source<T>, Out>{engine::array_source<T>{results}, out},
          count);
  }
}

/// Runs a reduction of up to n items from one stream_state to another. Its bits are those of the
/// scan's last results.
template <class In, class Context, class Transform, class Policy, class Before, class State,
          class Count>
void run_stream_reduce(Context& context, index_t n, source_of_t<In> const& in,
                       Transform const& transform, Policy const& policy, Before const& before,
                       State* after, Count const& count) {
  using T = typename State::value_type;
  auto const op = policy.op;  // a reduction goes forward
  stream_scan_job<In, T, T, Transform, std::remove_const_t<decltype(op)>, Count, bound::inclusive,
                  direction::forward, false> const job{in, nullptr, transform, op, count};
  detail::run_stream(context, n, job, op, before, after);
}

}  // namespace sam::inline v0_1::detail
