// SPDX-License-Identifier: MIT
// Calls sam::histogram once; tools/ci/check_budget compiles the call for devices that tests lack.
#include <sam/cuda/histogram.hpp>
#include <sam/histogram.hpp>

#include <span>

void call(sam::cuda::context& context, std::span<float const> in, std::span<unsigned> counts) {
  sam::histogram(context, in, counts, sam::even_bins(0.f, 1.f));
}
