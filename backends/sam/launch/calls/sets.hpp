// SPDX-License-Identifier: MIT
// Defines the call of set operations on many items, by the code for the warps of the device.
#pragma once

#include <sam/launch/calls/scan.hpp>
#include <sam/launch/sort/sets.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

template <class Rule, class Pass, class Key, class Value, class Count>
void context::run_sets(Pass const& pass, set_output<Key, Value, Count> const& to) {
  SAM_FOR_WARPS(template queue_sets<Rule>(*this, pass, to));
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
