// SPDX-License-Identifier: MIT
// Defines reduce and transform_reduce, which combine all items: the last value of a scan.
#pragma once

#include <sam/detail/fill_job.hpp>
#include <sam/scan.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

template <class Policy>
struct is_reduction_policy {
  static constexpr bool value = Policy::order == 1 && Policy::heading == direction::forward;
  static_assert(value, "sam: the policy of a reduction must be of order 1 and go forward");
};
template <class T, class... Options>
struct are_reduction_options
    : std::conjunction<are_scan_options<T, Options...>,
                       is_reduction_policy<typename decltype(sam::detail::scan_options_of<T>(
                           std::declval<Options const&>()...))::policy_type>> {};

/// Returns the result for a component without items: the initial value, or the combination of no
/// items. Rejects `in` if there is neither.
template <class T, class Policy, class Start>
T value_of_no_items(call_checks const& call, extent const& out, extent const& in,
                    Policy const& policy, Start const& start) {
  if constexpr (!std::is_same_v<Start, from_nothing>)
    return start.value;
  else if constexpr (has_identity<typename Policy::op_type, T>)
    return sam::empty_of<T>(policy.op);
  else
    call.refuse(in.name, "holds ", in.items, " items for ", out.items,
                " components, and the operator has no identity; give an initial "
                "value");
}

template <class Context, class In, class Out, class Transform, class Policy, class Start>
void run_reduce(checked_call<Context> const& call, In const& in, Out& out,
                Transform const& transform, Policy const& policy, Start const& start) {
  using T = item_of<Out>;
  using A = accumulator_of<Policy, T>;
  using items = array_within_t<In>;
  sam::detail::expect_runs_on<Context, Transform, item_or_any_t<items>>();
  Context& context = call.context();
  auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  using source = job_input_t<std::remove_const_t<decltype(from)>>;
  auto const to = call.template output<parameter::out>(out);
  sam::detail::expect_components(call, policy);
  index_t const s = policy.components;
  if (to.size != s)
    call.refuse(to.name, "holds ", to.size, " items; it must hold one for each of ", s,
                " components");
  call.apart(to, from);
  sam::detail::apart_from_arrays(call, to, from);
  detail::apart_from_count(call, in, to);
  constexpr bool has_result =
      has_identity<typename Policy::op_type, A> || !std::is_same_v<Start, from_nothing>;
  index_t const n = detail::items_taken(call, in, from).size;
  if constexpr (counts_later<Context, In>) {
    if constexpr (has_result)  // for components without items, of which the device knows
      if (n < s || !has_identity<typename Policy::op_type, A>)
        sam::detail::fill(
            context, s, to.data,
            static_cast<T>(sam::detail::value_of_no_items<A>(call, to, from, policy, start)));
    if (n > 0)
      sam::detail::run_counted_reduce<source>(context, n, sam::detail::source_from(from), to.data,
                                              transform, policy, start,
                                              detail::count_in(call, in, n));
  } else {
    if constexpr (has_result || !is_counted<In>)  // else such a component keeps its value
      if (n < s)                                  // some components have no items
        sam::detail::fill(
            context, s, to.data,
            static_cast<T>(sam::detail::value_of_no_items<A>(call, to, from, policy, start)));
    using job = reduce_job<source, scanned_as<A, T>, Transform>;
    if (n > 0)
      context.run(n, job{{sam::detail::source_from(from), to.data, transform}, n, s},
                  engine::with_carry_scheme<carry::without_stored_values<typename Policy::carry>>(
                      engine::resolve_policy<bound::inclusive>(policy, start)));
  }
}

template <class Context, class In, class T, class A, class Transform, class... Options>
using is_reduction =
    std::conjunction<is_context<Context>, reads_items<parameter::in, Context, array_within_t<In>>,
                     reads_number<Context, In>, are_reduction_options<A, Options...>,
                     calls_operator<Context, A, Options...>,
                     is_transform<Transform, array_within_t<In>, A>, stores_accumulator<A, T>,
                     runs_on<Context, Transform, item_or_any_t<array_within_t<In>>>>;
