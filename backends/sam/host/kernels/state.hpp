// SPDX-License-Identifier: MIT
// Initialises the states of a scan, which host kernels keep as plain arrays of values, and unrolls
// loops over arrays that stay in registers.
#pragma once

#include <sam/backend/job.hpp>

#include <type_traits>
#include <utility>

namespace sam::host {

/// Calls f(0) ... f(N - 1) with compile-time indices, so that arrays indexed by them can stay in
/// registers.
#ifndef __clang__
template <int N, class F>
void unrolled(F f) {
  [&]<int... K>(std::integer_sequence<int, K...>) { (f(std::integral_constant<int, K>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}
#else
// clang does not inline large calls and then does not vectorize the loop around them. Its `flatten`
// inlines only the direct calls of a body. g++ does without both, because its code would become
// slower.
template <class F, int... K>
[[gnu::always_inline, gnu::flatten]] inline void unrolled(F& f, std::integer_sequence<int, K...>) {
  (f(std::integral_constant<int, K>{}), ...);
}
template <int N, class F>
[[gnu::always_inline]] inline void unrolled(F f) {
  host::unrolled(f, std::make_integer_sequence<int, N>{});
}
#endif

/// Calls f(0) ... f(N - 1), all inlined. Compilers can vectorize a surrounding loop only if it
/// contains no calls.
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

template <class T>
bool fill_state(T* state, index_t width, T value) {
  for (index_t k = 0; k < width; ++k)
    state[k] = value;
  return true;
}

/// Sets the state of a run that is scanned without its exclusive prefix: to the identity if the
/// kernel needs one. Returns false if there is no state before the first items.
template <bool FromIdentity, class Policy, class T>
bool start_state_apart(Policy const& policy, T* state, index_t width) {
  if constexpr (FromIdentity)
    return host::fill_state(state, width, sam::identity_of<T>(policy.op));
  else
    return false;
}

/// Sets the state before item 0: the initial value in every round, if there is one.
template <bool FromIdentity, class Policy, class T>
bool start_state(Policy const& policy, T* state, index_t width) {
  if constexpr (Policy::starts_known)
    return host::fill_state(state, width, static_cast<T>(policy.start.value));
  else
    return host::start_state_apart<FromIdentity>(policy, state, width);
}

}  // namespace sam::host
