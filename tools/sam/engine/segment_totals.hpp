// SPDX-License-Identifier: MIT
// Defines the segmented reductions that engine/kernels.hpp declares.
#pragma once

#include <sam/segmented_reduce.hpp>

#include "engine/segments_in_reach.hpp"

#include <type_traits>

namespace sam::tool {

/// Applies an operator on unsigned totals to signed totals of the same bits. The library reduces
/// signed items to signed totals.
template <class T>
struct operator_on_signed {
  using item = std::make_signed_t<T>;
  any_operator<T> op;

  SAM_FUNCTION constexpr item operator()(item a, item b) const {
    return static_cast<item>(op(static_cast<T>(a), static_cast<T>(b)));
  }
};

/// Calls use(totals, op, init) with `out` as a span whose items have the signedness of In.
template <class In, class T, class Use>
index_t with_signedness_of(std::span<T> out, any_operator<T> op, T init, Use use) {
  if constexpr (std::is_integral_v<In> && std::is_signed_v<In>) {
    using item = std::make_signed_t<T>;
    return use(std::span(reinterpret_cast<item*>(out.data()), out.size()),
               operator_on_signed<T>{op}, static_cast<item>(init));
  } else {
    return use(out, op, init);
  }
}

template <class Context, class In, class T>
index_t segment_totals(Context& context, std::span<In const> items,
                       segments_in_reach const& segments, std::span<T> out, any_operator<T> op,
                       T init) {
  return with_signedness_of<In>(out, op, init, [&](auto totals, auto combine, auto first) {
    if (auto const* const offsets = std::get_if<segments_in_reach::offsets>(&segments.said)) {
      segmented_reduce(context, items, by_offsets(*offsets), totals, combine, first);
      return static_cast<index_t>(totals.size());
    }
    return segmented_reduce(context, items, by_heads(std::get<flag_bits>(segments.said)), totals,
                            combine, first);
  });
}

template <class Context, class In, class T, class Word>
index_t key_totals(Context& context, keys_in_reach<Word> const& keys, std::span<In const> items,
                   std::span<Word> unique_keys, std::span<T> out, any_operator<T> op) {
  return with_signedness_of<In>(out, op, T(0), [&](auto totals, auto combine, auto) {
    return reduce_by_key(context, keys.keys, items, unique_keys, totals, combine, keys.equal);
  });
}

}  // namespace sam::tool
