// SPDX-License-Identifier: MIT
// What the kernels of a sort see of its keys: images, digits, and what of them is kept from pass to
// pass.
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

/// Where a digit lies in the image of a key.
struct digit_place {
  int bit;
  int bits;

  template <class Image>
  SAM_FUNCTION std::uint32_t digit(Image x) const {
    return static_cast<std::uint32_t>(x >> bit) & mask();
  }
  SAM_FUNCTION std::uint32_t mask() const { return (1u << bits) - 1; }
  /// The bits up to those of this digit.
  template <class Image>
  SAM_FUNCTION Image upto() const {
    return static_cast<Image>(~Image(0)) >> (8 * int{sizeof(Image)} - bit - bits);
  }
};

/// What sorting by bits [begin, end) of images looks at.
struct bits_between {
  int begin, end;

  template <class Image>
  SAM_FUNCTION Image operator()(Image x) const {
    if (end == 0)
      return 0;
    auto const mask =
        static_cast<Image>(static_cast<Image>(~Image(0)) >> (8 * int{sizeof(Image)} - end));
    return static_cast<Image>((x & mask) >> begin);
  }
};

/// Banks of shared memory, and which of them has the counter of digit d.
inline constexpr int bank_bits = 5, banks = 1 << bank_bits;
SAM_FUNCTION constexpr int bank_of(int d, bool mixes) {
  return (mixes ? d ^ d >> bank_bits : d) % banks;
}

/// Integers that have no bits set from where on they are not sorted by.
struct low_bits {
  using image = std::uint64_t;
  static constexpr int bits = 64;
  SAM_FUNCTION image operator()(std::uint64_t x) const { return x; }
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

/// Whether keys are integers, and so their own images but for the sign; and whether they are
/// floats, whose images it pays to keep from pass to pass, instead of the keys.
template <class Digits>
inline constexpr bool are_integers = false;
template <class Key>
inline constexpr bool are_integers<number_digits<Key>> = integer<Key>;
template <>
inline constexpr bool are_integers<low_bits> = true;
template <class Digits>
inline constexpr bool keeps_images = false;
template <class Key>
inline constexpr bool keeps_images<number_digits<Key>> = detail::binary_float<Key>;

/// Whether digits can be asked for of anything that has the size of a key: nobody else's code is
/// called.
template <class Digits>
inline constexpr bool are_of_any_bits = is_one_to_one<Digits>;

/// The key of an image, in whatever integer that is, of digits that are one-to-one.
template <class Key, class Digits, class Image>
SAM_FUNCTION Key key_of_image(Digits const& digits, Image x) {
  if constexpr (is_flipped<Digits>)
    return gpu::key_of_image<Key>(digits.inner, static_cast<Image>(x ^ digits.flip));
  else
    return Digits::key_of(static_cast<typename Digits::image>(x));
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
struct sort_traits;
template <class Key, class Value, class Digits>
struct sort_traits<sort_job<Key, Value, Digits>> {
  using key = Key;
  using value = Value;
  using inner_digits = std::remove_cvref_t<decltype(gpu::unflipped(std::declval<Digits const&>()))>;
  using image = std::conditional_t<sizeof(typename Digits::image) <= 4, std::uint32_t,
                                   typename Digits::image>;
  static constexpr bool has_values = sort_job<Key, Value, Digits>::has_values;
  static constexpr bool keys_tell = !has_values && is_one_to_one<Digits>;

  static constexpr bool is_held_as_image = keeps_images<inner_digits>;
  /// What a pass has of a key.
  using held_key = std::conditional_t<is_held_as_image, typename Digits::image, Key>;

  /// Whether that is its own image, but for the sign.
  static constexpr bool is_own_image = is_held_as_image || are_integers<inner_digits>;

  /// Pairs of two equal halves can be packed into the memory of keys and values.
  static constexpr bool packs = has_values && sizeof(Key) == sizeof(Value) && sizeof(Key) <= 4 &&
                                (sizeof(Key) & (sizeof(Key) - 1)) == 0;
  using packed = std::conditional_t<packs, packed_pair<held_key, Value>, no_values>;

  /// Images come in two parts: what is the same for all keys is put where it costs nothing.
  static SAM_FUNCTION image image_of(Digits const& digits, Key const& k) {
    if constexpr (are_integers<inner_digits>)
      return static_cast<image>(k);
    else
      return static_cast<image>(gpu::unflipped(digits)(k));
  }
  static SAM_FUNCTION image image_of_held(Digits const& digits, held_key const& k) {
    if constexpr (is_held_as_image)
      return static_cast<image>(k);
    else
      return image_of(digits, k);
  }
  static SAM_FUNCTION image image_of_held(Digits const& digits, packed const& p) {
    return image_of_held(digits, p.key);
  }
  /// What is held of a key that is read, which may be the image of one already; and what is to be
  /// written of it.
  static SAM_FUNCTION held_key held(Key const& k, [[maybe_unused]] bool is_image) {
    if constexpr (is_held_as_image)
      return is_image ? __builtin_bit_cast(held_key, k) : number_digits<Key>{}(k);
    else
      return k;
  }
  static SAM_FUNCTION Key to_be_written(held_key const& k, [[maybe_unused]] bool as_image) {
    if constexpr (is_held_as_image)
      return as_image ? __builtin_bit_cast(Key, k) : number_digits<Key>::key_of(k);
    else
      return k;
  }
  static SAM_FUNCTION held_key const& key_of(held_key const& k) { return k; }
  static SAM_FUNCTION held_key const& key_of(packed const& p) { return p.key; }
  static SAM_FUNCTION image flip_of(Digits const& digits) {
    image flip = 0;
    if constexpr (is_flipped<Digits>)
      flip = static_cast<image>(digits.flip);
    if constexpr (are_integers<inner_digits>)
      flip ^= static_cast<image>(inner_digits{}(Key(0)));  // the sign bit, if there is one
    return flip;
  }
  /// Whether the order of keys can be seen to be right.
  static SAM_FUNCTION bool is_provable(sort_job<Key, Value, Digits> const& job) {
    return !keys_tell ||
           (job.begin_bit == 0 && (job.end_bit == Digits::bits || are_low_bits<Digits>));
  }
};

}  // namespace sam::gpu
