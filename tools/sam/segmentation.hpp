// SPDX-License-Identifier: MIT
// The ways in which a user can describe segments.
#pragma once

#include "items.hpp"

namespace sam::tool {

/// A description of segments:
///   heads    one flag per item, 32 per uint32, lowest bit first; 1 where a segment begins or, in a
///   backward scan, ends; bits behind the last flag are ignored
///   offsets  the int64 begin of each segment, starting with 0, then the number of items
///   keys     one number of any type per item; a segment begins where it changes
struct segmentation {
  enum class form { heads, offsets, keys };
  form said_by = form::heads;
  buffer items;
};

/// Turns the description, in place, into that of the n items in reverse order.
void reverse_segments(segmentation const& segments, index_t n);

/// Returns the head flags of n items for any form of description, as bits. The first flag may be 0.
buffer heads_of(segmentation const& segments, index_t n);

/// Returns flag i of packed flags.
inline bool bit_at(buffer const& bits, index_t i) {
  return (bits.as<std::uint32_t>()[static_cast<std::size_t>(i / 32)] >> (i % 32) & 1) != 0;
}

}  // namespace sam::tool
