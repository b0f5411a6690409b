// SPDX-License-Identifier: MIT
#pragma once

#include <sam/segmented_reduce.hpp>

#include "engine/segments_in_reach.hpp"

namespace sam::tool {

/// The number that call(count) has the context write to an array of one.
template <class Context, class Call>
index_t count_from(Context& context, Call call) {
  std::array<index_t, 1> count{};
  typename memory_of<Context>::template arrays<index_t> const staged(context, count);
  call(staged.out());
  staged.bring_back();
  return count[0];
}

template <class Context, class In, class T>
index_t segment_totals(Context& context, std::span<In const> items,
                       segments_in_reach const& segments, std::span<T> out, any_operator<T> op,
                       T init) {
  if (auto const* const offsets = std::get_if<segments_in_reach::offsets>(&segments.said)) {
    segmented_reduce(context, items, by_offsets(*offsets), out, op, init);
    return static_cast<index_t>(out.size());
  }
  return count_from(context, [&](auto count) {
    segmented_reduce(context, items, by_heads(std::get<flag_bits>(segments.said)), out, count, op,
                     init);
  });
}

template <class Context, class In, class T, class Word>
index_t key_totals(Context& context, keys_in_reach<Word> const& keys, std::span<In const> items,
                   std::span<Word> unique_keys, std::span<T> out, any_operator<T> op) {
  return count_from(context, [&](auto count) {
    reduce_by_key(context, keys.keys, items, unique_keys, out, count, op, keys.equal);
  });
}

}  // namespace sam::tool
