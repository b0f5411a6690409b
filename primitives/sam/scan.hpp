// SPDX-License-Identifier: MIT
// Defines inclusive_scan and exclusive_scan, and versions with a transform fused into the load.
#pragma once

#include <sam/arguments/output.hpp>
#include <sam/detail/scan_job.hpp>
#include <sam/detail/states/carried_scan.hpp>
#include <sam/scan_options.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

/// Returns the later of two items: an exclusive scan with it yields every item's predecessor.
struct rightmost {
  static constexpr bool idempotent = true;
  template <class T>
  SAM_FUNCTION constexpr T operator()(T, T b) const {
    return b;
  }
};

/// Checks a scan at compile time.
template <class Context, class In, class Out, class Transform, class... Options>
using is_scan =
    std::conjunction<is_context<Context>, reads_items<parameter::in, Context, In>,
                     writes_items<parameter::out, Context, Out>,
                     are_scan_options<accumulator_for<Out, Options...>, Options...>,
                     calls_operator<Context, accumulator_for<Out, Options...>, Options...>,
                     is_transform<Transform, In, accumulator_for<Out, Options...>>,
                     stores_accumulator<accumulator_for<Out, Options...>, item_or_any_t<Out>>,
                     runs_on<Context, Transform, item_or_any_t<In>>>;

/// Checks a scan with states at compile time.
template <bound Bound, class Context, class In, class Out, class Transform, class Option,
          class Before, class After>
using is_carried_scan = std::conjunction<
    is_scan<Context, array_within_t<In>, Out, Transform, Option>, reads_number<Context, In>,
    is_state_for<Before, accumulator_for<Out, Option>,
                 decltype(sam::as_policy(std::declval<Option>())), Bound>,
    are_one_state<Before, After>, reads_state<Context, Before>, writes_state<Context, After>>;

template <bound Bound, class Context, class In, class Out, class Transform, class... Options>
void scan(char const* function, Context& context, In const& in, Out& out,
          Transform const& transform, std::source_location at, Options const&... given) {
  using T = accumulator_for<Out, Options...>;
  if constexpr (stands_for_context<Context>) {
    sam::detail::scan<Bound>(function, *sam::detail::lend_context(context), in, out, transform, at,
                             given...);
  } else if constexpr (fuses_transform<In, Transform>) {
    sam::detail::scan<Bound>(function, context, in.base, out, in.f, at, given...);
  } else if constexpr (is_counted<In>) {
    if constexpr (std::conjunction_v<
                      is_scan<Context, array_within_t<In>, Out, Transform, Options...>,
                      reads_number<Context, In>, has_a_start<Bound, T, Options...>>) {
      auto const options = sam::detail::scan_options_of<T>(given...);
      sam::detail::counted_scan<Bound>(
          function, context, in, out, transform, at, options.policy,
          sam::detail::start_of<Bound, T>(options.policy, options.start));
    }
  } else if constexpr (is_scan<Context, In, Out, Transform, Options...>::value) {
    if constexpr (has_a_start<Bound, T, Options...>::value) {
      sam::detail::expect_runs_on<Context, Transform, item_or_any_t<In>>();
      auto const options = sam::detail::scan_options_of<T>(given...);
      checked_call const call(context, function, at);
      auto const from = sam::detail::input_of<parameter::in>(call, in);
      auto const to = sam::detail::output_of<parameter::out>(call, out);
      sam::detail::expect_components(call, options.policy);
      call.same_size(to, from);
      sam::detail::in_place_or_apart(call, to, from);
      sam::detail::run_scan<Bound>(context, from, to, transform, options.policy,
                                   sam::detail::start_of<Bound, T>(options.policy, options.start));
    }
  }
}

template <bound Bound, class Context, class In, class Out, class Transform, class Option,
          class Before, class After>
void scan_on(char const* function, Context& context, In const& in, Out& out,
             Transform const& transform, std::source_location at, Option const& option,
             Before const& before, After& after) {
  if constexpr (stands_for_context<Context>)
    sam::detail::scan_on<Bound>(function, *sam::detail::lend_context(context), in, out, transform,
                                at, option, before, after);
  else if constexpr (is_carried_scan<Bound, Context, In, Out, Transform, Option, Before,
                                     After>::value)
    sam::detail::carried_scan<Bound>(function, context, in, out, transform, at,
                                     sam::as_policy(option), before, after);
}

}  // namespace detail

