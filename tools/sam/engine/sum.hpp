// SPDX-License-Identifier: MIT
#pragma once

#include <sam/scan.hpp>

#include "engine/kernels.hpp"
#include "engine/scheme.hpp"

namespace sam::tool {

/// The highest order that is compiled to one pass; higher ones take several.
template <class T>
inline constexpr int highest_order = sizeof(T) == 2 || sizeof(T) == 4 ? 8 : 4;
template <std::floating_point T>
inline constexpr int highest_order<T> = 2;

namespace detail {
template <int Order, class Context, class T>
int sum_from_order(Context& context, std::span<T const> in, std::span<T> out, int order,
                   index_t tuple_size, T init) {
  if constexpr (Order > 1)
    if (order < Order)
      return sum_from_order<Order - 1>(context, in, out, order, tuple_size, init);
  inclusive_scan(context, in, out, once<Order>(tuple_size, plus{}), init);
  return Order;
}
}  // namespace detail

template <class Context, class T>
int sum(Context& context, std::span<T const> in, std::span<T> out, int order, index_t tuple_size,
        T init) {
  return detail::sum_from_order<highest_order<T>>(context, in, out, order, tuple_size, init);
}

template <class Context, class T>
int exclusive_sum(Context& context, std::span<T> items, index_t tuple_size, T init) {
  exclusive_scan(context, items, items, once<1>(tuple_size, plus{}), init);
  return 1;
}

}  // namespace sam::tool
