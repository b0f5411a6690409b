// SPDX-License-Identifier: MIT
// Sorts of standard types that the library sam::cuda_kernels has compiled: programs that link it do
// not compile them.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/platform.hpp>
#include <sam/launch/calls/sort.hpp>

namespace sam::inline v0_1::cuda {

/// A sort of numbers by all bits, as calls without options make it.
template <class Key, class Value>
using number_sort_job =
    known_sort_job<Key, Value, flipped_digits<number_digits<Key>>, sort_facts{.all_bits = true}>;

// SAM_CUDA_SORTS(WHAT, KEY) makes the declarations of the sorts of one type of keys: alone, and
// with values or indices of 4 bytes. WHAT is `extern template` or `template`.
#define SAM_CUDA_SORTS(WHAT, KEY)                                                                  \
  WHAT void context::sort(number_sort_job<KEY, no_values> const& job);                             \
  WHAT void context::sort(number_sort_job<KEY, std::uint32_t> const& job);                         \
  WHAT void context::sort(number_sort_job<KEY, std::int32_t> const& job)

SAM_CUDA_SORTS(extern template, std::int32_t);
SAM_CUDA_SORTS(extern template, std::uint32_t);
SAM_CUDA_SORTS(extern template, std::int64_t);
SAM_CUDA_SORTS(extern template, std::uint64_t);
SAM_CUDA_SORTS(extern template, float);
SAM_CUDA_SORTS(extern template, double);

}  // namespace sam::inline v0_1::cuda
