// SPDX-License-Identifier: MIT
// What the demonstration finds out about a recording.
#pragma once

#include "engine.hpp"

namespace sam::tool {

/// Bits per sample of a Rice code, with one parameter for every 4096 samples as FLAC has it: short
/// codes for small residuals, 16 bits for all where that is shorter.
double coded_bits(buffer const& residuals);

/// The order from 1 to 8 and the tuple size from 1 to 4 whose residuals have the shortest code.
struct best_code {
  delta_request request;
  double bits = 16;
};
best_code find_best_code(engine& engine, buffer const& samples);

struct speed {
  decode_speed seconds;
  bool all_came_back;
};
/// Encodes and decodes the samples, over and over until they fill `bytes`.
speed measure(engine& engine, buffer const& samples, delta_request const& request, index_t bytes);

}  // namespace sam::tool
