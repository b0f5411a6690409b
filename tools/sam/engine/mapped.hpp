// SPDX-License-Identifier: MIT
// Defines the scans and reductions of mapped items that engine/kernels.hpp declares.
#pragma once

#include <sam/reduce.hpp>
#include <sam/scan.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class In, class T>
void mapped_scan(Context& context, std::span<In const> items, std::span<T> out, any_map<In, T> map,
                 any_operator<T> op, T init, bool exclusive) {
  if (exclusive)
    transform_exclusive_scan(context, items, out, map, op, init);
  else
    transform_inclusive_scan(context, items, out, map, op, init);
}

template <class Context, class In, class T>
void mapped_total(Context& context, std::span<In const> items, std::span<T> out, any_map<In, T> map,
                  any_operator<T> op, T init) {
  transform_reduce(context, items, out, map, op, init);
}

}  // namespace sam::tool
