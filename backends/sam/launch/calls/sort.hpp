// SPDX-License-Identifier: MIT
// Defines the calls of radix sorts, by the code for the warps of the device.
#pragma once

#include <sam/launch/sort/plan_text.hpp>
#include <sam/launch/sort/sort.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

template <class Key, class Value, class Digits>
void context::sort(sort_job<Key, Value, Digits> const& job) {
  SAM_FOR_WARPS(queue_sort(*this, job));
}
template <class Key, class Value, class Digits, sort_facts Facts>
void context::sort(known_sort_job<Key, Value, Digits, Facts> const& job) {
  SAM_FOR_WARPS(queue_sort(*this, job));
}
template <class Key, class Value, class Digits>
void context::sort_counted(sort_job<Key, Value, Digits> const& job,
                           number_in_memory const& number) {
  SAM_FOR_WARPS(queue_counted_sort(*this, job, number));
}
template <class Key, class Value, class Digits, sort_facts Facts>
void context::sort_counted(known_sort_job<Key, Value, Digits, Facts> const& job,
                           number_in_memory const& number) {
  SAM_FOR_WARPS(queue_counted_sort(*this, job, number));
}
template <class Key, class Value, class Digits>
index_t context::sort_workspace(sort_job<Key, Value, Digits> const& job) const {
  SAM_FOR_WARPS(workspace_of_sort(*this, job));
}
inline std::string context::sort_plan() { return sam::SAM_GPU_ANY_WARPS::sort_plan_text(); }

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
