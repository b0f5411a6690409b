// SPDX-License-Identifier: MIT
// Reads arrays part by part, for commands that need not hold all items in memory.
#pragma once

#include "npy.hpp"

#include <algorithm>
#include <utility>

namespace sam::tool {

/// The most items that such a command reads at a time, unless the user says otherwise.
inline constexpr index_t usual_chunk = index_t{1} << 25;

/// Calls use(items) with the items of a file, in order, at most `most` at a time, or once with none
/// if there are none. Checks that the file ends behind them.
template <class Use>
void for_each_part(npy_reader& in, index_t most, Use const& use) {
  index_t left = in.header().count();
  do {
    buffer items(in.header().type, std::min(left, most));
    in.read(items);
    left -= items.count();
    use(std::move(items));
  } while (left > 0);
  in.finish();
}

/// Returns the items of one buffer, and behind them those of another of the same type.
inline buffer joined(buffer const& first, buffer const& second) {
  buffer both(second.type(), first.count() + second.count());
  std::ranges::copy(first.bytes(), both.bytes().begin());
  std::ranges::copy(second.bytes(), both.bytes().last(second.bytes().size()).begin());
  return both;
}
/// Returns a copy of the last `count` items.
inline buffer last_items(buffer const& items, index_t count) {
  buffer last(items.type(), count);
  std::ranges::copy(items.bytes().last(last.bytes().size()), last.bytes().begin());
  return last;
}

}  // namespace sam::tool