template <class Context, class Out, bool IsArray = array<Out>>
struct reduces_to : parameter::out::is_place<Out&> {};
template <class Context, class Out>
struct reduces_to<Context, Out, true> : writes_to<parameter::out, Context, Out> {};

/// Reduces to a variable or array of the caller's.
template <class Context, class In, class Out, class Transform, class... Options>
void reduce_to(char const* function, Context& context, In const& in, Out& out,
               Transform const& transform, std::source_location at, Options const&... given) {
  using T = place_item_t<Out>;
  using A = accumulator_among<T, Options...>;
  if constexpr (stands_for_context<Context>) {
    sam::detail::reduce_to(function, *sam::detail::lend_context(context), in, out, transform, at,
                           given...);
  } else if constexpr (fuses_transform<In, Transform>) {
    sam::detail::reduce_to(function, context, in.base, out, in.f, at, given...);
  } else if constexpr (std::conjunction_v<is_context<Context>, reduces_to<Context, Out>,
                                          is_reduction<Context, In, T, A, Transform, Options...>>) {
    auto const options = sam::detail::scan_options_of<A>(given...);
    checked_call const call(context, function, at);
    sam::detail::with_place(context, out, [&](auto& place) {
      sam::detail::run_reduce(call, in, place, transform, options.policy, options.start);
    });
  }
}

/// Stands for a result type that is deduced from the items or the transform.
struct type_of_items {};
template <class T, class In, class Transform>
struct reduced_type {
  using type = T;
};
template <class In, class Transform>
struct reduced_type<type_of_items, In, Transform> {
  using type = item_or_any_t<In>;
};
template <class Items, class Number, class Transform>
struct reduced_type<type_of_items, counted_array<Items, Number>, Transform>
    : reduced_type<type_of_items, Items, Transform> {};
template <class In, class Transform>
requires((array<In> || is_lazy<In>)&&callable_with<
         Transform, item_or_any_t<In> const&>) struct reduced_type<type_of_items, In, Transform> {
  static_assert(!is_device_lambda<Transform> || says_what_it_returns<Transform>,
                "sam: a transform that is a __device__ lambda must say what it returns, as in "
                "[] __device__ (int x) -> float { ... }; or give the type: "
                "transform_reduce<float>(...)");
  using type = std::remove_cvref_t<result_of_callable_t<Transform, item_or_any_t<In> const&>>;
};
template <class T, class In, class Transform>
using reduced_t = typename reduced_type<T, In, Transform>::type;

template <class T>
struct is_one_value {
  static constexpr bool value = std::is_trivially_copyable_v<T>;
  static_assert(value, "sam: the result type of a reduction must be trivially copyable");
};

/// Reduces to a value, waits for it, and returns it.
template <class T, class Context, class In, class Transform, class... Options>
T reduce_to_value(char const* function, Context& context, In const& in, Transform const& transform,
                  std::source_location at, Options const&... given) {
  using A = accumulator_among<T, Options...>;
  if constexpr (stands_for_context<Context>) {
    return sam::detail::reduce_to_value<T>(function, *sam::detail::lend_context(context), in,
                                           transform, at, given...);
  } else if constexpr (fuses_transform<In, Transform>) {
    return sam::detail::reduce_to_value<T>(function, context, in.base, in.f, at, given...);
  } else if constexpr (std::conjunction_v<is_context<Context>, is_one_value<T>,
                                          is_reduction<Context, In, T, A, Transform, Options...>>) {
    auto const options = sam::detail::scan_options_of<A>(given...);
    checked_call const call(context, function, at);
    return engine::result_of<T>(context, [&](T* place) {
      std::span<T, 1> const out(place, 1);
      sam::detail::run_reduce(call, in, out, transform, options.policy, options.start);
    });
  } else {
    __builtin_unreachable();  // a check failed to compile
  }
}

