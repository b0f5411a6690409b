// SPDX-License-Identifier: MIT
// Defines associative operators and the properties that they can declare.
//
// An operator is any copyable function object with T operator()(T left, T right) const; `left` is
// the earlier item. It need not commute and needs no identity. Optional members declare properties,
// each of which lets a back end do less work:
//
//   template <class T> static constexpr T identity()   or   T identity() const
//       a value that leaves every T unchanged; an exclusive scan then needs no initial value
//   template <class T> static constexpr T empty()
//       the combination of no items, if it is another value than the identity
//   static constexpr bool commutative = true       op(a, b) == op(b, a)
//   static constexpr bool idempotent = true        op(a, op(a, b)) == op(a, b), and from the other
//                                                  end op(op(b, a), a) == op(b, a)
//   static constexpr bool lanewise = true          op also accepts the compiler's vector types
//                                                  (a + b, a < b ? b : a) and works lane by lane
//   static constexpr bool modular = true           over integers it works modulo 2^w, so lanes may
//                                                  be unsigned, where overflow is defined
//   static constexpr bool rounds_once = true       op rounds at most once, so compilers cannot fuse
//                                                  its operations in different ways
//   template <class T> using coefficient = ...     T is a module over the integers: an order-q scan
//   static T scale(T item, coefficient<T> times)   then takes one pass and one look-back per tile
#pragma once

#include <sam/algebra/extremes.hpp>
#include <sam/base/callable.hpp>

#include <concepts>
#include <type_traits>

namespace sam::inline v0_1 {

/// An associative function T x T -> T. Associativity cannot be checked at compile time;
/// tests/core/test_operators.cpp checks the laws of the library's operators.
template <class Op, class T>
concept scan_operator = std::is_trivially_copyable_v<T> && std::copy_constructible<Op> &&
    detail::callable_with<Op, T const&, T const&> &&
    (detail::is_opaque<Op> ||
     std::is_convertible_v<detail::result_of_callable_t<Op, T const&, T const&>, T>);

template <class T, class Op>
SAM_FUNCTION constexpr auto identity_of(Op const& op) requires(
    requires { op.template identity<T>(); } || requires { op.identity(); }) {
  if constexpr (requires { op.template identity<T>(); })
    return op.template identity<T>();
  else
    return T(op.identity());
}

template <class Op, class T>
concept has_identity = scan_operator<Op, T> && requires(Op const op) {
  { sam::identity_of<T>(op) } -> std::same_as<T>;
};

/// Returns the combination of no items: the start of an exclusive scan, and the reduction of an
/// empty array. It is the identity unless the operator has a member `empty`.
template <class T, class Op>
requires has_identity<Op, T> SAM_FUNCTION constexpr T empty_of(Op const& op) {
  if constexpr (requires { op.template empty<T>(); })
    return op.template empty<T>();
  else
    return sam::identity_of<T>(op);
}

template <class Op>
inline constexpr bool is_commutative = requires {
  requires Op::commutative;
};
template <class Op>
inline constexpr bool is_idempotent = requires {
  requires Op::idempotent;
};

/// True if every copy of the operator that a compiler makes has the same result for T, because it
/// rounds at most once. Others may have products and sums, each copy of which may be fused in its
/// own way.
template <class Op, class T>
inline constexpr bool rounds_once_on = requires {
  requires Op::rounds_once;
};
template <class Op>
inline constexpr bool is_modular = requires {
  requires Op::modular;
};

/// An operator that may be applied to whole vectors of T, in any order of the items.
template <class Op, class T>
concept lanewise_operator = has_identity<Op, T> && is_commutative<Op> && std::is_arithmetic_v<T> &&
                            !std::is_same_v<T, bool> &&
                            requires {
  requires Op::lanewise;
};

/// An operator whose order-q scans have the carry algebra of <sam/algebra/carry_algebra.hpp>.
template <class Op, class T>
concept module_operator = has_identity<Op, T> && is_commutative<Op> &&
    requires(T item, typename Op::template coefficient<T> times) {
  { Op::scale(item, times) } -> std::same_as<T>;
};

/// True if regrouping the items changes no bit of a result. False for floats, even under minimum
/// and maximum, since NaN values may differ in their bits.
template <class T>
inline constexpr bool is_exact = integer<T> || std::is_same_v<T, bool>;

/// Returns a + b, modulo 2^w for integers. The identity of a float sum is -0.0, since 0.0 would
/// turn -0.0 into 0.0. The sum of no items is nevertheless 0.0.
struct plus {
  static constexpr bool commutative = true;
  static constexpr bool lanewise = true;
  static constexpr bool rounds_once = true;
  static constexpr bool modular = true;

  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    if constexpr (integer<T>)
      return static_cast<T>(static_cast<engine::modular_t<T>>(a) +
                            static_cast<engine::modular_t<T>>(b));
    else
      return static_cast<T>(a + b);
  }
  template <class T>
  requires std::is_arithmetic_v<T> || arithmetic<T> ||
      is_floating<T> SAM_FUNCTION static constexpr T
      identity() {
    if constexpr (is_floating<T>)
      return T(-0.0);
    else
      return T(0);
  }
  template <class T>
  SAM_FUNCTION static constexpr T empty() {
    return T(0);
  }
  template <arithmetic T>
  struct ring {
    using type = T;
  };
  template <integer T>
  struct ring<T> {
    using type = engine::modular_t<T>;
  };
  template <arithmetic T>
  using coefficient = typename ring<T>::type;
  template <arithmetic T>
  SAM_FUNCTION static constexpr T scale(T item, coefficient<T> times) {
    return static_cast<T>(static_cast<coefficient<T>>(item) * times);
  }
};

