// SPDX-License-Identifier: MIT
// Defines the calls of comparison sorts and merges, by the code for the warps of the device.
#pragma once

#include <sam/launch/sort/merge.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

template <class Key, class Value, class Less>
void context::sort_runs(merge_sort_job<Key, Value, Less> const& job) {
  SAM_FOR_WARPS(queue_sort_of_runs(*this, job));
}
template <class Key, class Value, class Less>
void context::merge_runs(merge_pass<Key, Value, Less> const& pass) {
  SAM_FOR_WARPS(queue_merge_of_runs(*this, pass));
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
