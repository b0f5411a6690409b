// SPDX-License-Identifier: MIT
// Defines the selection by rank that engine/kernels.hpp declares.
#pragma once

#include <sam/top_k.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class U>
void choose_top(Context& context, std::span<U const> keys, std::span<std::int64_t> indices,
                bool smallest) {
  top_k_indices(context, keys, indices, smallest ? sort_order::ascending : sort_order::descending);
}

}  // namespace sam::tool
