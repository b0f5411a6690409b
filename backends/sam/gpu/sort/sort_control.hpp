// SPDX-License-Identifier: MIT
// Defines the state that the kernels of a sort keep in device memory from launch to launch.
#pragma once

#include <cstdint>

namespace sam::gpu {

/// Selects how items of equal digit are ranked: by ballots or by shared-memory atomics.
/// force_fallback makes the check of the atomic ranks always fail, for tests.
enum class ranking { ballot, atomic, force_fallback };

/// Describes one digit pass: what it does, and from which memory to which.
struct sort_step {
  enum kind : std::uint32_t { nothing, sort, copy, fill } what;
  std::uint32_t from;    // 0: the input; 1: the result's memory; 2: the spare
  std::uint32_t to;      // 1 or 2
  std::uint32_t parity;  // parity of the number of earlier passes that sort
  // bit 0: the keys read are ordered keys; bit 1: those written are
  std::uint32_t are_ordered_keys;
  // 1: the counters are swizzled, since they would otherwise fall into few banks
  std::uint32_t mixes;
};

/// Holds what persists from sort to sort. The counts are zero between two sorts.
struct sort_control {
  static constexpr int most_places = 33;
  static constexpr int most_counts = 16 * 256;
  std::uint64_t counts[most_counts];  // the digit histograms, one after the other
  std::uint64_t begins[most_counts];  // the number of keys with a smaller digit
  sort_step steps[most_places];
  std::uint32_t claims[most_places];  // tiles claimed in each pass
  std::uint32_t finished;             // blocks of the first kernel that have finished
  // the last pairs of an odd number, which lie outside packed_pairs' arrays
  std::uint64_t last_pairs[2];
  std::uint64_t ordered_key[2];  // the ordered key of some key, for passes that fill
};

}  // namespace sam::gpu
