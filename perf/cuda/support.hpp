// SPDX-License-Identifier: MIT
// What benchmarks on a CUDA device share: arrays, and how calls are timed.
#pragma once

#include <sam/backend.hpp>

#include <benchmark/benchmark.h>

#include <random>
#include <set>
#include <span>
#include <string>

namespace perf {

using sam::index_t;

inline void check(cudaError_t status) { sam::cuda::check(status, "run a benchmark"); }

/// Random bits, others in every process; exponents of floats are kept from running away.
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

/// Memory that results go to, one array behind the other.
class results {
 public:
  explicit results(void* memory) : next_(static_cast<std::byte*>(memory)) {}
  template <class T>
  std::span<T> array(index_t n) {
    auto* const begin = reinterpret_cast<T*>(next_);
    next_ += sam::div_up(n * index_t{sizeof(T)}, 256) * 256;
    return {begin, std::size_t(n)};
  }

 private:
  std::byte* next_;
};

/// Two arrays of 4 GiB, one random, one poisoned, for all benchmarks; and a third for who compares
/// results.
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
  /// Whether make and make_wanted, which are given where to, write the same and leave the same as
  /// it was.
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

/// Small work, of so many bytes, is queued many times between two events: what counts then is a
/// call's share, launch included.
inline int calls_together(index_t bytes) { return bytes < index_t{1} << 26 ? 20 : 1; }

/// How calls are queued: one by one, or as nodes of a graph, where no launch waits for the host.
enum class queued { one_by_one, in_graph };

/// The stream that calls are queued on.
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

/// Several calls on a stream, as a graph, which has run once.
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

/// Times call(), which queues on stream_for(how), by events.
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

/// A case of a name and so many bytes; what it is done by follows.
template <class F>
void add(std::string const& name, std::string const& who, index_t bytes, F f) {
  benchmark::RegisterBenchmark((name + "/by:" + who).c_str(), f)
      ->UseManualTime()
      ->MinTime(0.03 / calls_together(bytes));
}

/// What is called the way of CUB: call(temporary, bytes, results), without temporary memory only to
/// say how much it takes. Asks that, and returns what does the work.
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

/// The case as sam(context, results) does it, and a cudaMemcpy that moves so many bytes for each
/// item. If anything says what is wanted, the way of CUB, sam's results are compared with it.
template <class Sam, class... Wanted>
void compare(std::string const& name, index_t n, std::size_t item_bytes, double moved, Sam sam,
             Wanted... wanted) {
  add(name, "sam", n * index_t(item_bytes), [=](benchmark::State& state) {
    sam::default_context context;
    auto& all = arrays::get();
    results const out(all.out<std::byte>(1).data());
    time_calls(state, n, item_bytes, [&] { sam(context, out); });
    static std::set<std::string> checked;  // once: cases are repeated
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

/// The same case by CUB.
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
