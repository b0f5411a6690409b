// SPDX-License-Identifier: MIT
// What the library for several kinds of processors offers.
#pragma once

#include <string>

/// How many bytes a vector has for which it was compiled.
[[gnu::visibility("default")]] int vector_bytes();

/// Compacts, scans and sorts random items. What came out wrong, or nothing.
[[gnu::visibility("default")]] std::string wrong_primitives();

/// Scans and reduces floats by minimum and maximum, NaN and zeros of both signs among them. What
/// came out wrong, or nothing.
[[gnu::visibility("default")]] std::string wrong_extremes();
