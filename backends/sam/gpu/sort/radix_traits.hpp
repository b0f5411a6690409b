// SPDX-License-Identifier: MIT
// What the kernels of a sort see of its keys: ordered_keys, digits, and what of them is kept from
// pass to pass.
#pragma once

#include <sam/backend/sort_job.hpp>
#include <sam/gpu/sort/sort_control.hpp>

namespace sam::gpu {

/// Whether keys are told apart by their digits.
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

/// Where a digit lies in the ordered_key of a key.
struct digit_place {
  int bit;
  int bits;

  template <class OrderedKey>
  SAM_FUNCTION std::uint32_t digit(OrderedKey x) const {
    return static_cast<std::uint32_t>(x >> bit) & mask();
  }
  SAM_FUNCTION std::uint32_t mask() const { return (1u << bits) - 1; }
  /// The bits up to those of this digit.
  template <class OrderedKey>
  SAM_FUNCTION OrderedKey upto() const {
    return static_cast<OrderedKey>(~OrderedKey(0)) >> (8 * int{sizeof(OrderedKey)} - bit - bits);
  }
};

/// What sorting by bits [begin, end) of ordered_keys looks at.
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

/// Banks of shared memory, and which of them has the counter of digit d.
inline constexpr int bank_bits = 5, banks = 1 << bank_bits;
SAM_FUNCTION constexpr int bank_of(int d, bool mixes) {
  return (mixes ? d ^ d >> bank_bits : d) % banks;
}

/// Integers that have no bits set from where on they are not sorted by.
struct low_bits {
  using ordered_key = std::uint64_t;
  static constexpr int bits = 64;
  SAM_FUNCTION ordered_key operator()(std::uint64_t x) const { return x; }
};
template <class Digits>
inline constexpr bool are_low_bits = false;
template <>
inline constexpr bool are_low_bits<low_bits> = true;

}  // namespace sam::gpu

template <>
inline constexpr bool sam::detail::is_consistent<sam::gpu::low_bits> = true;

namespace sam::gpu {

/// True if the digits of a job may contradict themselves, so that every place that they lead to has
/// to be checked.
template <class Job>
inline constexpr bool checks_places =
    !detail::is_consistent<std::remove_cvref_t<decltype(Job::digits)>>;
template <>
inline constexpr bool is_one_to_one<low_bits> = true;

/// Whether keys are integers, and so their own ordered_keys but for the sign; and whether they are
/// floats, whose ordered_keys it pays to keep from pass to pass, instead of the keys.
template <class Digits>
inline constexpr bool are_integers = false;
template <class Key>
inline constexpr bool are_integers<number_digits<Key>> = integer<Key>;
template <>
inline constexpr bool are_integers<low_bits> = true;
template <class Digits>
inline constexpr bool keeps_ordered_keys = false;
template <class Key>
inline constexpr bool keeps_ordered_keys<number_digits<Key>> = detail::binary_float<Key>;

/// Whether digits can be asked for of anything that has the size of a key: nobody else's code is
/// called.
template <class Digits>
inline constexpr bool are_of_any_bits = is_one_to_one<Digits>;

/// The key of an ordered_key, in whatever integer that is, of digits that are one-to-one.
template <class Key, class Digits, class OrderedKey>
SAM_FUNCTION Key key_of_ordered_key(Digits const& digits, OrderedKey x) {
  if constexpr (is_flipped<Digits>)
    return gpu::key_of_ordered_key<Key>(digits.inner, static_cast<OrderedKey>(x ^ digits.flip));
  else
    return Digits::key_of(static_cast<typename Digits::ordered_key>(x));
}

/// A key and its value as passes hand them on: what one digit's items fill is twice as long as if
/// they lay in two arrays.
template <class Held, class Value>
struct alignas(sizeof(Held) + sizeof(Value)) packed_pair {
  Held key;
  Value value;
};

/// The n pairs that two arrays of n keys and of n values have room for, half of them in each. If n
/// is odd, the last one lies elsewhere.
template <class Packed, class Index>
class packed_pairs {
 public:
  template <class Key, class Value>
  SAM_FUNCTION packed_pairs(Key* keys, Value* values, void* last, index_t n)
      : half_(static_cast<Index>(n / 2)), first_(address(keys, 0)), second_(address(values, half_)),
        last_(address(last, 2 * half_)) {}

  SAM_FUNCTION Packed& operator[](Index i) const {
    std::uintptr_t const from = i < half_ ? first_ : i < 2 * half_ ? second_ : last_;
    return *reinterpret_cast<Packed*>(from + i * sizeof(Packed));
  }

 private:
  /// Where item 0 would lie if item i lay there.
  static SAM_FUNCTION std::uintptr_t address(void const* there, Index i) {
    return reinterpret_cast<std::uintptr_t>(there) - i * sizeof(Packed);
  }
  Index half_;
  std::uintptr_t first_, second_, last_;
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
  static constexpr bool keys_only = !has_values && is_one_to_one<Digits>;

  static constexpr bool is_held_as_ordered_key = keeps_ordered_keys<inner_digits>;
  /// What a pass has of a key.
  using held_key = std::conditional_t<is_held_as_ordered_key, typename Digits::ordered_key, Key>;

  /// Whether that is its own ordered_key, but for the sign.
  static constexpr bool is_own_ordered_key = is_held_as_ordered_key || are_integers<inner_digits>;

  /// Pairs of two equal halves can be packed into the memory of keys and values.
  static constexpr bool packs = has_values && sizeof(Key) == sizeof(Value) && sizeof(Key) <= 4 &&
                                (sizeof(Key) & (sizeof(Key) - 1)) == 0;
  using packed = std::conditional_t<packs, packed_pair<held_key, Value>, no_values>;

  /// Images come in two parts: what is the same for all keys is put where it costs nothing.
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
  /// What is held of a key that is read, which may be the ordered_key of one already; and what is
  /// to be written of it.
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
  /// Returns what is held of a key that comes last in every digit.
  static SAM_FUNCTION held_key last_key(Digits const& digits) requires(keys_only) {
    auto const x = static_cast<ordered_key>(~flip_of(digits));
    if constexpr (is_own_ordered_key || is_held_as_ordered_key)
      return static_cast<held_key>(x);
    else
      return inner_digits::key_of(x);
  }
  static SAM_FUNCTION held_key const& key_of(held_key const& k) { return k; }
  static SAM_FUNCTION held_key const& key_of(packed const& p) { return p.key; }
  static SAM_FUNCTION ordered_key flip_of(Digits const& digits) {
    ordered_key flip = 0;
    if constexpr (is_flipped<Digits>)
      flip = static_cast<ordered_key>(digits.flip);
    if constexpr (are_integers<inner_digits>)
      flip ^= static_cast<ordered_key>(inner_digits{}(Key(0)));  // the sign bit, if there is one
    return flip;
  }
  /// Whether the order of keys can be seen to be right.
  static SAM_FUNCTION bool sorts_all_bits(sort_job<Key, Value, Digits> const& job) {
    return !keys_only ||
           (job.begin_bit == 0 && (job.end_bit == Digits::bits || are_low_bits<Digits>));
  }
};

}  // namespace sam::gpu
