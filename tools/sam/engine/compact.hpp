// SPDX-License-Identifier: MIT
// Defines compactions and partitions. Items of any type are compared as unsigned keys of the same
// order, so that few kernels are compiled.
#pragma once

#include <sam/compact.hpp>
#include <sam/partition.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class U>
index_t keep_range(Context& context, std::span<U const> in, std::span<U> out, key_range<U> keys) {
  return compact(context, in, out, keys);
}

template <class Context, class U>
index_t keep_flagged(Context& context, std::span<U const> in, flag_bits const& flags,
                     std::span<U> out) {
  return compact_flagged(context, in, flags, out);
}

template <class Context, class U>
index_t indices_in_range(Context& context, std::span<U const> in, std::span<std::int64_t> out,
                         key_range<U> keys) {
  return compact_indices(context, in, out, keys);
}

template <class Context>
index_t indices_flagged(Context& context, flag_bits const& flags, std::span<std::int64_t> out) {
  return compact_indices_flagged(context, flags, out);
}

template <class Context, class U>
std::array<index_t, 2> part_in_three(Context& context, std::span<U const> in, std::span<U> out,
                                     key_range<U> first, key_range<U> second) {
  return three_way_partition(context, in, out, first, second);
}

}  // namespace sam::tool