/// Reduces from one state to another.
template <class Context, class In, class Transform, class Option, class Before, class After>
void reduce_on(char const* function, Context& context, In const& in, Transform const& transform,
               std::source_location at, Option const& option, Before const& before, After& after) {
  using policy = decltype(sam::as_policy(option));
  using T = accumulator_of<policy, typename std::remove_cvref_t<place_item_t<After>>::value_type>;
  if constexpr (stands_for_context<Context>)
    sam::detail::reduce_on(function, *sam::detail::lend_context(context), in, transform, at, option,
                           before, after);
  else if constexpr (std::conjunction_v<is_context<Context>,
                                        is_reduction<Context, In, T, T, Transform, Option>,
                                        is_state_for<Before, T, policy, bound::inclusive>,
                                        are_one_state<Before, After>, reads_state<Context, Before>,
                                        writes_state<Context, After>>)
    sam::detail::carried_reduce(function, context, in, transform, at, sam::as_policy(option),
                                before, after);
}

}  // namespace detail

/// Computes a reduction: out[c] combines, in index order, all items of component c of in. For a
/// component without items, it is the initial value or the combination of no items: 0 for a sum,
/// the identity of any other operator.
///
/// in           n items in memory that `context` reaches; items are converted to out's item type,
///              as inclusive_scan converts them. in may be a computed input (<sam/inputs.hpp>). in
///              may be sam::counted(items, number). If the operator has no identity, and there is
///              no initial value, the result of a component without items is then not written
/// out          one item for each component of the policy, apart from in. For one component it may
///              be a variable; if a device does not reach that, the call waits
/// options      as for inclusive_scan: an operator, which need not commute, or a scan_policy
///              of order 1; and an initial value of every component, in either order
/// traffic      n reads of one item
/// determinism  the same bits on every run and for every number of threads, floats included, and
///              equal to those of inclusive_scan's last values
/// returns      once the work is queued; context.wait() before reading out
/// throws       as inclusive_scan. Also sam::invalid_argument if out does not hold one item for
///              each component, or if a component has no items and the operator no identity
/// source       as inclusive_scan, of whose result this is the last row
template <class Context, class In, class Out>
requires(detail::is_place<Out>) void reduce(
    Context&& context, In const& in, Out&& out,
    std::source_location at = std::source_location::current()) {
  detail::reduce_to("sam::reduce", context, in, out, std::identity{}, at);
}
template <class Context, class In, class Out, class Option>
requires(detail::is_place<Out>) void reduce(
    Context&& context, In const& in, Out&& out, Option option,
    std::source_location at = std::source_location::current()) {
  detail::reduce_to("sam::reduce", context, in, out, std::identity{}, at, option);
}
template <class Context, class In, class Out, class Option,
          class Other = detail::item_or_any_t<Out>>
requires(detail::is_place<Out> && !detail::holds_states<Other>) void reduce(
    Context&& context, In const& in, Out&& out, Option option, Other other,
    std::source_location at = std::source_location::current()) {
  detail::reduce_to("sam::reduce", context, in, out, std::identity{}, at, option, other);
}

/// Continues a reduction: combines n more items with those of the state `before`, and leaves the
/// state behind them in `after`, as inclusive_scan with states does. in may be
/// sam::counted(items, number). The policy has order 1 and goes forward. Items are combined in the
/// type of the states. The totals are after.value(k), which begin with the component of the next
/// item.
template <class Context, class In, class Option, class Before, class After>
requires(detail::holds_states<Before>&& detail::holds_states<After>) void reduce(
    Context&& context, In const& in, Option policy, Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  detail::reduce_on("sam::reduce", context, in, std::identity{}, at, policy, before, after);
}

