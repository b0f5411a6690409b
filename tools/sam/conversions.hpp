// SPDX-License-Identifier: MIT
// Conversions of whole arrays between item types.
#pragma once

#include "engine.hpp"

namespace sam::tool {

/// Applies a map to the items and converts them to `type`. Integers are mapped in 64 bits, or as
/// double where `type` is a float. Narrower integers are taken modulo 2^w. Floats become integers
/// only by item_map::nonzero. Allocates nothing if the bytes stay the same.
buffer converted(buffer items, item_type type, item_map map = item_map::none);

/// Converts numbers to int64, uint64 or float64, whichever holds all values of their type.
buffer widened(buffer items);

}  // namespace sam::tool
