// SPDX-License-Identifier: MIT
// Requests items from memory ahead of their use.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>

namespace sam::inline v0_1::host {

/// Hold the locality arguments of __builtin_prefetch for the first-level and second-level caches.
inline constexpr int first_level = 3, second_level = 2;

template <int Level, class T>
void prefetch_items(T const* items, index_t count) {
  auto const* const from = reinterpret_cast<std::byte const*>(items);
  for (index_t at = 0; at < count * index_t{sizeof(T)}; at += 64)
    __builtin_prefetch(from + at, 0, Level);
  asm volatile("");  // else g++ treats the function as free of side effects and drops its calls
}

}  // namespace sam::inline v0_1::host
