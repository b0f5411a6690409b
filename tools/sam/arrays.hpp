// SPDX-License-Identifier: MIT
// What several commands do to the arrays that they read.
#pragma once

#include "items.hpp"

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

/// The same numbers as int64, uint64 or float64, in memory of their own.
buffer widened(buffer const& items);
/// The items of such a buffer as `type` again, from which they were widened: integers modulo 2^w.
buffer narrowed(buffer const& items, item_type type);

/// An item for people.
std::string text_of(buffer const& items, index_t i);

}  // namespace sam::tool
