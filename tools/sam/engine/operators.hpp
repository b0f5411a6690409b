// SPDX-License-Identifier: MIT
// Operators that each stand for several, chosen at run time. A kernel takes seconds to compile, and
// each operator and item type needs one.
#pragma once

#include <sam/operators.hpp>

#include "engine.hpp"

namespace sam::tool {

/// The maximum of unsigned items, compared by (x ^ flip). If flip has all bits, it is the minimum;
/// if flip is the sign bit, items are compared as signed; both can be combined.
template <class T>
struct extreme {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;
  T flip;

  template <class V>
  SAM_FUNCTION constexpr V operator()(V a, V b) const {
    return (a ^ flip) < (b ^ flip) ? b : a;
  }
  SAM_FUNCTION constexpr T identity() const { return flip; }
};

/// The maximum of floats if flip is 1, the minimum if it is -1. NaN and signed zeros are treated as
/// in IEEE 754.
template <std::floating_point T>
struct extreme<T> {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;
  T flip;

  template <class V>
  SAM_FUNCTION constexpr V operator()(V a, V b) const {
    return maximum{}(V(a * flip), V(b * flip)) * flip;
  }
  SAM_FUNCTION constexpr T identity() const { return lowest_of<T> * flip; }
};

/// Returns a | b. If all bits are flipped, this is a & b by De Morgan's law.
template <class T>
struct bits {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;
  T flip;

  template <class V>
  SAM_FUNCTION constexpr V operator()(V a, V b) const {
    return static_cast<V>(((a ^ flip) | (b ^ flip)) ^ flip);
  }
  SAM_FUNCTION constexpr T identity() const { return flip; }
};

/// Any operator of the tool, for primitives that have only one kernel per item type.
template <class T>
struct any_operator {
  enum class kind { sum, product, exclusive_or, extreme, bits };
  kind what;
  T flip{};

  any_operator(plus) : what(kind::sum) {}
  any_operator(multiplies) : what(kind::product) {}
  any_operator(bit_xor) : what(kind::exclusive_or) {}
  any_operator(tool::extreme<T> op) : what(kind::extreme), flip(op.flip) {}
  any_operator(tool::bits<T> op) : what(kind::bits), flip(op.flip) {}

  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    if (what == kind::sum)
      return plus{}(a, b);
    if (what == kind::product)
      return multiplies{}(a, b);
    if (what == kind::extreme)
      return tool::extreme<T>{flip}(a, b);
    if constexpr (std::is_integral_v<T>) {
      if (what == kind::exclusive_or)
        return bit_xor{}(a, b);
      return tool::bits<T>{flip}(a, b);
    }
    return a;
  }
};

/// Any map of the tool, from In to T. In is unsigned (its items may be signed) and T as wide or
/// wider, or both are one float type. Items are widened before they are mapped.
template <class In, class T>
struct any_map {
  item_map what;
  In sign;  // the sign bit, or 0 for unsigned items

  SAM_FUNCTION constexpr T operator()(In x) const {
    T const y = widened(x);
    switch (what) {
    case item_map::square:
      return multiplies{}(y, y);
    case item_map::absolute:
      return is_negative(x) ? negative(y) : y;
    case item_map::negate:
      return negative(y);
    case item_map::nonzero:
      return x != In(0) ? T(1) : T(0);
    case item_map::none:
      break;
    }
    return y;
  }

 private:
  SAM_FUNCTION constexpr T widened(In x) const {
    if constexpr (std::is_floating_point_v<T>)
      return x;
    else  // the sign bit of a negative item is worth -2^(w-1), not 2^(w-1)
      return static_cast<T>(static_cast<T>(x ^ sign) - sign);
  }
  SAM_FUNCTION constexpr bool is_negative(In x) const {
    if constexpr (std::is_floating_point_v<T>)
      return x < 0;
    else
      return (x & sign) != 0;
  }
  static SAM_FUNCTION constexpr T negative(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return -x;
    else
      return static_cast<T>(T(0) - x);
  }
};

/// Returns the map for items that are held as In.
template <class In, class T>
constexpr any_map<In, T> map_of(item_map what, bool is_signed) {
  if constexpr (std::is_integral_v<In>)
    return {what, is_signed ? static_cast<In>(In(1) << (8 * sizeof(In) - 1)) : In(0)};
  else
    return {what, In(0)};
}

static_assert(lanewise_operator<extreme<unsigned char>, unsigned char>);
static_assert(lanewise_operator<extreme<double>, double> &&
              lanewise_operator<bits<unsigned>, unsigned>);

}  // namespace sam::tool
