// SPDX-License-Identifier: MIT
// Times every primitive over a grid of sizes beside CUB and cudaMemcpy, and writes JSON.
//
// Each cell of the grid is timed in two ways: as launched, one call after another on a stream, and
// as nodes of a CUDA graph, where no launch waits for the host. Batches of sam, CUB and cudaMemcpy
// take turns, and calls of a batch use several sets of arrays in turn. Medians are written.
#include <sam/cuda/runtime/testing.hpp>

#include "grid.hpp"
#include <cub/version.cuh>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <random>
#include <regex>
#include <stdexcept>

namespace grid {

// --- Memory and inputs ---------------------------------------------------------------------------

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(status));
}

arena::arena(std::size_t bytes) : bytes_(bytes) {
  check(cudaMalloc(reinterpret_cast<void**>(&memory_), bytes));
}
void* arena::take_bytes(std::size_t bytes) {
  std::size_t const rounded = (bytes + 511) / 512 * 512;
  if (used_ + rounded > bytes_)
    throw exhausted();
  void* const at = memory_ + used_;
  used_ += rounded;
  return at;
}

__device__ std::uint32_t hash(index_t i, std::uint32_t seed) {
  std::uint32_t x = (std::uint32_t(i) ^ seed * 0x9e3779b9u) * 2654435761u;
  x = (x ^ x >> 15) * 2246822519u;
  x = (x ^ x >> 13) * 3266489917u;
  return x ^ x >> 16;
}
template <class F>
__global__ void for_each(index_t n, F f) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n;
       i += index_t{gridDim.x} * blockDim.x)
    f(i);
}

void fill(void* words, std::size_t bytes, std::uint32_t seed) {
  auto* const to = static_cast<std::uint32_t*>(words);
  for_each<<<1024, 256>>>(index_t((bytes + 3) / 4),
                          [=] __device__(index_t i) { to[i] = grid::hash(i, seed) & 0xbfffbfff; });
}
void fill_runs(std::uint32_t* keys, index_t n, index_t length, index_t shift) {
  for_each<<<1024, 256>>>(
      n, [=] __device__(index_t i) { keys[i] = std::uint32_t((i + shift) / length); });
}

std::string name_of_segments(index_t length) {
  return length == 0 ? "power law" : "of " + std::to_string(length);
}
/// Writes lengths of a Pareto distribution, of exponent 1.3 and at least 2 items.
std::span<std::int32_t> fill_power_law(arena& memory, index_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<std::int32_t> offsets{0};
  while (offsets.back() < n)
    offsets.push_back(std::int32_t(std::min(
        double(n), offsets.back() + std::min(1e6, 2 * std::pow(1 - uniform(random), -1 / 1.3)))));
  auto const to = memory.take<std::int32_t>(index_t(offsets.size()));
  check(cudaMemcpy(to.data(), offsets.data(), to.size_bytes(), cudaMemcpyHostToDevice));
  return to;
}
std::span<std::int32_t> fill_offsets(arena& memory, index_t n, index_t length, std::uint32_t seed) {
  if (length == 0)
    return grid::fill_power_law(memory, n, seed);
  index_t const segments = std::max<index_t>(1, n / length);
  auto const to = memory.take<std::int32_t>(segments + 1);
  auto* const at = to.data();
  for_each<<<1024, 256>>>(segments + 1, [=] __device__(index_t k) {
    index_t const begin = k * length + grid::hash(k, seed) % length;
    at[k] = std::int32_t(k == 0 ? 0 : k == segments ? n : begin);
  });
  return to;
}

// --- The context ---------------------------------------------------------------------------------

cudaStream_t stream() {
  static cudaStream_t const made = [] {
    cudaStream_t it;
    check(cudaStreamCreateWithFlags(&it, cudaStreamNonBlocking));
    return it;
  }();
  return made;
}
std::optional<sam::cuda::context>& kept_context() {
  static std::optional<sam::cuda::context> kept;
  return kept;
}
sam::cuda::context& context() { return *kept_context(); }
/// Makes a new context, which runs as on the device that SAM_PERF_LIKE names. SAM_GRID_SMALL_BYTES
/// moves the limit between small and large tiles: 1 makes all tiles large.
void renew_context() {
  kept_context().emplace(stream());
  sam::cuda::testing::run_as_requested(context());
  if (char const* const bytes = std::getenv("SAM_GRID_SMALL_BYTES"))
    sam::cuda::testing::limit_small_bytes(context(), std::atoll(bytes));
}

