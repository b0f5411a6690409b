// SPDX-License-Identifier: MIT
// Conversions of whole arrays between item types.
#pragma once

#include "engine.hpp"

namespace sam::tool {

/// Converts items to `type`, after a map. Integers are mapped in 64 bits, or as double where `type`
/// is a float; they become narrower integers modulo 2^w. Floats become integers only by
/// item_map::nonzero. Takes no memory where the bytes stay the same.
buffer converted(buffer items, item_type type, item_map map = item_map::none);

/// The same numbers as int64, uint64 or float64.
buffer widened(buffer items);

}  // namespace sam::tool
