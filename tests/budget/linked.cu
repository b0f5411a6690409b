// SPDX-License-Identifier: MIT
// Calls whose kernels sam::cuda_kernels has: tools/ci/check_budget compiles this as a program that
// links that library.
#include <sam/compact.hpp>
#include <sam/cuda/scan.hpp>
#include <sam/cuda/selection.hpp>
#include <sam/cuda/sort.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>

#include <cstdint>
#include <span>

void call(sam::cuda::context& context, std::span<std::uint32_t const> in,
          std::span<bool const> flags, std::span<std::uint32_t> out,
          std::span<std::uint32_t> indices, std::span<sam::index_t> count) {
  sam::inclusive_scan(context, in, out);
  sam::exclusive_scan(context, in, out);
  sam::reduce(context, in, out.first(1));
  sam::reduce(context, in, out.first(1), sam::minimum{});
  sam::compact_flagged(context, in, flags, out, count);
  sam::radix_sort(context, in, out);
  sam::radix_argsort(context, in, indices);
}
