// SPDX-License-Identifier: MIT
// Maps keys to ordered keys: unsigned integers in the order of the keys, whose bits a radix sort
// reads.
#pragma once

#include <sam/base/callable.hpp>

#include <concepts>

namespace sam::inline v0_1 {

namespace detail {

template <int Bytes>
struct unsigned_of_size;
template <>
struct unsigned_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct unsigned_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct unsigned_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct unsigned_of_size<8> {
  using type = std::uint64_t;
};
#ifdef __SIZEOF_INT128__
template <>
struct unsigned_of_size<16> {
  using type = uint128;
};
#endif

/// An unsigned integer, as std::unsigned_integral has them or of 128 bits; not bool.
template <class T>
concept unsigned_integer = integer<T> &&(T(-1) > T(0));

/// A float in an IEEE binary format without padding bytes.
template <class T>
concept binary_float = is_floating<T> &&(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) &&
                       std::is_trivially_copyable_v<T>;

/// The precision of a binary float in bits, with the implicit one. It is that of the IEEE 754
/// format of the same size, unless it is specialised for the type.
template <binary_float T>
inline constexpr int precision_of = sizeof(T) == 2   ? 11
                                    : sizeof(T) == 4 ? 24
                                                     : 53;
#ifdef SAM_HAS_BFLOAT16
template <>
inline constexpr int precision_of<bfloat16> = 8;
#endif

}  // namespace detail

/// A key that radix sorts order without a digits function: an integer, a bool, or a binary float of
/// 2, 4 or 8 bytes, including a back end's types such as half.
template <class T>
concept numeric_key = integer<T> || std::is_same_v<T, bool> || detail::binary_float<T>;

/// A function object that maps a key to an unsigned integer of 8 to 64 bits, or of 128 where the
/// compiler has them. Keys are sorted in the order of these integers.
template <class D, class Key>
concept digits_of_key = std::copy_constructible<D> && detail::callable_with<D, Key const&> &&
    (!detail::is_device_lambda<D> || detail::says_what_it_returns<D>)&&requires {
  requires detail::unsigned_integer<detail::result_of_callable_t<D, Key const&>>;
};

/// Maps numbers to ordered keys. Signed integers have the sign bit flipped. Floats are in IEEE
/// 754's total order: negative NaNs, numbers from -infinity on with -0.0 before +0.0, positive
/// NaNs.
template <numeric_key Key>
struct number_digits {
  using ordered_key = typename detail::unsigned_of_size<sizeof(Key)>::type;
  static constexpr int bits = std::is_same_v<Key, bool> ? 1 : 8 * int{sizeof(Key)};

  SAM_FUNCTION constexpr ordered_key operator()(Key const& key) const {
    if constexpr (std::is_same_v<Key, bool>) {
      return key ? 1 : 0;
    } else {
      auto const raw = __builtin_bit_cast(ordered_key, key);
      return static_cast<ordered_key>(raw ^ flips(raw));
    }
  }
  /// Returns the key whose ordered key is x.
  SAM_FUNCTION static constexpr Key key_of(ordered_key x) {
    if constexpr (std::is_same_v<Key, bool>)
      return x != 0;
    else
      return __builtin_bit_cast(Key,
                                static_cast<ordered_key>(x ^ flips(static_cast<ordered_key>(~x))));
  }

 private:
  static constexpr auto sign = static_cast<ordered_key>(ordered_key(1) << (bits - 1));
  /// Returns the bits in which a number differs from its ordered key, given a number with the same
  /// sign bit.
  SAM_FUNCTION static constexpr ordered_key flips([[maybe_unused]] ordered_key like) {
    if constexpr (integer<Key>) {
      return Key(-1) < Key(0) ? sign : ordered_key(0);
    } else {  // among negative numbers, a larger magnitude is the smaller number
      auto const all_or_none = static_cast<std::make_signed_t<ordered_key>>(like) >> (bits - 1);
      return static_cast<ordered_key>(static_cast<ordered_key>(all_or_none) | sign);
    }
  }
};

/// Maps floats to canonical ones, whose IEEE 754 total order is the numeric order. -0 becomes +0,
/// and every NaN becomes the positive quiet NaN without payload, which follows +infinity.
template <detail::binary_float Key>
struct numeric_floats {
  using bits = typename detail::unsigned_of_size<sizeof(Key)>::type;
  static constexpr auto sign = static_cast<bits>(bits(1) << (8 * sizeof(Key) - 1));
  static constexpr auto quiet = static_cast<bits>(bits(1) << (detail::precision_of<Key> - 2));
  static constexpr auto infinity = static_cast<bits>(sign - 2 * quiet);

  SAM_FUNCTION static constexpr bits bits_of(Key const& key) {
    return __builtin_bit_cast(bits, key);
  }
  SAM_FUNCTION static constexpr bool is_zero(Key const& key) {
    return static_cast<bits>(bits_of(key) & ~sign) == 0;
  }
  SAM_FUNCTION static constexpr bool is_nan(Key const& key) {
    return static_cast<bits>(bits_of(key) & ~sign) > infinity;
  }
  SAM_FUNCTION static constexpr bits canonical_bits(Key const& key) {
    bits const number = is_zero(key) ? bits(0) : bits_of(key);
    return is_nan(key) ? static_cast<bits>(infinity | quiet) : number;
  }
  SAM_FUNCTION static constexpr Key canonical(Key const& key) {
    return __builtin_bit_cast(Key, canonical_bits(key));
  }
};

/// Maps keys by a caller's function object, and holds the number of bits of its result.
template <class Function, class Key>
requires digits_of_key<Function, Key>
struct user_digits {
  using ordered_key = std::remove_cvref_t<detail::result_of_callable_t<Function, Key const&>>;
  static constexpr int bits = 8 * int{sizeof(ordered_key)};
  Function function;
  SAM_FUNCTION constexpr ordered_key operator()(Key const& key) const { return function(key); }
};

/// Flips bits of ordered keys. With all bits flipped, keys are sorted in descending order, and
/// equal keys keep their order. `flip` is a run-time value, so that one kernel sorts both ways.
template <class Digits>
struct flipped_digits {
  using ordered_key = typename Digits::ordered_key;
  static constexpr int bits = Digits::bits;
  Digits inner;
  ordered_key flip;
  template <class Key>
  SAM_FUNCTION constexpr ordered_key operator()(Key const& key) const {
    return static_cast<ordered_key>(inner(key) ^ flip);
  }
};

namespace detail {

/// True for the library's own digits, which always map a key to the same ordered key. A caller's
/// function object may fail to, so sorts by one check every index that they write to.
template <class Digits>
inline constexpr bool is_consistent = false;
template <class Key>
inline constexpr bool is_consistent<number_digits<Key>> = true;
template <class Digits>
inline constexpr bool is_consistent<flipped_digits<Digits>> = is_consistent<Digits>;

}  // namespace detail

}  // namespace sam::inline v0_1
