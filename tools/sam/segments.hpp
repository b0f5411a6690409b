// SPDX-License-Identifier: MIT
// Reads the files that describe segments, for several commands.
#pragma once

#include "commands.hpp"

namespace sam::tool {

/// The number of items in the segments, and the operation on them, for messages.
struct segmented_items {
  index_t n;
  std::string to_what;
};

/// Reads the given file. Throws a failure that names it if it does not fit the items.
segmentation read_segments(segment_files const& files, segmented_items const& of);

/// True if one of the files is given.
bool are_given(segment_files const& files);

}  // namespace sam::tool
