// SPDX-License-Identifier: MIT
// Runs that a back end may decode. A context whose back end knows better, for some runs, than to
// mark where they begin and to count these marks has, beside run,
//
//   template <class T, class Offset>
//   bool decode_runs(decode_runs_job<T, Offset> const&);
//
// It returns false if it queued nothing: then the runs are marked.
#pragma once

#include <sam/portable.hpp>

#include <concepts>

namespace sam {

/// out[i] = values[r] for the items i of run r, which begins with item starts[r] and ends where the
/// next one begins, or with all items: as many as `total` says, and at most `size`. No start is
/// below the one before it, or above `size`.
template <class T, class Offset>
struct decode_runs_job {
  T const* values;
  Offset const* starts;
  index_t runs;
  index_t const* total;
  T* out;
  index_t size;
};

template <class Context, class Job>
concept decodes_runs = requires(Context& context, Job const& job) {
  { context.decode_runs(job) } -> std::same_as<bool>;
};

}  // namespace sam
