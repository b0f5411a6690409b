// SPDX-License-Identifier: MIT
// Arrays and timing for benchmarks on a CUDA device.
#pragma once

#include <sam/backend.hpp>
#include <sam/cuda/runtime/testing.hpp>

#include <benchmark/benchmark.h>

#include <random>
#include <set>
#include <span>
#include <string>

namespace perf {

using sam::index_t;

inline void check(cudaError_t status) { sam::cuda::check(status, "run a benchmark"); }

using sam::cuda::testing::run_as_requested;

/// Fills words with random bits that differ between processes. Exponents of floats are limited so
/// that sums do not overflow.
__global__ void fill_random(std::uint32_t* words, index_t count, std::uint32_t seed) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < count;
       i += index_t{gridDim.x} * blockDim.x) {
    std::uint32_t x = (std::uint32_t(i) ^ seed) * 2654435761u;
    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    words[i] = (x ^ x >> 16) & 0xbfffbfff;
  }
}

__global__ void count_differing(unsigned char const* a, unsigned char const* b, index_t bytes,
                                unsigned long long* differing) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < bytes;
       i += index_t{gridDim.x} * blockDim.x)
    if (a[i] != b[i])
      atomicAdd(differing, 1ull);
}
inline bool are_same(void const* a, void const* b, std::size_t bytes) {
  unsigned long long* differing = nullptr;
  check(cudaMallocManaged(&differing, sizeof(*differing)));
  *differing = 0;
  count_differing<<<1024, 256>>>(static_cast<unsigned char const*>(a),
                                 static_cast<unsigned char const*>(b), index_t(bytes), differing);
  check(cudaDeviceSynchronize());
  bool const same = *differing == 0;
  check(cudaFree(differing));
  return same;
}

/// Hands out arrays for results, one behind the other, from one block of memory.
class results {
 public:
  explicit results(void* memory) : next_(static_cast<std::byte*>(memory)) {}
  template <class T>
  std::span<T> array(index_t n) {
    auto* const begin = reinterpret_cast<T*>(next_);
    next_ += sam::engine::div_up(n * index_t{sizeof(T)}, 256) * 256;
    return {begin, std::size_t(n)};
  }

 private:
  std::byte* next_;
};

/// Memory that all benchmarks share: 4 GiB of random items, 4 GiB of poisoned output, and, once
/// results are compared, as much for the expected ones.
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
  /// True if `make` and `make_wanted` write the same results and leave the same bytes unwritten.
  /// Each is called with the memory to write to.
  template <class Make, class MakeWanted>
  bool are_same_results(Make const& make, MakeWanted const& make_wanted) {
    if (wanted_ == nullptr)
      check(cudaMalloc(&wanted_, bytes));
    check(cudaMemset(out_, 0xcd, bytes));
    check(cudaMemset(wanted_, 0xcd, bytes));
    make(results(out_));
    make_wanted(results(wanted_));
    check(cudaDeviceSynchronize());
    return are_same(out_, wanted_, bytes);
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
  void *in_ = nullptr, *out_ = nullptr, *wanted_ = nullptr, *temporary_ = nullptr;
  std::size_t temporary_bytes_ = 0;
};

/// Returns the number of calls between two events. Short calls, on few bytes, are queued many
/// times, and the time of a call, launch included, is its share.
inline int calls_together(index_t bytes) { return bytes < index_t{1} << 26 ? 20 : 1; }

/// The way to queue calls: one by one, or as nodes of a graph, where no launch waits for the host.
enum class queued { one_by_one, in_graph };

/// Returns the stream on which calls are queued.
inline cudaStream_t stream_for(queued how) {
  if (how == queued::one_by_one)
    return nullptr;
  static cudaStream_t const captured = [] {
    cudaStream_t made;
    check(cudaStreamCreate(&made));
    return made;
  }();
  return captured;
}

/// Several calls on a stream, captured as a graph that has run once.
class graph_of_calls {
 public:
  template <class Queue>
  graph_of_calls(cudaStream_t stream, Queue const& queue) : stream_(stream) {
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    queue();
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&graph_, graph, 0));
    check(cudaGraphDestroy(graph));
    (*this)();
  }
  graph_of_calls(graph_of_calls const&) = delete;
  ~graph_of_calls() { check(cudaGraphExecDestroy(graph_)); }
  void operator()() const { check(cudaGraphLaunch(graph_, stream_)); }

 private:
  cudaStream_t stream_;
  cudaGraphExec_t graph_;
};

