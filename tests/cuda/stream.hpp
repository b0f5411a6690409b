// SPDX-License-Identifier: MIT
// Test support: CUDA streams, and graphs captured from them.
#pragma once

#include <sam/cuda/context.hpp>

#include <cuda_runtime.h>

namespace test {

inline void check(cudaError_t status) { sam::cuda::check(status, "do what a test wants"); }

class stream {
 public:
  stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~stream() { cudaStreamDestroy(stream_); }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_;
};

/// A CUDA graph of the work that f() queues on a stream. It can be launched any number of times.
class graph {
 public:
  template <class F>
  graph(stream const& s, F const& f) : stream_(s) {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    f();
    check(cudaStreamEndCapture(stream_, &graph_));
    check(cudaGraphInstantiate(&exec_, graph_, 0));
  }
  ~graph() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
  }
  graph(graph const&) = delete;
  graph& operator=(graph const&) = delete;

  void launch() const { check(cudaGraphLaunch(exec_, stream_)); }

 private:
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace test
