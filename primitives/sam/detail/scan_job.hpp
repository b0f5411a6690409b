// SPDX-License-Identifier: MIT
// Defines the jobs of scans and of reductions, and runs them.
#pragma once

#include <sam/arguments/output.hpp>
#include <sam/backend/job.hpp>
#include <sam/detail/fill_job.hpp>
#include <sam/scan_options.hpp>

#include <functional>

namespace sam::inline v0_1::detail {

/// Stands for the item type of a job whose items are combined in one type and stored in another.
template <class Accumulator, class Output>
struct accumulated_in;

/// Names the types in which a job combines and stores items. The output is the item type of an
/// array, or a destination.
template <class T>
struct types_of_scan {
  using accumulator = result_of_t<T>;
  using output = T;
};
template <class Accumulator, class Output>
struct types_of_scan<accumulated_in<Accumulator, Output>> {
  using accumulator = Accumulator;
  using output = Output;
};
/// Names the T of a scan_job.
template <class Accumulator, class Output>
using scanned_as = std::conditional_t<std::is_same_v<Accumulator, result_of_t<Output>>, Output,
                                      accumulated_in<Accumulator, Output>>;

/// Loads an item, transforms it, and stores its scan value. In is the item type of an array, or a
/// source. T is the type of the scan values, or a destination of them, or an accumulated_in.
template <class In, class T, class Transform>
struct scan_job {
  using source_type = source_of_t<In>;
  using item = typename source_type::item;
  using accumulator = typename types_of_scan<T>::accumulator;
  using output_type = typename types_of_scan<T>::output;
  using stored = result_of_t<output_type>;
  static constexpr bool to_array = is_array_place<output_type>;
  static constexpr bool plain = std::is_same_v<Transform, std::identity> && is_array_source<In> &&
                                std::is_same_v<item, accumulator>;
  static constexpr bool rounds = !std::is_same_v<stored, accumulator>;
  static constexpr bool stores_each = !to_array;
  source_type in;
  place_of_t<output_type> out;
  Transform transform;

  SAM_FUNCTION auto reads() const requires(source_type::arrays > 0) { return in.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    if constexpr (sizeof...(P) == 0)
      return in.at(i);
    else
      return in.template read<0>(i, engine::make_pointers(p...));
  }
  SAM_FUNCTION accumulator to_accumulator(item x) const {
    if constexpr (std::is_same_v<Transform, std::identity>)
      return static_cast<accumulator>(x);
    else
      return static_cast<accumulator>(transform(x));
  }
  SAM_FUNCTION void store(index_t i, item, accumulator y) const {
    engine::put_result(out, i, static_cast<stored>(y));
  }

  SAM_FUNCTION accumulator const* source() const requires plain { return in.data; }
  SAM_FUNCTION stored* target() const requires to_array { return out; }
  SAM_FUNCTION stored output(item const&, accumulator const& y) const requires(rounds&& to_array) {
    return static_cast<stored>(y);
  }
  auto again() const requires to_array {
    return scan_job<stored, T, std::identity>{{out}, out, {}};
  }
};

/// Loads an item, transforms it, and stores only the scan values of the last row.
template <class In, class T, class Transform>
struct reduce_job : scan_job<In, T, Transform> {
  using base = scan_job<In, T, Transform>;
  static constexpr bool ends = true;
  static constexpr bool stores_each = false;
  using whole = base;
  index_t n;
  index_t components;

