// SPDX-License-Identifier: MIT
// A CUDA graph: a sort, a scan and a reduction are captured once and replayed on new keys.
#include <sam/cuda/backend.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>

#include <algorithm>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <vector>

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(status));
}

bool run() {
  std::size_t const n = 50'000;
  // [capture]
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  sam::cuda::context context(stream);  // must live as long as the graph

  unsigned *keys = nullptr, *sorted = nullptr, *sums = nullptr, *largest = nullptr;
  for (unsigned** const memory : {&keys, &sorted, &sums, &largest})
    check(cudaMalloc(memory, n * sizeof(unsigned)));
  check(cudaMemsetAsync(keys, 0, n * sizeof(unsigned), stream));

  auto const work = [&] {
    std::span<unsigned const> const in(keys, n);
    sam::radix_sort(context, in, std::span(sorted, n));
    sam::inclusive_scan(context, std::span(sorted, n), std::span(sums, n));
    sam::reduce(context, in, std::span(largest, 1), sam::maximum{});  // a result on the device
  };
  work();          // once without capturing: the context allocates what these calls need
  context.wait();  // nothing may be allocated while a stream is captured

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  work();
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&replay, graph, 0));
  // [/capture]

  bool right = true;
  std::vector<unsigned> items(n), on_host(n), sums_on_host(n);
  for (unsigned round = 1; round <= 3; ++round) {
    for (std::size_t i = 0; i < n; ++i)
      items[i] = unsigned(i) * 2654435761U * round % 1000;
    // [replay]
    check(cudaMemcpyAsync(keys, items.data(), n * sizeof(unsigned), cudaMemcpyDefault, stream));
    check(cudaGraphLaunch(replay, stream));  // right for any keys
    context.wait();
    // [/replay]
    check(cudaMemcpy(on_host.data(), sorted, n * sizeof(unsigned), cudaMemcpyDefault));
    check(cudaMemcpy(sums_on_host.data(), sums, n * sizeof(unsigned), cudaMemcpyDefault));
    std::sort(items.begin(), items.end());
    right = right && on_host == items && sums_on_host[1] == items[0] + items[1];
  }
  check(cudaGraphExecDestroy(replay));
  check(cudaGraphDestroy(graph));
  for (unsigned* const memory : {keys, sorted, sums, largest})
    check(cudaFree(memory));
  return right;
}

}  // namespace

int main() try { return run() ? 0 : 1; } catch (std::exception const& error) {
  std::puts(error.what());
  return 1;
}
