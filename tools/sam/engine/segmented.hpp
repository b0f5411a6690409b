// SPDX-License-Identifier: MIT
#pragma once

#include <sam/segmented_scan.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class T>
void segmented(Context& context, std::span<T> items, std::span<std::uint8_t const> heads,
               any_operator<T> op, T init) {
  segmented_inclusive_scan(context, items, by_heads(heads), items, op, init);
}

}  // namespace sam::tool
