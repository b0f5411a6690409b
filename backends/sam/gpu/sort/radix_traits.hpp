// SPDX-License-Identifier: MIT
// Defines how the kernels of a sort encode keys as unsigned integers (ordered keys), which digits
// they sort by, and in what form a key is kept between passes.
#pragma once

#include <sam/backend/sort_job.hpp>
#include <sam/gpu/sort/sort_control.hpp>

namespace sam::inline v0_1::gpu {

/// True if distinct keys have distinct ordered keys, so that the key can be computed from its
/// ordered key.
template <class Digits>
inline constexpr bool is_one_to_one = false;
template <class Key>
inline constexpr bool is_one_to_one<number_digits<Key>> = true;
template <class Digits>
inline constexpr bool is_one_to_one<flipped_digits<Digits>> = is_one_to_one<Digits>;

template <class Digits>
inline constexpr bool is_flipped = false;
template <class Digits>
inline constexpr bool is_flipped<flipped_digits<Digits>> = true;
template <class Digits>
SAM_FUNCTION constexpr auto const& unflipped(Digits const& digits) {
  if constexpr (is_flipped<Digits>)
    return digits.inner;
  else
    return digits;
}

/// Names the bits of an ordered key that form one digit: `bits` bits from bit `bit` on.
struct digit_position {
  int bit;
  int bits;

  template <class OrderedKey>
  SAM_FUNCTION std::uint32_t digit(OrderedKey x) const {
    return static_cast<std::uint32_t>(x >> bit) & mask();
  }
  SAM_FUNCTION std::uint32_t mask() const { return (1u << bits) - 1; }
  /// Returns a mask of all bits up to and including those of this digit.
  template <class OrderedKey>
  SAM_FUNCTION OrderedKey upto() const {
    return static_cast<OrderedKey>(~OrderedKey(0)) >> (8 * int{sizeof(OrderedKey)} - bit - bits);
  }
};

/// Extracts bits [begin, end) of an ordered key, which are the bits that a sort compares.
struct bits_between {
  int begin, end;

  template <class OrderedKey>
  SAM_FUNCTION OrderedKey operator()(OrderedKey x) const {
    if (end == 0)
      return 0;
    auto const mask = static_cast<OrderedKey>(static_cast<OrderedKey>(~OrderedKey(0)) >>
                                              (8 * int{sizeof(OrderedKey)} - end));
    return static_cast<OrderedKey>((x & mask) >> begin);
  }
};

/// The number of bits that select a bank of shared memory.
template <class Device>
inline constexpr int bank_bits = 31 - __builtin_clz(unsigned(Device::banks));
/// Returns the bank of the counter of digit d, with bank swizzling if `swizzles`.
template <class Device>
SAM_FUNCTION constexpr int bank_of(int d, bool swizzles) {
  return (swizzles ? d ^ d >> bank_bits<Device> : d) % Device::banks;
}

/// Provides the digits of 64-bit integers whose bits are all zero from the sort's end_bit on. A
/// sort by the bits below end_bit therefore sorts by all bits.
struct low_bits {
  using ordered_key = std::uint64_t;
  static constexpr int bits = 64;
  SAM_FUNCTION ordered_key operator()(std::uint64_t x) const { return x; }
};
template <class Digits>
inline constexpr bool are_low_bits = false;
template <>
inline constexpr bool are_low_bits<low_bits> = true;

}  // namespace sam::inline v0_1::gpu

template <>
inline constexpr bool sam::detail::is_consistent<sam::gpu::low_bits> = true;

namespace sam::inline v0_1::gpu {

/// True if a key's digits may differ from one call to the next, as user-defined ones may. Every
/// position computed from them must then be checked.
template <class Job>
inline constexpr bool checks_places =
    !detail::is_consistent<std::remove_cvref_t<decltype(Job::digits)>>;
template <>
inline constexpr bool is_one_to_one<low_bits> = true;

/// True if keys are integers. Such a key is its own ordered key, except for the sign bit.
template <class Digits>
inline constexpr bool are_integers = false;
template <class Key>
inline constexpr bool are_integers<number_digits<Key>> = integer<Key>;
template <>
inline constexpr bool are_integers<low_bits> = true;
/// True if keys are floats. Passes keep their ordered keys instead of the keys, which saves
/// conversions.
template <class Digits>
inline constexpr bool keeps_ordered_keys = false;
template <class Key>
inline constexpr bool keeps_ordered_keys<number_digits<Key>> = detail::binary_float<Key>;

/// True if the digits of arbitrary bits of a key's size can be computed, because no user code is
/// called.
template <class Digits>
inline constexpr bool are_of_any_bits = is_one_to_one<Digits>;

/// Returns the key of an ordered key, for one-to-one digits. OrderedKey may be wider than the
/// digits' own unsigned type.
template <class Key, class Digits, class OrderedKey>
SAM_FUNCTION Key key_of_ordered_key(Digits const& digits, OrderedKey x) {
  if constexpr (is_flipped<Digits>)
    return gpu::key_of_ordered_key<Key>(digits.inner, static_cast<OrderedKey>(x ^ digits.flip));
  else
    return Digits::key_of(static_cast<typename Digits::ordered_key>(x));
}

/// Holds a key and its value as one item between passes. The items of one digit then fill a run
/// twice as long as in two arrays.
template <class Held, class Value>
struct alignas(sizeof(Held) + sizeof(Value)) packed_pair {
  Held key;
  Value value;
};

/// Stores n pairs in the memory of an array of n keys and an array of n values: half of them in
/// each. If n is odd, the last pair is stored elsewhere. Addresses are computed from pointers, not
/// from integers: compilers then know that they are of global memory, and may load from shared
/// memory before they store there.
template <class Packed, class Index>
class packed_pairs {
 public:
  template <class Key, class Value>
  SAM_FUNCTION packed_pairs(Key* keys, Value* values, void* last, index_t n)
      : half_(static_cast<Index>(n / 2)), first_(address(keys, 0)), second_(address(values, half_)),
        last_(address(last, 2 * half_)) {}

