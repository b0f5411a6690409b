// SPDX-License-Identifier: MIT
// Conversions between items of any type and words of 8 bytes, for the calls in word_calls.hpp.
#pragma once

#include "word_calls.hpp"

#include <string>

namespace sam::tool {

struct segment_files;

/// Returns unsigned keys, uint64, in the order of the items, from the lowest on. Floats are in
/// numeric order: -0 equals 0, and NaNs are equal and larger than all numbers. In total order, both
/// are told apart.
buffer ordered_keys(buffer const& items, bool in_total_order = false);
/// Returns the range of keys that a request keeps, for items of the given type.
key_range<std::uint64_t> keys_of(keep_request const& request, item_type type);
/// Returns an item with the given key, as text.
std::string text_of_key(std::uint64_t key, item_type type);

/// Returns the bits of the items as uint64, and items of `type` with these bits.
buffer as_words(buffer const& items);
buffer from_words(buffer const& words, item_type type);

/// Copies the items at the given indices, of type int64.
buffer items_at(buffer const& items, buffer const& indices);

/// Reads indices into an array of n items, as int64. Throws a failure that names the file if it
/// does not hold integers, or if one of them is not below n.
buffer read_indices(std::string const& path, index_t n, std::string const& of);

/// Reads the description of segments of n items as int64 offsets. They are empty if no file is
/// given.
buffer read_offsets_of(segment_files const& files, index_t n, std::string const& to_what);

}  // namespace sam::tool
