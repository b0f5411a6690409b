// SPDX-License-Identifier: MIT
// Records sorts of segments by offsets: of groups of segments by a block, and of long segments by
// the blocks of a cluster or of a team.
#include <sam/gpu/sort/segmented/blocks_per_segment.hpp>
#include <sam/gpu/sort/segmented/segment_groups.hpp>

#include "sorts.hpp"

namespace memory_trace {

namespace {

using device = simt::device<32>;
using key = std::uint32_t;
using job_type = job_of<key>;

/// Records one block, which sorts a group of segments of some length.
template <class Config, bool HasDigits>
void trace_groups(std::string const& name, index_t length) {
  using groups = sam::gpu::segment_groups<device, job_type, std::int32_t, Config, HasDigits>;
  index_t const segments = groups::size / length, n = segments * length;
  trial<key> const all(n);
  array<std::int32_t> offsets(segments + 1);
  for (index_t k = 0; k <= segments; ++k)
    offsets[std::size_t(k)] = std::int32_t(k * length);
  sam::gpu::group_arguments<job_type, std::int32_t> a{all.a.job, offsets.data(), segments,
                                                      int(segments), groups::longest(all.a.job)};
  a.ranks = {sam::gpu::ranking::atomic, nullptr};
  record("segmented sort uint32, " + name, n,
         [&] { launch(1, groups::threads, groups::shared_bytes, [&] { groups(a).run(); }); });
}

/// Records several blocks, which sort a segment of as many items as they hold: a cluster or a team.
template <bool AreTeams>
void trace_blocks(std::string const& name, int of_block) {
  using sort =
      sam::gpu::sort_by_blocks<device, job_type, sam::gpu::sort_config<16, 32, 8, 1>, AreTeams>;
  constexpr int blocks = 4;
  index_t const n = index_t{blocks} * of_block;
  trial<key> const all(n);
  array<key> spare(n);
  array<std::uint32_t> counts(blocks * sort::buckets), must_ballot(1);
  array<sam::gpu::control> control(1);
  array<sam::gpu::listed_part> entries(blocks);
  constexpr int parts = AreTeams ? blocks : 1;
  for (int p = 0; p < parts; ++p)
    entries[std::size_t(p)] = {0, int(n), p, parts, 0};
  control[0].claims = parts;
  sam::gpu::listed_parts_arguments<job_type> a{};
  a.job = all.a.job;
  a.ranks = {sam::gpu::ranking::atomic, must_ballot.data()};
  a.entries = entries.data();
  a.most = parts;
  a.shared = control.data();
  a.buffer = spare.data();
  a.keys_at[1] = spare.data();
  a.counts = counts.data();
  record("segmented sort uint32, " + name, n, [&] {
    launch(
        blocks, sort::threads, sort::shared_bytes, [&] { sort(a).run(); }, blocks);
  });
}

}  // namespace

void trace_segment_groups() {
  using large = sam::gpu::sort_config<16, 32, 8, 1>;
  trace_groups<sam::gpu::sort_config<6, 16, 8, 6>, false>("short groups of 20", 20);
  trace_groups<large, true>("groups of 20", 20);
  trace_groups<large, true>("groups of 200", 200);
  trace_blocks<false>("by a cluster", 16 * 32 * 32);
  trace_blocks<true>("by a team", 16 * 32 * 32);
  trace_blocks<true>("by a team, in tiles", 2 * 16 * 32 * 32);
}

}  // namespace memory_trace
