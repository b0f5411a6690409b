// SPDX-License-Identifier: MIT
// Stores the items of computed inputs in the context's memory, for calls that need arrays.
#pragma once

#include <sam/context.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/fill_job.hpp>
#include <sam/detail/workspace_parts.hpp>

#include <tuple>

namespace sam::inline v0_1::detail {

/// Checks an array or a computed input, or the first items of one, that a call reads as an array,
/// and the array of the same items that it writes.
template <class FromParameter, class ToParameter, class Context, class In, class Out>
using stores_to =
    std::conjunction<reads_first_items<FromParameter, Context, In>,
                     writes_items<ToParameter, Context, Out>, have_one_item_type<In, Out>>;

/// Rejects an output that overlaps one of several inputs.
template <class... Inputs>
void apart_from_inputs(call_checks const& call, extent const& out, Inputs const&... inputs) {
  (call.apart(out, inputs), ...);
}

// Return an input as an array: an array as it is, or the first items of a computed input, which are
// stored in a part of the memory. If that begins at null, nothing is stored.

template <class A>
inline constexpr bool is_in_memory = false;
template <class T>
inline constexpr bool is_in_memory<checked_array<T>> = true;
template <class T, class Number>
inline constexpr bool is_in_memory<first_items<T, Number>> = true;

/// Stands for an input that a call does without.
struct nothing_to_store {};
template <>
inline constexpr bool is_in_memory<nothing_to_store> = true;

template <class Context, class A>
requires is_in_memory<A> A store_input(Context&, workspace_parts&, A const& a) { return a; }
template <class Context, class Source, int Arrays, class Number>
auto store_input(Context& context, workspace_parts& memory,
                 computed_items<checked_input<Source, Arrays>, Number> const& in) {
  using T = typename Source::item;
  T* const at = memory.template take<T>(in.taken.size);
  if (at != nullptr)
    detail::run_first(context, in.taken.size, copy_input_job<Source>{in.taken.source, at},
                      in.number);
  return first_items<T const, Number>{
      {at, in.all.size, in.all.name}, {at, in.taken.size, in.taken.name}, in.number};
}
template <class Context, class Source, int Arrays>
auto store_input(Context& context, workspace_parts& memory,
                 checked_input<Source, Arrays> const& in) {
  return detail::store_input(context, memory,
                             computed_items<checked_input<Source, Arrays>>{in, in, {in.size}})
      .all;
}

/// The items of a computed input beside the first items of another one.
template <class Input, class Number>
struct items_beside {
  computed_items<Input, Number> items;
};
template <class Context, class Input, class Number>
auto store_input(Context& context, workspace_parts& memory, items_beside<Input, Number> const& in) {
  return detail::store_input(context, memory, in.items).all;
}

/// Asks for uninitialised memory for n results of a call beside its stored inputs.
template <class T>
struct room_for {
  index_t n;
};
template <class Context, class T>
checked_array<T> store_input(Context&, workspace_parts& memory, room_for<T> const& room) {
  return {memory.template take<T>(room.n), room.n, "out"};
}

template <class Context, class... Inputs>
auto store_input(Context& context, workspace_parts& memory, std::tuple<Inputs...> const& several) {
  return std::apply(
      [&](auto const&... in) {
        return std::tuple{detail::store_input(context, memory, in)...};  // from left to right
      },
      several);
}

/// Returns inputs as a tuple of arrays, or of first_items. Stores the items of the computed ones,
/// once a call has made all its checks; an array costs nothing.
template <class Context, class... Inputs>
auto in_memory(Context& context, Inputs const&... inputs) {
  if constexpr ((is_in_memory<Inputs> && ...)) {
    return std::tuple<Inputs...>{inputs...};
  } else {
    auto const stored_in = [&](workspace_parts& parts) {
      return std::tuple{detail::store_input(context, parts, inputs)...};  // from left to right
    };
    workspace_parts sizes(nullptr);
    auto const unplaced = stored_in(sizes);
    if (sizes.bytes() == 0)
      return unplaced;
    workspace_parts parts(engine::input_memory<std::byte>(context, sizes.bytes()));
    return stored_in(parts);
  }
}

/// Returns what belongs to the first items of another input, as in_memory takes it. Of a computed
/// input, only as many items will be stored.
template <class T, class First>
checked_array<T const> beside(checked_array<T const> const& a, First const&) {
  return a;
}
template <class Source, int Arrays, class First>
auto beside(checked_input<Source, Arrays> const& in, First const& first) {
  auto taken = in;
  taken.size = first.taken.size;
  return items_beside<checked_input<Source, Arrays>, std::remove_cvref_t<decltype(first.number)>>{
      {in, taken, first.number}};
}

}  // namespace sam::inline v0_1::detail