// --- Timing --------------------------------------------------------------------------------------

struct options {
  std::string filter = ".*", out = "grid.json";
  index_t least = 1 << 8, most = index_t{1} << 30;
  double seconds = 0.1;  // for each way of each cell
  bool odd = true, lists = false;
};

/// A batch of calls that can be timed as a whole.
class batch {
 public:
  batch(call const& one, int calls, int slots, bool in_graph)
      : one_(one), calls_(calls), slots_(slots) {
    if (!in_graph)
      return;
    check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeRelaxed));
    cudaGraph_t captured = nullptr;
    try {
      queue();
    } catch (...) {
      cudaStreamEndCapture(stream(), &captured);
      cudaGetLastError();
      if (captured != nullptr)
        cudaGraphDestroy(captured);
      throw;
    }
    check(cudaStreamEndCapture(stream(), &captured));
    check(cudaGraphInstantiate(&graph_, captured, 0));
    check(cudaGraphDestroy(captured));
    check(cudaGraphUpload(graph_, stream()));
  }
  ~batch() {
    if (graph_ != nullptr)
      cudaGraphExecDestroy(graph_);
  }
  batch(batch const&) = delete;
  batch& operator=(batch const&) = delete;

  /// Returns the microseconds of one call.
  double time() {
    static cudaEvent_t const begin = make_event(), end = make_event();
    check(cudaEventRecord(begin, stream()));
    if (graph_ != nullptr)
      check(cudaGraphLaunch(graph_, stream()));
    else
      queue();
    check(cudaEventRecord(end, stream()));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    return 1e3 * ms / calls_;
  }

 private:
  static cudaEvent_t make_event() {
    cudaEvent_t it;
    check(cudaEventCreate(&it));
    return it;
  }
  void queue() {
    for (int k = 0; k < calls_; ++k)
      one_(stream(), k % slots_);
  }
  call const& one_;
  int calls_, slots_;
  cudaGraphExec_t graph_ = nullptr;
};

