// SPDX-License-Identifier: MIT
// Defines the calls of segmented sorts and of selections in segments, by the code for the warps of
// the device.
#pragma once

#include <sam/launch/calls/scan.hpp>
#include <sam/launch/segmented/select_in_segments.hpp>
#include <sam/launch/sort/segmented_sort.hpp>
#include <sam/launch/sort/sort_segments.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

template <class Key, class Value, class Digits, class Heads>
void context::segmented_sort(sort_job<Key, Value, Digits> const& job, Heads const& heads) {
  SAM_FOR_WARPS(queue_segmented_sort(*this, job, heads));
}
template <class Key, class Value, class Digits>
index_t context::segmented_sort_workspace(sort_job<Key, Value, Digits> const& job) const {
  SAM_FOR_WARPS(workspace_of_segmented_sort(*this, job));
}
template <class Key, class Value, class Digits, class Offset>
bool context::sort_segments(sort_job<Key, Value, Digits> const& job, Offset const* offsets,
                            index_t segments) {
  SAM_FOR_WARPS(queue_sort_of_segments(*this, job, offsets, segments));
}
template <class Key, class Value, class Digits, class Offset>
bool context::sort_segments(sort_job<Key, Value, Digits> const& job,
                            cut_offsets<Offset> const& offsets, index_t segments) {
  SAM_FOR_WARPS(queue_sort_of_cut_segments(*this, job, offsets, segments));
}
template <class Job>
bool context::select_in_segments(Job const& job) {
  SAM_FOR_WARPS(queue_selection_in_segments(*this, job));
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
