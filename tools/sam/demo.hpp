// SPDX-License-Identifier: MIT
// Measurements of a recording for the demonstration: code length and speed.
#pragma once

#include "engine.hpp"

namespace sam::tool {

/// Returns the bits per sample of a Rice code with one parameter per 4096 samples, as in FLAC. A
/// block whose Rice code would be longer than 16 bits per sample is stored raw.
double coded_bits(buffer const& residuals);

/// The order (1 to 8) and tuple size (1 to 4) whose residuals have the shortest code.
struct best_code {
  delta_request request;
  double bits = 16;
};
best_code find_best_code(engine& engine, buffer const& samples);

struct speed {
  decode_speed seconds;
  bool all_came_back;
};
/// Measures encoding and decoding of the samples, repeated until they fill `bytes`.
speed measure(engine& engine, buffer const& samples, delta_request const& request, index_t bytes);

}  // namespace sam::tool
