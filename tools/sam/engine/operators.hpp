// SPDX-License-Identifier: MIT
// Operators that stand for several, by a value that they hold: a kernel takes seconds to compile,
// and there is one for each operator and item type.
#pragma once

#include <sam/operators.hpp>

namespace sam::tool {

/// The largest item, where items are ordered as those of (x ^ flip) are. Over unsigned T, flip
/// makes it the minimum (all bits) or that of signed items (the sign bit), or both.
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

/// The same over floats, ordered as x * flip is: 1 for the maximum, -1 for the minimum.
template <std::floating_point T>
struct extreme<T> {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;
  T flip;

  template <class V>
  SAM_FUNCTION constexpr V operator()(V a, V b) const {
    return a * flip < b * flip ? b : a;
  }
  SAM_FUNCTION constexpr T identity() const { return lowest_of<T> * flip; }
};

/// a | b; with all bits flipped, a & b by De Morgan's law.
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

static_assert(lanewise_operator<extreme<unsigned char>, unsigned char>);
static_assert(lanewise_operator<extreme<double>, double> &&
              lanewise_operator<bits<unsigned>, unsigned>);

}  // namespace sam::tool
