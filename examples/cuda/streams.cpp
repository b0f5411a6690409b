// SPDX-License-Identifier: MIT
// Streams: a context for each, work in order with other kernels, and an event between two streams.
#include <sam/compact.hpp>
#include <sam/cuda/backend.hpp>
#include <sam/scan.hpp>

#include <cstdio>
#include <span>
#include <stdexcept>

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(status));
}

__global__ void fill(int* out, int n) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    out[i] = i % 2;
}

struct is_even {
  SAM_FUNCTION bool operator()(int x) const { return x % 2 == 0; }
};

bool run() {
  int const n = 1 << 16;
  // [streams]
  cudaStream_t producer = nullptr, consumer = nullptr;
  check(cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking));
  sam::cuda::context scans(producer), selections(consumer);  // one context for each stream

  int *items = nullptr, *sums = nullptr, *even = nullptr, *count = nullptr;
  check(cudaMalloc(&items, n * sizeof(int)));
  check(cudaMalloc(&sums, n * sizeof(int)));
  check(cudaMalloc(&even, n * sizeof(int)));
  check(cudaMallocManaged(&count, sizeof(int)));

  fill<<<(n + 255) / 256, 256, 0, producer>>>(items, n);
  sam::inclusive_scan(scans, std::span(items, n), std::span(sums, n));  // after the kernel

  cudaEvent_t scanned = nullptr;  // orders work of different streams
  check(cudaEventCreateWithFlags(&scanned, cudaEventDisableTiming));
  check(cudaEventRecord(scanned, producer));
  check(cudaStreamWaitEvent(consumer, scanned));
  sam::compact(selections, std::span(sums, n), std::span(even, n), is_even{}, std::span(count, 1));
  selections.wait();
  // [/streams]

  int last = 0;
  check(cudaMemcpy(&last, even + *count - 1, sizeof(int), cudaMemcpyDeviceToHost));
  bool const right = *count == n / 2 && last == n / 2;  // 0 1 1 2 2 3 3 ... n/2
  std::printf("%d of %d sums are even\n", *count, n);

  check(cudaEventDestroy(scanned));
  check(cudaStreamDestroy(producer));
  check(cudaStreamDestroy(consumer));
  for (int* const memory : {items, sums, even, count})
    check(cudaFree(memory));
  return right;
}

}  // namespace

int main() try { return run() ? 0 : 1; } catch (std::exception const& error) {
  std::puts(error.what());
  return 1;
}
