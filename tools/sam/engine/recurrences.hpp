// SPDX-License-Identifier: MIT
// Defines the recurrences and filters that engine/kernels.hpp declares.
#pragma once

#include <sam/linear_recurrence.hpp>

#include "engine/kernels.hpp"

#include <algorithm>

namespace sam::tool {

template <class Context, class T>
void recur(Context& context, std::span<T const> a, std::span<T> b, T init) {
  linear_recurrence(context, a, b, b, init);
}

namespace detail {
template <std::size_t Order, class Context, class T>
void filter_up_to_order(Context& context, std::span<T> items, std::span<T const> coefficients,
                        std::span<T const> before) {
  if constexpr (Order > 1)
    if (coefficients.size() < Order)
      return filter_up_to_order<Order - 1>(context, items, coefficients, before);
  std::array<T, Order> c{}, x{};
  std::ranges::copy(coefficients, c.begin());
  std::ranges::copy(before, x.begin());
  linear_filter(context, items, c, items, x);
}
}  // namespace detail

template <class Context, class T>
void filter(Context& context, std::span<T> items, std::span<T const> coefficients,
            std::span<T const> before) {
  detail::filter_up_to_order<highest_filter_order>(context, items, coefficients, before);
}

}  // namespace sam::tool
