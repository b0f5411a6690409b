// SPDX-License-Identifier: MIT
// Sorts items that fit in a cache by vectors, on one thread. Keys alone, of which equal ones have
// equal bits, are sorted as ordered keys, from which keys are made again. Other items are sorted by
// numbers that are unique: the ordered key, and below it the index, which keeps the sort stable.
#pragma once

#include <sam/host/sort/key_value_io.hpp>
#include <sam/host/sort/vector_quicksort.hpp>

#include <cstdint>

namespace sam::inline v0_1::host {

/// Returns the key of an ordered key, for digits from which it can be made.
template <class Key>
Key key_of(number_digits<Key> const&, typename number_digits<Key>::ordered_key x) {
  return number_digits<Key>::key_of(x);
}
template <class Key>
Key key_of(flipped_digits<number_digits<Key>> const& digits,
           typename number_digits<Key>::ordered_key x) {
  return number_digits<Key>::key_of(
      static_cast<typename number_digits<Key>::ordered_key>(x ^ digits.flip));
}

template <class Key, class Value, class Digits>
class in_cache_vector_sort {
  using ordered_key = typename Digits::ordered_key;
  using source = source_columns<Key, Value>;
  using target = columns<Key, Value>;
  using window = bit_window<ordered_key>;
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  static constexpr bool narrow = sizeof(ordered_key) == 2;
  using key_word = std::conditional_t<narrow, std::uint32_t, ordered_key>;
  /// True if keys alone are made again from ordered keys.
  static constexpr bool makes_keys =
      !has_values && sorts_by_vectors<key_word> && requires(Digits const& digits, ordered_key x) {
    { host::key_of(digits, x) } -> std::same_as<Key>;
  };
  static constexpr bool packs =
      !makes_keys && sizeof(ordered_key) == 4 && sorts_by_vectors<std::uint64_t>;

 public:
  using word = std::conditional_t<makes_keys, key_word, std::uint64_t>;
  /// Fewer items are sorted faster by comparing each with all, and more by digits.
  static constexpr index_t fewest_items = 17;
  static constexpr index_t most_items = !makes_keys ? (packs ? 1 << 16 : 0)
                                        : narrow    ? 1 << 12
                                                    : highest_of<index_t>;

  /// True if the sort of a job is one of these. Keys are made from all of their bits.
  static bool takes(sort_job<Key, Value, Digits> const& job) {
    return packs || (makes_keys && job.begin_bit == 0 && job.end_bit == Digits::bits);
  }
  static bool takes(index_t n) { return n >= fewest_items && n <= most_items; }
  /// Returns how many words each of two buffers has for n items.
  static constexpr index_t space_for(index_t n) { return n + 64; }

  /// Constructs the sort. `words` has two buffers of `space` words, and `moved` space for all items
  /// if these are sorted in place.
  in_cache_vector_sort(Digits const& digits, word* words, index_t space, target const& moved)
      : digits_(digits), words_(words), spare_(words + space), moved_(moved) {}

  /// Sorts n items stably by some bits, and writes them to `to`, which may be `from`.
  void operator()([[maybe_unused]] source from, [[maybe_unused]] target const& to,
                  [[maybe_unused]] index_t n, [[maybe_unused]] window const& by) const {
    if constexpr (makes_keys) {
      put_words(from.keys, words_, n, digits_);
      vector_quicksort<word>{spare_}(words_, n);
      take_keys(words_, to.keys, n, digits_);
    } else if constexpr (packs) {
      put_packed(from.keys, words_, n, digits_, by);
      vector_quicksort<word>{spare_}(words_, n);
      if (from.are_in(to)) {
        host::move_items(from, moved_, n);
        from = moved_;
      }
      take_items(words_, from, to, n);
    }
  }

 private:
  // Take arguments by value; otherwise the compiler must assume that each store changes them.
  static void put_words(Key const* keys, word* words, index_t n, Digits const digits) {
    for (index_t i = 0; i < n; ++i)
      words[i] = digits(keys[i]);
  }
  static void take_keys(word const* words, Key* keys, index_t n, Digits const digits) {
    for (index_t i = 0; i < n; ++i)
      keys[i] = host::key_of(digits, static_cast<ordered_key>(words[i]));
  }
  static void put_packed(Key const* keys, word* words, index_t n, Digits const digits,
                         window const by) {
    for (index_t i = 0; i < n; ++i)
      words[i] = word{by(digits(keys[i]))} << 32 | static_cast<word>(i);
  }
  static void take_items(word const* words, source const from, target const to, index_t n) {
    for (index_t i = 0; i < n; ++i) {
      auto const at = static_cast<index_t>(words[i] & 0xffffffff);
      to.keys[i] = from.keys[at];
      if constexpr (has_values)
        to.values[i] = from.value(at);
    }
  }

  Digits digits_;
  word *words_, *spare_;
  target moved_;
};

}  // namespace sam::inline v0_1::host
