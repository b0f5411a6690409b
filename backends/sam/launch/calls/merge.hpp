// SPDX-License-Identifier: MIT
// Defines the calls of comparison sorts and merges, by the code for the warps of the device.
#pragma once

#include <sam/launch/sort/merge.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

template <class Job>
void context::sort_runs(Job const& job) {
  SAM_FOR_WARPS(queue_sort_of_runs(*this, job));
}
template <class Pass>
void context::merge_runs(Pass const& pass) {
  SAM_FOR_WARPS(queue_merge_of_runs(*this, pass));
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
