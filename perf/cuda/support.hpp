// SPDX-License-Identifier: MIT
// What benchmarks on a CUDA device share: arrays, and how calls are timed.
#pragma once

#include <sam/backend.hpp>

#include <benchmark/benchmark.h>

#include <random>
#include <span>
#include <string>

namespace perf {

using sam::index_t;

inline void check(cudaError_t status) { sam::cuda::check(status, "run a benchmark"); }

/// Random bits, others in every process; exponents of floats are kept from running away.
inline __global__ void fill_random(std::uint32_t* words, index_t count, std::uint32_t seed) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < count;
       i += index_t{gridDim.x} * blockDim.x) {
    std::uint32_t x = (std::uint32_t(i) ^ seed) * 2654435761u;
    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    words[i] = (x ^ x >> 16) & 0xbfffbfff;
  }
}

/// Two arrays of 4 GiB, one random, one poisoned, for all benchmarks.
class arrays {
 public:
  static constexpr std::size_t bytes = std::size_t{4} << 30;
  static arrays& get() {
    static arrays all;
    return all;
  }
  template <class T>
  std::span<T const> in(index_t n) const {
    return {reinterpret_cast<T const*>(in_), std::size_t(n)};
  }
  template <class T>
  std::span<T> out(index_t n) const {
    return {reinterpret_cast<T*>(out_), std::size_t(n)};
  }
  void* temporary(std::size_t wanted) {
    if (wanted > temporary_bytes_) {
      check(cudaFree(temporary_));
      check(cudaMalloc(&temporary_, wanted));
      temporary_bytes_ = wanted;
    }
    return temporary_;
  }

 private:
  arrays() {
    check(cudaMalloc(&in_, bytes));
    check(cudaMalloc(&out_, bytes));
    fill_random<<<1024, 256>>>(static_cast<std::uint32_t*>(in_), bytes / 4, std::random_device{}());
    check(cudaMemset(out_, 0xcd, bytes));
    check(cudaDeviceSynchronize());
  }
  void *in_ = nullptr, *out_ = nullptr, *temporary_ = nullptr;
  std::size_t temporary_bytes_ = 0;
};

/// Times what call() queues, by events around it. Small work is queued many times between two
/// events: what counts then is a call's share, launch included.
template <class Call>
void time_calls(benchmark::State& state, index_t n, std::size_t item_bytes, Call call) {
  cudaEvent_t start, end;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&end));
  int const calls = index_t(n * item_bytes) < (index_t{1} << 26) ? 20 : 1;
  call();
  for (auto _ : state) {
    check(cudaEventRecord(start));
    for (int k = 0; k < calls; ++k)
      call();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, end));
    state.SetIterationTime(ms * 1e-3 / calls);
  }
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(end));
  auto const items = static_cast<double>(n) * static_cast<double>(state.iterations());
  state.counters["items/s"] = benchmark::Counter(items, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] =
      benchmark::Counter(2 * items * static_cast<double>(item_bytes), benchmark::Counter::kIsRate);
}

/// A case of a name; what it is done by follows.
template <class F>
void add(std::string const& name, char const* who, F f) {
  benchmark::RegisterBenchmark((name + "/by:" + who).c_str(), f)->UseManualTime()->MinTime(0.03);
}

}  // namespace perf
