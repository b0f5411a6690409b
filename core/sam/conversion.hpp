// SPDX-License-Identifier: MIT
// Determines which conversions between item types keep every value, and defines the transform that
// requests any other.
#pragma once

#include <sam/portable.hpp>

namespace sam::inline v0_1 {

/// Converts an item to To by static_cast. Passed as the transform of transform_inclusive_scan and
/// similar functions, it requests a conversion that may lose values:
///
///   sam::transform_inclusive_scan(context, doubles, ints, sam::converted<int>{});
template <class To>
struct converted {
  template <class From>
  SAM_FUNCTION constexpr To operator()(From const& x) const {
    return static_cast<To>(x);
  }
};

namespace detail {

template <class T>
inline constexpr bool is_boolean = std::is_same_v<T, bool>;

/// True if some value of From has no equal in To. Such conversions are those from floating point to
/// an integer or bool, from an integer to a narrower one or to one that cannot hold its sign, and
/// from an integer to bool. Conversions between floating-point types, and from integers to these,
/// only round and do not count.
template <class From, class To>
inline constexpr bool loses_values = [] {
  if constexpr (is_floating<From>) {
    return integer<To> || is_boolean<To>;
  } else if constexpr (integer<From> && integer<To>) {
    constexpr bool from_signed = From(-1) < From(0), to_signed = To(-1) < To(0);
    if constexpr (from_signed == to_signed)
      return sizeof(To) < sizeof(From);
    else
      return from_signed || sizeof(To) <= sizeof(From);
  } else {
    return integer<From> && is_boolean<To>;
  }
}();

/// Fails to compile if a conversion of in's items to out's item type may lose values.
template <class From, class To>
struct items_keep_their_values {
  static constexpr bool value = !loses_values<From, To>;
  static_assert(
      value,
      "sam: a conversion of in's items, of type From, to out's items, of type To, may lose their "
      "values; use an out whose item type can hold them, or request the conversion: call "
      "transform_inclusive_scan or a similar function with sam::converted<To>{}");
};

/// Fails to compile if a conversion of in's items may lose values, in calls that take no transform.
template <class From, class To>
struct untransformed_items_keep_their_values {
  static constexpr bool value = !loses_values<From, To>;
  static_assert(value,
                "sam: a conversion of in's items, of type From, to out's items, of type To, may "
                "lose their values; use an out whose item type can hold them, or convert in first");
};

/// Fails to compile if a conversion of an initial value to out's item type may lose its value.
template <class From, class To>
struct init_keeps_its_value {
  static constexpr bool value = !loses_values<From, To>;
  static_assert(value,
                "sam: a conversion of the initial value, of type From, to out's item type To may "
                "lose its value; write To(init)");
};

/// Fails to compile if a transform's floating-point result would be truncated to an integer.
/// Integer results are not checked, since the language promotes small types in every expression.
template <class From, class To>
struct result_keeps_its_value {
  static constexpr bool value = !is_floating<From> || !loses_values<From, To>;
  static_assert(value,
                "sam: a conversion of the transform's result, of type From, to out's item type To "
                "would truncate it; let the transform return To");
};

}  // namespace detail

}  // namespace sam::inline v0_1
