// SPDX-License-Identifier: MIT
// Defines the job that sets bits by offsets, which a back end may implement. The default is a
// segmented reduction by bit_or of all bits of a word. A context with a faster way has, beside run,
//
//   template <class Offset>
//   void mark_bits(mark_job<Offset> const&);
//
// A host back end that has mark_bits must also support put_totals of segmented reduction jobs
// (<sam/backend/job.hpp>).
#pragma once

#include <sam/portable.hpp>

namespace sam::inline v0_1::engine {

/// Writes `bits` bits, 32 to a word: bit offsets[k] - before is set for all k < count, all others
/// are cleared. Offsets never decrease; those outside the bits have no effect.
template <class Offset>
struct mark_job {
  Offset const* offsets;
  index_t count;
  index_t before;
  index_t bits;
  std::uint32_t* words;

  SAM_FUNCTION index_t bit(index_t k) const { return bit_of(offsets[k]); }
  SAM_FUNCTION index_t bit_of(Offset offset) const { return static_cast<index_t>(offset) - before; }
};

}  // namespace sam::inline v0_1::engine
