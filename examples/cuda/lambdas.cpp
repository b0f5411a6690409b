// SPDX-License-Identifier: MIT
// Lambdas and function objects that run on the device. Compile with --extended-lambda.
#include <sam/compact.hpp>
#include <sam/cuda/backend.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>

#include <cstdio>
#include <numeric>
#include <span>
#include <stdexcept>

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(status));
}

// [function_object]
// Adds, but never beyond a limit. SAM_FUNCTION is __host__ __device__ under nvcc, and nothing else.
struct capped_plus {
  int limit;
  SAM_FUNCTION int operator()(int a, int b) const { return a + b < limit ? a + b : limit; }
};
// [/function_object]

bool run() {
  sam::cuda::context context;
  std::size_t const n = 1000;
  int* memory = nullptr;
  check(cudaMallocManaged(&memory, 4 * n * sizeof(int)));
  std::span<int> const in(memory, n), sums(memory + n, n), large(memory + 2 * n, n),
      sorted(memory + 3 * n, n);
  std::iota(in.begin(), in.end(), 0);

  // [lambdas]
  int const limit = 990;
  sam::inclusive_scan(context, in, sums, capped_plus{5000});
  sam::inclusive_scan(context, in, in, [] __device__(int a, int b) { return a < b ? b : a; });
  auto const kept = sam::compact(context, in, large, [=] __device__(int x) { return x >= limit; });
  // Where the library must know the type, a lambda must say what it returns.
  int const sum_of_squares =
      sam::transform_reduce(context, in, [] __device__(int x) -> int { return x * x; });
  sam::radix_sort(context, in, sorted,
                  [=] __device__(int const& x) -> unsigned { return unsigned(x) ^ 1023U; });
  // [/lambdas]
  context.wait();

  bool const right = sums[n - 1] == 5000 && kept == 10 && large[0] == limit &&
                     sum_of_squares == 332'833'500 && sorted[0] == 999 && sorted[n - 1] == 0;
  check(cudaFree(memory));
  return right;
}

}  // namespace

int main() try { return run() ? 0 : 1; } catch (std::exception const& error) {
  std::puts(error.what());
  return 1;
}
