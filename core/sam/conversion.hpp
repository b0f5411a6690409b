// SPDX-License-Identifier: MIT
// Which conversions between item types keep every value, and the transform that asks for others.
#pragma once

#include <sam/portable.hpp>

namespace sam {

/// Converts an item to To by static_cast. As the transform of transform_inclusive_scan and its kin
/// it says that a conversion which may lose values is meant:
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

/// True if some value of From has no equal in To: a conversion from floating point to an integer or
/// bool, from an integer to one that is narrower or cannot hold its sign, or to bool. Conversions
/// between floating-point types, and from integers to these, only round, and are not counted.
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

/// Fails to compile where items of in would lose their values on the way to out.
template <class From, class To>
struct items_keep_their_values {
  static constexpr bool value = !loses_values<From, To>;
  static_assert(
      value,
      "sam: a conversion of in's items, of type From, to out's items, of type To, may lose their "
      "values; give an out of a type that holds them, or say that it is meant by a transform: "
      "transform_inclusive_scan and its kin with sam::converted<To>{}");
};

/// Fails to compile likewise, for calls that take no transform.
template <class From, class To>
struct untransformed_items_keep_their_values {
  static constexpr bool value = !loses_values<From, To>;
  static_assert(value,
                "sam: a conversion of in's items, of type From, to out's items, of type To, may "
                "lose their values; give an out of a type that holds them, or convert in first");
};

/// Fails to compile where an initial value would lose its value on the way to out.
template <class From, class To>
struct init_keeps_its_value {
  static constexpr bool value = !loses_values<From, To>;
  static_assert(value,
                "sam: a conversion of the initial value, of type From, to out's item type To may "
                "lose its value; write To(init)");
};

/// Fails to compile where a transform's floating-point result would be cut to an integer. Integers
/// are not checked: the language promotes those of small types in every expression.
template <class From, class To>
struct result_keeps_its_value {
  static constexpr bool value = !is_floating<From> || !loses_values<From, To>;
  static_assert(value,
                "sam: a conversion of the transform's result, of type From, to out's item type To "
                "would cut its fraction; let the transform return To");
};

}  // namespace detail

}  // namespace sam
