// SPDX-License-Identifier: MIT
// Runs one case of the tracer of perf/model/trace on a GPU: by one block, in large tiles and on the
// tracer's input. perf/model/compare_counters runs it under Nsight Compute.
//
//   counters CASE ITEMS
#include <sam/backend.hpp>
#include <sam/compact.hpp>
#include <sam/cuda/runtime/testing.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>
#include <sam/unique.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace {

using sam::index_t;

struct is_odd {
  SAM_FUNCTION bool operator()(std::int32_t x) const { return x % 2 != 0; }
};

/// Returns device memory, which the program keeps until its end.
template <class T>
std::span<T> device_array(index_t n) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, static_cast<std::size_t>(n) * sizeof(T)) != cudaSuccess) {
    std::fputs("counters: out of memory\n", stderr);
    std::exit(1);
  }
  return {static_cast<T*>(memory), static_cast<std::size_t>(n)};
}
/// Returns the numbers of memory_trace::random_array in device memory.
template <class T>
std::span<T const> random_array(index_t n, std::uint64_t bound = 100) {
  std::uint64_t state = 1;
  std::vector<T> numbers(static_cast<std::size_t>(n));
  for (T& number : numbers) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    number = static_cast<T>((z ^ (z >> 31)) % bound);
  }
  auto const to = device_array<T>(n);
  cudaMemcpy(to.data(), numbers.data(), numbers.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

template <class T, class Policy = sam::scan_policy<>>
void scan(sam::default_context& context, index_t n) {
  sam::inclusive_scan(context, random_array<T>(n), device_array<T>(n), Policy{});
}
template <class Key>
void sort(sam::default_context& context, index_t n, std::uint64_t bits = ~0ull) {
  std::vector<Key> keys(static_cast<std::size_t>(n));
  auto const numbers = random_array<Key>(n, ~0ull);
  cudaMemcpy(keys.data(), numbers.data(), keys.size() * sizeof(Key), cudaMemcpyDeviceToHost);
  for (Key& key : keys)
    key &= static_cast<Key>(bits);
  auto const in = device_array<Key>(n);
  cudaMemcpy(in.data(), keys.data(), keys.size() * sizeof(Key), cudaMemcpyHostToDevice);
  sam::radix_sort(context, std::span<Key const>(in), device_array<Key>(n));
}

using run_case = std::function<void(sam::default_context&, index_t)>;
std::map<std::string, run_case> const cases = {
    {"scan int32", scan<std::int32_t>},
    {"scan int64", scan<std::int64_t>},
    {"scan int16", scan<std::int16_t>},
    {"scan int8", scan<std::int8_t>},
    {"scan double", scan<double>},
    {"scan int32, order 2", scan<std::int32_t, sam::scan_policy<sam::plus, 2>>},
    {"scan int32, order 8", scan<std::int32_t, sam::scan_policy<sam::plus, 8>>},
    {"scan int32, tuples of 5", scan<std::int32_t, sam::scan_policy<sam::plus, 1, 5>>},
    {"scan int32, tuples of 17", scan<std::int32_t, sam::scan_policy<sam::plus, 1, 17>>},
    {"compact int32",
     [](auto& context, index_t n) {
       sam::compact(context, random_array<std::int32_t>(n), device_array<std::int32_t>(n), is_odd{},
                    device_array<index_t>(1).front());
     }},
    {"unique int32",
     [](auto& context, index_t n) {
       sam::unique(context, random_array<std::int32_t>(n, 3), device_array<std::int32_t>(n),
                   device_array<index_t>(1).front());
     }},
    {"reduce int32",
     [](auto& context, index_t n) {
       sam::reduce(context, random_array<std::int32_t>(n), device_array<std::int32_t>(1).front());
     }},
    {"digit histogram uint32", [](auto& context, index_t n) { sort<std::uint32_t>(context, n); }},
    {"onesweep pass uint32", [](auto& context, index_t n) { sort<std::uint32_t>(context, n / 4); }},
    {"onesweep pass uint32, few digits",
     [](auto& context, index_t n) { sort<std::uint32_t>(context, n / 4, 0xe0e0e0e0); }},
    {"onesweep pass uint64", [](auto& context, index_t n) { sort<std::uint64_t>(context, n / 8); }},
};

}  // namespace

int main(int count, char** arguments) {
  if (count == 1)
    for (auto const& [name, run] : cases)
      std::puts(name.c_str());
  if (count != 3)
    return count != 1;
  sam::default_context context;
  context.limit_blocks(1);
  sam::cuda::testing::limit_small_bytes(context, 0);
  cases.at(arguments[1])(context, std::atoll(arguments[2]));
  context.wait();
  return 0;
}
