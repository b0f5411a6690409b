// SPDX-License-Identifier: MIT
// Defines the summed-area table that engine/kernels.hpp declares.
#pragma once

#include <sam/summed_area_table.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class T>
void sum_areas(Context& context, std::span<T> items, index_t width, bool exclusive) {
  if (exclusive)
    exclusive_summed_area_table(context, items, width, items);
  else
    summed_area_table(context, items, width, items);
}

}  // namespace sam::tool
