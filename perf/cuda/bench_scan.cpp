// SPDX-License-Identifier: MIT
// Scans on a CUDA device beside cudaMemcpy of the same bytes and CUB, all in one process on the
// same items. A case is the name up to "/by:"; what it is done by follows.
#include <sam/backend.hpp>
#include <sam/scan.hpp>

#include "../../tests/operators.hpp"
#include "../operators.hpp"
#include <benchmark/benchmark.h>
#include <cub/device/device_scan.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <memory>
#include <random>
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

template <class F>
void add(std::string const& name, char const* who, F f) {
  benchmark::RegisterBenchmark((name + "/by:" + who).c_str(), f)->UseManualTime()->MinTime(0.03);
}

enum class how { inclusive, exclusive, in_place };

template <class T, class Policy>
void by_sam(benchmark::State& state, index_t n, Policy policy, how kind) {
  auto& a = arrays::get();
  auto const in = a.in<T>(n);
  auto const out = a.out<T>(n);
  sam::default_context context;
  time_calls(state, n, sizeof(T), [&] {
    if constexpr (sam::has_identity<typename Policy::op_type, T>)
      if (kind == how::exclusive)
        return sam::exclusive_scan(context, in, out, policy);
    if (kind == how::in_place)
      sam::inclusive_scan(context, out, out, policy);
    else
      sam::inclusive_scan(context, in, out, policy);
  });
}

template <class T>
void by_copy(benchmark::State& state, index_t n) {
  auto& a = arrays::get();
  time_calls(state, n, sizeof(T), [&] {
    check(cudaMemcpyAsync(a.out<T>(n).data(), a.in<T>(n).data(), std::size_t(n) * sizeof(T),
                          cudaMemcpyDeviceToDevice));
  });
}

/// CUB iterates for an order, and scans tuples as structs.
template <int S, class T, class Policy>
void by_cub(benchmark::State& state, index_t n, Policy policy) {
  auto& a = arrays::get();
  using item = std::conditional_t<S == 1, T, tuple<T, S>>;
  auto const op = [&] {
    if constexpr (S == 1)
      return policy.op;
    else
      return by_component<typename Policy::op_type>{policy.op};
  }();
  auto const* const in = reinterpret_cast<item const*>(a.in<T>(n).data());
  auto* const out = reinterpret_cast<item*>(a.out<T>(n).data());
  std::size_t bytes = 0;
  auto const scan = [&](item const* from, void* temporary) {
    if constexpr (S == 1 && std::is_same_v<typename Policy::op_type, sam::plus>)
      check(cub::DeviceScan::InclusiveSum(temporary, bytes, from, out, n / S));
    else
      check(cub::DeviceScan::InclusiveScan(temporary, bytes, from, out, op, n / S));
  };
  scan(in, nullptr);
  void* const temporary = a.temporary(bytes);
  time_calls(state, n / S * S, sizeof(T), [&] {
    scan(in, temporary);
    for (int round = 1; round < Policy::order; ++round)
      scan(out, temporary);
  });
}

template <class T, class Policy>
void compare(char const* type, char const* op, index_t n, Policy policy, char const* kind = "",
             how what = how::inclusive) {
  std::string const name =
      std::string("inclusive_scan/") + type + "/" + op + "/order:" + std::to_string(Policy::order) +
      "/tuple:" + std::to_string(policy.components) + kind + "/n:" + std::to_string(n);
  add(name, "sam", [=](auto& state) { by_sam<T>(state, n, policy, what); });
  add(name, "memcpy", [=](auto& state) { by_copy<T>(state, n); });
  constexpr int s = Policy::tuple_size;
  if constexpr (s >= 1 && Policy::heading == sam::direction::forward)
    if (kind[0] == '\0')
      add(name, "cub", [=](auto& state) { by_cub<s, T>(state, n, policy); });
}

using sam::maximum, sam::plus, sam::bit_xor, sam::scan_policy;
namespace carry = sam::carry;

[[maybe_unused]] bool const registered = [] {
  index_t const n = index_t{1} << 29;
  compare<std::int32_t>("i32", "plus", n, scan_policy<>{});
  compare<float>("f32", "plus", n, scan_policy<>{});
  compare<std::int64_t>("i64", "plus", n / 2, scan_policy<>{});
  compare<double>("f64", "plus", n / 2, scan_policy<>{});
  compare<std::int16_t>("i16", "plus", 2 * n, scan_policy<>{});
  compare<__half>("half", "plus", 2 * n, scan_policy<>{});
  compare<std::int8_t>("i8", "plus", 2 * n, scan_policy<>{});
  compare<std::int8_t>("i8", "max", 2 * n, scan_policy<maximum>{});
  compare<std::int32_t>("i32", "max", n, scan_policy<maximum>{});
  compare<std::int32_t>("i32", "xor", n, scan_policy<bit_xor>{});
  compare<std::int32_t>("i32", "last_nonzero", n, scan_policy<last_nonzero>{});
  compare<test::matrix>("2x2", "product", n / 4, scan_policy<test::matrix_product>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 2>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 5>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 8>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 2>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 3>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 5>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 8>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 3, 2>{});
  compare<std::int16_t>("i16", "plus", n, scan_policy<plus, 2, 3>{});
  for (index_t const s : {7, 32, 33, 100, 1920, 1921, 100000})  // known when running
    compare<std::int32_t>("i32", "plus", n, sam::tuples_of(s));
  compare<std::int8_t>("i8", "plus", 2 * n, sam::tuples_of(1920));
  compare<double>("f64", "plus", n / 2, sam::tuples_of(1920));
  compare<std::int32_t>("i32", "plus", n, scan_policy<>{}, "/exclusive", how::exclusive);
  compare<std::int32_t>("i32", "plus", n, backward(scan_policy<>{}), "/backward");
  compare<std::int32_t>("i32", "plus", n, scan_policy<>{}, "/in_place", how::in_place);
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 1, carry::lookback>{}, "/lookback");
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 1, carry::chained>{}, "/chained");
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 1, carry::reduce_then_scan>{},
                        "/reduce_then_scan");
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 1, carry::scan_then_propagate>{},
                        "/scan_then_propagate");
  for (int power = 12; power <= 28; power += 2)
    compare<std::int32_t>("i32", "plus", index_t{1} << power, scan_policy<>{});
  return true;
}();

}  // namespace perf
