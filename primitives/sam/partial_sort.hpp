// SPDX-License-Identifier: MIT
// Defines partial_sort: the first items of an order.
#pragma once

#include <sam/top_k.hpp>

namespace sam::inline v0_1 {

/// Finds the first k items of an order, in this order, where k is the size of out. They are the
/// items that merge_sort would place there.
///
/// in           n items of any trivially copyable type, in memory that `context` reaches. n may
///              exceed 2^32. in may be computed or counted, as for top_k
/// out          k items, at most n, apart from in, or a computed output. k may be 0; out may be
///              counted, as for top_k
/// less         as for merge_sort
/// determinism  the same result on every run and for every number of threads. Of items of which
///              neither is less than the other, those with the lowest indices are chosen, and come
///              first
/// Everything else is as for top_k by a comparison, which finds the last items of the order.
template <class Context, class In, class Out, class Less = sam::less>
requires(!detail::is_location<Less>) void partial_sort(
    Context&& context, In const& in, Out&& out, Less less = {},
    std::source_location at = std::source_location::current()) {
  using Key = detail::item_or_any_t<In>;
  if constexpr (detail::stands_for_context<Context>)
    return sam::partial_sort(*detail::lend_context(context), in, std::forward<Out>(out), less, at);
  else if constexpr (std::conjunction_v<
                         detail::is_choice_by_order<Context, In, detail::place_within_t<Out>, Less>,
                         detail::reads_wanted<Context, Out>>) {
    if constexpr (detail::sorts_by_radix<Less, Key>)
      detail::top_k("sam::partial_sort", context, in, out, detail::order_by<Less, Key>,
                    result_order::sorted, at);
    else
      detail::first_by_order("sam::partial_sort", context, in, out, less, at);
  }
}

}  // namespace sam::inline v0_1
