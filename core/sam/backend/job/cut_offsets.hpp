// SPDX-License-Identifier: MIT
// Defines offsets of segments that kernels cut to a number of items in a device's memory.
#pragma once

#include <sam/backend/job/number_in_memory.hpp>

namespace sam::inline v0_1::engine {

/// Offsets of segments of the first items, of up to `most`: an offset past their number counts as
/// the number, so that later segments are empty.
template <class Offset>
struct cut_offsets {
  Offset const* offsets;
  index_t most;
  number_in_memory number;

  SAM_FUNCTION Offset operator[](index_t k) const {
    Offset const offset = offsets[k];
    index_t const n = items();
    return static_cast<index_t>(offset) < n ? offset : static_cast<Offset>(n);
  }
  /// Returns the number of items.
  SAM_FUNCTION index_t items() const { return number.upto(most); }
};

template <class Offset>
struct offsets_in_kernel {
  using type = Offset const*;
};
template <class Offset>
struct offsets_in_kernel<cut_offsets<Offset>> {
  using type = cut_offsets<Offset>;
};
/// Names what holds the offsets of a kernel: cut offsets themselves, else a pointer to offsets.
template <class Offset>
using offsets_of_kernel = typename offsets_in_kernel<Offset>::type;

}  // namespace sam::inline v0_1::engine
