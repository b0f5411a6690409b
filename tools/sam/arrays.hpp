// SPDX-License-Identifier: MIT
// Checks and conversions of input arrays that several commands share.
#pragma once

#include "npy.hpp"

#include <string>

namespace sam::tool {

/// An array and its description in error messages, as in "flags.npy holds 3 flags".
struct named_items {
  std::string const& file;
  buffer const& items;
  std::string what = "items";
};
/// Throws a failure that names both files if the two arrays differ in length.
void expect_as_many(named_items const& given, named_items const& wanted);

/// Reads a file of flags. Every integer other than 0 is a set flag. Throws a failure that names the
/// file if its items are not integers.
buffer read_flags(std::string const& path);
/// Packs flags as bits: 32 per uint32, lowest bit first, with 0 behind the last flag.
buffer packed(buffer const& flags);
/// Reads a file of n packed flags. Bits behind the last flag are ignored. Throws a failure that
/// names the file if its items are not uint32 or if their number is wrong.
buffer read_packed_flags(std::string const& path, index_t n);

/// Returns the type of items for a command that computes modulo 2^w. Bools become uint8.
item_type number_type(item_type type);
/// Reads an array for such a command.
npy_array read_numbers(std::string const& path);

/// Formats item i as text for messages.
std::string text_of(buffer const& items, index_t i);

}  // namespace sam::tool
