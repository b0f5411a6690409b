// SPDX-License-Identifier: MIT
// Runs of items with equal bits.
#pragma once

#include <sam/run_length.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class U>
index_t encode_runs(Context& context, std::span<U const> in, std::span<U> values,
                    std::span<std::int64_t> lengths) {
  return run_length_encode(context, in, values, lengths);
}

template <class Context, class U>
index_t decode_runs(Context& context, std::span<U const> values,
                    std::span<std::int64_t const> lengths, std::span<U> out) {
  return run_length_decode(context, values, lengths, out);
}

}  // namespace sam::tool
