// SPDX-License-Identifier: MIT
// Defines maps x -> a x + b under composition, a scan of which solves a linear recurrence.
#pragma once

#include <sam/operators.hpp>

namespace sam::inline v0_1 {

/// Multiplies and adds numbers; integers modulo 2^w.
template <class T>
struct number_ring {
  SAM_FUNCTION static constexpr T multiply(T a, T b) { return multiplies{}(a, b); }
  SAM_FUNCTION static constexpr T add(T a, T b) { return plus{}(a, b); }
};

/// Represents the map x -> a x + b.
template <class T>
struct affine_map {
  T a, b;
};

/// Composes two maps: first the left one, then the right one. It has no identity, since over floats
/// there is none: infinity times 0 is a NaN.
struct compose_maps {
  template <class T>
  SAM_FUNCTION constexpr affine_map<T> operator()(affine_map<T> const& first,
                                                  affine_map<T> const& then) const {
    using numbers = number_ring<T>;
    return {numbers::multiply(then.a, first.a),
            numbers::add(numbers::multiply(then.a, first.b), then.b)};
  }
};

}  // namespace sam::inline v0_1
