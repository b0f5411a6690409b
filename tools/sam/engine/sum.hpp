// SPDX-License-Identifier: MIT
// Defines the single-pass sums that engine/kernels.hpp declares.
#pragma once

#include <sam/scan.hpp>

#include "engine/kernels.hpp"
#include "engine/scheme.hpp"

namespace sam::tool {

/// True for types of 16 bits, the samples of audio, which the demonstration decodes.
template <class T>
inline constexpr bool is_audio = std::is_integral_v<T> && sizeof(T) == 2;

/// The highest order that is compiled as a single pass. Higher orders take several passes.
template <class Context, class T>
inline constexpr int highest_order = [] {
  if (has_own_memory<Context>)
    return is_audio<T> ? 4 : 1;
  if (std::is_floating_point_v<T>)
    return 2;
  return sizeof(T) == 2 || sizeof(T) == 4 ? 8 : 4;
}();

namespace detail {
template <int Order, class Context, class T>
int sum_from_order(Context& context, std::span<T const> in, std::span<T> out, int order,
                   index_t tuple_size, T init) {
  if constexpr (Order > 1)
    if (order < Order)
      return sum_from_order<Order - 1>(context, in, out, order, tuple_size, init);
  with_policy<Order, is_audio<T>>(context, tuple_size, plus{}, [&](auto policy) {
    inclusive_scan(context, in, out, policy, init);
  });
  return Order;
}
}  // namespace detail

template <class Context, class T>
int sum(Context& context, std::span<T const> in, std::span<T> out, int order, index_t tuple_size,
        T init) {
  if constexpr (has_own_memory<Context>)
    if (chosen_scheme::choice != carry_scheme::decoupled)
      order = 1;
  return detail::sum_from_order<highest_order<Context, T>>(context, in, out, order, tuple_size,
                                                           init);
}

template <class Context, class T>
int exclusive_sum(Context& context, std::span<T> items, index_t tuple_size, T init) {
  with_policy<1>(context, tuple_size, plus{},
                 [&](auto policy) { exclusive_scan(context, items, items, policy, init); });
  return 1;
}

}  // namespace sam::tool
