// SPDX-License-Identifier: MIT
// What is kept of items of any type, by few kernels: items are compared as unsigned numbers in the
// same order.
#pragma once

#include <sam/compact.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class U>
index_t keep_range(Context& context, std::span<U const> in, std::span<U> out, key_range<U> keys) {
  return compact(context, in, out, keys);
}

template <class Context, class U>
index_t keep_flagged(Context& context, std::span<U const> in, std::span<std::uint8_t const> flags,
                     std::span<U> out) {
  return compact_flagged(context, in, flags, out);
}

}  // namespace sam::tool
