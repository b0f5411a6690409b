// SPDX-License-Identifier: MIT
// Sort keys of numbers that are held as unsigned integers.
#pragma once

#include <sam/digits.hpp>

#include "items.hpp"

namespace sam::tool {

/// Turns numbers, held as unsigned integers of their width, into ordered keys, so that sorts are
/// compiled once per width instead of once per type. If the sign bit is set, the bits in `negative`
/// are flipped, otherwise the sign bit. For unsigned numbers both masks are 0, for signed ones both
/// are the sign bit, and for floats `negative` has all bits. The keys equal those of
/// sam::number_digits. If `is_numeric`, floats are first made canonical as in sam::numeric_floats.
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

/// Calls use(digits) with the number_bits of an item type.
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

/// Calls use(digits) with the number_bits for numeric order, or for total order if that is wanted
/// or if both orders agree on these items. A search for special floats costs less than a sort that
/// has to treat them.
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
