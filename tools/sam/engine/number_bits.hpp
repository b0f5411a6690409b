// SPDX-License-Identifier: MIT
#pragma once

#include <sam/portable.hpp>

#include "items.hpp"

namespace sam::tool {

/// The digits of numbers that lie in unsigned integers of their width, so that sorts are compiled
/// once for each width and not for each type. Where the sign bit is one, the bits in `negative` are
/// flipped, else the sign bit: of unsigned numbers none, of signed ones the sign bit either way, of
/// negative floats all. So these are the images of sam::number_digits.
template <class U>
struct number_bits {
  U sign, negative;
  SAM_FUNCTION U operator()(U const& bits) const {
    return static_cast<U>(bits ^ ((bits & sign) != 0 ? negative : sign));
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

}  // namespace sam::tool
