// SPDX-License-Identifier: MIT
// Defines the calls of segments and runs, by the code for the warps of the device.
#pragma once

#include <sam/launch/segmented/decode_runs.hpp>
#include <sam/launch/segmented/mark_bits.hpp>
#include <sam/launch/segmented/reduce_segments.hpp>
#include <sam/launch/segmented/scan_segments.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

template <class Offset>
void context::mark_bits(mark_job<Offset> const& job) {
  SAM_FOR_WARPS(queue_marks(*this, job));
}
template <class Job>
bool context::reduce_segments(Job const& job) {
  SAM_FOR_WARPS(queue_reduced_segments(*this, job));
}
template <class Job>
bool context::scan_segments(Job const& job) {
  SAM_FOR_WARPS(queue_scanned_segments(*this, job));
}
template <class T, class Offset>
bool context::decode_runs(decode_runs_job<T, Offset> const& job) {
  SAM_FOR_WARPS(queue_decoded_runs(*this, job));
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
