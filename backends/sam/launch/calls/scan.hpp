// SPDX-License-Identifier: MIT
// Defines the calls of scans, reductions and selections, by the code for the warps of the device.
#pragma once

#include <sam/launch/runtime/teams.hpp>
#include <sam/launch/scan/few_segments.hpp>
#include <sam/launch/scan/plan_text.hpp>
#include <sam/launch/scan/run.hpp>
#include <sam/launch/scan/run_two.hpp>
#include <sam/launch/scan/split.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

template <job Job, class Policy>
void context::run(index_t n, Job const& job, Policy const& policy) {
  SAM_FOR_WARPS(queue_job(*this, n, job, policy));
}
template <class Kernel>
void context::run_teams(index_t teams, int threads, std::size_t bytes, Kernel const& kernel) {
  SAM_FOR_WARPS(queue_teams(*this, teams, threads, bytes, kernel));
}
template <job First, job Second, class Policy>
void context::run_two(index_t n, First const& first, Second const& second, Policy const& policy) {
  SAM_FOR_WARPS(queue_two(*this, n, first, second, policy));
}
template <class Offset, job Job, class Policy>
void context::run_marked(mark_job<Offset> const& marks, index_t n, Job const& job,
                         Policy const& policy) {
  SAM_FOR_WARPS(queue_marked(*this, marks, n, job, policy));
}
template <class Item, class Count, class Kind>
bool context::split(split_job<Item, Count, Kind> const& job) {
  SAM_FOR_WARPS(queue_split(*this, job));
}
template <class Item, class Count, class Kind, class Number>
bool context::split_first(first_split_job<Item, Count, Kind, Number> const& job) {
  SAM_FOR_WARPS(queue_split(*this, job));
}
template <class Item, class Count, class Kind>
requires(scan_memory::least_to_compact_twice >
         0) bool context::counts_kinds_first(split_job<Item, Count, Kind> const& job) const {
  SAM_FOR_WARPS(counts_kinds_first(*this, job));
}
inline std::string context::scan_plan() { return sam::SAM_GPU_ANY_WARPS::scan_plan_text(); }

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