double median(std::vector<double> x) {
  if (x.empty())
    return NAN;
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

/// The medians of one way of timing, in microseconds; NaN where there is none.
struct times {
  double sam = NAN, cub = NAN, memcpy = NAN;
  int batches = 0;
};

times time_cell(problem const& p, int slots, bool in_graph, double seconds) {
  // An array that has fewer bytes is copied several times: another copy would leave it.
  call const copy = [&](cudaStream_t on, int s) {
    if (!p.in)
      return;
    auto const to = p.in(slots > 1 ? s : 0), from = p.in(slots > 1 ? (s + 1) % slots : 0);
    for (std::size_t left = std::size_t(p.bytes); left > 0;) {
      std::size_t const part = std::min(left, to.size());
      check(cudaMemcpyAsync(const_cast<std::byte*>(to.data()), from.data(), part,
                            cudaMemcpyDeviceToDevice, on));
      left -= part;
    }
  };
  call const* const calls[] = {&p.sam, &p.cub, &copy};
  double once = 0;
  for (call const* const each : {&p.sam, &p.cub})
    once = std::max(once, batch(*each, 1, 1, false).time());
  int together = int(std::clamp(1000 / once, 1.0, 64.0));
  if (together > slots)
    together = together / slots * slots;
  std::unique_ptr<batch> batches[3];
  std::vector<double> found[3];
  for (int k = 0; k < 3; ++k)
    try {
      if (k < 2 || (slots > 1 && p.in))
        batches[k] = std::make_unique<batch>(*calls[k], together, slots, in_graph);
    } catch (std::exception const& e) {
      std::printf("  [%s in a graph: %s]", k == 0 ? "sam" : k == 1 ? "cub" : "memcpy", e.what());
    }
  using clock = std::chrono::steady_clock;
  auto const begin = clock::now();
  auto const spent = [&] { return std::chrono::duration<double>(clock::now() - begin).count(); };
  for (int round = -1; round < 101 && (round < 5 || spent() < seconds); ++round)
    for (int k : {0, 1, 2})
      if (int const which = round % 2 == 0 ? k : 2 - k; batches[which])
        if (double const took = batches[which]->time(); round >= 0)  // the first round warms up
          found[which].push_back(took);
  return {grid::median(found[0]), grid::median(found[1]), grid::median(found[2]),
          int(std::max(found[0].size(), found[1].size()))};
}

/// True if sam and CUB write the same bytes in slot 0.
bool are_same(problem const& p) {
  auto const result_of = [&](call const& one) {
    auto const out = p.out(0);
    std::vector<std::byte> bytes(out.size());
    check(cudaMemset(const_cast<std::byte*>(out.data()), 0xcd, out.size()));
    check(cudaDeviceSynchronize());
    one(stream(), 0);
    check(cudaStreamSynchronize(stream()));
    check(cudaMemcpy(bytes.data(), out.data(), bytes.size(), cudaMemcpyDeviceToHost));
    return bytes;
  };
  return result_of(p.sam) == result_of(p.cub);
}

// --- The grid ------------------------------------------------------------------------------------

std::vector<index_t> sizes(options const& o) {
  std::vector<index_t> all;
  for (index_t n = 1 << 8; n <= index_t{1} << 30; n *= 4)
    all.push_back(n);
  if (o.odd)
    for (index_t const n :
         {index_t{1000}, index_t{30'011}, index_t{1'000'003}, index_t{50'000'017}})
      all.push_back(n);
  std::erase_if(all, [&](index_t n) { return n < o.least || n > o.most; });
  std::sort(all.begin(), all.end());
  return all;
}

/// Makes a problem with as many sets of arrays as are useful and fit; null if not one fits.
std::optional<std::pair<problem, int>> make_problem(family const& f, arena& memory, index_t n) {
  constexpr index_t enough = 256 << 20;
  for (int slots = int(std::clamp<index_t>(enough / (n * f.bytes_of_item), 2, 16)); slots > 0;
       slots /= 2)
    try {
      memory.clear();
      auto made = f.make(memory, n, slots);
      check(cudaDeviceSynchronize());
      return std::pair(std::move(made), slots);
    } catch (arena::exhausted const&) {
    }
  return std::nullopt;
}

void write(std::FILE* to, char const* name, times const& t) {
  std::fprintf(to, ", \"%s\": {\"batches\": %d", name, t.batches);
  for (auto const& [by, us] : {std::pair("sam", t.sam), {"cub", t.cub}, {"memcpy", t.memcpy}})
    if (us == us)
      std::fprintf(to, ", \"%s\": %.4g", by, us);
  std::fprintf(to, "}");
}

void run_cell(family const& f, arena& memory, index_t n, options const& o, std::FILE* to,
              bool& is_first) {
  std::string error;
  times launched, in_graph;
  int slots = 0;
  char const* same = "null";
  std::printf("%-26s %-14s %-12s %11lld", f.name.c_str(), f.items.c_str(), f.segments.c_str(),
              static_cast<long long>(n));
  try {
    renew_context();
    auto const made = grid::make_problem(f, memory, n);
    if (!made)
      return void(std::printf("  does not fit\n"));
    auto const& [p, count] = *made;
    slots = count;
    if (p.out && n <= 1 << 20)
      same = grid::are_same(p) ? "true" : "false";
    launched = grid::time_cell(p, slots, false, o.seconds);
    in_graph = grid::time_cell(p, slots, true, o.seconds);
  } catch (std::exception const& e) {
    error = e.what();
    cudaGetLastError();
  }
  std::printf("  %9.4g %9.4g us, %4.2f; graph %9.4g %9.4g us, %4.2f%s%s\n", launched.sam,
              launched.cub, launched.cub / launched.sam, in_graph.sam, in_graph.cub,
              in_graph.cub / in_graph.sam, std::strcmp(same, "false") == 0 ? "  DIFFERS" : "",
              error.empty() ? "" : ("  " + error).c_str());
  std::fflush(stdout);
  std::fprintf(to,
               "%s\n  {\"call\": \"%s\", \"items\": \"%s\", \"segments\": \"%s\", \"n\": %lld, "
               "\"bytes\": %lld, \"arrays\": %d, \"same\": %s",
               is_first ? "" : ",", f.name.c_str(), f.items.c_str(), f.segments.c_str(),
               static_cast<long long>(n), static_cast<long long>(n * f.bytes_of_item), slots, same);
  grid::write(to, "launched", launched);
  grid::write(to, "graph", in_graph);
  if (!error.empty())
    std::fprintf(to, ", \"error\": \"%s\"", error.c_str());
  std::fprintf(to, "}");
  std::fflush(to);
  is_first = false;
}

void write_header(std::FILE* to, int argc, char** argv) {
  cudaDeviceProp device{};
  int driver = 0, runtime = 0;
  check(cudaGetDeviceProperties(&device, 0));
  check(cudaDriverGetVersion(&driver));
  check(cudaRuntimeGetVersion(&runtime));
  std::string command;
  for (int k = 0; k < argc; ++k)
    command += std::string(k == 0 ? "" : " ") + argv[k];
  std::erase_if(command, [](char c) { return c == '"' || c == '\\'; });
  char date[32];
  std::time_t const now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d %H:%M", std::gmtime(&now));
  auto const environment = [](char const* name) {
    char const* const value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  std::fprintf(
      to,
      "{\"device\": \"%s\", \"driver\": %d, \"cuda\": %d, \"cub\": %d, "
      "\"commit\": \"%s\", \"command\": \"%s\", \"date\": \"%s\",\n\"like\": \"%s\", \"unit\": "
      "\"microseconds\", \"cells\": [",
      device.name, driver, runtime, CUB_VERSION, environment("SAM_GRID_COMMIT").c_str(),
      command.c_str(), date, environment("SAM_PERF_LIKE").c_str());
}

options parse(int argc, char** argv) {
  options o;
  for (int k = 1; k < argc; ++k) {
    std::string const given = argv[k];
    auto const value = [&](char const* name) -> std::optional<std::string> {
      std::string const start = std::string("--") + name + "=";
      if (given.rfind(start, 0) == 0)
        return given.substr(start.size());
      return std::nullopt;
    };
    if (auto const v = value("filter"))
      o.filter = *v;
    else if (auto const v = value("out"))
      o.out = *v;
    else if (auto const v = value("least"))
      o.least = std::stoll(*v);
    else if (auto const v = value("most"))
      o.most = std::stoll(*v);
    else if (auto const v = value("seconds"))
      o.seconds = std::stod(*v);
    else if (given == "--no-odd")
      o.odd = false;
    else if (given == "--list")
      o.lists = true;
    else
      throw std::runtime_error(
          "usage: grid [--filter=REGEX] [--least=N] [--most=N] [--no-odd] [--seconds=S] "
          "[--out=FILE] [--list]");
  }
  return o;
}

int main(int argc, char** argv) {
  options const o = grid::parse(argc, argv);
  families all;
  for (auto const add : {add_scans,
                         add_wide_scans,
                         add_tuples,
                         add_reductions,
                         add_selections,
                         add_partitions,
                         add_runs,
                         add_segmented_scans,
                         add_segmented_reductions,
                         add_sorts_of_keys,
                         add_sorts_of_wide_keys,
                         add_sorts_of_pairs,
                         add_segmented_sorts,
                         add_segmented_pairs,
                         add_histograms,
                         add_comparisons,
                         add_choices,
                         add_extremes,
                         add_reductions_of,
                         add_sets,
                         add_moves})
    add(all);
  std::regex const wanted(o.filter);
  std::erase_if(all, [&](family const& f) {
    return !std::regex_search(f.name + "/" + f.items + "/" + f.segments, wanted);
  });
  if (o.lists) {
    for (family const& f : all)
      std::printf("%s/%s/%s\n", f.name.c_str(), f.items.c_str(), f.segments.c_str());
    return 0;
  }
  std::size_t free_bytes = 0, bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &bytes));
  arena memory(free_bytes / 10 * 7);
  std::FILE* const to = std::fopen(o.out.c_str(), "w");
  if (to == nullptr)
    throw std::runtime_error("cannot write " + o.out);
  grid::write_header(to, argc, argv);
  bool is_first = true;
  for (family const& f : all)
    for (index_t const n : grid::sizes(o))
      if (n <= f.largest)
        grid::run_cell(f, memory, n, o, to, is_first);
  std::fprintf(to, "\n]}\n");
  std::fclose(to);
  kept_context().reset();
  return 0;
}

}  // namespace grid

int main(int argc, char** argv) try {
  return grid::main(argc, argv);
} catch (std::exception const& e) {
  std::fprintf(stderr, "grid: %s\n", e.what());
  return 1;
}
