// SPDX-License-Identifier: MIT
// Defines scan_policy, which selects the operator, order, tuple size, carry scheme and direction of
// a scan.
#pragma once

#include <sam/carry/chained.hpp>
#include <sam/carry/decoupled.hpp>
#include <sam/carry/lookback.hpp>
#include <sam/carry/multi_pass.hpp>
#include <sam/operators.hpp>

namespace sam::inline v0_1 {

enum class direction { forward, backward };

/// The TupleSize of a scan_policy whose tuple size is `components`, a run-time value.
inline constexpr int run_time_tuple = 0;

/// Specifies a scan by five independent choices.
///
/// Operator   any associative function object; see <sam/operators.hpp>
/// Order      how many times the scan is applied, at least 1
/// TupleSize  items i, i + s, i + 2s, ... form component i % s, and each component is scanned
///            separately; run_time_tuple takes s from `components`
/// Carry      how prefixes travel between blocks: a scheme of sam::carry. It affects the time, not
///            the result, except for the last bits of floats
/// Direction  `backward` combines an item with all later ones; operands keep their index order, so
///            out[i] = in[i] op in[i + s] op ...
template <class Operator = plus, int Order = 1, int TupleSize = 1,
          carry_scheme Carry = carry::decoupled, direction Direction = direction::forward>
struct scan_policy {
  static_assert(Order >= 1, "sam::scan_policy: order must be at least 1 (1 is the ordinary scan)");
  static_assert(TupleSize >= 0,
                "sam::scan_policy: tuple size must be at least 1, or run_time_tuple");

  using op_type = Operator;
  using carry = Carry;
  static constexpr int order = Order;
  static constexpr int tuple_size = TupleSize;
  static constexpr direction heading = Direction;

  Operator op{};
  index_t components = TupleSize == run_time_tuple ? 1 : TupleSize;
};

/// Returns a scan_policy with a run-time tuple size: `tuples_of(1920)` scans an image's columns.
template <int Order = 1, class Operator = plus>
constexpr auto tuples_of(index_t components, Operator op = {}) {
  return scan_policy<Operator, Order, run_time_tuple>{op, components};
}

namespace detail {
/// A scan_policy whose items are combined as Accumulator, see accumulate_in.
template <class Accumulator, class Policy>
struct accumulating : Policy {
  using accumulator = Accumulator;
};

template <class P>
inline constexpr bool is_policy = false;
template <class Accumulator, class Policy>
inline constexpr bool is_policy<accumulating<Accumulator, Policy>> = true;
template <class Operator, int Order, int TupleSize, class Carry, direction Direction>
inline constexpr bool is_policy<scan_policy<Operator, Order, TupleSize, Carry, Direction>> = true;
}  // namespace detail

template <class P>
concept any_scan_policy = detail::is_policy<P>;

/// Returns a policy, given a policy or an operator. It lets callers write
/// `inclusive_scan(context, in, out, maximum{})`.
template <class P>
constexpr auto as_policy(P policy_or_operator) {
  if constexpr (any_scan_policy<P>)
    return policy_or_operator;
  else
    return scan_policy<P>{policy_or_operator};
}

namespace detail {
/// Returns the policy with tuples of at most n components, for a scan of n items. The result is the
/// same: in a tuple of n or more, each item is a component of its own.
template <class Policy>
constexpr Policy cut_to(index_t n, Policy policy) {
  if constexpr (Policy::tuple_size == run_time_tuple)
    policy.components = engine::max_of(1, engine::min_of(policy.components, n));
  return policy;
}

template <carry_scheme Carry, direction Direction, class Policy>
constexpr auto rerouted(Policy const& policy) {
  using rerouted_policy =
      scan_policy<typename Policy::op_type, Policy::order, Policy::tuple_size, Carry, Direction>;
  if constexpr (requires { typename Policy::accumulator; })
    return accumulating<typename Policy::accumulator, rerouted_policy>{
        {policy.op, policy.components}};
  else
    return rerouted_policy{policy.op, policy.components};
}
}  // namespace detail

/// Returns the policy, given one or an operator, of scans and reductions that combine items as T:
/// items are converted to T as they are loaded, and results to out's item type as they are stored,
/// by static_cast. So sums of float may be accumulated in double, and those of int8 in int32. An
/// initial value is a T, and so are the values of a scan_state. If an operator's order-q scan
/// without states runs as q rounds, each round stores its results in out and so rounds them.
template <class T, class P>
constexpr auto accumulate_in(P policy_or_operator) {
  auto const policy = sam::as_policy(policy_or_operator);
  using given = std::remove_const_t<decltype(policy)>;
  static_assert(
      !requires { typename given::accumulator; },
      "sam: accumulate_in was given a policy that already names an accumulator");
  static_assert(std::is_trivially_copyable_v<T>,
                "sam: the type of accumulate_in must be trivially copyable");
  return detail::accumulating<T, given>{policy};
}

/// Returns the policy, given one or an operator, that scans from the last item to the first.
template <class P>
constexpr auto backward(P policy_or_operator) {
  auto policy = sam::as_policy(policy_or_operator);
  return detail::rerouted<typename decltype(policy)::carry, direction::backward>(policy);
}

/// Returns the policy, given one or an operator, with another carry scheme.
template <carry_scheme Scheme, class P>
constexpr auto carried_by(P policy_or_operator) {
  auto policy = sam::as_policy(policy_or_operator);
  return detail::rerouted<Scheme, decltype(policy)::heading>(policy);
}

}  // namespace sam::inline v0_1
