// SPDX-License-Identifier: MIT
// Stores the items of a computed input in an array, for calls that work in place.
#pragma once

#include <sam/arguments/input.hpp>
#include <sam/backend/job.hpp>

namespace sam::inline v0_1::detail {

/// Stores item i of a source at out[i].
template <class Source>
struct copy_input_job {
  using item = typename Source::item;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Source in;
  item* out;

  SAM_FUNCTION item load(index_t i) const { return in.at(i); }
  SAM_FUNCTION accumulator to_accumulator(item const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator) const { out[i] = x; }
};
/// Returns the array that a call reads: its input, or the output where a computed input is stored.
template <class T, class Out>
checked_array<T const> array_or_output(checked_array<T const> const& in, Out const&) {
  return in;
}
template <class Source, int Arrays, class T>
checked_array<T const> array_or_output(checked_input<Source, Arrays> const& in,
                                       checked_array<T> const& out) {
  return {out.data, out.size, in.name};
}
/// Stores the items of a computed input in the output. An array stays where it is.
template <class Context, class T, class Out>
void store_items(Context&, checked_array<T const> const&, Out const&) {}
template <class Context, class Source, int Arrays, class T>
void store_items(Context& context, checked_input<Source, Arrays> const& in,
                 checked_array<T> const& out) {
  if (in.size > 0)
    context.run(
        in.size, copy_input_job<Source>{in.source, out.data},
        engine::resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
}

/// Checks the arrays of a call that stores a computed input in its output first.
template <class Context, class In, class Out>
using stores_items =
    std::conjunction<reads_items<parameter::in, Context, In>,
                     writes_to<parameter::out, Context, Out>, have_one_item_type<In, Out>>;

}  // namespace sam::inline v0_1::detail
