// SPDX-License-Identifier: MIT
#pragma once

#include <sam/digits.hpp>

#include "items.hpp"

namespace sam::tool {

/// The digits of numbers that lie in unsigned integers of their width, so that sorts are compiled
/// once for each width and not for each type. Where the sign bit is one, the bits in `negative` are
/// flipped, else the sign bit: of unsigned numbers none, of signed ones the sign bit either way, of
/// negative floats all. So these are the images of sam::number_digits. If `is_numeric`, they are
/// those of the floats that sam::numeric_floats calls canonical.
template <class U>
struct number_bits {
  U sign, negative;
  bool is_numeric = false;
  U infinity = 0, nan = 0;

  SAM_FUNCTION U canonical(U bits) const {
    U const magnitude = static_cast<U>(bits & ~sign);
    return magnitude == 0 ? U(0) : magnitude > infinity ? nan : bits;
  }
  SAM_FUNCTION U operator()(U const& bits) const {
    U const number = is_numeric ? canonical(bits) : bits;
    return static_cast<U>(number ^ ((number & sign) != 0 ? negative : sign));
  }
};

/// Calls use(digits) with those of an item type.
template <class Use>
void with_number_bits(item_type type, Use use) {
  with_type(type, [&]<class T>(std::type_identity<T>) {
    using U = std::conditional_t<
        sizeof(T) == 1, std::uint8_t,
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
    constexpr auto sign =
        std::is_unsigned_v<T> ? U(0) : static_cast<U>(U(1) << (8 * sizeof(U) - 1));
    use(number_bits<U>{sign, std::is_floating_point_v<T> ? static_cast<U>(~U(0)) : sign});
  });
}

/// Calls use(digits) with those of items in numeric order, or in total order if that is asked for,
/// or if the items' order is the same: to look for special floats costs less than to sort as if
/// there were some.
template <class Use>
void with_number_bits(buffer const& items, bool in_total_order, Use use) {
  with_number_bits(items.type(), [&]<class U>(number_bits<U> digits) {
    if constexpr (sizeof(U) >= 4)
      if (is_float(items.type()) && !in_total_order) {
        using floats = numeric_floats<std::conditional_t<sizeof(U) == 4, float, double>>;
        digits.infinity = floats::infinity;
        digits.nan = floats::infinity | floats::quiet;
        U differences = 0;
        for (U const bits : items.as<U>())
          differences |= bits ^ digits.canonical(bits);
        digits.is_numeric = differences != 0;
      }
    use(digits);
  });
}

}  // namespace sam::tool
