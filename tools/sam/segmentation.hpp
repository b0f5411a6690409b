// SPDX-License-Identifier: MIT
// Where segments lie, as the user says it.
#pragma once

#include "items.hpp"

namespace sam::tool {

/// heads    a flag for each item, as bits, 32 in each uint32, the lowest first: 1 where a segment
///          begins or, backward, ends; what lies behind the last flag may be anything
/// offsets  where each segment begins, from 0, and the number of items, as int64
/// keys     a number of any type for each item: a segment begins wherever it changes
struct segmentation {
  enum class form { heads, offsets, keys };
  form said_by = form::heads;
  buffer items;
};

/// Makes it, in place, that of the n items in reverse order.
void reverse_segments(segmentation const& segments, index_t n);

/// The heads of n items, forwards, as above, however they are said. The first item may not be one.
buffer heads_of(segmentation const& segments, index_t n);

/// One of such bits.
inline bool bit_at(buffer const& bits, index_t i) {
  return (bits.as<std::uint32_t>()[static_cast<std::size_t>(i / 32)] >> (i % 32) & 1) != 0;
}

}  // namespace sam::tool
