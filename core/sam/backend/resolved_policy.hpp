// SPDX-License-Identifier: MIT
// Defines the scan policy as a back end runs it: resolved, so that it always goes forward.
#pragma once

#include <sam/algebra/carry_algebra.hpp>
#include <sam/scan_policy.hpp>

#include <limits>
#include <type_traits>

namespace sam::inline v0_1::engine {

/// Swaps the operands of an operator: flipped{op}(a, b) is op(b, a).
template <class Op>
struct flipped {
  Op op;
  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    return op(b, a);
  }
  template <class T>
  requires has_identity<Op, T> SAM_FUNCTION constexpr T identity() const {
    return sam::identity_of<T>(op);
  }
  static constexpr bool idempotent = is_idempotent<Op>;
};

}  // namespace sam::inline v0_1::engine
namespace sam::inline v0_1 {
template <class Op, class T>
inline constexpr bool rounds_once_on<engine::flipped<Op>, T> = rounds_once_on<Op, T>;
}  // namespace sam::inline v0_1
namespace sam::inline v0_1::engine {

/// Returns the operator for a scan from the other end. A commutative operator is returned unchanged
/// and so keeps its other properties.
template <class Op>
constexpr auto flip(Op op) {
  if constexpr (is_commutative<Op>)
    return op;
  else
    return flipped<Op>{op};
}

/// A start that begins a scan with its first items, so that the operator needs no identity.
struct from_nothing {};
/// A start that begins every round of a scan with `value`.
template <class T>
struct from_value {
  T value;
};

/// A scan policy with its direction, bound and start resolved, as a back end runs it. It always
/// goes forward. `components` is the tuple size, also where it is known at compile time.
template <class Operator, int Order, int TupleSize, carry_scheme Carry, bound Bound, class Start>
struct resolved_policy {
  using op_type = Operator;
  using carry = Carry;
  using start_type = Start;
  static constexpr int order = Order;
  static constexpr int tuple_size = TupleSize;
  static constexpr bound kind = Bound;
  static constexpr bool starts_known = !std::is_same_v<Start, from_nothing>;
  static_assert(Bound == bound::inclusive || starts_known, "an exclusive scan needs a start");

  Operator op;
  index_t components;
  Start start;
};

}  // namespace sam::inline v0_1::engine

namespace sam::inline v0_1::detail {
/// True if R can hold the largest coefficient of `rows` zero items of an order-q scan, which is
/// C(rows + q - 2, q - 1). Integers wrap around, which does no harm.
template <class R>
constexpr bool holds_coefficients(int order, index_t rows) {
  if constexpr (std::is_floating_point_v<R>) {
    R coefficient = 1;
    for (int k = 1; k < order; ++k) {
      R const ratio = static_cast<R>(rows + k - 1) / static_cast<R>(k);
      if (coefficient > std::numeric_limits<R>::max() / 2 / ratio)
        return false;
      coefficient *= ratio;
    }
  }
  return true;
}
/// The largest number of rows between two states: those of the tiles in flight. Under a multi-pass
/// scheme, or for an order that a back end may run as one, it is those of a large part of the
/// array.
template <class Policy>
inline constexpr index_t most_rows_between_states =
    index_t{1} << (single_pass_scheme<typename Policy::carry> && Policy::order <= 16 ? 22 : 33);
}  // namespace sam::inline v0_1::detail

namespace sam::inline v0_1::engine {

/// True if all rounds over items of T run as one, by <sam/algebra/carry_algebra.hpp>. False if a
/// coefficient could be infinite, since infinity times a zero item is a NaN.
template <class T, class Policy>
inline constexpr bool has_algebra = [] {
  if constexpr (Policy::order > 1 && module_operator<typename Policy::op_type, T>)
    return detail::holds_coefficients<typename Policy::op_type::template coefficient<T>>(
        Policy::order, detail::most_rows_between_states<Policy>);
  else
    return false;
}();

/// The number of rounds to run. A second inclusive scan with an idempotent operator changes
/// nothing, so one round is enough there.
template <class Policy, bound Bound>
inline constexpr int effective_order =
    Bound == bound::inclusive&& is_idempotent<typename Policy::op_type> ? 1 : Policy::order;

template <bound Bound, class Policy, class Start>
constexpr auto resolve_policy(Policy const& policy, Start start) {
  constexpr bool forward = Policy::heading == direction::forward;
  auto const op = [&] {
    if constexpr (forward)
      return policy.op;
    else
      return engine::flip(policy.op);
  }();
  return resolved_policy<std::remove_const_t<decltype(op)>, effective_order<Policy, Bound>,
                         Policy::tuple_size, typename Policy::carry, Bound, Start>{
      op, policy.components, start};
}

/// Returns the policy with order 1, for operators whose order-q scan runs as q rounds.
template <class Operator, int Order, int TupleSize, class Carry, bound Bound, class Start>
constexpr auto
one_round(resolved_policy<Operator, Order, TupleSize, Carry, Bound, Start> const& policy) {
  return resolved_policy<Operator, 1, TupleSize, Carry, Bound, Start>{policy.op, policy.components,
                                                                      policy.start};
}

/// Returns the policy with another carry scheme.
template <carry_scheme Scheme, class Operator, int Order, int TupleSize, class Carry, bound Bound,
          class Start>
constexpr auto
with_carry_scheme(resolved_policy<Operator, Order, TupleSize, Carry, Bound, Start> const& policy) {
  return resolved_policy<Operator, Order, TupleSize, Scheme, Bound, Start>{
      policy.op, policy.components, policy.start};
}

/// Returns the policy with tuple size S. With run_time_tuple the size stays that of `components`.
template <int S, class Operator, int Order, int TupleSize, class Carry, bound Bound, class Start>
constexpr auto
with_tuple_size(resolved_policy<Operator, Order, TupleSize, Carry, Bound, Start> const& policy) {
  return resolved_policy<Operator, Order, S, Carry, Bound, Start>{
      policy.op, S == run_time_tuple ? policy.components : S, policy.start};
}

}  // namespace sam::inline v0_1::engine
