// SPDX-License-Identifier: MIT
// Arrays in device memory: spans over what cudaMalloc returned, results on the device and on the
// host, and managed memory.
// [include]
#include <sam/cuda/backend.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>
// [/include]

#include <cstdio>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(status));
}

bool run() {
  // [arrays]
  sam::cuda::context context;  // the default stream of the current device
  std::size_t const n = 100'000;
  int *in = nullptr, *out = nullptr;
  check(cudaMalloc(&in, n * sizeof(int)));
  check(cudaMalloc(&out, n * sizeof(int)));

  std::vector<int> items(n);
  std::iota(items.begin(), items.end(), 0);
  check(cudaMemcpy(in, items.data(), n * sizeof(int), cudaMemcpyHostToDevice));

  sam::inclusive_scan(context, std::span<int const>(in, n), std::span<int>(out, n), sam::maximum{});
  // The call has returned; the scan is queued. cudaMemcpy on the same stream waits for it.
  check(cudaMemcpy(items.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
  // [/arrays]
  bool right = items.front() == 0 && items.back() == int(n) - 1;

  // [results]
  std::span<int const> const array(in, n);
  int const largest = sam::reduce(context, array, sam::maximum{});  // waits for the result

  int* result = nullptr;  // or leave it on the device, and do not wait
  check(cudaMalloc(&result, sizeof(int)));
  sam::reduce(context, array, std::span<int>(result, 1), sam::maximum{});
  // [/results]
  int on_device = 0;
  check(cudaMemcpy(&on_device, result, sizeof(int), cudaMemcpyDeviceToHost));
  right = right && largest == int(n) - 1 && on_device == largest;

  // [managed]
  int* shared = nullptr;  // both sides reach managed memory
  check(cudaMallocManaged(&shared, 4 * sizeof(int)));
  std::iota(shared, shared + 4, 1);
  sam::inclusive_scan(context, std::span(shared, 4), std::span(shared, 4));
  context.wait();  // before the host reads
  // [/managed]
  right = right && shared[3] == 10;

  for (int* const memory : {in, out, result, shared})
    check(cudaFree(memory));
  return right;
}

}  // namespace

int main() try { return run() ? 0 : 1; } catch (std::exception const& error) {
  std::puts(error.what());
  return 1;
}
