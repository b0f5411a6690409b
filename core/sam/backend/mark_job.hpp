// SPDX-License-Identifier: MIT
// Bits that a back end may set. A context whose back end is better at this than a reduction of all
// bits of a word has, beside run,
//
//   template <class Offset>
//   void mark_bits(mark_job<Offset> const&);
//
// A back end that does, and works on no device, also hands totals over as <sam/backend/job.hpp>
// says of totalling jobs.
#pragma once

#include <sam/portable.hpp>

namespace sam {

/// Of `bits` bits in words of 32, sets bit offsets[k] - before for all k < count, and no other.
/// Offsets never fall; those that say none of the bits set none.
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

template <class Context, class Offset>
concept marks_bits = requires(Context& context, mark_job<Offset> const& job) {
  context.mark_bits(job);
};

}  // namespace sam
