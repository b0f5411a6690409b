// SPDX-License-Identifier: MIT
// Defines the multi-pass sums that engine/kernels.hpp declares.
#pragma once

#include <sam/scan.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class T>
int multi_pass_sum(Context& context, std::span<T> items, index_t tuple_size, T init,
                   carry_scheme scheme) {
  auto const policy = tuples_of(tuple_size, plus{});
  if (scheme == carry_scheme::reduce_then_scan)
    inclusive_scan(context, items, items, carried_by<carry::reduce_then_scan>(policy), init);
  else
    inclusive_scan(context, items, items, carried_by<carry::scan_then_propagate>(policy), init);
  return 1;
}

}  // namespace sam::tool
