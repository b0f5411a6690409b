// SPDX-License-Identifier: MIT
// Defines the call of histograms, by the code for the warps of the device.
#pragma once

#include <sam/launch/histogram.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

template <class Job>
void context::count_bins(Job const& job) {
  SAM_FOR_WARPS(queue_histogram(*this, job));
}

template <class Job>
bool context::sum_bins(Job const& job) {
  SAM_FOR_WARPS(queue_weighted_histogram(*this, job));
}

template <class Job>
void context::search_by_counts(Job const& job) {
  SAM_FOR_WARPS(queue_search(*this, job));
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
