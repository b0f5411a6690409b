// SPDX-License-Identifier: MIT
// Measures what it costs that a call reads its number of items, segments or results from device
// memory, and writes JSON: the time of the plain call, and how much longer the counted one takes;
// then the same for half as many, of which the counted call only learns when it runs. Calls are
// nodes of a CUDA graph. Graphs of the four take turns. Medians are written, in microseconds.
// Results are compared first, and 1 is returned if some differ.
//
//   counted_cost.cuda [PART]    only calls whose names have this part
#include "counted_cost.hpp"

#include <memory>

namespace counted_cost {
namespace {

__global__ void count_differences(unsigned char const* a, unsigned char const* b, index_t bytes,
                                  int* count) {
  index_t const stride = index_t(gridDim.x) * blockDim.x;
  for (index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x; i < bytes; i += stride)
    if (a[i] != b[i])
      atomicAdd(count, 1);
}

cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

}  // namespace

table::table(std::FILE* to, std::string_view only)
    : to_(to), only_(only), stream_(new_stream()), context_(stream_), numbers_(take<index_t>(2)) {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  std::fprintf(to_, "{\n  \"device\": \"%s\",\n  \"unit\": \"us\",\n  \"calls\": [", device.name);
}
table::~table() { std::fprintf(to_, "\n  ]\n}\n"); }

bool table::is_equal(index_t n, std::initializer_list<written> out,
                     std::function<void()> const& one, std::function<void()> const& other) {
  arrays memory;
  auto const count = memory.take<int>(1);
  std::vector<std::span<unsigned char>> kept;
  auto const run = [&](std::function<void()> const& call) {
    check(cudaDeviceSynchronize());  // inputs may still be on their way
    for (written const& w : out)
      check(cudaMemsetAsync(w.begin, 0x5a, w.size(n), stream_));
    call();
    check(cudaStreamSynchronize(stream_));
  };
  run(one);
  for (written const& w : out) {
    kept.push_back(memory.take<unsigned char>(index_t(w.size(n))));
    check(cudaMemcpy(kept.back().data(), w.begin, kept.back().size(), cudaMemcpyDeviceToDevice));
  }
  run(other);
  std::size_t k = 0;
  for (written const& w : out) {
    count_differences<<<1024, 256, 0, stream_>>>(static_cast<unsigned char const*>(w.begin),
                                                 kept[k].data(), index_t(kept[k].size()),
                                                 count.data());
    ++k;
  }
  check(cudaGetLastError());
  int differences = 0;
  check(cudaStreamSynchronize(stream_));
  check(cudaMemcpy(&differences, count.data(), sizeof(int), cudaMemcpyDeviceToHost));
  return differences == 0;
}

void table::measure(std::string_view name, index_t n, std::initializer_list<written> out,
                    std::vector<std::function<void()>> const& calls) {
  bool const are_equal =
      is_equal(n, out, calls[0], calls[1]) && is_equal(n / 2, out, calls[2], calls[3]);
  all_equal_ = all_equal_ && are_equal;
  std::vector<std::unique_ptr<costs::repeated>> graphs;
  for (auto const& call : calls)
    graphs.push_back(std::make_unique<costs::repeated>(stream_, call));
  std::vector<double> times[4];
  for (int k = 0; k < 31; ++k)
    for (std::size_t i = 0; i < 4; ++i)
      times[i].push_back(graphs[i]->time());
  double const plain = costs::median(times[0]), half = costs::median(times[2]);
  std::fprintf(to_,
               "%s\n    {\"call\": \"%.*s\", \"n\": %lld, \"plain\": %.2f, \"counted more\": %.2f, "
               "\"half\": %.2f, \"counted half more\": %.2f%s}",
               is_first_ ? "" : ",", int(name.size()), name.data(), static_cast<long long>(n),
               plain, costs::median(times[1]) - plain, half, costs::median(times[3]) - half,
               are_equal ? "" : ", \"results\": \"differ\"");
  std::fflush(to_);
  is_first_ = false;
}

}  // namespace counted_cost

int main(int count, char** arguments) {
  counted_cost::table to(stdout, count > 1 ? arguments[1] : "");
  counted_cost::measure_scans(to);
  counted_cost::measure_runs(to);
  counted_cost::measure_selections(to);
  counted_cost::measure_searches(to);
  counted_cost::measure_merges(to);
  counted_cost::measure_sorts(to);
  return to.all_equal() ? 0 : 1;
}