/// Returns a * b, modulo 2^w for integers.
struct multiplies {
  static constexpr bool commutative = true;
  static constexpr bool lanewise = true;
  static constexpr bool rounds_once = true;
  static constexpr bool modular = true;

  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    if constexpr (integer<T>)
      return static_cast<T>(static_cast<engine::modular_t<T>>(a) *
                            static_cast<engine::modular_t<T>>(b));
    else
      return static_cast<T>(a * b);
  }
  template <class T>
  requires std::is_arithmetic_v<T> || arithmetic<T> ||
      is_floating<T> SAM_FUNCTION static constexpr T
      identity() {
    return T(1);
  }
};

struct bit_and {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;
  static constexpr bool rounds_once = true;

  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
  template <class T>
  requires integer<T> || std::same_as<T, bool> SAM_FUNCTION static constexpr T identity() {
    return static_cast<T>(-1);  // all bits
  }
};

struct bit_or {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;
  static constexpr bool rounds_once = true;

  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
  template <class T>
  requires integer<T> || std::same_as<T, bool> SAM_FUNCTION static constexpr T identity() {
    return T(0);
  }
};

/// Returns a ^ b: addition over GF(2) in every bit, so a coefficient counts modulo 2.
struct bit_xor {
  static constexpr bool commutative = true;
  static constexpr bool lanewise = true;
  static constexpr bool rounds_once = true;

  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
  template <class T>
  requires integer<T> || std::same_as<T, bool> SAM_FUNCTION static constexpr T identity() {
    return T(0);
  }
  template <integer T>
  using coefficient = unsigned;
  template <integer T>
  SAM_FUNCTION static constexpr T scale(T item, unsigned times) {
    return times % 2 == 0 ? T(0) : item;
  }
};

/// Returns a && b, as T(0) or T(1). It has an identity over bool only: 1 && 5 is not 5.
struct logical_and {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;

  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    return static_cast<T>(a && b);
  }
  template <std::same_as<bool> T>
  SAM_FUNCTION static constexpr T identity() {
    return true;
  }
};

/// Returns a || b, as T(0) or T(1). It has an identity over bool only.
struct logical_or {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;

  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    return static_cast<T>(a || b);
  }
  template <std::same_as<bool> T>
  SAM_FUNCTION static constexpr T identity() {
    return false;
  }
};

static_assert(module_operator<plus, int> && module_operator<plus, float>);
static_assert(module_operator<bit_xor, unsigned char>);
static_assert(lanewise_operator<maximum, float> && !module_operator<maximum, float>);
static_assert(has_identity<logical_and, bool> && !has_identity<logical_and, int>);

}  // namespace sam::inline v0_1
