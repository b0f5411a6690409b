// SPDX-License-Identifier: MIT
#pragma once

#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "engine/kernels.hpp"
#include "engine/memory.hpp"

namespace sam::tool {

template <class Context, class T>
void segmented(Context& context, std::span<T> items, std::span<std::uint8_t const> heads,
               any_operator<T> op, T init) {
  segmented_inclusive_scan(context, items, by_heads(heads), items, op, init);
}

template <class Context, class T>
index_t segment_totals(Context& context, std::span<T const> items,
                       std::span<std::uint8_t const> heads, std::span<T> out, any_operator<T> op,
                       T init) {
  std::array<index_t, 1> count{};
  typename memory_of<Context>::template arrays<index_t> const staged(context, count);
  segmented_reduce(context, items, by_heads(heads), out, staged.out(), op, init);
  staged.bring_back();
  return count[0];
}

}  // namespace sam::tool
