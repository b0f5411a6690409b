// SPDX-License-Identifier: MIT
// Defines minimum, maximum, minimum_number and maximum_number: the operations of these names in
// IEEE 754-2019. Over floats they are associative and commutative, including NaN and zeros of
// either sign. Only the sign and payload of a NaN result are unspecified if several NaN are
// combined.
#pragma once

#include <sam/portable.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace sam::inline v0_1 {

namespace detail {

/// A vector type of the compiler with floats as lanes.
template <class T>
concept float_lanes =
    !std::is_class_v<T> && !std::is_pointer_v<T> && !std::is_array_v<T> && requires(T a) {
  a < a ? a : a;
  requires is_floating<std::remove_cvref_t<decltype(a[0])>>;
};

/// Names the unsigned integer type as wide as T, for bit operations on floats.
template <class T>
struct float_bits {
  using type = std::conditional_t<
      sizeof(T) == 2, std::uint16_t,
      std::conditional_t<sizeof(T) == 4, std::uint32_t,
                         std::conditional_t<sizeof(T) == 8, std::uint64_t, void>>>;
};
template <float_lanes T>
struct float_bits<T> {
  using type = decltype(T{} < T{});
};
template <class T>
using float_bits_t = typename float_bits<T>::type;

template <class To, class From>
SAM_FUNCTION constexpr To same_bits_as(From from) {
  return __builtin_bit_cast(To, from);
}

template <class T>
SAM_FUNCTION constexpr bool is_nan(T a) {
  return a != a;
}

/// Holds the two candidates of a choice between a and b. They are equal, with two exceptions. If a
/// or b is a NaN, or if they are zeros of opposite sign, the candidates are b and a.
template <class T>
struct candidates {
  T first, second;
  SAM_FUNCTION static constexpr candidates of_smaller(T a, T b) {
    return {a < b ? a : b, b < a ? b : a};
  }
  SAM_FUNCTION static constexpr candidates of_larger(T a, T b) {
    return {a > b ? a : b, b > a ? b : a};
  }
};

/// Returns the smaller value, with -0.0 < 0.0, or a NaN if either is one. The result is the bitwise
/// or of both candidates: a zero is negative if either is, and bits or-ed to a NaN leave a NaN.
template <class T>
SAM_FUNCTION constexpr T smaller_or_nan(T a, T b) {
  using bits = float_bits_t<T>;
  if constexpr (std::is_void_v<bits>) {
    if (detail::is_nan(a) || detail::is_nan(b))
      return detail::is_nan(a) ? a : b;
    if (a == b)
      return a == T(0) ? -(-a - b) : a;
    return a < b ? a : b;
  } else {
    auto const [x, y] = candidates<T>::of_smaller(a, b);
    return detail::same_bits_as<T>(
        static_cast<bits>(detail::same_bits_as<bits>(x) | detail::same_bits_as<bits>(y)));
  }
}

/// Returns the larger value, with -0.0 < 0.0, or a NaN if either is one. It combines the candidates
/// as smaller_or_nan does, then subtracts the bits in which they differ. This turns a -0.0 that
/// should be 0.0 into 0.0, and leaves all other values, and NaN, unchanged.
template <class T>
SAM_FUNCTION constexpr T larger_or_nan(T a, T b) {
  using bits = float_bits_t<T>;
  if constexpr (std::is_void_v<bits>) {
    return -detail::smaller_or_nan<T>(-a, -b);
  } else {
    auto const [x, y] = candidates<T>::of_larger(a, b);
    auto const p = detail::same_bits_as<bits>(x), q = detail::same_bits_as<bits>(y);
    return static_cast<T>(detail::same_bits_as<T>(static_cast<bits>(p | q)) -
                          detail::same_bits_as<T>(static_cast<bits>(p ^ q)));
  }
}

// On a device, each choice between floats is one instruction.
template <class T>
SAM_FUNCTION constexpr T least(T a, T b) {
#ifdef SAM_HAS_DEVICE_EXTREMES
  if constexpr (requires { device_extremes<T>::minimum(a, b); })
    if (!__builtin_is_constant_evaluated())
      return device_extremes<T>::minimum(a, b);
#endif
  return detail::smaller_or_nan(a, b);
}
template <class T>
SAM_FUNCTION constexpr T greatest(T a, T b) {
#ifdef SAM_HAS_DEVICE_EXTREMES
  if constexpr (requires { device_extremes<T>::maximum(a, b); })
    if (!__builtin_is_constant_evaluated())
      return device_extremes<T>::maximum(a, b);
#endif
  return detail::larger_or_nan(a, b);
}
template <class T>
SAM_FUNCTION constexpr T least_number(T a, T b) {
#ifdef SAM_HAS_DEVICE_EXTREMES
  if constexpr (requires { device_extremes<T>::minimum_number(a, b); })
    if (!__builtin_is_constant_evaluated())
      return device_extremes<T>::minimum_number(a, b);
#endif
  return detail::smaller_or_nan<T>(a != a ? b : a, b != b ? a : b);
}
template <class T>
SAM_FUNCTION constexpr T greatest_number(T a, T b) {
#ifdef SAM_HAS_DEVICE_EXTREMES
  if constexpr (requires { device_extremes<T>::maximum_number(a, b); })
    if (!__builtin_is_constant_evaluated())
      return device_extremes<T>::maximum_number(a, b);
#endif
  return detail::larger_or_nan<T>(a != a ? b : a, b != b ? a : b);
}

template <class T>
inline constexpr bool has_float_extremes = is_floating<T> || float_lanes<T>;

/// A type over which minimum and maximum have an identity.
template <class T>
concept ordered_number = std::is_arithmetic_v<T> || arithmetic<T> || is_floating<T>;

/// Converts a float constant to T. A back end's float types have no numeric_limits.
template <class T>
SAM_FUNCTION constexpr T from_float(float x) {
  return static_cast<T>(x);
}
template <class T>
SAM_FUNCTION constexpr T lowest_number() {
  if constexpr (is_floating<T> && !std::is_floating_point_v<T>)
    return detail::from_float<T>(lowest_of<float>);
  else
    return lowest_of<T>;
}
template <class T>
SAM_FUNCTION constexpr T highest_number() {
  if constexpr (is_floating<T> && !std::is_floating_point_v<T>)
    return detail::from_float<T>(highest_of<float>);
  else
    return highest_of<T>;
}
inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Properties of operators that choose the smaller value, for vector code.
struct choose_smaller {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;

