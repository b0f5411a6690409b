// SPDX-License-Identifier: MIT
// Where segments lie, as files say it to several commands.
#pragma once

#include "commands.hpp"

namespace sam::tool {

/// The items that lie in segments: how many there are, and what is done to them.
struct segmented_items {
  index_t n;
  std::string to_what;
};

/// Reads the file that is given. Throws a failure that names it if it does not fit the items.
segmentation read_segments(segment_files const& files, segmented_items const& of);

/// Whether one is given.
bool are_given(segment_files const& files);

}  // namespace sam::tool