  SAM_FUNCTION void store(index_t i, typename base::item, typename base::accumulator y) const {
    if (n - i <= components)
      this->out[components == 1 ? 0 : i % components] = static_cast<typename base::stored>(y);
  }
  void target() const = delete;
  void output() const = delete;
  void again() const = delete;
};

/// Runs a scan whose arrays have been checked.
template <bound Bound, class Context, class In, class T, class Transform, class Policy, class Start>
void run_scan(Context& context, In const& in, checked_array<T> const& out,
              Transform const& transform, Policy const& policy, Start const& start) {
  index_t const n = in.size;
  if (n == 0)
    return;
  scan_job<job_input_t<In>, scanned_as<accumulator_of<Policy, T>, T>, Transform> const job{
      sam::detail::source_from(in), out.data, transform};
  auto const resolved = engine::resolve_policy<Bound>(detail::cut_to(n, policy), start);
  if constexpr (Policy::heading == direction::forward)
    context.run(n, job, resolved);
  else
    context.run(n, reversed<std::remove_const_t<decltype(job)>>{job, n}, resolved);
}

/// True if all rounds of a scan in Accumulator run as one, so that no round reads what another one
/// stored.
template <class Accumulator, class Resolved>
inline constexpr bool runs_in_one_round =
    Resolved::order == 1 || has_algebra<Accumulator, Resolved>;

/// Runs a scan to a computed output. Rounds that read one another's results need memory for them.
template <bound Bound, class Context, class In, class Destination, int Written, int Read,
          class Transform, class Policy, class Start>
void run_scan(Context& context, In const& in, checked_output<Destination, Written, Read> const& out,
              Transform const& transform, Policy const& policy, Start const& start) {
  using T = typename Destination::item;
  using A = accumulator_of<Policy, T>;
  index_t const n = in.size;
  if (n == 0)
    return;
  auto const resolved =
      engine::with_carry_scheme<carry::without_stored_values<typename Policy::carry>>(
          engine::resolve_policy<Bound>(detail::cut_to(n, policy), start));
  if constexpr (runs_in_one_round<A, std::remove_const_t<decltype(resolved)>>) {
    scan_job<job_input_t<In>, scanned_as<A, Destination>, Transform> const job{
        sam::detail::source_from(in), out.data, transform};
    if constexpr (Policy::heading == direction::forward)
      context.run(n, job, resolved);
    else
      context.run(n, reversed<std::remove_const_t<decltype(job)>>{job, n}, resolved);
  } else {
    checked_array<T> const scanned{engine::workspace<T>(context, n), n, out.name};
    detail::run_scan<Bound>(context, in, scanned, transform, policy, start);
    detail::give_items(context, n, scanned.data, out.data, known_count{n});
  }
}

// --- From a state, where work is done when a call returns ----------------------------------------

/// True if the host may read a state, run the scan from its one value, and write the state behind
/// the last item. Jobs that read states themselves cost a CPU the vector kernels.
template <bound Bound, class Context, class Policy, class T>
inline constexpr bool scans_at_once =
    !engine::works_on_device<Context> && Policy::order == 1 && Policy::tuple_size == 1 &&
    (Bound == bound::inclusive || has_identity<typename Policy::op_type, T>);

template <bound Bound, class Context, class In, class T, class Transform, class Policy,
          class Before, class State>
void scan_at_once(Context& context, In const& in, checked_array<T> const& out,
                  Transform const& transform, Policy const& policy, Before const& before,
                  State* after) {
  constexpr bool forward = Policy::heading == direction::forward;
  State state = *before;
  if (in.size > 0) {
    index_t const last = forward ? in.size - 1 : 0;
    if constexpr (Bound == bound::exclusive) {
      auto const item = static_cast<T>(transform(sam::detail::source_from(in).at(last)));
      T const start = state.has(0) ? state.value() : sam::empty_of<T>(policy.op);
      detail::run_scan<Bound>(context, in, out, transform, policy, from_value<T>{start});
      T const& y = out.data[last];
      state.values.at[0] = forward ? policy.op(y, item) : policy.op(item, y);
    } else {
      if (state.has(0))
        detail::run_scan<Bound>(context, in, out, transform, policy, from_value<T>{state.value()});
      else
        detail::run_scan<Bound>(context, in, out, transform, policy, from_nothing{});
      state.values.at[0] = out.data[last];
    }
    state.items += in.size;
  }
  *after = state;
}

template <class Context, class In, class Transform, class Policy, class Before, class State>
void reduce_at_once(Context& context, In const& in, Transform const& transform,
                    Policy const& policy, Before const& before, State* after) {
  using T = typename State::value_type;
  State state = *before;
  index_t const n = in.size;
  if (n > 0) {
    auto const run_from = [&](auto const& start) {
      T* const total = state.values.at;
      reduce_job<job_input_t<In>, T, Transform> const job{
          {sam::detail::source_from(in), total, transform}, n, 1};
      context.run(n, job,
                  engine::with_carry_scheme<carry::without_stored_values<typename Policy::carry>>(
                      engine::resolve_policy<bound::inclusive>(policy, start)));
    };
    if (state.has(0))
      run_from(from_value<T>{state.value()});
    else
      run_from(from_nothing{});
    state.items += n;
  }
  *after = state;
}

}  // namespace sam::inline v0_1::detail