/// Computes an inclusive scan: out[i] combines, in index order, in[i] and all earlier items of its
/// component (i % tuple_size); applied `order` times. A backward policy combines in[i] and all
/// later ones.
///
/// in, out      n items each, in memory that `context` reaches. in may be sam::counted(items,
///              number), whose number lies in that memory; items of out past that number keep their
///              values. in may be a computed input (<sam/inputs.hpp>), and out a computed output
///              (<sam/outputs.hpp>), whose arrays lie apart from all others. out may be in; any
///              other overlap is an error. n may be 0, may exceed 2^32, and need not be a multiple
///              of the tuple size. Any alignment that the item type allows. Items of in are
///              converted to out's item type as they are loaded; a conversion that may lose values
///              does not compile (see sam::converted)
/// options      up to two more arguments, in either order: a scan_policy, or just an operator on
///              out's item type (the default is plus); and an initial value, which stands before
///              the first item of every component, in every round. sam::accumulate_in selects the
///              type in which items are combined, if that is not out's item type
/// traffic      n reads and n writes of one item, for every order and tuple size, with the
///              single-pass schemes
/// workspace    none per call: `context` holds a constant amount, and grows it where a policy needs
///              more than any before it
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ, out overlaps in, or the policy has no
///                                     components; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Maleki, Yang, Burtscher, PLDI 2016, sections 2.2 to 2.4
template <class Context, class In, class Out>
void inclusive_scan(Context&& context, In const& in, Out&& out,
                    std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::inclusive>("sam::inclusive_scan", context, in, out, std::identity{},
                                         at);
}
template <class Context, class In, class Out, class Option>
void inclusive_scan(Context&& context, In const& in, Out&& out, Option option,
                    std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::inclusive>("sam::inclusive_scan", context, in, out, std::identity{},
                                         at, option);
}
template <class Context, class In, class Out, class Option,
          class Other = detail::item_or_any_t<Out>>
void inclusive_scan(Context&& context, In const& in, Out&& out, Option option, Other other,
                    std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::inclusive>("sam::inclusive_scan", context, in, out, std::identity{},
                                         at, option, other);
}

/// Continues an inclusive scan: scans n more items from the state `before` them, and leaves the
/// state behind them in `after`. So arrays are scanned one after another as one scan. `after` also
/// has the totals: for a policy of tuple size 1, after.value() is the last output.
///
/// in, out      as above; in may be sam::counted(items, number)
/// policy       a scan_policy or an operator; its tuple size is known at compile time
/// before       a scan_state<T, Policy> of out's item type T, or of the type of sam::accumulate_in:
///              a variable, which is copied by the call, or an array of one in memory that
///              `context` reaches. A default state begins a scan; scan_state::starting_from(init)
///              begins one with an initial value. Or a stream_state<T, Policy>, with which floats
///              get the bits of one call with stream_states for all items
/// after        a place for a state of that type: a variable, or an array of one, apart from all
///              other arrays. For a variable, which may be the one passed as `before`, the call
///              waits
/// traffic      n reads and n writes of one item for each order; from a stream_state 2 n reads
/// workspace    none for order 1. For a higher one, n items if out is a computed output, or if
///              sam::accumulate_in names another type than out's. From a stream_state, also an item
///              for each 4,096 items of up to 8 bytes; for tuples and larger items, for each 256 or
///              16
/// determinism  the same bits on every run and for every number of threads. Integers get the bits
///              of one scan of all arrays, whatever their sizes. So do floats with a stream_state;
///              with a scan_state they may be rounded differently, since the items of each array
///              are grouped from its begin
/// throws       as above. Also sam::invalid_argument if `before` or `after` is an array of any
///              other size than 1, or `after` overlaps another array
template <class Context, class In, class Out, class Option, class Before, class After>
requires(detail::holds_states<Before>&& detail::holds_states<After>) void inclusive_scan(
    Context&& context, In const& in, Out&& out, Option policy, Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  detail::scan_on<engine::bound::inclusive>("sam::inclusive_scan", context, in, out,
                                            std::identity{}, at, policy, before, after);
}

