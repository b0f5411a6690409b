// SPDX-License-Identifier: MIT
// Defines generating jobs, whose output needs no scan.
#pragma once

#include <sam/backend/job/elementwise.hpp>

namespace sam::inline v0_1::engine {

/// Generating jobs store values that need no scan. A back end without support for them scans their
/// items like those of any job. Another back end may call `make` for ranges of items, and nothing
/// else.
///
/// target()                points at the destination of item 0
/// make(begin, count, to)  writes the results of items [begin, begin + count) to `to`
template <class Job>
concept generating = job<Job> && !elementwise<Job> && requires(Job const j, index_t i) {
  j.make(i, i, j.target());
};

}  // namespace sam::inline v0_1::engine
