// SPDX-License-Identifier: MIT
// Defines the jobs of recurrences and filters of streams.
#pragma once

#include <sam/detail/recurrence/recurrence_job.hpp>
#include <sam/detail/states/carried_scan.hpp>

namespace sam::inline v0_1::detail {

/// Computes a recurrence of a stream.
template <class A, class B, class Out, class Number>
struct stream_recurrence_job : recurrence_terms<A, B> {
  using T = result_of_t<Out>;
  static constexpr bound kind = bound::inclusive;
  static constexpr bool stores_each = true;
  static constexpr bool computes =
      !is_array_source<A> || !is_array_source<B> || !is_array_place<Out>;
  place_of_t<Out> out;
  Number number;

  SAM_FUNCTION index_t count() const { return number(); }
  SAM_FUNCTION affine_map<T> load(index_t i) const {
    auto const x = recurrence_terms<A, B>::load(i);
    return {static_cast<T>(x.a), static_cast<T>(x.b)};
  }
  SAM_FUNCTION void store(index_t i, affine_map<T> const& y) const {
    engine::put_result(out, i, y.b);
  }
};

/// Filters a stream.
template <class B, class Out, int Q, class Number>
struct stream_filter_job {
  using T = result_of_t<Out>;
  using terms = filter_terms<T, Q>;
  using run = typename terms::accumulator;
  static constexpr bound kind = bound::inclusive;
  static constexpr bool stores_each = true;
  static constexpr bool computes = !is_array_source<B> || !is_array_place<Out>;
  source_of_t<B> in;
  place_of_t<Out> out;
  filter_ring<T, Q> ring;
  Number number;

  SAM_FUNCTION index_t count() const { return number(); }
  SAM_FUNCTION run load(index_t i) const { return terms::term(ring, static_cast<T>(in.at(i))); }
  SAM_FUNCTION void store(index_t i, run const& y) const {
    engine::put_result(out, i, terms::state(y).at[Q - 1]);
  }
};

template <class T, int Q>
using filter_stream_policy =
    scan_policy<decltype(detail::join_runs_of(std::declval<filter_ring<T, Q>>()))>;

/// Checks the states of a recurrence or a filter, which must be of type State.
template <class Context, class Before, class After, class State>
struct are_stream_states {
  static constexpr bool right = std::is_same_v<std::remove_cvref_t<place_item_t<Before>>, State> &&
                                std::is_same_v<std::remove_cvref_t<place_item_t<After>>, State>;
  static_assert(right,
                "sam: before and after must be recurrence_stream_states of out's item type or, "
                "of a filter, filter_stream_states of it and of as many coefficients");
  static constexpr bool value = [] {
    if constexpr (right)
      return all_right<reads_state<Context, Before>, writes_state<Context, After>>;
    else
      return false;
  }();
};

/// Checks the states before and after some inputs, and calls run(before, after).
template <class Context, class Before, class Place, class To, class Counted, class Run,
          class... Inputs>
void with_stream_states(checked_call<Context> const& call, Before const& before, Place& place,
                        To const& to, Counted const& counted, Run const& run,
                        Inputs const&... inputs) {
  auto const start = sam::detail::state_before(call, before, to);
  auto const state = call.template output<parameter::after>(place);
  call.size_is(state, 1, "one state");
  call.apart(state, to);
  sam::detail::expect_outputs_apart(call, state, to);
  sam::detail::expect_output_apart(call, state, inputs...);
  sam::detail::states_apart(call, start, state.data);
  detail::apart_from_count(call, counted, state);
  run(start, state.data);
}

}  // namespace sam::inline v0_1::detail
