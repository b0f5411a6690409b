// SPDX-License-Identifier: MIT
// Defines the functions on runs of items with equal bits that engine/kernels.hpp declares.
#pragma once

#include <sam/run_length.hpp>
#include <sam/unique.hpp>

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

template <class Context, class U, class Word>
index_t unique_keys(Context& context, std::span<U const> keys, std::span<Word const> values,
                    std::span<U> keys_out, std::span<Word> values_out) {
  return unique_by_key(context, keys, values, keys_out, values_out);
}

}  // namespace sam::tool
