// SPDX-License-Identifier: MIT
// Selections in rows of a matrix, as a library that top_k_beside_torch loads.
#include <sam/cuda/backend.hpp>
#include <sam/segmented_top_k.hpp>

#include <cuda_fp16.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>

namespace {

std::optional<sam::cuda::context>& kept_context() {
  static std::optional<sam::cuda::context> kept;
  return kept;
}

template <class Key>
void select(void const* keys, std::uint32_t const* columns, std::int64_t rows, std::int64_t width,
            std::int64_t k, void* keys_out, std::uint32_t* columns_out) {
  auto const n = std::size_t(rows * width), kept = std::size_t(rows * k);
  sam::segmented_top_k_pairs(*kept_context(), std::span(static_cast<Key const*>(keys), n),
                             std::span(columns, n), sam::by_length(width), k,
                             std::span(static_cast<Key*>(keys_out), kept),
                             std::span(columns_out, kept));
}

}  // namespace

/// Selects the k largest keys of each row, and their columns. `columns` has the column of each key.
/// Returns the message of an error, or null.
extern "C" char const* sam_top_k(void const* keys, std::uint32_t const* columns, std::int64_t rows,
                                 std::int64_t width, std::int64_t k, int bytes_of_key,
                                 void* keys_out, std::uint32_t* columns_out, void* stream) {
  static std::string message;
  try {
    if (!kept_context())
      kept_context().emplace(static_cast<cudaStream_t>(stream));
    auto const call = bytes_of_key == 2 ? select<__half> : select<float>;
    call(keys, columns, rows, width, k, keys_out, columns_out);
    return nullptr;
  } catch (std::exception const& error) {
    message = error.what();
    return message.c_str();
  }
}
