// SPDX-License-Identifier: MIT
// Checks and reads numbers of items that lie in the context's memory.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/arguments/counted.hpp>
#include <sam/arguments/input.hpp>
#include <sam/backend/job.hpp>

namespace sam::inline v0_1::detail {

/// Names the item type of a counted array, as of any other.
template <class Items, class Number>
struct item_or_any<counted_array<Items, Number>> : item_or_any<Items> {};

/// Stores a number of items as an index_t.
template <class Number>
struct store_number_job {
  using item = std::uint32_t;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Number number;
  index_t* to;

  SAM_FUNCTION item load(index_t) const { return 0; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t, item, accumulator) const { *to = number(); }
};
template <class Context, class Number>
void store_number(Context& context, Number const& number, index_t* to) {
  context.run(1, store_number_job<Number>{number, to},
              resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
}

/// Checks the number of a counted array.
template <class Context, class In>
struct reads_number : std::true_type {};
template <class Context, class Items, class Number>
struct reads_number<Context, counted_array<Items, Number>>
    : std::conjunction<reads_from<parameter::number, Context, Number>,
                       parameter::number::holds_integers<item_or_any_t<Number>>> {};

/// Returns the number of items of an input that has `capacity` items in memory.
template <class Context, class A>
known_count count_in(checked_call<Context> const&, A const&, index_t capacity) {
  return {capacity};
}
template <class Context, class Items, class Number>
auto count_in(checked_call<Context> const& call, counted_array<Items, Number> const& in,
              index_t capacity) {
  auto const number = call.template input<parameter::number>(in.number);
  call.size_is(number, 1, "the number of items of in");
  return loaded_count<item_of<Number>>{number.data, capacity};
}
/// True if a job reads the number of a counted input, because work is queued. Other contexts are
/// done when a call returns, so they read the number at once and run the job of the items alone.
template <class Context, class In>
inline constexpr bool counts_later = is_counted<In>&& engine::works_on_device<Context>;
/// Returns the items of an input, cut to their number if the host may read it at once.
template <class Context, class In, class Items>
Items items_taken(checked_call<Context> const& call, In const& in, Items items) {
  if constexpr (is_counted<In> && !counts_later<Context, In>)
    items.size = detail::count_in(call, in, items.size)();
  return items;
}
/// Returns the number of items for a job of an input of `taken` items: a loaded_count if the job
/// reads it, else a known_count.
template <class Context, class In>
auto count_for_job(checked_call<Context> const& call, In const& in, index_t taken) {
  if constexpr (counts_later<Context, In>)
    return detail::count_in(call, in, taken);
  else
    return known_count{taken};
}
/// Rejects an array that overlaps the number of a counted input.
template <class Context, class A>
void apart_from_count(checked_call<Context> const&, A const&, extent const&) {}
template <class Context, class Items, class Number>
void apart_from_count(checked_call<Context> const& call, counted_array<Items, Number> const& in,
                      extent const& written) {
  call.apart(written, call.template input<parameter::number>(in.number));
}

}  // namespace sam::inline v0_1::detail
