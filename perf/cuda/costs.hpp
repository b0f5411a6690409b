// SPDX-License-Identifier: MIT
// Arrays, graphs and medians for the programs that measure what calls cost beside their work.
#pragma once

#include <sam/backend.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
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

/// Returns n items that look random, of all values.
inline std::vector<std::uint32_t> random_items(index_t n, std::uint32_t seed = 1) {
  std::vector<std::uint32_t> items(std::size_t(n), 0);
  for (std::uint32_t& item : items)
    item = seed = seed * 1664525 + 1013904223;
  return items;
}

inline constexpr int nodes = 20;  // of a graph

/// A graph of `nodes` calls, one after another.
class repeated {
 public:
  repeated(cudaStream_t stream, std::function<void()> const& make) : stream_(stream) {
    make();  // keeps memory
    check(cudaStreamSynchronize(stream));
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int k = 0; k < nodes; ++k)
      make();
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&made_, graph, 0));
    check(cudaGraphDestroy(graph));
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }
  repeated(repeated const&) = delete;
  repeated& operator=(repeated const&) = delete;
  ~repeated() {
    cudaGraphExecDestroy(made_);
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  /// Returns the microseconds of a call.
  double time() {
    check(cudaEventRecord(begin_, stream_));
    check(cudaGraphLaunch(made_, stream_));
    check(cudaEventRecord(end_, stream_));
    check(cudaEventSynchronize(end_));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin_, end_));
    return 1000.0 * double(ms) / nodes;
  }

 private:
  cudaStream_t stream_;
  cudaGraphExec_t made_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace costs
