// SPDX-License-Identifier: MIT
// A linear recurrence, x[i] = a[i] * x[i - 1] + b[i], by a scan: its items are the maps
// x -> a * x + b, and its operator composes two of them. Composition is associative, but it does
// not commute. The identity would be {1, 0}; not saying so shows that none is needed.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

/// x -> a * x + b, modulo 2^32.
struct affine {
  std::uint32_t a, b;
  std::uint32_t operator()(std::uint32_t x) const { return a * x + b; }
};

/// First the left map, the earlier one, then the right.
struct compose {
  affine operator()(affine left, affine right) const { return {left.a * right.a, right(left.b)}; }
};

/// The coefficients of a recurrence with no pattern in it.
std::vector<affine> some_maps(std::size_t n) {
  std::vector<affine> maps;
  std::uint32_t random = 1;
  auto const next = [&] { return random = 1664525 * random + 1013904223; };
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t const a = next();
    maps.push_back({a, next()});
  }
  return maps;
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;

  std::vector<affine> const maps = some_maps(1'000'000);
  std::vector<affine> composed(maps.size());
  sam::inclusive_scan(context, maps, composed, compose{});
  context.wait();

  // Every element of the recurrence at once, from its start; and one after the other, to compare.
  std::uint32_t const start = 12345;
  std::uint32_t x = start;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    x = maps[i](x);
    if (composed[i](start) != x) {
      std::printf("wrong at %zu\n", i);
      return 1;
    }
  }
  std::printf("x[%zu] = %u\n", maps.size() - 1, static_cast<unsigned>(x));
  return 0;
}
