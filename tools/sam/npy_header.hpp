// SPDX-License-Identifier: MIT
// The header of a .npy file.
#pragma once

#include "items.hpp"

#include <string>
#include <vector>

namespace sam::tool {

/// The content of a .npy header: a Python dictionary with three entries.
struct npy_header {
  item_type type;
  std::vector<index_t> shape;

  /// Returns the number of items in the array; 1 if there is no dimension.
  index_t count() const;
  /// Returns the dictionary as text.
  std::string text() const;
};

/// Parses a header. Throws a failure that names the file if the text is not such a dictionary, or
/// if the tool cannot process the array: other item types, other byte order, Fortran order.
npy_header parse_npy_header(std::string const& file, std::string const& text);

}  // namespace sam::tool
