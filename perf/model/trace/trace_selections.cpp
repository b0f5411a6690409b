// SPDX-License-Identifier: MIT
// Records selections and histograms.
#include <sam/compact.hpp>
#include <sam/gpu/histogram.hpp>
#include <sam/partition.hpp>
#include <sam/reduce.hpp>
#include <sam/unique.hpp>

#include "cases.hpp"

namespace memory_trace {

namespace {

struct bin_of_byte {
  index_t operator()(std::uint8_t x) const { return x; }
};

void trace_histogram(std::string const& name, std::uint64_t values) {
  using job = sam::engine::histogram_job<std::uint8_t, std::uint32_t, bin_of_byte>;
  using block =
      sam::gpu::histogram_block<simt::device<32>, job, sam::gpu::histogram_config<16, 4, 2>>;
  index_t const n = 1 << 16, bins = 256;
  auto const in = random_array<std::uint8_t>(n, values);
  array<std::uint32_t> counts(bins);
  job const all{n, in.data(), counts.data(), bins, {}};
  constexpr index_t most_bytes = 100 << 10;
  sam::gpu::histogram_arguments<job> const arguments{all, block::copies_in(all, most_bytes),
                                                     nullptr};
  record(name, n, [&] {
    launch(1, block::threads, int(block::shared_bytes(all, arguments.copies)),
           [&] { block(arguments).run(); });
  });
}

/// A context whose reductions have tiles of their own.
class kinds_context : public fibers<tile<10, 32>> {
 public:
  kinds_context() : fibers<tile<10, 32>>(1, 7) { conditions.has_delays = false; }
  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sam::engine::reducing<Job>)
      counting_->run(n, job, policy);
    else
      fibers<tile<10, 32>>::run(n, job, policy);
  }

 private:
  std::unique_ptr<fibers<tile<12, 47>>> counting_ = make_context<tile<12, 47>>();
};

void trace_three_kinds() {
  index_t const n = 2 * 12 * 32 * 47;
  auto const in = random_array<std::int32_t>(n);
  array<std::int32_t> out(n);
  auto const counts = std::make_unique<std::array<index_t, 2>>();
  auto const context = std::make_unique<kinds_context>();
  record(
      "three-way partition int32", n,
      [&] { sam::three_way_partition(*context, in, out, is_odd{}, is_large{}, *counts); },
      text_of<tile<10, 32>>());
}

void trace_unique_by_key() {
  using tile_type = tile<8, 24>;
  index_t const n = 2 * 8 * 32 * 24;
  auto const keys = random_array<std::int32_t>(n, 3), values = random_array<std::int32_t>(n);
  array<std::int32_t> keys_out(n), values_out(n);
  auto const count = std::make_unique<index_t>();
  auto const context = make_context<tile_type>();
  record("unique int32 with int32 values", n, *context,
         [&] { sam::unique_by_key(*context, keys, values, keys_out, values_out, *count); });
}

}  // namespace

void trace_selections() {
  using selection = tile<8, 48>;
  index_t const n = 2 * 8 * 32 * 48;
  auto const in = random_array<std::int32_t>(n);
  auto const flags = random_array<std::uint8_t>(n, 2);
  array<std::int32_t> out(n);
  auto const context = make_context<selection>();
  auto const count = std::make_unique<index_t>();
  record("compact int32", n, *context, [&] { sam::compact(*context, in, out, is_odd{}, *count); });
  auto const by_flags = make_context<tile<8, 40>>();
  record("compact int32, by flags", n, *by_flags,
         [&] { sam::compact_flagged(*by_flags, in, flags, out, *count); });
  auto const of_scans = make_context<tile<8, 53>>();
  record("partition int32", n, *context,
         [&] { sam::partition(*context, in, out, is_odd{}, *count); });
  trace_three_kinds();
  auto const few = random_array<std::int32_t>(n, 3);
  record("unique int32", n, *context, [&] { sam::unique(*context, few, out, *count); });
  trace_unique_by_key();
  array<std::int32_t> result(1);
  record("reduce int32", n, *of_scans, [&] { result[0] = sam::reduce(*of_scans, in); });
  trace_histogram("histogram uint8, 256 bins", 256);
  trace_histogram("histogram uint8, 256 bins, 3 values", 3);
}

}  // namespace memory_trace
