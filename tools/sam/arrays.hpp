// SPDX-License-Identifier: MIT
// What several commands do to the arrays that they read.
#pragma once

#include "npy.hpp"

#include <string>

namespace sam::tool {

/// Some array and what a user knows it by: "flags.npy holds 3 flags".
struct named_items {
  std::string const& file;
  buffer const& items;
  std::string what = "items";
};
/// Throws a failure that names both files if they do not hold as many items.
void expect_as_many(named_items const& given, named_items const& wanted);

/// A file of flags, of which all but 0 are set. Throws a failure that names it if it holds other
/// numbers than integers.
buffer read_flags(std::string const& path);
/// Such flags as bits: 32 in each uint32, the lowest first, and 0 behind the last.
buffer packed(buffer const& flags);
/// A file of n flags as bits already, but for what may lie behind the last. Throws a failure that
/// names it if it holds other items, or not as many.
buffer read_packed_flags(std::string const& path, index_t n);

/// The file's array, with bools as uint8: for commands that work modulo 2^8.
npy_array read_numbers(std::string const& path);

/// An item for people.
std::string text_of(buffer const& items, index_t i);

}  // namespace sam::tool
