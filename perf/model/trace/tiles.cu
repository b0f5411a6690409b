// SPDX-License-Identifier: MIT
// Prints the tiles that the CUDA back end uses for the traced kernels. tools/ci/check_conflicts
// compares them with those of the tracer.
#include <sam/compact.hpp>
#include <sam/cuda/scan.hpp>
#include <sam/linear_recurrence.hpp>
#include <sam/partition.hpp>
#include <sam/reduce.hpp>
#include <sam/run_length.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/unique.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using sam::index_t;

/// A context that prints the tiles of what it is to run, and runs nothing.
class tile_printer {
 public:
  /// As the back end: it keeps pairs in one selection.
  template <class>
  static constexpr bool selects_first = true;
  void wait() {}
  char const* name() const { return "tiles"; }
  void* workspace(std::size_t bytes) {
    workspace_.resize(bytes);
    return workspace_.data();
  }
  void* results() { return results_; }

  template <sam::engine::job Job, class Policy>
  void run(index_t, Job const&, Policy const&) {
    using tuning = sam::cuda::scan_tuning;
    if constexpr (sam::engine::elementwise<Job>)
      return;
    else if constexpr (Policy::tuple_size == sam::run_time_tuple)
      print<tuning::panels<typename Job::accumulator, Policy>>("");
    else {
      print<tuning::large<Job, Policy>>("");
      print<tuning::small<Job, Policy>>(", small tile");
    }
  }
  template <sam::engine::job First, sam::engine::job Second, class Policy>
  void run_two(index_t n, First const& first, Second const& second, Policy const& policy) {
    run(n, first, policy);
    run(n, second, policy);
  }
  template <class F>
  static void for_each(index_t, F const&) {}
  template <class Offset>
  void mark_bits(sam::engine::mark_job<Offset> const&) {}

  std::string kernel{};

 private:
  template <class Tile>
  void print(char const* which) const {
    std::printf("%s%s: %d warps of %d, %d stages\n", kernel.c_str(), which, Tile::warps,
                Tile::items, Tile::stages);
  }
  std::vector<std::byte> workspace_{};
  alignas(16) std::byte results_[sam::engine::most_result_bytes]{};
};

struct is_odd {
  SAM_FUNCTION bool operator()(std::int32_t x) const { return x % 2 != 0; }
};
struct is_large {
  SAM_FUNCTION bool operator()(std::int32_t x) const { return x > 50; }
};

tile_printer context;

tile_printer& of(char const* kernel) {
  context.kernel = kernel;
  return context;
}
template <class T, class Policy = sam::scan_policy<>>
void scan(char const* kernel, Policy policy = {}) {
  std::vector<T> items(100);
  sam::inclusive_scan(of(kernel), items, items, policy);
}

void scans() {
  using sam::plus, sam::scan_policy;
  using namespace sam::carry;
  scan<std::int32_t>("scan int32");
  scan<std::int64_t>("scan int64");
  scan<std::int16_t>("scan int16");
  scan<std::int8_t>("scan int8");
  scan<double>("scan double");
  scan<std::int32_t, scan_policy<plus, 2>>("scan int32, order 2");
  scan<std::int32_t, scan_policy<plus, 8>>("scan int32, order 8");
  scan<std::int32_t, scan_policy<plus, 1, 2>>("scan int32, tuples of 2");
  scan<std::int32_t, scan_policy<plus, 1, 5>>("scan int32, tuples of 5");
  scan<std::int32_t, scan_policy<plus, 1, 8>>("scan int32, tuples of 8");
  scan<std::int32_t, scan_policy<plus, 1, 17>>("scan int32, tuples of 17");
  scan<std::int32_t, scan_policy<plus, 1, 1, decoupled, sam::direction::backward>>(
      "scan int32, backward");
  scan<std::int32_t, scan_policy<plus, 1, 1, lookback>>("scan int32, lookback");
  scan_policy<plus, 1, sam::run_time_tuple> panels;
  panels.components = 40;
  scan<std::int32_t>("scan int32, tuples of 3 by panels", panels);
  scan<std::int32_t>("scan int32, tuples of 40 by panels", panels);
}

}  // namespace

int main() {
  scans();
  std::vector<std::int32_t> items(1000), out(1000), lengths(1000), offsets{0, 500, 1000}, totals(2);
  std::vector<std::uint8_t> flags(1000);
  std::vector<std::int32_t> values(1000), values_out(1000);
  std::vector<float> a(1000), x(1000);
  std::vector<index_t> counts(2);
  index_t count = 0;
  sam::exclusive_scan(of("scan int32, exclusive"), items, out);
  sam::linear_recurrence(of("linear recurrence float"), a, a, x);
  sam::compact(of("compact int32"), items, out, is_odd{}, count);
  sam::compact_flagged(of("compact int32, by flags"), items, flags, out, count);
  sam::partition(of("partition int32"), items, out, is_odd{}, count);
  sam::three_way_partition(of("three-way partition int32"), items, out, is_odd{}, is_large{},
                           counts);
  sam::unique(of("unique int32"), items, out, count);
  sam::unique_by_key(of("unique int32 with int32 values"), items, values, out, values_out, count);
  static_cast<void>(sam::reduce(of("reduce int32"), items));
  sam::segmented_inclusive_scan(of("segmented scan int32, by heads"), items, sam::by_heads(flags),
                                out);
  sam::segmented_inclusive_scan(of("segmented scan int32, by offsets"), items,
                                sam::by_offsets(offsets), out);
  sam::segmented_inclusive_scan(of("segmented scan int32, by keys"), items, sam::by_keys(items),
                                out);
  sam::segmented_reduce(of("segmented reduce int32, by bit masks"), items, sam::by_offsets(offsets),
                        totals);
  sam::run_length_encode(of("run-length encode int32"), items, out, lengths);
}
