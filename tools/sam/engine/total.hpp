// SPDX-License-Identifier: MIT
#pragma once

#include <sam/reduce.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class T>
void total(Context& context, std::span<T const> items, std::span<T> out, any_operator<T> op,
           T init) {
  reduce(context, items, out, op, init);
}

}  // namespace sam::tool
