// SPDX-License-Identifier: MIT
// Records merge sorts, counting sorts and sorts of segments.
#include <sam/gpu/sort/counting/cluster_counting_sort.hpp>
#include <sam/gpu/sort/counting/device_counting_sort.hpp>
#include <sam/gpu/sort/merge/global_merge.hpp>
#include <sam/gpu/sort/segmented/long_segments.hpp>

#include "sorts.hpp"

namespace memory_trace {

namespace {

void trace_merge_sorts() {
  using key = std::uint32_t;
  using block = sam::gpu::block_merge_sort<simt::device<32>, job_of<key>,
                                           sam::gpu::block_merge_config<8, 16>>;
  index_t const of_block = 8 * 16 * 32;
  trial<key> small(of_block);
  record("block merge sort uint32", of_block, [&] {
    launch(1, block::threads(of_block), block::shared_bytes(of_block),
           [&] { block(small.a).run(); });
  });
  using config = sam::gpu::cluster_merge_config<4, 16, 2>;
  using cluster = sam::gpu::cluster_merge_sort<simt::device<32>, job_of<key>, config>;
  index_t const of_cluster = 4 * 16 * 32 * 2;
  trial<key> large(of_cluster);
  record("cluster merge sort uint32", of_cluster, [&] {
    int const blocks = cluster::blocks(of_cluster);
    launch(
        blocks, cluster::most_threads, cluster::shared_bytes, [&] { cluster(large.a).run(); },
        blocks);
  });
  using run =
      sam::gpu::block_run_sort<simt::device<32>, job_of<key>, sam::gpu::block_merge_config<8, 16>>;
  trial<key> of_run(of_block);
  array<key> run_of_block(of_block);
  of_run.a.runs = run_of_block.data();
  record("block run sort uint32", of_block,
         [&] { launch(1, run::most_threads, run::shared_bytes, [&] { run(of_run.a).run(); }); });
  using merge = sam::gpu::global_merge<simt::device<32>, job_of<key>,
                                       sam::gpu::global_merge_config<config, 16, 4, 8>>;
  index_t const n = 2 * of_cluster;
  array<key> runs = random_array<key>(n, ~0ull), merged(n);
  std::sort(runs.data(), runs.data() + n / 2);
  std::sort(runs.data() + n / 2, runs.data() + n);
  trial<key> whole(n);
  sam::gpu::runs_arguments<job_of<key>> const of_runs{whole.a.job, runs.data(), nullptr,
                                                      merge::run_size};
  record("global merge uint32", n,
         [&] { launch(1, merge::threads, 0, [&] { merge(of_runs).run(); }); });
}

void trace_counting_sorts() {
  using key = std::uint16_t;
  using cluster = sam::gpu::cluster_counting_sort<simt::device<32>, job_of<key>,
                                                  sam::gpu::cluster_counting_config<16, 1, 16>>;
  trial<key> few(4096);
  record("cluster counting sort uint16", 4096, [&] {
    launch(
        cluster::blocks, cluster::threads, cluster::shared_bytes, [&] { cluster(few.a).run(); },
        cluster::blocks);
  });
  using kernels =
      sam::gpu::device_counting_sort<simt::device<32>, job_of<key>,
                                     sam::gpu::device_counting_config<32, 4, 4, 16, 4, 2, 3072>>;
  index_t const n = 1 << 16;
  trial<key> many(n);
  array<std::uint32_t> counts(2 * kernels::table);
  array<index_t> begins(kernels::begins_bytes / 8), totals(kernels::totals_bytes / 8);
  sam::gpu::counting_arguments<job_of<key>> const a{many.a.job, 1, counts.data(), begins.data(),
                                                    totals.data()};
  record("device counting sort uint16, count", n, [&] {
    launch(2, kernels::counting_threads, kernels::counting_shared_bytes,
           [&] { kernels(a).count(); });
  });
  launch(kernels::adding_blocks, kernels::adding_threads, kernels::adding_shared_bytes,
         [&] { kernels(a).add_up(); });
  record("device counting sort uint16, write", n, [&] {
    launch(1, kernels::writing_threads, kernels::writing_shared_bytes, [&] { kernels(a).write(); });
  });
}

struct heads_by_byte {
  std::uint8_t const* heads;
  SAM_FUNCTION bool at(index_t i) const { return heads[i] != 0; }
};

void trace_segmented_sort(std::string const& name, index_t length) {
  using key = std::uint32_t;
  using windows = sam::gpu::packed_segments<simt::device<32>, job_of<key>, heads_by_byte,
                                            sam::gpu::sort_config<6, 16, 8, 6>>;
  index_t const n = 2 * windows::size;
  trial<key> keys(n);
  array<std::uint8_t> heads(n);
  for (index_t i = 0; i < n; i += length)
    heads[std::size_t(i)] = 1;
  array<sam::gpu::window_record> records(windows::windows(n));
  sam::gpu::window_arguments<job_of<key>, heads_by_byte> const all{
      keys.a.job, {heads.data()}, records.data(), {}, sam::gpu::ranking::atomic};
  record(name, n, [&] {
    launch(int(windows::windows(n)), windows::threads, windows::shared_bytes,
           [&] { windows(all).run(); });
  });
}

void trace_listed_segments() {
  using key = std::uint32_t;
  using listed =
      sam::gpu::sort_listed<simt::device<32>, job_of<key>, sam::gpu::sort_config<8, 16, 8, 4>>;
  index_t const n = listed::size;
  trial<key> keys(n);
  array<sam::gpu::listed_segment> segments(1);
  segments[0] = {0, int(n)};
  array<std::uint32_t> count(1);
  count[0] = 1;
  sam::gpu::listed_arguments<job_of<key>> a{};
  a.job = keys.a.job;
  a.segments = segments.data();
  a.count = count.data();
  record("segmented sort uint32, a block for a segment", n,
         [&] { launch(1, listed::threads, listed::shared_bytes, [&] { listed(a).run(); }); });
}

}  // namespace

void trace_other_sorts() {
  trace_merge_sorts();
  trace_counting_sorts();
  trace_segmented_sort("segmented sort uint32, segments of 20", 20);
  trace_segmented_sort("segmented sort uint32, segments of 200", 200);
  trace_listed_segments();
}

}  // namespace memory_trace
