// SPDX-License-Identifier: MIT
// Flags, one for each item: an array of integers or bools, or bits packed into words.
#pragma once

#include <sam/context.hpp>
#include <sam/pointers.hpp>

#include <span>

namespace sam {

/// Flags packed 32 to a word, least significant bit first: flag i is bit i % 32 of words[i / 32].
/// `words` are an array of std::uint32_t, which is not copied, with no more words than the flags
/// begin; unused bits of the last may be anything. Without a size, all of their bits are flags.
template <array Words>
class packed_bits {
 public:
  static_assert(std::is_same_v<item_of<Words>, std::uint32_t>,
                "sam: packed bits lie in words of std::uint32_t");

  explicit packed_bits(Words const& words,
                       std::source_location at = std::source_location::current())
      : packed_bits(words, 32 * sam::size_of(words), at) {}
  packed_bits(Words const& words, index_t size,
              std::source_location at = std::source_location::current())
      : words_(words.data(), static_cast<std::size_t>(sam::size_of(words))), size_(size) {
    expect_contiguous("sam::packed_bits", "words", words, at);
    if (size < 0 || div_up(size, 32) != sam::size_of(words))
      throw invalid_argument("sam::packed_bits", "words",
                             "holds " + std::to_string(words_.size()) + " words but should hold " +
                                 std::to_string(size) + " flags, 32 to a word",
                             at);
  }
  std::span<std::uint32_t const> words() const { return words_; }
  index_t size() const { return size_; }

 private:
  std::span<std::uint32_t const> words_;
  index_t size_;
};

namespace detail {

template <class F>
inline constexpr bool are_packed_bits = false;
template <class Words>
inline constexpr bool are_packed_bits<packed_bits<Words>> = true;

// The array that flags lie in.
template <class F>
struct flags_memory {
  using type = F;
};
template <class Words>
struct flags_memory<packed_bits<Words>> {
  using type = Words;
};

}  // namespace detail

/// What may be passed as flags.
template <class F>
concept flags_array = detail::are_packed_bits<std::remove_cvref_t<F>> || array<F>;

/// Points at the first flag, on whatever device the flags lie: *p is not zero where it is set.
template <flags_array Flags>
auto first_flag(Flags const& flags) {
  if constexpr (detail::are_packed_bits<Flags>)
    return bit_pointer{flags.words().data()};
  else
    return static_cast<item_of<Flags> const*>(flags.data());
}

/// The array that the flags lie in.
template <flags_array Flags>
decltype(auto) memory_of(Flags const& flags) {
  if constexpr (detail::are_packed_bits<Flags>)
    return flags.words();
  else
    return (flags);
}

/// Refuses flags that the context cannot reach.
template <class Context, flags_array Flags>
void expect_flags(std::string_view function, Context const& context, Flags const& flags,
                  std::source_location at) {
  static_assert(detail::are_packed_bits<Flags> ||
                    std::is_integral_v<item_of<decltype(memory_of(flags))>>,
                "sam: flags must be integers, bools or sam::packed_bits");
  static_assert(is_within_reach<Context, typename detail::flags_memory<Flags>::type>,
                "sam: the context cannot reach flags");
  expect_items(function, "flags", memory_of(flags), at);
  expect_reach(function, "flags", context, memory_of(flags), at);
}

/// Refuses flags that the context cannot reach, or that are not as many as the n items in in. Of
/// packed bits there may be more in the last word.
template <class Context, flags_array Flags>
void expect_flags(std::string_view function, Context const& context, Flags const& flags, index_t n,
                  std::source_location at) {
  expect_flags(function, context, flags, at);
  index_t const size = static_cast<index_t>(flags.size());
  bool const fits =
      detail::are_packed_bits<Flags> ? n <= size && div_up(n, 32) == div_up(size, 32) : n == size;
  if (!fits)
    throw invalid_argument(function, "flags",
                           "holds " + std::to_string(size) + " items but in holds " +
                               std::to_string(n) + "; both must hold the same number",
                           at);
}

}  // namespace sam
