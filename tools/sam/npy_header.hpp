// SPDX-License-Identifier: MIT
#pragma once

#include "items.hpp"

#include <string>
#include <vector>

namespace sam::tool {

/// What the header of a .npy file says: a Python dictionary of three entries.
struct npy_header {
  item_type type;
  std::vector<index_t> shape;

  /// Items of the whole array; 1 without any dimension.
  index_t count() const;
  /// The dictionary.
  std::string text() const;
};

/// Throws a failure that names the file if the text is not such a dictionary, or if it says
/// something that the tool cannot work with: other item types, other byte order, Fortran order.
npy_header parse_npy_header(std::string const& file, std::string const& text);

}  // namespace sam::tool
