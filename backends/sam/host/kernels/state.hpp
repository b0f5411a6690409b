// SPDX-License-Identifier: MIT
// This header initializes the states of a scan, which the host kernels keep in plain arrays of
// values.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/host/simd/unrolled.hpp>

#include <type_traits>

namespace sam::inline v0_1::host {

/// Sets all values of a state to `value`, and returns true.
template <class T>
bool fill_state(T* state, index_t width, T value) {
  for (index_t k = 0; k < width; ++k)
    state[k] = value;
  return true;
}

/// Writes the state from which a run is scanned independently of the items before it: the identity,
/// if FromIdentity. Returns false if there is no state before the first items.
template <bool FromIdentity, class Policy, class T>
bool start_state_apart(Policy const& policy, T* state, index_t width) {
  if constexpr (FromIdentity)
    return host::fill_state(state, width, sam::identity_of<T>(policy.op));
  else
    return false;
}

/// Writes the state before item 0: the initial value in every round, if there is one. Returns false
/// if there is no state before item 0.
template <bool FromIdentity, class Policy, class T>
bool start_state(Policy const& policy, T* state, index_t width) {
  if constexpr (Policy::starts_known)
    return host::fill_state(state, width, static_cast<T>(policy.start.value));
  else
    return host::start_state_apart<FromIdentity>(policy, state, width);
}

}  // namespace sam::inline v0_1::host
