// SPDX-License-Identifier: MIT
// Defines the segmented scan that engine/kernels.hpp declares.
#pragma once

#include <sam/segmented_scan.hpp>

#include "engine/segments_in_reach.hpp"

namespace sam::tool {

template <class Context, class T>
void segmented(Context& context, std::span<T> items, segments_in_reach const& segments,
               any_operator<T> op, T init) {
  with_segments(segments, [&](auto const& where) {
    segmented_inclusive_scan(context, items, where, items, op, init);
  });
}

}  // namespace sam::tool
