// SPDX-License-Identifier: MIT
// This header unrolls loops over arrays that stay in registers.
#pragma once

#include <sam/portable.hpp>

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

}  // namespace sam::inline v0_1::host
