// SPDX-License-Identifier: MIT
// Measures what a call costs the host, and writes JSON: the time from the call to its return, when
// nothing waits for the device, beside that of launching as many empty kernels.
//
// Batches of calls and of launches take turns. A batch is short enough that the queue of the stream
// never fills, and is awaited before the next begins. Medians are written, in microseconds.
#include <sam/compact.hpp>
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/gather.hpp>
#include <sam/histogram.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/run_length.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/unique.hpp>

#include "costs.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace {

using costs::check, costs::is_odd, costs::median, costs::take;
using sam::index_t;

/// As many bytes as a kernel of sam gets: a job, a policy and addresses.
struct arguments {
  char bytes[192];
};
__global__ void empty_kernel(arguments) {}
void launch_empty(cudaStream_t stream) {
  arguments with{};
  void* of_kernel[] = {&with};
  check(cudaLaunchKernel(&empty_kernel, dim3(8), dim3(256), of_kernel, 0, stream));
}

template <class T>
std::span<T const> constant(std::span<T> items) {
  return items;
}

struct call {
  char const* name;
  std::function<void()> make;
};

/// Returns the number of nodes that a call adds to a graph: kernels, copies and fills.
int count_launches(cudaStream_t stream, std::function<void()> const& make) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  make();
  check(cudaStreamEndCapture(stream, &graph));
  std::size_t nodes = 0;
  check(cudaGraphGetNodes(graph, nullptr, &nodes));
  check(cudaGraphDestroy(graph));
  return int(nodes);
}

/// Returns the microseconds of one of `count` calls of f, which the stream then finishes.
template <class F>
double time_of(cudaStream_t stream, int count, F const& f) {
  auto const begin = std::chrono::steady_clock::now();
  for (int k = 0; k < count; ++k)
    f();
  auto const end = std::chrono::steady_clock::now();
  check(cudaStreamSynchronize(stream));
  return std::chrono::duration<double, std::micro>(end - begin).count() / count;
}

std::vector<call> calls(sam::cuda::context& c, index_t n) {
  auto const in = take<std::uint32_t>(n), other = take<std::uint32_t>(n);
  auto const out = take<std::uint32_t>(n), values = take<std::uint32_t>(n);
  auto const merged = take<std::uint32_t>(2 * n), totals = take<std::uint32_t>(n / 64);
  auto const counts = take<std::uint32_t>(256);
  auto const items = constant(in), keys = constant(other);
  auto const count = take<int>(1);
  auto const sum = take<std::uint32_t>(1);
  auto const place = take<index_t>(1);
  auto const offsets = take<std::int32_t>(n / 64 + 1);
  std::vector<std::int32_t> each(offsets.size());
  for (std::size_t s = 0; s < each.size(); ++s)
    each[s] = std::int32_t(s * 64);
  check(cudaMemcpy(offsets.data(), each.data(), offsets.size_bytes(), cudaMemcpyHostToDevice));
  auto const segments = [=] { return sam::by_offsets(constant(offsets)); };
  return {
      {"inclusive_scan", [=, &c] { sam::inclusive_scan(c, items, out); }},
      {"reduce", [=, &c] { sam::reduce(c, items, sum); }},
      {"compact", [=, &c] { sam::compact(c, items, out, is_odd{}, count); }},
      {"unique", [=, &c] { sam::unique(c, items, out, count); }},
      {"partition", [=, &c] { sam::partition(c, items, out, is_odd{}, count); }},
      {"run_length_encode", [=, &c] { sam::run_length_encode(c, items, out, values, count); }},
      {"reduce_by_key", [=, &c] { sam::reduce_by_key(c, keys, items, out, values, count); }},
      {"segmented_inclusive_scan, by keys",
       [=, &c] { sam::segmented_inclusive_scan(c, items, sam::by_keys(keys), out); }},
      {"segmented_inclusive_scan, by offsets",
       [=, &c] { sam::segmented_inclusive_scan(c, items, segments(), out); }},
      {"segmented_reduce, by offsets",
       [=, &c] { sam::segmented_reduce(c, items, segments(), totals); }},
      {"radix_sort", [=, &c] { sam::radix_sort(c, items, out); }},
      {"radix_sort_pairs", [=, &c] { sam::radix_sort_pairs(c, items, keys, out, values); }},
      {"merge_sort", [=, &c] { sam::merge_sort(c, items, out); }},
      {"merge", [=, &c] { sam::merge(c, items, keys, merged); }},
      {"histogram", [=, &c] { sam::histogram(c, items, counts, sam::even_bins(0u, 256u)); }},
      {"argmax", [=, &c] { sam::argmax(c, items, place); }},
      {"find_if", [=, &c] { sam::find_if(c, items, is_odd{}, place); }},
      {"gather", [=, &c] { sam::gather(c, items, keys, out); }},
  };
}

void run(std::FILE* to) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  sam::cuda::context context(stream);
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  std::fprintf(to, "{\n  \"device\": \"%s\",\n  \"unit\": \"us\",\n  \"calls\": [", device.name);
  bool is_first = true;
  for (index_t const n : {index_t{1} << 10, index_t{1} << 16, index_t{1} << 20})
    for (call const& each : calls(context, n)) {
      std::fprintf(stderr, "%s of %lld\n", each.name, static_cast<long long>(n));
      each.make();  // keeps memory, and asks for properties of kernels
      each.make();
      context.wait();
      int const launches = count_launches(stream, each.make);
      int const together = 256 / launches;
      std::vector<double> calls, empty;
      for (int k = 0; k < 101; ++k) {
        calls.push_back(time_of(stream, together, each.make));
        empty.push_back(time_of(stream, together * launches, [&] { launch_empty(stream); }));
      }
      double const call = median(calls), launch = median(empty);
      std::fprintf(to,
                   "%s\n    {\"call\": \"%s\", \"n\": %lld, \"launches\": %d, \"host\": %.2f, "
                   "\"empty_launch\": %.2f, \"more_per_launch\": %.2f}",
                   is_first ? "" : ",", each.name, static_cast<long long>(n), launches, call,
                   launch, call / launches - launch);
      std::fflush(to);
      is_first = false;
    }
  std::fprintf(to, "\n  ]\n}\n");
}

}  // namespace

int main() {
  run(stdout);
  return 0;
}
