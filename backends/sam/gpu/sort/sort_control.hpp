// SPDX-License-Identifier: MIT
// Defines the state that the kernels of a sort keep in device memory from launch to launch.
#pragma once

#include <sam/base/requirements.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Describes one step of a sort: the kind of pass, and the memory that it reads and writes.
struct sort_step {
  enum kind : std::uint32_t { nothing, sort, copy, fill } what;
  std::uint32_t from;              // 0: the input; 1: the result's memory; 2: the spare
  std::uint32_t to;                // 1 or 2
  std::uint32_t parity;            // of the number of earlier passes that sort
  std::uint32_t are_ordered_keys;  // bit 0: reads ordered keys; bit 1: writes ordered keys
  std::uint32_t swizzles;  // 1: bank-swizzled counters, since few banks would serve most digits
};

/// Holds the state of a context's sorts. The counts are zero between two sorts.
struct sort_control {
  static constexpr int most_places = 33;
  static constexpr int most_counts = 16 * 256;
  std::uint64_t counts[most_counts];  // digit places one after the other
  std::uint64_t begins[most_counts];  // exclusive prefixes of the counts
  sort_step steps[most_places];
  std::uint32_t claims[most_places];  // tiles claimed, one counter for each pass
  std::uint32_t finished;             // blocks of the histogram kernel that are done
  std::uint64_t last_pairs[2];        // the odd pair of each packed_pairs
  std::uint64_t ordered_key[2];       // of one key, for fill_from_histogram
};

}  // namespace sam::inline v0_1::gpu
