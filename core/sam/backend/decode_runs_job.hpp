// SPDX-License-Identifier: MIT
// Defines the run-length decoding job, for back ends with an implementation of their own. The
// default implementation marks where runs begin and counts the marks. A context whose back end has
// a faster one for some runs has, beside run,
//
//   template <class T, class Offset>
//   bool decode_runs(decode_runs_job<T, Offset> const&);
//
// It returns false if it queued nothing; the default implementation then runs.
#pragma once

#include <sam/portable.hpp>

#include <concepts>

namespace sam::inline v0_1::engine {

/// Describes out[i] = values[r] for all items i of run r. Run r begins with item starts[r], and
/// ends where the next run begins or after *total items. At most `size` items are written. Starts
/// never decrease and are at most `size`.
template <class T, class Offset>
struct decode_runs_job {
  T const* values;
  Offset const* starts;
  index_t runs;
  index_t const* total;
  T* out;
  index_t size;
};

}  // namespace sam::inline v0_1::engine
