// SPDX-License-Identifier: MIT
// States of a scan as the host kernels keep them: plain arrays of values.
#pragma once

#include <sam/backend/job.hpp>

#include <type_traits>
#include <utility>

namespace sam::host {

/// Calls f(0) ... f(N - 1), each compiled on its own: for arrays that are to stay in registers.
#ifndef __clang__
template <int N, class F>
void unrolled(F f) {
  [&]<int... K>(std::integer_sequence<int, K...>) { (f(std::integral_constant<int, K>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}
#else
// clang leaves large calls alone, and then makes no vectors of the loop around them. Its `flatten`
// reaches no further than the calls in a body. Not for g++, whose code would become slower.
template <class F, int... K>
[[gnu::always_inline, gnu::flatten]] inline void unrolled(F& f, std::integer_sequence<int, K...>) {
  (f(std::integral_constant<int, K>{}), ...);
}
template <int N, class F>
[[gnu::always_inline]] inline void unrolled(F f) {
  host::unrolled(f, std::make_integer_sequence<int, N>{});
}
#endif

/// Does as `unrolled`, with every call inline. A loop around it is one that compilers can vectorize
/// only if nothing in it is called.
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

/// The state of a run that is scanned apart from what lies before it: the identity, if the kernel
/// wants one. False if there is no state before the first items.
template <bool FromIdentity, class Policy, class T>
bool start_state_apart(Policy const& policy, T* state, index_t width) {
  if constexpr (FromIdentity)
    return host::fill_state(state, width, sam::identity_of<T>(policy.op));
  else
    return false;
}

/// The state before item 0: the initial value in every round, if there is one.
template <bool FromIdentity, class Policy, class T>
bool start_state(Policy const& policy, T* state, index_t width) {
  if constexpr (Policy::starts_known)
    return host::fill_state(state, width, static_cast<T>(policy.start.value));
  else
    return host::start_state_apart<FromIdentity>(policy, state, width);
}

}  // namespace sam::host
