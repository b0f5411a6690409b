// SPDX-License-Identifier: MIT
// Measures what it costs that a call reads its number of items from device memory, or computes its
// items, and writes JSON: the times of calls of sam::counted(in, n) and of sam::transformed(in, f)
// beside that of the same call of `in`, as nodes of a CUDA graph. Graphs of all take turns. Medians
// are written, in microseconds.
#include <sam/compact.hpp>
#include <sam/inputs.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_scan.hpp>

#include "costs.hpp"

#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

namespace {

using costs::check, costs::is_odd, costs::median, costs::random_items, costs::repeated, costs::take;
using sam::index_t;

bool is_first = true;  // of all comparisons

struct flip {
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t x) const { return x ^ 1; }
};

template <class Call>
void compare(std::FILE* to, cudaStream_t stream, char const* name,
             std::span<std::uint32_t const> in, std::span<index_t const> number, Call const& call) {
  repeated plain(stream, [&] { call(in); });
  repeated counted(stream, [&] { call(sam::counted(in, number)); });
  repeated transformed(stream, [&] { call(sam::transformed(in, flip{})); });
  std::vector<double> times[3];
  for (int k = 0; k < (in.size() < 1 << 28 ? 51 : 11); ++k) {
    times[0].push_back(plain.time());
    times[1].push_back(counted.time());
    times[2].push_back(transformed.time());
  }
  double const a = median(times[0]), b = median(times[1]), t = median(times[2]);
  std::fprintf(to,
               "%s\n    {\"call\": \"%s\", \"n\": %lld, \"plain\": %.2f, \"counted\": %.2f, "
               "\"more\": %.2f, \"transformed\": %.2f, \"by transforming\": %.3f}",
               is_first ? "" : ",", name, static_cast<long long>(in.size()), a, b, b - a, t, t / a);
  std::fflush(to);
  is_first = false;
}

void run(std::FILE* to) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  sam::cuda::context c(stream);
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  std::fprintf(to, "{\n  \"device\": \"%s\",\n  \"unit\": \"us\",\n  \"calls\": [", device.name);
  for (int const log_n : {10, 16, 20, 24, 28}) {
    index_t const n = index_t{1} << log_n;
    auto const items = take<std::uint32_t>(n), out = take<std::uint32_t>(n);
    auto const sum = take<std::uint32_t>(1);
    auto const count = take<int>(1);
    auto const number = take<index_t>(1);
    auto const random = random_items(n);
    check(cudaMemcpy(items.data(), random.data(), items.size_bytes(), cudaMemcpyHostToDevice));
    check(cudaMemcpy(number.data(), &n, sizeof(n), cudaMemcpyHostToDevice));
    std::span<std::uint32_t const> const in = items;
    std::span<index_t const> const of = number;
    compare(to, stream, "inclusive_scan", in, of,
            [&](auto const& from) { sam::inclusive_scan(c, from, out); });
    compare(to, stream, "reduce", in, of, [&](auto const& from) { sam::reduce(c, from, sum); });
    compare(to, stream, "compact", in, of,
            [&](auto const& from) { sam::compact(c, from, out, is_odd{}, count); });
    compare(to, stream, "segmented_inclusive_scan of 100", in, of, [&](auto const& from) {
      sam::segmented_inclusive_scan(c, from, sam::by_length(100), out);
    });
    compare(to, stream, "radix_sort", in, of,
            [&](auto const& from) { sam::radix_sort(c, from, out); });
    for (void* const array : {static_cast<void*>(items.data()), static_cast<void*>(out.data()),
                              static_cast<void*>(sum.data()), static_cast<void*>(count.data()),
                              static_cast<void*>(number.data())})
      check(cudaFree(array));
  }
  std::fprintf(to, "\n  ]\n}\n");
}

}  // namespace

int main() {
  run(stdout);
  return 0;
}