/// Times call(), which queues work on stream_for(how), with events.
template <class Call>
void time_calls(benchmark::State& state, index_t n, std::size_t item_bytes, Call call,
                queued how = queued::one_by_one) {
  int const calls = calls_together(n * index_t(item_bytes));
  cudaStream_t const stream = stream_for(how);
  cudaEvent_t start, end;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&end));
  auto const time = [&](auto const& queue) {
    for (auto _ : state) {
      check(cudaEventRecord(start, stream));
      queue();
      check(cudaEventRecord(end, stream));
      check(cudaEventSynchronize(end));
      float ms = 0;
      check(cudaEventElapsedTime(&ms, start, end));
      state.SetIterationTime(ms * 1e-3 / calls);
    }
  };
  auto const queue = [&] {
    for (int k = 0; k < calls; ++k)
      call();
  };
  call();
  if (how == queued::in_graph)
    time(graph_of_calls(stream, queue));
  else
    time(queue);
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(end));
  auto const items = static_cast<double>(n) * static_cast<double>(state.iterations());
  state.counters["items/s"] = benchmark::Counter(items, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] =
      benchmark::Counter(2 * items * static_cast<double>(item_bytes), benchmark::Counter::kIsRate);
}

/// Registers a case of the given name and size, done by `who`.
template <class F>
void add(std::string const& name, std::string const& who, index_t bytes, F f) {
  benchmark::RegisterBenchmark((name + "/by:" + who).c_str(), f)
      ->UseManualTime()
      ->MinTime(0.03 / calls_together(bytes));
}

/// Prepares a call in CUB's style: call(temporary, bytes, results), which only sets `bytes` if
/// `temporary` is null. Allocates the temporary memory and returns a function that makes the call.
template <class Call>
auto with_temporary(Call call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes, results(arrays::get().out<std::byte>(1).data())));
  void* const temporary = arrays::get().temporary(bytes);
  return [=](results to) {
    std::size_t enough = bytes;
    check(call(temporary, enough, to));
  };
}

/// Adds a case: sam(context, results), and a cudaMemcpy that moves `moved` bytes per item. If
/// `wanted`, a call in CUB's style, is given, sam's results are compared with its results.
template <class Sam, class... Wanted>
void compare(std::string const& name, index_t n, std::size_t item_bytes, double moved, Sam sam,
             Wanted... wanted) {
  add(name, "sam", n * index_t(item_bytes), [=](benchmark::State& state) {
    sam::default_context context;
    run_as_requested(context);
    auto& all = arrays::get();
    results const out(all.out<std::byte>(1).data());
    time_calls(state, n, item_bytes, [&] { sam(context, out); });
    static std::set<std::string> checked;  // checked once, because cases are repeated
    auto const is_right = [&](auto const& make) {
      return all.are_same_results([&](results to) { sam(context, to); }, make);
    };
    if (checked.insert(name).second && !(is_right(with_temporary(wanted)) && ...))
      state.SkipWithError("wrong result");
  });
  add(name, "memcpy", n * index_t(item_bytes), [=](benchmark::State& state) {
    time_calls(state, n, item_bytes, [&] {
      check(cudaMemcpyAsync(arrays::get().out<std::byte>(1).data(),
                            arrays::get().in<std::byte>(1).data(),
                            std::size_t(double(n) * moved / 2), cudaMemcpyDeviceToDevice));
    });
  });
}

/// Adds CUB's call to a case.
template <class Cub>
void add_cub(std::string const& name, index_t n, std::size_t item_bytes, Cub cub) {
  add(name, "cub", n * index_t(item_bytes), [=](benchmark::State& state) {
    results const out(arrays::get().out<std::byte>(1).data());
    auto const call = with_temporary(cub);
    time_calls(state, n, item_bytes, [&] { call(out); });
  });
}
template <class Sam, class Cub>
void compare_with_cub(std::string const& name, index_t n, std::size_t item_bytes, double moved,
                      Sam sam, Cub cub) {
  compare(name, n, item_bytes, moved, sam, cub);
  add_cub(name, n, item_bytes, cub);
}

}  // namespace perf