/// Reduces all items to one value, waits for it, and returns it. An initial value must be passed as
/// T(x), since a variable of in's item type after in would receive the result.
///
/// T            the type to which items are converted, in which they are combined, and which is
///              returned. Default: in's item type; sam::reduce<std::int64_t>(context, in) sets it
/// Everything else is as for reduce with an out.
template <class T = detail::type_of_items, class Context, class In>
auto reduce(Context&& context, In const& in,
            std::source_location at = std::source_location::current()) {
  return detail::reduce_to_value<detail::reduced_t<T, In, std::identity>>("sam::reduce", context,
                                                                          in, std::identity{}, at);
}
template <class T = detail::type_of_items, class Context, class In, class Option>
requires(!detail::is_place<Option>) auto reduce(
    Context&& context, In const& in, Option&& option,
    std::source_location at = std::source_location::current()) {
  return detail::reduce_to_value<detail::reduced_t<T, In, std::identity>>(
      "sam::reduce", context, in, std::identity{}, at, option);
}
template <class T = detail::type_of_items, class Context, class In, class Option,
          class Other = detail::reduced_t<T, In, std::identity>>
requires(!detail::is_place<Option>) auto reduce(
    Context&& context, In const& in, Option&& option, Other other,
    std::source_location at = std::source_location::current()) {
  return detail::reduce_to_value<detail::reduced_t<T, In, std::identity>>(
      "sam::reduce", context, in, std::identity{}, at, option, other);
}

/// Computes a reduction of transform(in[i]), converted to out's item type; otherwise as reduce.
template <class Context, class In, class Out, class Transform>
requires(detail::is_place<Out>) void transform_reduce(
    Context&& context, In const& in, Out&& out, Transform transform,
    std::source_location at = std::source_location::current()) {
  detail::reduce_to("sam::transform_reduce", context, in, out, transform, at);
}
template <class Context, class In, class Out, class Transform, class Option>
requires(detail::is_place<Out>) void transform_reduce(
    Context&& context, In const& in, Out&& out, Transform transform, Option option,
    std::source_location at = std::source_location::current()) {
  detail::reduce_to("sam::transform_reduce", context, in, out, transform, at, option);
}
template <class Context, class In, class Out, class Transform, class Option,
          class Other = detail::item_or_any_t<Out>>
requires(detail::is_place<Out>) void transform_reduce(
    Context&& context, In const& in, Out&& out, Transform transform, Option option, Other other,
    std::source_location at = std::source_location::current()) {
  detail::reduce_to("sam::transform_reduce", context, in, out, transform, at, option, other);
}

/// Reduces transform(in[i]) of all items to one value, waits for it, and returns it. T is by
/// default the transform's result type.
template <class T = detail::type_of_items, class Context, class In, class Transform>
requires(!detail::is_place<Transform>) auto transform_reduce(
    Context&& context, In const& in, Transform&& transform,
    std::source_location at = std::source_location::current()) {
  return detail::reduce_to_value<detail::reduced_t<T, In, std::remove_cvref_t<Transform>>>(
      "sam::transform_reduce", context, in, transform, at);
}
template <class T = detail::type_of_items, class Context, class In, class Transform, class Option>
requires(!detail::is_place<Transform>) auto transform_reduce(
    Context&& context, In const& in, Transform&& transform, Option option,
    std::source_location at = std::source_location::current()) {
  return detail::reduce_to_value<detail::reduced_t<T, In, std::remove_cvref_t<Transform>>>(
      "sam::transform_reduce", context, in, transform, at, option);
}
template <class T = detail::type_of_items, class Context, class In, class Transform, class Option,
          class Other = detail::reduced_t<T, In, std::remove_cvref_t<Transform>>>
requires(!detail::is_place<Transform>) auto transform_reduce(
    Context&& context, In const& in, Transform&& transform, Option option, Other other,
    std::source_location at = std::source_location::current()) {
  return detail::reduce_to_value<detail::reduced_t<T, In, std::remove_cvref_t<Transform>>>(
      "sam::transform_reduce", context, in, transform, at, option, other);
}

}  // namespace sam::inline v0_1
