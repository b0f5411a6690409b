// SPDX-License-Identifier: MIT
// What the kernels of a sort keep in the device's memory from launch to launch.
#pragma once

#include <cstdint>

namespace sam::gpu {

/// How items of equal digit are ranked. `twice` does as if the shortcut always failed: for tests.
enum class ranking { ballot, atomic, force_fallback };

/// What a pass does, and between which memory.
struct sort_step {
  enum kind : std::uint32_t { nothing, sort, copy, fill } what;
  std::uint32_t from;              // 0: what is to be sorted; 1: the result's memory; 2: the spare
  std::uint32_t to;                // 1 or 2
  std::uint32_t parity;            // of the passes before that sort
  std::uint32_t are_ordered_keys;  // 1: the keys that are read; 2: those that are written
  std::uint32_t mixes;  // 1: counters of digits are mixed, since few banks would be asked
};

/// What stays from sort to sort. The counts are zero between two of them.
struct sort_control {
  static constexpr int most_places = 33;
  static constexpr int most_counts = 16 * 256;
  std::uint64_t counts[most_counts];  // of a place, one behind the other
  std::uint64_t begins[most_counts];  // how many keys have a smaller digit
  sort_step steps[most_places];
  std::uint32_t claims[most_places];  // of tiles, by each pass
  std::uint32_t finished;             // blocks of the first kernel
  std::uint64_t last_pairs[2];        // that lie in no packed_pairs' arrays
  std::uint64_t ordered_key[2];       // of a key, where keys are to be filled in
};

}  // namespace sam::gpu
