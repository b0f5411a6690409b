// SPDX-License-Identifier: MIT
#include "demo.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

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

template <class Call>
double median_seconds(Call call) {
  call();
  std::array<double, 7> seconds{};
  for (double& time : seconds) {
    auto const start = std::chrono::steady_clock::now();
    call();
    time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

void copy_by_threads(buffer const& from, buffer const& to, int threads) {
  std::vector<std::jthread> others;
  index_t const bytes = static_cast<index_t>(from.bytes().size());
  auto const part = [&](index_t t) {
    index_t const begin = bytes * t / threads, end = bytes * (t + 1) / threads;
    std::memcpy(to.bytes().data() + begin, from.bytes().data() + begin,
                static_cast<std::size_t>(end - begin));
  };
  for (int t = 1; t < threads; ++t)
    others.emplace_back(part, t);
  part(0);
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
      engine.encode(residuals, residuals, {1, tuple_size});  // once more
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
  double const decode = median_seconds([&] { engine.decode(residuals, decoded, request); });
  bool const all_came_back = std::ranges::equal(decoded.bytes(), many.bytes());
  double const copy =
      median_seconds([&] { copy_by_threads(residuals, decoded, engine.threads()); });
  return {decode, copy, all_came_back};
}

}  // namespace sam::tool
