// SPDX-License-Identifier: MIT
// Defines the differences that engine/kernels.hpp declares.
#pragma once

#include <sam/delta.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class T>
void difference(Context& context, std::span<T const> in, std::span<T> out, index_t tuple_size) {
  delta_encode(context, in, out, tuple_size);
}

}  // namespace sam::tool
