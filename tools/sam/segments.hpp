// SPDX-License-Identifier: MIT
// Where segments lie, as files say it to several commands.
#pragma once

#include "commands.hpp"

namespace sam::tool {

/// A flag for each of n items, 1 where a segment begins or, backward, ends.
class segment_flags {
 public:
  segment_flags(index_t n, bool backward);
  /// A segment ends before item i, and another one begins with it.
  void cut(index_t i);
  std::span<std::uint8_t> of() const { return flags_.as<std::uint8_t>(); }
  buffer const& flags() const { return flags_; }

 private:
  buffer flags_;
  bool backward_;
};

/// The items that lie in segments: how many there are, and what is done to them.
struct segmented_items {
  index_t n;
  std::string to_what;
  bool backward;
};

/// Where segments lie, and what that was read from.
struct segmentation {
  segment_flags flags;
  std::vector<index_t> offsets;  // nothing unless they were given
  buffer keys;                   // likewise
};

/// Reads the file that is given. Throws a failure that names it if it does not fit the items.
segmentation read_segments(segment_files const& files, segmented_items const& of);

/// Whether one is given.
bool are_given(segment_files const& files);

}  // namespace sam::tool
