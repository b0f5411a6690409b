// SPDX-License-Identifier: MIT
// Arrays and medians for the programs that measure what calls cost beside their work.
#pragma once

#include <sam/backend.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace costs {

using sam::index_t;

inline void check(cudaError_t status) { sam::cuda::check(status, "run a benchmark"); }

struct is_odd {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

/// Returns an array of zeros in device memory.
template <class T>
std::span<T> take(index_t n) {
  T* items = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&items), std::size_t(n) * sizeof(T)));
  check(cudaMemset(items, 0, std::size_t(n) * sizeof(T)));
  return {items, std::size_t(n)};
}

inline double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + std::ptrdiff_t(x.size() / 2), x.end());
  return x[x.size() / 2];
}

}  // namespace costs
