// SPDX-License-Identifier: MIT
#pragma once

#include <sam/scan.hpp>

#include "engine/kernels.hpp"
#include "engine/operators.hpp"
#include "engine/scheme.hpp"

namespace sam::tool {

template <class Context, class T, class Operator>
void combine(Context& context, std::span<T> items, index_t tuple_size, Operator op, T init) {
  inclusive_scan(context, items, items, once<1>(tuple_size, op), init);
}

}  // namespace sam::tool
