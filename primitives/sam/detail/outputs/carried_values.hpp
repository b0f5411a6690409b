// SPDX-License-Identifier: MIT
// Moves values with the keys of a sort: in the passes of the sort, or once at its end.
#pragma once

#include <sam/detail/gather_job.hpp>
#include <sam/detail/outputs/stored_results.hpp>

namespace sam::inline v0_1::detail {

/// The most bytes of a value that a sort to a computed output carries along with its key. Larger
/// values, such as items of several arrays, are gathered by the sorted order of indices
/// (docs/decisions/0068-values-of-several-arrays.md).
template <class Context>
inline constexpr index_t most_carried_bytes = works_on_device<Context> ? 4 : 16;
template <class Context, class Out>
inline constexpr bool is_gathered = false;
template <class Context, class Destination, int Written, int Read>
inline constexpr bool is_gathered<Context, checked_output<Destination, Written, Read>> =
    index_t{sizeof(typename Destination::item)} > most_carried_bytes<Context>;

/// Calls f with an index type for n items.
template <class F>
void with_index_for(index_t n, F const& f) {
  if (n <= index_t{highest_of<std::uint32_t>})
    f(std::uint32_t{});
  else
    f(index_t{});
}

/// Stores what a sort of pairs reads and keeps, calls it, and writes its results.
///
/// more   what the sort stores besides, as in_memory takes it
/// sort   sort(keys, values, more, to_keys, to_values), given first items and pointers. It moves
///        values, or indices if values is null
template <class Context, class Keys, class Values, class More, class ToKeys, class ToValues,
          class Sort>
void sort_with_values(Context& context, Keys const& given_keys, Values const& given_values,
                      More const& more, ToKeys const& to_keys, ToValues const& to_values,
                      Sort const& sort) {
  auto const beside_keys = detail::beside(given_values, given_keys);
  auto const keys_in_memory = detail::results_in_memory(to_keys);
  index_t const all = given_keys.all.size;
  if constexpr (is_gathered<Context, ToValues>) {
    sam::detail::with_index_for(all, [&]<class Index>(Index) {
      auto const [keys, values, stored, sorted, order] = detail::in_memory(
          context, given_keys, beside_keys, more, keys_in_memory, room_for<Index>{all});
      index_t const n = keys.taken.size;
      sort(keys, static_cast<Index const*>(nullptr), stored, sorted.data, order.data);
      detail::give_results(context, sorted, to_keys, n, keys.number);
      detail::run_first(
          context, n,
          sam::detail::gather_of(checked_array<Index const>{order.data, n, order.name}, n,
                                 sam::detail::with_column(values, to_values, columns<>{})),
          keys.number);
    });
  } else {
    auto const [keys, values, stored, sorted, moved] =
        detail::in_memory(context, given_keys, beside_keys, more, keys_in_memory,
                          detail::results_in_memory(to_values));
    index_t const n = keys.taken.size;
    sort(keys, values.data, stored, sorted.data, moved.data);
    detail::give_results(context, sorted, to_keys, n, keys.number);
    detail::give_results(context, moved, to_values, n, keys.number);
  }
}

}  // namespace sam::inline v0_1::detail
