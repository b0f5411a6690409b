// SPDX-License-Identifier: MIT
// Implements the measurements of the demonstration.
#include "demo.hpp"

#include <algorithm>
#include <limits>

namespace sam::tool {

namespace {

std::uint32_t zigzag(std::int16_t x) {
  return x < 0 ? 2 * static_cast<std::uint32_t>(~x) + 1 : 2 * static_cast<std::uint32_t>(x);
}

buffer copy_of(buffer const& from) {
  buffer copy(from.type(), from.count());
  std::ranges::copy(from.bytes(), copy.bytes().begin());
  return copy;
}

buffer repeated(buffer const& samples, index_t bytes) {
  buffer many(samples.type(), bytes / bytes_of(samples.type()));
  std::span<std::byte> rest = many.bytes();
  while (!rest.empty()) {
    auto const part = samples.bytes().first(std::min(samples.bytes().size(), rest.size()));
    std::ranges::copy(part, rest.begin());
    rest = rest.subspan(part.size());
  }
  return many;
}

}  // namespace

double coded_bits(buffer const& residuals) {
  constexpr std::size_t block_size = 4096, parameter_bits = 5;
  std::span<std::int16_t const> rest = residuals.as<std::int16_t const>();
  std::size_t bits = 0;
  while (!rest.empty()) {
    auto const block = rest.first(std::min(block_size, rest.size()));
    std::size_t shortest = 16 * block.size();
    for (std::size_t k = 0; k < 16; ++k) {
      std::size_t length = (k + 1) * block.size();
      for (std::int16_t const residual : block)
        length += zigzag(residual) >> k;
      shortest = std::min(shortest, length);
    }
    bits += shortest + parameter_bits;
    rest = rest.subspan(block.size());
  }
  return static_cast<double>(bits) / static_cast<double>(std::max<index_t>(residuals.count(), 1));
}

best_code find_best_code(engine& engine, buffer const& samples) {
  best_code best{{}, std::numeric_limits<double>::infinity()};
  for (index_t tuple_size = 1; tuple_size <= 4; ++tuple_size) {
    buffer const residuals = copy_of(samples);
    for (int order = 1; order <= 8; ++order) {
      engine.encode(residuals, residuals, {1, tuple_size});  // next order
      if (double const bits = coded_bits(residuals); bits < best.bits)
        best = {{order, tuple_size}, bits};
    }
  }
  return best;
}

speed measure(engine& engine, buffer const& samples, delta_request const& request, index_t bytes) {
  buffer const many = repeated(samples, bytes);
  buffer const residuals(many.type(), many.count());
  buffer const decoded(many.type(), many.count());
  engine.encode(many, residuals, request);
  auto const seconds = engine.measure_decode(residuals, decoded, request);
  return {seconds, std::ranges::equal(decoded.bytes(), many.bytes())};
}

}  // namespace sam::tool
