// SPDX-License-Identifier: MIT
// The functions of the library that is compiled for several kinds of processors.
#pragma once

#include <string>

/// Returns the size in bytes of the vectors for which the library was compiled.
[[gnu::visibility("default")]] int vector_bytes();

/// Compacts, scans and sorts random items. Returns the failures, or an empty string.
[[gnu::visibility("default")]] std::string wrong_primitives();

/// Scans and reduces floats, including NaN and signed zeros, by minimum and maximum. Returns the
/// failures, or an empty string.
[[gnu::visibility("default")]] std::string wrong_extremes();
