// SPDX-License-Identifier: MIT
// Which runs a back end is asked to decode. Beside `run`, a back end that knows better, for some of
// them, than to mark where runs begin and to count these marks offers, found through the type of
// its context,
//
//   template <class T, class Offset>
//   bool decode_runs(context&, decode_runs_job<T, Offset> const&);
//
// It is false if nothing was queued: others had better be marked.
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
  { decode_runs(context, job) } -> std::same_as<bool>;
};

}  // namespace sam
