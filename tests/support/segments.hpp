// SPDX-License-Identifier: MIT
// Random segments, and their descriptions in all forms.
#pragma once

#include <sam/portable.hpp>

#include "operators.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

enum class density { none, all, first, last, rare, some, half };
inline constexpr density densities[] = {density::none, density::all,  density::first, density::last,
                                        density::rare, density::some, density::half};

/// Returns random head flags. A set flag has any value but 0.
inline std::vector<std::uint8_t> random_heads(index_t n, density many, std::uint64_t seed) {
  generator bits{seed};
  std::vector<std::uint8_t> heads(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i) {
    bool const head =
        many == density::all || (many == density::first && i == 0) ||
        (many == density::last && i == n - 1) || (many == density::rare && bits() % 20'000 == 0) ||
        (many == density::some && bits() % 50 == 0) || (many == density::half && bits() % 2 == 0);
    heads[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(head ? 1 << i % 8 : 0);
  }
  return heads;
}

/// The form in which segments are described. The references take `heads`.
enum class way { heads, packed, offsets, keys };

/// A description of segments: only the members that its form needs are filled.
struct said {
  std::vector<std::uint8_t> heads;
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> offsets;
  std::vector<std::int16_t> keys;
};

/// Returns a description of the segments in the given form. For a backward scan, flags mark the
/// ends of segments. By offsets, segments begin at the same tuple in all components, so that
/// `begins` is changed accordingly.
inline said say(way how, std::vector<std::uint8_t> begins, index_t components, bool forward,
                std::uint64_t seed) {
  said all;
  generator bits{seed};
  auto const n = static_cast<index_t>(begins.size());
  auto const at = [](auto& items, index_t i) -> auto& {
    return items[static_cast<std::size_t>(i)];
  };
  if (how == way::offsets) {
    all.offsets = {0};
    while (bits() % 3 == 0)
      all.offsets.push_back(0);
    for (index_t i = 0; i < n; ++i)
      if (i % components != 0)
        at(begins, i) = at(begins, i - i % components);
      else if (at(begins, i) != 0)
        do
          all.offsets.push_back(static_cast<std::uint32_t>(i / components));
        while (bits() % 5 == 0);
    all.offsets.push_back(static_cast<std::uint32_t>(sam::engine::div_up(n, components)));
  }
  if (how == way::keys) {
    all.keys.resize(begins.size());
    for (index_t i = 0; i < n; ++i) {
      auto const before = i < components ? std::int16_t(0) : at(all.keys, i - components);
      at(all.keys, i) = static_cast<std::int16_t>(
          before + (at(begins, i) != 0 ? 1 + static_cast<int>(bits() % 2) : 0));
    }
  }
  if (forward || how == way::heads || how == way::packed) {
    all.heads = begins;
  } else {
    all.heads.resize(begins.size());
    for (index_t i = 0; i + components < n; ++i)
      at(all.heads, i) = at(begins, i + components);
  }
  if (how == way::packed) {
    all.words.resize(static_cast<std::size_t>(sam::engine::div_up(n, 32)));
    for (index_t i = 0; i < n; ++i)
      at(all.words, i / 32) |= std::uint32_t{at(all.heads, i) != 0} << i % 32;
  }
  return all;
}

}  // namespace test
