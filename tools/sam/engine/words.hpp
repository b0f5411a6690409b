// SPDX-License-Identifier: MIT
// Views numbers of any type as unsigned words of 4 or 8 bytes, so that kernels are compiled for two
// types only.
#pragma once

#include <sam/portable.hpp>

#include "engine/key_range.hpp"

#include <algorithm>
#include <vector>

namespace sam::tool {

/// Calls use(words) with the words of `numbers`, or of a copy that lives as long as the call.
template <class Use>
void with_words(buffer const& numbers, Use use) {
  index_t const bytes = bytes_of(numbers.type());
  if (bytes == 8)
    return use(numbers.as<std::uint64_t>());
  if (bytes == 4)
    return use(numbers.as<std::uint32_t>());
  std::vector<std::uint32_t> copy(static_cast<std::size_t>(numbers.count()));
  if (bytes == 2)
    std::ranges::copy(numbers.as<std::uint16_t>(), copy.begin());
  else
    std::ranges::copy(numbers.as<std::uint8_t>(), copy.begin());
  use(std::span(copy));
}
/// Calls use(words, words_out). After the call, words_out become the numbers of `out`, which has
/// the same type and may be the same buffer.
template <class Use>
void with_words(buffer const& numbers, buffer const& out, Use use) {
  with_words(numbers, [&]<class Word>(std::span<Word> words) {
    index_t const bytes = bytes_of(out.type());
    if (bytes == index_t{sizeof(Word)})
      return use(words, out.as<Word>());
    std::vector<Word> copy(static_cast<std::size_t>(out.count()));
    use(words, std::span(copy));
    auto const take_back = [&]<class U>(std::span<U> to) {
      std::ranges::transform(copy, to.begin(), [](Word word) { return static_cast<U>(word); });
    };
    if (bytes == 2)
      take_back(out.as<std::uint16_t>());
    else
      take_back(out.as<std::uint8_t>());
  });
}

/// A predicate that is true if two numbers, given as words, are equal. A float NaN equals nothing,
/// and both zeros are equal. For integers, `sign` is 0 and no word exceeds `infinity`.
template <class Word>
struct equal_numbers {
  Word sign = 0;
  Word infinity = static_cast<Word>(~Word{0});

  explicit equal_numbers(item_type type) {
    if (is_float(type)) {
      sign = Word{1} << (8 * sizeof(Word) - 1);
      infinity = Word{sizeof(Word) == 4 ? 0xffu : 0x7ffu} << (sizeof(Word) == 4 ? 23 : 52);
    }
  }
  SAM_FUNCTION bool operator()(Word a, Word b) const {
    auto const magnitude = static_cast<Word>(~sign);
    return a == b ? (a & magnitude) <= infinity : ((a | b) & magnitude) == 0;
  }
};

}  // namespace sam::tool
