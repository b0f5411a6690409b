// SPDX-License-Identifier: MIT
// Records kernels that take few items, or that need no pipeline: by one block or one cluster,
// reductions, moves by indices, and partitions, scans and calls by key by two kernels.
#include <sam/compact.hpp>
#include <sam/gather.hpp>
#include <sam/gpu/scan/reduce_tiles_kernel.hpp>
#include <sam/partition.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "cases.hpp"
#include "simt/cluster_context.hpp"
#include "simt/two_kernel_context.hpp"

#include <algorithm>
#include <stdexcept>

namespace memory_trace {

namespace {

/// A context with the sizes of the CUDA back end for aggregates of up to `Largest` bytes.
template <int Warps, int Largest>
class few_items_context
    : public simt::cluster_context<32, sam::gpu::few_items_config<Warps, 8, 8>, 16, 16> {
  using base = simt::cluster_context<32, sam::gpu::few_items_config<Warps, 8, 8>, 16, 16>;

 public:
  few_items_context() : base(7) { this->conditions.has_delays = false; }
  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sizeof(typename Job::accumulator) <= Largest)
      base::run(n, job, policy);
    else
      throw std::logic_error("no kernel for such large aggregates");
  }
};

/// Reduces by tiles as the CUDA back end reduces floats.
class tile_reducing_context : public fibers<tile<8, 19, 2>> {
 public:
  tile_reducing_context() : fibers<tile<8, 19, 2>>(1, 7) {}
  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sam::engine::reducing<Job>) {
      using kernel = sam::gpu::reduce_tiles_block<simt::device<32>, Job, Policy, tile<8, 19, 2>>;
      static_assert(sam::gpu::reduces_by_tiles<simt::device<32>, Job, Policy>);
      launch(1, kernel::threads, kernel::shared_bytes, [&] {
        kernel({job, policy, n, &words_, nullptr, nullptr}).run();
      });
    } else {
      fibers<tile<8, 19, 2>>::run(n, job, policy);
    }
  }

 private:
  sam::gpu::exchange_memory words_{};
};

/// Runs calls as the CUDA back end does in graphs.
template <int Items>
std::unique_ptr<simt::two_kernel_context<32, sam::gpu::few_items_config<8, Items, 256>>>
two_kernels() {
  auto context =
      std::make_unique<simt::two_kernel_context<32, sam::gpu::few_items_config<8, Items, 256>>>(7);
  context->conditions.has_delays = false;
  return context;
}
void trace_two_kernels() {
  index_t const n = 1 << 14;
  auto const in = random_array<std::int32_t>(n);
  array<std::int32_t> out(n);
  auto const of_scans = two_kernels<4>();
  record("scan int32, by two kernels", n, [&] { sam::inclusive_scan(*of_scans, in, out); });
  array<std::uint32_t> keys(n), firsts(n);
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = std::uint32_t(i / 10);
  array<std::int32_t> sums(n), count(1);
  auto const of_keys = two_kernels<2>();
  record("reduce by key int32, by two kernels", n,
         [&] { sam::reduce_by_key(*of_keys, keys, in, firsts, sums, count); });
}
void trace_moves() {
  index_t const n = 1 << 12;
  auto const in = random_array<std::int32_t>(n);
  auto const indices = random_array<std::uint32_t>(n, std::uint64_t(n));
  array<std::int32_t> out(n);
  auto const context = make_context<tile<8, 53>>();
  context->moves_early = true;
  record("gather int32 at random", n, *context, [&] { sam::gather(*context, in, indices, out); });
}

void trace_few_segments() {
  index_t const n = 16 * 32 * 8;
  auto const in = random_array<std::int32_t>(n);
  array<std::int32_t> out(n), offsets(n / 20 + 2);
  for (std::size_t k = 0; k < offsets.size(); ++k)
    offsets[k] = std::int32_t(std::min(index_t(20 * k), n));
  auto const context = std::make_unique<few_items_context<16, 8>>();
  record("segmented scan int32, one block", n,
         [&] { sam::segmented_inclusive_scan(*context, in, sam::by_offsets(offsets), out); });
}

void trace_tile_reduction() {
  index_t const n = 2 * 8 * 32 * 19;
  auto const in = random_array<float>(n);
  array<float> out(1);
  auto const context = std::make_unique<tile_reducing_context>();
  record("reduce float, by tiles", n, [&] { sam::reduce(*context, in, out); });
}

}  // namespace

void trace_few_items() {
  index_t const n = 32 * 32 * 8;
  auto const in = random_array<std::int32_t>(n);
  array<std::int32_t> out(n), one(1), counts(2);
  using of_words = few_items_context<32, 4>;
  auto const context = std::make_unique<of_words>();
  record("scan int32, one block", n, [&] { sam::inclusive_scan(*context, in, out); });
  record("compact int32, one block", n, [&] { sam::compact(*context, in, out, is_odd{}, one); });
  record("three-way partition int32, one block", n,
         [&] { sam::three_way_partition(*context, in, out, is_odd{}, is_large{}, counts); });
  context->reduce_blocks = 1;
  record("reduce int32, in any order", n, [&] { sam::reduce(*context, in, one); });
  context->split_blocks = 1;
  context->held = of_words::counts_first;
  record("three-way partition int32, by two kernels", n,
         [&] { sam::three_way_partition(*context, in, out, is_odd{}, is_large{}, counts); });
  trace_few_segments();
  trace_tile_reduction();
  trace_two_kernels();
  trace_moves();
}

}  // namespace memory_trace
