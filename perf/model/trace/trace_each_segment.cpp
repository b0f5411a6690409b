// SPDX-License-Identifier: MIT
// Records kernels in which each segment has threads of its own, scans, reductions and selections,
// and scans whose tiles find their segments, or chunks of tiles.
#include <sam/gpu/segmented/reduce_each_segment.hpp>
#include <sam/gpu/segmented/scan_chunks.hpp>
#include <sam/gpu/segmented/scan_each_segment.hpp>
#include <sam/gpu/segmented/scan_segments.hpp>
#include <sam/gpu/segmented/select_by_block.hpp>
#include <sam/gpu/segmented/select_by_warp.hpp>
#include <sam/gpu/segmented/select_in_segments.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "cases.hpp"

namespace memory_trace {

namespace {

using device = simt::device<32>;

/// A context that has only the kernels of the CUDA back end for segments of four-byte items.
class segments_context : public fibers<tile<8, 53>> {
 public:
  segments_context() : fibers<tile<8, 53>>(1, 7) { conditions.has_delays = false; }

  int log_lanes = 0;
  bool by_few_warps = false, by_tiles = false, by_chunks = false;
  bool are_few = false;  // by fewer instructions
  template <class Job>
  bool scan_segments(Job const& job) {
    if (by_tiles)
      return scan_tiles(job);
    if (by_chunks)
      return scan_chunks(job);
    using each = sam::gpu::scan_each_segment<device, Job, sam::gpu::scan_each_config<8, 4, 4, 512>>;
    auto const arguments = are_few ? each::arguments_for_few(job, log_lanes)
                                   : each::arguments_for(job, log_lanes, by_few_warps);
    if constexpr (sam::gpu::combines_few_segments<typename Job::value, decltype(Job::op)>)
      if (are_few) {
        launch(int(arguments.tiles + arguments.sets), each::threads(arguments), each::shared_bytes,
               [&] { each(arguments).run_few(); });
        return true;
      }
    launch(1, each::threads(arguments), each::shared_bytes, [&] { each(arguments).run(); });
    return true;
  }
  /// Scans by two blocks, which have half of the tiles each.
  template <class Job>
  static bool scan_chunks(Job const& job) {
    using chunks = sam::gpu::chunks_of_tiles<device, Job, sam::gpu::segment_chunk_config<8, 8>>;
    array<sam::gpu::segment_chunk_record<typename Job::value>> records(2);
    sam::gpu::scan_chunks_arguments<Job> const arguments{
        job, sam::engine::div_up(chunks::tiles(job.n), 2), 1 << 16, records.data()};
    launch(2, chunks::threads, chunks::shared_bytes, [&] { chunks(arguments).run(); });
    launch(2, chunks::threads, chunks::shared_bytes, [&] { chunks(arguments).run_second(); });
    return true;
  }
  template <class Job>
  static bool scan_tiles(Job const& job) {
    using tiles = sam::gpu::scan_segments<device, Job, sam::gpu::segment_tile_config<16, 8>>;
    array<sam::gpu::segment_tile_record<typename Job::value>> records(tiles::tiles(job.n));
    sam::gpu::scan_segments_arguments<Job> const arguments{job, tiles::tile_items, records.data()};
    launch(1, tiles::threads(job.n), tiles::shared_bytes, [&] { tiles(arguments).run(); });
    launch(1, tiles::threads(job.n), tiles::shared_bytes, [&] { tiles(arguments).run_second(); });
    return true;
  }
  sam::gpu::segment_shares shares_of_reduction{};
  template <class Job>
  bool reduce_segments(Job const& job) {
    using each = sam::gpu::reduce_each_segment<device, Job,
                                               sam::gpu::each_segment_config<16, 8, 4096, 64, 64>>;
    auto const arguments = each::arguments_for(job, shares_of_reduction, {}, 1);
    if constexpr (sam::gpu::combines_few_segments<typename Job::total, decltype(Job::op)>)
      if (are_few) {
        launch(int(each::turns(arguments)), each::threads(arguments), each::shared_bytes,
               [&] { each(arguments).run_few(); });
        return true;
      }
    launch(1, each::threads(arguments), each::shared_bytes, [&] { each(arguments).run(); });
    return true;
  }
};

array<std::int32_t> offsets_of(index_t segments, index_t length) {
  array<std::int32_t> all(segments + 1);
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k] = std::int32_t(index_t(k) * length);
  return all;
}

/// Records calls with the threads that the CUDA back end gives each of many segments.
void trace_each(index_t length, int log_lanes_of_scan, bool by_few_warps,
                sam::gpu::segment_shares const& shares) {
  index_t const segments = (1 << 14) / length, n = segments * length;
  auto const in = random_array<std::int32_t>(n);
  auto const offsets = offsets_of(segments, length);
  array<std::int32_t> out(n), totals(segments);
  auto const context = std::make_unique<segments_context>();
  context->log_lanes = log_lanes_of_scan;
  context->by_few_warps = by_few_warps;
  context->shares_of_reduction = shares;
  std::string const of = ", threads for each of " + std::to_string(length);
  record("segmented scan int32" + of, n,
         [&] { sam::segmented_inclusive_scan(*context, in, sam::by_offsets(offsets), out); });
  record("segmented reduce int32" + of, n,
         [&] { sam::segmented_reduce(*context, in, sam::by_offsets(offsets), totals); });
}
/// Records the same of few items.
void trace_few(index_t length, int log_lanes) {
  index_t const segments = (1 << 12) / length, n = segments * length;
  auto const in = random_array<std::int32_t>(n);
  auto const offsets = offsets_of(segments, length);
  array<std::int32_t> out(n), totals(segments);
  auto const context = std::make_unique<segments_context>();
  context->are_few = true;
  context->log_lanes = log_lanes;
  context->shares_of_reduction = {log_lanes, 4};
  std::string const of = ", few items, lanes for each of " + std::to_string(length);
  record("segmented scan int32" + of, n,
         [&] { sam::segmented_inclusive_scan(*context, in, sam::by_offsets(offsets), out); });
  record("segmented reduce int32" + of, n,
         [&] { sam::segmented_reduce(*context, in, sam::by_offsets(offsets), totals); });
}
void trace_chunks() {
  index_t const length = 1000, segments = 32, n = segments * length;
  auto const in = random_array<std::int32_t>(n);
  auto const offsets = offsets_of(segments, length);
  array<std::int32_t> out(n);
  auto const context = std::make_unique<segments_context>();
  context->by_chunks = true;
  record("segmented scan int32, chunks of tiles, segments of 1000", n,
         [&] { sam::segmented_inclusive_scan(*context, in, sam::by_offsets(offsets), out); });
}
void trace_tiles() {
  index_t const length = 20, segments = 800, n = segments * length;
  auto const in = random_array<std::int32_t>(n);
  auto const offsets = offsets_of(segments, length);
  array<std::int32_t> out(n);
  auto const context = std::make_unique<segments_context>();
  context->by_tiles = true;
  record("segmented scan int32, tiles find segments of 20", n,
         [&] { sam::segmented_inclusive_scan(*context, in, sam::by_offsets(offsets), out); });
}

struct rows_of_length {
  index_t length;
  index_t begin(index_t row) const { return row * length; }
  index_t end(index_t row) const { return (row + 1) * length; }
};
struct put_index {
  index_t* out;
  void operator()(index_t to, index_t from) const { out[to] = from; }
};
using selection = sam::engine::select_in_segments_job<float, rows_of_length, put_index>;

/// Calls run(job) for the k largest keys of each of several segments.
template <class Run>
void trace_selection(std::string const& name, index_t length, index_t k, Run const& run) {
  index_t const segments = 4, n = segments * length;
  auto const keys = random_array<float>(n, 1 << 24);
  array<index_t> found(segments * k);
  selection const job{n, keys.data(), segments, {length}, k, ~std::uint32_t{0}, {found.data()}};
  record("segmented top " + std::to_string(k) + " of " + std::to_string(length) + " float, " + name,
         n, [&] { run(job); });
}

void trace_selections_in_segments() {
  trace_selection("by warps", 1000, 16, [](selection const& job) {
    using by_warp = sam::gpu::select_by_warp<device, selection>;
    constexpr int warps = 4;
    launch(1, warps * 32, warps * int(sizeof(by_warp::shared_memory)),
           [&] { by_warp::run(job, warps); });
  });
  trace_selection("by blocks, in registers", 4000, 16, [](selection const& job) {
    using by_block = sam::gpu::select_by_block<device, selection>;
    auto const warps = int(sam::engine::div_up(4000, by_block::most_keys(1)));
    sam::gpu::block_selection<selection> const arguments{job, warps};
    launch(1, warps * 32, int(sizeof(by_block::shared_memory)), [&] { by_block::run(arguments); });
  });
  trace_selection("by blocks", 10'000, 16, [](selection const& job) {
    using kernel = sam::gpu::select_in_segments<device, selection>;
    constexpr int warps = 4, capacity = 1024;
    sam::gpu::select_arguments<selection> const arguments{job, warps, capacity, 0};
    launch(1, warps * 32, kernel::shared_bytes(capacity, int(job.k)),
           [&] { kernel(arguments).run(); });
  });
}

}  // namespace

void trace_each_segment() {
  trace_each(20, 4, true, {2, 8});
  trace_each(100, 5, true, {4, 8});
  trace_each(1000, -1, false, {-1, 4});
  trace_few(20, 3);
  trace_few(100, 5);
  trace_tiles();
  trace_chunks();
  trace_selections_in_segments();
}

}  // namespace memory_trace
