// SPDX-License-Identifier: MIT
// Implements conversions between descriptions of segments.
#include "segmentation.hpp"

#include <algorithm>

namespace sam::tool {

namespace {

void set_bit(buffer const& bits, index_t i) {
  bits.as<std::uint32_t>()[static_cast<std::size_t>(i / 32)] |= std::uint32_t{1} << (i % 32);
}

void reverse_bits(buffer const& bits, index_t n) {
  auto const flip = [words = bits.as<std::uint32_t>()](index_t i) {
    words[static_cast<std::size_t>(i / 32)] ^= std::uint32_t{1} << (i % 32);
  };
  for (index_t i = 0, j = n - 1; i < j; ++i, --j)
    if (bit_at(bits, i) != bit_at(bits, j))
      flip(i), flip(j);
}

}  // namespace

void reverse_segments(segmentation const& segments, index_t n) {
  switch (segments.said_by) {
  case segmentation::form::heads:
    return reverse_bits(segments.items, n);
  case segmentation::form::offsets: {
    auto const offsets = segments.items.as<std::int64_t>();
    std::ranges::reverse(offsets);
    for (std::int64_t& offset : offsets)
      offset = n - offset;
    return;
  }
  case segmentation::form::keys:
    with_type(segments.items.type(), [&]<class T>(std::type_identity<T>) {
      std::ranges::reverse(segments.items.as<T>());
    });
  }
}

buffer heads_of(segmentation const& segments, index_t n) {
  buffer heads(item_type::uint32, div_up(n, 32));
  std::ranges::fill(heads.as<std::uint32_t>(), std::uint32_t{0});
  switch (segments.said_by) {
  case segmentation::form::heads:
    std::ranges::copy(segments.items.as<std::uint32_t>(), heads.as<std::uint32_t>().begin());
    break;
  case segmentation::form::offsets:
    for (std::int64_t const offset : segments.items.as<std::int64_t>())
      if (offset < n)
        set_bit(heads, offset);
    break;
  case segmentation::form::keys:
    with_type(segments.items.type(), [&]<class T>(std::type_identity<T>) {
      auto const keys = segments.items.as<T>();
      for (std::size_t i = 1; i < keys.size(); ++i)
        if (keys[i - 1] != keys[i])
          set_bit(heads, static_cast<index_t>(i));
    });
  }
  return heads;
}

}  // namespace sam::tool
