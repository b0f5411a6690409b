// SPDX-License-Identifier: MIT
// Defines numbers of items that jobs read from a device's memory.
#pragma once

#include <sam/portable.hpp>

namespace sam::inline v0_1::engine {

/// A number of items in a device's memory, of an integer type of 4 or 8 bytes. No type depends on
/// the integer's, so that kernels are compiled once for all of them.
struct number_in_memory {
  void const* at = nullptr;
  bool is_wide = true, is_signed = true;

  number_in_memory() = default;
  template <class N>
  requires(std::is_integral_v<N> && (sizeof(N) == 4 || sizeof(N) == 8)) number_in_memory(N const* n)
      : at(n), is_wide(sizeof(N) == 8), is_signed(std::is_signed_v<N>) {}

  /// Returns the number, at least 0 and at most `most`.
  SAM_FUNCTION index_t upto(index_t most) const {
    std::uint64_t const n = is_wide ? *static_cast<std::uint64_t const*>(at)
                                    : std::uint64_t{*static_cast<std::uint32_t const*>(at)};
    if (is_signed && n >> (is_wide ? 63 : 31) != 0)
      return 0;
    return n < std::uint64_t(most) ? index_t(n) : most;
  }
};

/// Stands for the number where a job has all items that there may be.
struct all_of_them {
  SAM_FUNCTION index_t upto(index_t most) const { return most; }
};

}  // namespace sam::inline v0_1::engine
