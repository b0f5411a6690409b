// SPDX-License-Identifier: MIT
// Records the kernels for teams of threads, by which the Kokkos back end runs on devices that have
// no engine of their own.
#include <sam/gpu/fallback/histogram.hpp>
#include <sam/gpu/fallback/radix_sort.hpp>
#include <sam/scan.hpp>

#include "cases.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

namespace memory_trace {

namespace {

/// A team whose threads are those of a block.
class team {
 public:
  explicit team(index_t index) : index_(index), thread_(simt::here.warp * 32 + simt::here.lane) {}

  index_t index() const { return index_; }
  std::byte* memory() const { return simt::here.shared; }
  static void barrier() { simt::sync_block(simt::location::current()); }
  /// Gives each thread every 256th index, as Kokkos does on GPUs.
  template <class F>
  void for_each(int count, F const& f) const {
    for (int i = thread_; i < count; i += threads)
      f(i);
  }
  static void count(int* number) { std::atomic_ref(*number).fetch_add(1); }
  template <class T>
  static void add(T* number, T x) {
    std::atomic_ref(*number).fetch_add(x);
  }

  static constexpr int threads = 256;

 private:
  index_t index_;
  int thread_;
};

/// Runs loops on the host, which records nothing, and teams one after another.
struct launcher {
  template <class Kernel>
  void operator()(char const*, index_t count, Kernel const& kernel) const {
    for (index_t i = 0; i < count; ++i)
      kernel(i);
  }
  template <class Kernel>
  void teams(char const*, index_t count, int threads, std::size_t bytes,
             Kernel const& kernel) const {
    if (threads != team::threads)
      throw std::invalid_argument("a traced team has 256 threads");
    for (index_t k = 0; k < count; ++k)
      launch(1, threads, int(bytes), [&] { kernel(team(k)); });
  }
};

/// A context that scans by teams. It lies in the heap, which is recorded as global memory.
class teams_context : public fibers<tile<8, 53>> {
 public:
  teams_context() : fibers<tile<8, 53>>(1, 7) {}
  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    std::vector<typename Job::accumulator> states;
    auto const reserve = [&](index_t count) {
      states.resize(std::size_t(count));
      return states.data();
    };
    sam::gpu::team_reduce_then_scan(launcher{}, reserve, n, job, policy);
  }
};

template <class Policy>
void trace_scan(std::string const& name, index_t n) {
  auto const in = random_array<std::int32_t>(n);
  array<std::int32_t> out(n);
  auto const context = std::make_unique<teams_context>();
  record("fallback " + name, n, [&] { sam::inclusive_scan(*context, in, out, Policy{}); });
}

template <class Value>
void trace_sort(std::string const& name) {
  using key = std::uint32_t;
  using digits = sam::number_digits<key>;
  using job_type = sam::engine::sort_job<key, Value, digits>;
  index_t const n = 2 * sam::gpu::digit_pass<key, Value, digits>::tile::items;
  auto const keys = random_array<key>(n, ~0ull);
  array<key> sorted(n);
  array<std::uint32_t> values(n), sorted_values(n);
  job_type job{};
  job.n = n;
  job.keys = keys.data();
  job.sorted_keys = sorted.data();
  if constexpr (std::is_same_v<Value, std::uint32_t>)
    job.values = values.data(), job.sorted_values = sorted_values.data();
  job.end_bit = sam::gpu::digit_pass<key, Value, digits>::digit_bits;
  sam::gpu::fallback_sort<key, Value, digits> const sort{job};
  array<std::byte> workspace(sort.workspace());
  std::vector<index_t> states;
  auto const reserve = [&](index_t count) {
    states.resize(std::size_t(count));
    return states.data();
  };
  record("fallback " + name, n, [&] { sort.run(launcher{}, reserve, workspace.data()); });
}

struct bin_of_byte {
  index_t operator()(std::uint8_t x) const { return x; }
};
void trace_histogram() {
  using job_type = sam::engine::histogram_job<std::uint8_t, std::uint32_t, bin_of_byte>;
  index_t const n = 1 << 16, bins = 256;
  auto const in = random_array<std::uint8_t>(n, 256);
  array<std::uint32_t> counts(bins);
  job_type const job{n, in.data(), counts.data(), bins, {}};
  sam::gpu::count_kinds<job_type> const kinds(job);
  record("fallback histogram uint8, 256 bins", n,
         [&] { launcher{}.teams("", kinds.chunks(), kinds.runs, kinds.bytes(), kinds); });
}

}  // namespace

void trace_fallback() {
  using sam::scan_policy, sam::plus;
  trace_scan<scan_policy<>>("scan int32", 4 * 256 * 15);
  trace_scan<scan_policy<plus, 2>>("scan int32, order 2", 4 * 256 * 15);
  trace_sort<sam::no_values>("sort pass uint32");
  trace_sort<std::uint32_t>("sort pass uint32 with uint32 values");
  trace_histogram();
}

}  // namespace memory_trace