  SAM_FUNCTION Packed& operator[](Index i) const {
    std::byte* const from = i < half_ ? first_ : i < 2 * half_ ? second_ : last_;
    return *reinterpret_cast<Packed*>(from + i * sizeof(Packed));
  }

 private:
  /// Returns the address that item 0 would have if item i were at `there`.
  static SAM_FUNCTION std::byte* address(void* there, Index i) {
    return static_cast<std::byte*>(there) - i * sizeof(Packed);
  }
  Index half_;
  std::byte *first_, *second_, *last_;
};

template <class Job>
struct radix_traits;
template <class Key, class Value, class Digits>
struct radix_traits<sort_job<Key, Value, Digits>> {
  using key = Key;
  using value = Value;
  using inner_digits = std::remove_cvref_t<decltype(gpu::unflipped(std::declval<Digits const&>()))>;
  using ordered_key = std::conditional_t<sizeof(typename Digits::ordered_key) <= 4, std::uint32_t,
                                         typename Digits::ordered_key>;
  static constexpr bool has_values = sort_job<Key, Value, Digits>::has_values;
  /// True if keys can be computed from their digits.
  static constexpr bool is_invertible = is_one_to_one<Digits>;
  static constexpr bool keys_only = !has_values && is_invertible;

  static constexpr bool is_held_as_ordered_key = keeps_ordered_keys<inner_digits>;
  /// Type of a key in registers and shared memory: the key or its ordered key.
  using held_key = std::conditional_t<is_held_as_ordered_key, typename Digits::ordered_key, Key>;

  /// True if a held key is its own ordered key, except for the sign bit.
  static constexpr bool is_own_ordered_key = is_held_as_ordered_key || are_integers<inner_digits>;

  /// True if a key and its value have equal sizes of at most 4 bytes. Packed pairs then fit in the
  /// memory of both arrays.
  static constexpr bool packs = has_values && sizeof(Key) == sizeof(Value) && sizeof(Key) <= 4 &&
                                (sizeof(Key) & (sizeof(Key) - 1)) == 0;
  using packed = std::conditional_t<packs, packed_pair<held_key, Value>, no_values>;

  /// Returns the ordered key before the flip; flip_of() has the bits to invert. The flip is the
  /// same for all keys, so kernels apply it where it costs nothing.
  static SAM_FUNCTION ordered_key ordered_key_of(Digits const& digits, Key const& k) {
    if constexpr (are_integers<inner_digits>)
      return static_cast<ordered_key>(k);
    else
      return static_cast<ordered_key>(gpu::unflipped(digits)(k));
  }
  static SAM_FUNCTION ordered_key ordered_key_of_held(Digits const& digits, held_key const& k) {
    if constexpr (is_held_as_ordered_key)
      return static_cast<ordered_key>(k);
    else
      return ordered_key_of(digits, k);
  }
  static SAM_FUNCTION ordered_key ordered_key_of_held(Digits const& digits, packed const& p) {
    return ordered_key_of_held(digits, p.key);
  }
  /// Converts a key that is read to its held form, and back to the form that is written. The flag
  /// says that memory has ordered keys in place of keys.
  static SAM_FUNCTION held_key held(Key const& k, [[maybe_unused]] bool is_ordered_key) {
    if constexpr (is_held_as_ordered_key)
      return is_ordered_key ? __builtin_bit_cast(held_key, k) : number_digits<Key>{}(k);
    else
      return k;
  }
  static SAM_FUNCTION Key to_be_written(held_key const& k, [[maybe_unused]] bool as_ordered_key) {
    if constexpr (is_held_as_ordered_key)
      return as_ordered_key ? __builtin_bit_cast(Key, k) : number_digits<Key>::key_of(k);
    else
      return k;
  }
  /// Returns the held form of a key that sorts last by every digit.
  static SAM_FUNCTION held_key last_key(Digits const& digits) requires(is_invertible) {
    auto const x = static_cast<ordered_key>(~flip_of(digits));
    if constexpr (is_own_ordered_key || is_held_as_ordered_key)
      return static_cast<held_key>(x);
    else
      return inner_digits::key_of(x);
  }
  static SAM_FUNCTION held_key const& key_of(held_key const& k) { return k; }
  static SAM_FUNCTION held_key const& key_of(packed const& p) { return p.key; }
  /// Returns the bits of ordered_key_of() to invert: those of descending order, and the sign bit
  /// of integers.
  static SAM_FUNCTION ordered_key flip_of(Digits const& digits) {
    ordered_key flip = 0;
    if constexpr (is_flipped<Digits>)
      flip = static_cast<ordered_key>(digits.flip);
    if constexpr (are_integers<inner_digits>)
      flip ^= static_cast<ordered_key>(inner_digits{}(Key(0)));  // the sign bit of signed integers
    return flip;
  }
  /// True if the order of the result can be checked. Items with original indices always can; keys
  /// alone only if the sort compares all of their bits.
  static SAM_FUNCTION bool sorts_all_bits(sort_job<Key, Value, Digits> const& job) {
    return !keys_only ||
           (job.begin_bit == 0 && (job.end_bit == Digits::bits || are_low_bits<Digits>));
  }
};

}  // namespace sam::inline v0_1::gpu
