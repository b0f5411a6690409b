// SPDX-License-Identifier: MIT
// minimum and maximum, minimum_number and maximum_number: the operations of these names of IEEE
// 754-2019. Of floats they are associative and commutative, NaN and zeros of either sign included;
// only which of several NaN results, of different sign or payload, is not specified.
#pragma once

#include <sam/portable.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace sam {

namespace detail {

/// A vector of the compiler whose lanes are floats.
template <class T>
concept float_lanes =
    !std::is_class_v<T> && !std::is_pointer_v<T> && !std::is_array_v<T> && requires(T a) {
  a < a ? a : a;
  requires is_floating<std::remove_cvref_t<decltype(a[0])>>;
};

/// Unsigned integers as wide as T, in which bits of floats are combined.
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

/// The two candidates of a choice between a and b. They are equal but for zeros of unlike sign,
/// and but for NaN: if a or b is one, they are b and a.
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

/// -0.0 < 0.0 here, and NaN wins. The bits of both candidates, or-ed together, are those of the
/// smaller value: the sign of a zero is set if either is, and what is or-ed to a NaN is a NaN.
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

/// The same for the larger of two. To subtract the bits in which the candidates differ takes the
/// sign from a zero that is or-ed to be negative, and leaves all other values, and NaN, alone.
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

// On a device, a choice between floats is an instruction.
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

/// Types over which extremes have an identity.
template <class T>
concept ordered_number = std::is_arithmetic_v<T> || arithmetic<T> || is_floating<T>;

/// A value that is known as a float, as a T: numeric_limits knows no types of back ends.
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

/// What vectors need to know of an operator that chooses the smaller value.
struct choose_smaller {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;

  /// As the operator, in one instruction, of lanes without NaN. Of zeros of unlike sign it is a.
  template <class V>
  static constexpr V quick(V a, V b) {
    return b < a ? b : a;
  }
  /// The identity of `quick`.
  template <class T>
  static constexpr T quick_identity() {
    return detail::highest_number<T>();
  }
  /// The zero that the operator chooses where there are zeros of both signs.
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

/// The smaller of two values, as `minimum` of IEEE 754-2019: if either is a NaN, so is the result,
/// and -0.0 is smaller than 0.0. Its identity is infinity where T has one.
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

/// The larger of two values, as `maximum` of IEEE 754-2019: if either is a NaN, so is the result,
/// and 0.0 is larger than -0.0. Its identity is -infinity where T has one: lowest() would turn a
/// run of -infinity finite.
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

/// The smaller of two values, as `minimumNumber` of IEEE 754-2019: a NaN is ignored unless both are
/// NaN, and -0.0 is smaller than 0.0. Its identity over floats is a NaN, so that nothing but NaN
/// comes to a NaN.
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
      return highest_of<T>;
  }
};

/// The larger of two values, as `maximumNumber` of IEEE 754-2019: a NaN is ignored unless both are
/// NaN, and 0.0 is larger than -0.0. Its identity over floats is a NaN, so that nothing but NaN
/// comes to a NaN.
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
      return lowest_of<T>;
  }
};

}  // namespace sam
