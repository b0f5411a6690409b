// SPDX-License-Identifier: MIT
// Defines the scans by operators other than sums that engine/kernels.hpp declares.
#pragma once

#include <sam/scan.hpp>

#include "engine/kernels.hpp"
#include "engine/operators.hpp"
#include "engine/scheme.hpp"

namespace sam::tool {

template <class Context, class T, class Operator>
void combine(Context& context, std::span<T> items, index_t tuple_size, Operator op, T init) {
  with_policy<1>(context, tuple_size, op,
                 [&](auto policy) { inclusive_scan(context, items, items, policy, init); });
}

}  // namespace sam::tool