  /// Returns the smaller lanes by one instruction, for lanes without NaN. Of zeros of opposite sign
  /// it returns a.
  template <class V>
  static constexpr V quick(V a, V b) {
    return b < a ? b : a;
  }
  /// Returns the identity of `quick`.
  template <class T>
  static constexpr T quick_identity() {
    return detail::highest_number<T>();
  }
  /// Returns the zero that the operator chooses among zeros of both signs.
  template <class T>
  static constexpr T stronger_zero() {
    return T(-0.0);
  }
};
struct choose_larger {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;

  template <class V>
  static constexpr V quick(V a, V b) {
    return a < b ? b : a;
  }
  template <class T>
  static constexpr T quick_identity() {
    return detail::lowest_number<T>();
  }
  template <class T>
  static constexpr T stronger_zero() {
    return T(0.0);
  }
};

}  // namespace detail

/// Returns the smaller of two values, as `minimum` of IEEE 754-2019. If either is a NaN, so is the
/// result, and -0.0 is smaller than 0.0. Its identity is infinity if T has one.
struct minimum : detail::choose_smaller {
  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    if constexpr (detail::has_float_extremes<T>)
      return detail::least(a, b);
    else
      return b < a ? b : a;
  }
  template <detail::ordered_number T>
  SAM_FUNCTION static constexpr T identity() {
    return detail::highest_number<T>();
  }
};

/// Returns the larger of two values, as `maximum` of IEEE 754-2019. If either is a NaN, so is the
/// result, and 0.0 is larger than -0.0. Its identity is -infinity if T has one, since lowest()
/// would turn the maximum of -infinity alone into a finite value.
struct maximum : detail::choose_larger {
  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    if constexpr (detail::has_float_extremes<T>)
      return detail::greatest(a, b);
    else
      return a < b ? b : a;
  }
  template <detail::ordered_number T>
  SAM_FUNCTION static constexpr T identity() {
    return detail::lowest_number<T>();
  }
};

/// Returns the smaller of two values, as `minimumNumber` of IEEE 754-2019. A NaN is ignored unless
/// both are NaN, and -0.0 is smaller than 0.0. Its identity over floats is a NaN, so the result is
/// a NaN only if all items are.
struct minimum_number : detail::choose_smaller {
  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    if constexpr (detail::has_float_extremes<T>)
      return detail::least_number(a, b);
    else
      return b < a ? b : a;
  }
  template <detail::ordered_number T>
  SAM_FUNCTION static constexpr T identity() {
    if constexpr (is_floating<T>)
      return detail::from_float<T>(detail::not_a_number);
    else
      return engine::highest_of<T>;
  }
};

/// Returns the larger of two values, as `maximumNumber` of IEEE 754-2019. A NaN is ignored unless
/// both are NaN, and 0.0 is larger than -0.0. Its identity over floats is a NaN, so the result is a
/// NaN only if all items are.
struct maximum_number : detail::choose_larger {
  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    if constexpr (detail::has_float_extremes<T>)
      return detail::greatest_number(a, b);
    else
      return a < b ? b : a;
  }
  template <detail::ordered_number T>
  SAM_FUNCTION static constexpr T identity() {
    if constexpr (is_floating<T>)
      return detail::from_float<T>(detail::not_a_number);
    else
      return engine::lowest_of<T>;
  }
};

}  // namespace sam::inline v0_1