/// Computes an exclusive scan: out[i] combines, in index order, all items of its component before i
/// (backward: after i), from the initial value on; applied `order` times. Without an initial value
/// it starts from the combination of no items, which is 0 for a sum and the identity of any other
/// operator; one that has none does not compile.
///
/// Everything else is as for inclusive_scan.
template <class Context, class In, class Out>
void exclusive_scan(Context&& context, In const& in, Out&& out,
                    std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::exclusive>("sam::exclusive_scan", context, in, out, std::identity{},
                                         at);
}
template <class Context, class In, class Out, class Option>
void exclusive_scan(Context&& context, In const& in, Out&& out, Option option,
                    std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::exclusive>("sam::exclusive_scan", context, in, out, std::identity{},
                                         at, option);
}
template <class Context, class In, class Out, class Option,
          class Other = detail::item_or_any_t<Out>>
void exclusive_scan(Context&& context, In const& in, Out&& out, Option option, Other other,
                    std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::exclusive>("sam::exclusive_scan", context, in, out, std::identity{},
                                         at, option, other);
}

/// Continues an exclusive scan as the inclusive_scan with states does. Without an item or an
/// initial value before it, the first item of a component receives the combination of no items;
/// if the operator has no identity, its output is not written, and a scan of an order above 1 needs
/// a state with an item of each component.
template <class Context, class In, class Out, class Option, class Before, class After>
requires(detail::holds_states<Before>&& detail::holds_states<After>) void exclusive_scan(
    Context&& context, In const& in, Out&& out, Option policy, Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  detail::scan_on<engine::bound::exclusive>("sam::exclusive_scan", context, in, out,
                                            std::identity{}, at, policy, before, after);
}

/// Computes an inclusive_scan of transform(in[i]), once per item with a single-pass scheme, as
/// items are loaded. The result of the transform is converted to out's item type; a floating-point
/// result for integer items does not compile. in may be of any trivially copyable type.
template <class Context, class In, class Out, class Transform>
void transform_inclusive_scan(Context&& context, In const& in, Out&& out, Transform transform,
                              std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::inclusive>("sam::transform_inclusive_scan", context, in, out,
                                         transform, at);
}
template <class Context, class In, class Out, class Transform, class Option>
void transform_inclusive_scan(Context&& context, In const& in, Out&& out, Transform transform,
                              Option option,
                              std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::inclusive>("sam::transform_inclusive_scan", context, in, out,
                                         transform, at, option);
}
template <class Context, class In, class Out, class Transform, class Option,
          class Other = detail::item_or_any_t<Out>>
void transform_inclusive_scan(Context&& context, In const& in, Out&& out, Transform transform,
                              Option option, Other other,
                              std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::inclusive>("sam::transform_inclusive_scan", context, in, out,
                                         transform, at, option, other);
}

template <class Context, class In, class Out, class Transform, class Option, class Before,
          class After>
requires(detail::holds_states<Before>&& detail::holds_states<After>) void transform_inclusive_scan(
    Context&& context, In const& in, Out&& out, Transform transform, Option policy,
    Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  detail::scan_on<engine::bound::inclusive>("sam::transform_inclusive_scan", context, in, out,
                                            transform, at, policy, before, after);
}

/// Computes an exclusive_scan of transform(in[i]); see transform_inclusive_scan.
template <class Context, class In, class Out, class Transform>
void transform_exclusive_scan(Context&& context, In const& in, Out&& out, Transform transform,
                              std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::exclusive>("sam::transform_exclusive_scan", context, in, out,
                                         transform, at);
}
template <class Context, class In, class Out, class Transform, class Option>
void transform_exclusive_scan(Context&& context, In const& in, Out&& out, Transform transform,
                              Option option,
                              std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::exclusive>("sam::transform_exclusive_scan", context, in, out,
                                         transform, at, option);
}
template <class Context, class In, class Out, class Transform, class Option,
          class Other = detail::item_or_any_t<Out>>
void transform_exclusive_scan(Context&& context, In const& in, Out&& out, Transform transform,
                              Option option, Other other,
                              std::source_location at = std::source_location::current()) {
  detail::scan<engine::bound::exclusive>("sam::transform_exclusive_scan", context, in, out,
                                         transform, at, option, other);
}

template <class Context, class In, class Out, class Transform, class Option, class Before,
          class After>
requires(detail::holds_states<Before>&& detail::holds_states<After>) void transform_exclusive_scan(
    Context&& context, In const& in, Out&& out, Transform transform, Option policy,
    Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  detail::scan_on<engine::bound::exclusive>("sam::transform_exclusive_scan", context, in, out,
                                            transform, at, policy, before, after);
}

}  // namespace sam::inline v0_1
