// SPDX-License-Identifier: MIT
// Moves values with the keys of a sort: in the passes of the sort, or once at its end.
#pragma once

#include <sam/detail/gather_job.hpp>
#include <sam/detail/outputs/stored_results.hpp>

namespace sam::inline v0_1::detail {

/// The most bytes of a value that a sort carries along with its key: to a computed output, whose
/// values are stored either way, and from array to array. Larger values are gathered by the sorted
/// order of indices (docs/decisions/0068-values-of-several-arrays.md).
template <class Context>
inline constexpr index_t most_carried_bytes = works_on_device<Context> ? 4 : 16;
template <class Context>
inline constexpr index_t most_carried_in_arrays =
    works_on_device<Context> ? index_t{16} : highest_of<index_t>;

template <class Out>
inline constexpr bool is_checked_array = false;
template <class T>
inline constexpr bool is_checked_array<checked_array<T>> = true;
template <class Context, class Out>
inline constexpr bool is_gathered = false;
template <class Context, class Destination, int Written, int Read>
inline constexpr bool is_gathered<Context, checked_output<Destination, Written, Read>> =
    index_t{sizeof(typename Destination::item)} > most_carried_bytes<Context>;
template <class Context, class T>
inline constexpr bool is_gathered<Context, checked_array<T>> =
    index_t{sizeof(T)} > most_carried_in_arrays<Context>;

/// Calls f with an index type for n items.
template <class F>
void with_index_for(index_t n, F const& f) {
  if (n <= index_t{highest_of<std::uint32_t>})
    f(std::uint32_t{});
  else
    f(index_t{});
}

/// Stores the values that a gather reads, as in_memory takes them, unless they are in an array
/// apart from the output.
template <class Values, class First, class Out>
auto values_to_gather(Values const& values, First const& first, Out const&) {
  return detail::beside(values, first);
}
template <class T, class First>
auto values_to_gather(checked_array<T const> const& values, First const& first,
                      checked_array<T> const& out) {
  using source = engine::array_source<T>;
  checked_input<source, 0> const all{{values.data}, values.size, values.name, {}};
  auto taken = all;
  taken.size = values.data == out.data ? first.taken.size : 0;
  return items_beside<checked_input<source, 0>, std::remove_cvref_t<decltype(first.number)>>{
      {all, taken, first.number}};
}
template <class Stored, class Values, class Out>
auto values_in_reach(Stored const& stored, Values const&, Out const&) {
  return stored;
}
template <class T>
checked_array<T const> values_in_reach(checked_array<T const> const& stored,
                                       checked_array<T const> const& values,
                                       checked_array<T> const& out) {
  return values.data == out.data ? stored : values;
}

/// Stores what a sort of pairs reads and keeps, calls it, and writes its results.
///
/// more     what the sort stores besides, as in_memory takes it
/// carries  true if values in arrays are to move with the keys, whatever their size
/// sort     sort(keys, values, more, to_keys, to_values), given first items and pointers. It moves
///          values, or indices if values is null, and returns the number of results
template <class Context, class Keys, class Values, class More, class ToKeys, class ToValues,
          class Sort>
void sort_with_values(Context& context, Keys const& given_keys, Values const& given_values,
                      More const& more, ToKeys const& to_keys, ToValues const& to_values,
                      bool carries, Sort const& sort) {
  auto const keys_in_memory = detail::results_in_memory(to_keys);
  index_t const all = given_keys.all.size;
  if constexpr (is_gathered<Context, ToValues>)
    if (!is_checked_array<ToValues> || !carries)
      return sam::detail::with_index_for(all, [&]<class Index>(Index) {
        auto const [keys, kept, stored, sorted, order] = detail::in_memory(
            context, given_keys, sam::detail::values_to_gather(given_values, given_keys, to_values),
            more, keys_in_memory, room_for<Index>{all});
        auto const values = sam::detail::values_in_reach(kept, given_values, to_values);
        index_t const n = keys.taken.size;
        auto const number =
            sort(keys, static_cast<Index const*>(nullptr), stored, sorted.data, order.data);
        detail::give_results(context, sorted, to_keys, n, number);
        detail::run_first(
            context, n,
            sam::detail::gather_of(checked_array<Index const>{order.data, n, order.name}, n,
                                   sam::detail::with_column(values, to_values, columns<>{})),
            number);
      });
  if constexpr (!is_gathered<Context, ToValues> || is_checked_array<ToValues>) {
    auto const [keys, values, stored, sorted, moved] =
        detail::in_memory(context, given_keys, detail::beside(given_values, given_keys), more,
                          keys_in_memory, detail::results_in_memory(to_values));
    index_t const n = keys.taken.size;
    auto const number = sort(keys, values.data, stored, sorted.data, moved.data);
    detail::give_results(context, sorted, to_keys, n, number);
    detail::give_results(context, moved, to_values, n, number);
  }
}

}  // namespace sam::inline v0_1::detail
