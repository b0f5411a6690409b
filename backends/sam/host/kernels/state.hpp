// SPDX-License-Identifier: MIT
// This header initializes the states of a scan, which the host kernels keep in plain arrays of
// values, and unrolls loops over them.
#pragma once

#include <sam/backend/job.hpp>

#include <type_traits>
#include <utility>

namespace sam::inline v0_1::host {

/// Calls f(0) ... f(N - 1), with each index a compile-time constant, so that arrays can stay in
/// registers.
#ifndef __clang__
template <int N, class F>
void unrolled(F f) {
  [&]<int... K>(std::integer_sequence<int, K...>) { (f(std::integral_constant<int, K>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}
#else
// clang does not inline large calls, and then does not vectorize the loop around them. Its
// `flatten` reaches only the calls directly in a body. g++ generates slower code with these
// attributes.
template <class F, int... K>
[[gnu::always_inline, gnu::flatten]] inline void unrolled(F& f, std::integer_sequence<int, K...>) {
  (f(std::integral_constant<int, K>{}), ...);
}
template <int N, class F>
[[gnu::always_inline]] inline void unrolled(F f) {
  host::unrolled(f, std::make_integer_sequence<int, N>{});
}
#endif

/// Calls f(0) ... f(N - 1) like `unrolled`, with every call inlined. Compilers vectorize a loop
/// around it only if nothing in the loop is called.
template <class F, int... K>
[[gnu::always_inline]] inline void unrolled_inline(F const& f, std::integer_sequence<int, K...>) {
  (f(std::integral_constant<int, K>{}), ...);
}
template <int N, class F>
[[gnu::always_inline]] inline void unrolled_inline(F const& f) {
#ifndef __clang__
  host::unrolled_inline(f, std::make_integer_sequence<int, N>{});
#else
  host::unrolled<N>(f);
#endif
}

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
