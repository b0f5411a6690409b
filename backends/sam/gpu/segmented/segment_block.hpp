// SPDX-License-Identifier: MIT
// Has what the kernels that reduce segments by offsets share: the bounds of a segment, the
// reduction of consecutive items by a block, and the chunks of long segments.
#pragma once

#include <sam/backend/reduce_segments_job.hpp>
#include <sam/gpu/segmented/value_combiner.hpp>

namespace sam::inline v0_1::gpu {

/// Configures blocks of at most `Warps` warps, whose threads load `Together` items at a time, and
/// which reduce segments of up to MostOfWarp items by warps. A chunk of a long segment has at least
/// OfThread items for each thread of a block, and all items have at most MostChunks chunks.
template <int Warps, int Together, int MostOfWarp, int OfThread, int MostChunks>
struct each_segment_config {
  static constexpr int most_of_warp = MostOfWarp;
  static constexpr int warps = Warps;
  static constexpr int together = Together;
  static constexpr int of_thread = OfThread;
  static constexpr int most_chunks = MostChunks;
};

/// Holds what blocks that share long segments exchange through global memory. Each multiple of the
/// length of a chunk is a position, at which a block looks for such a segment.
template <class T>
struct segment_chunks {
  T* values = nullptr;            // of the chunks, one for a position; null if none are shared
  std::uint32_t* come = nullptr;  // 0 at rest, for each position; blocks of a segment count there
  std::uint32_t* left = nullptr;  // 0 at rest; counts the turns in which blocks look for them
  index_t positions = 0;
  int log_items = 0;            // the logarithm of the length of a chunk
  float segments_of_chunk = 0;  // how many there are on average
};

/// Has functions of the kernels' blocks.
template <class Device, class Job, class Config>
class segment_block {
 protected:
  using T = typename Job::total;
  static constexpr int lanes = Device::warp_size;
  using combiner = value_combiner<Device, T, decltype(Job::op), Config::together>;
  using one = typename combiner::one;
  using warp_values = uninitialized_array<T, Config::warps>;
  static_assert(Config::warps <= lanes);

  SAM_DEVICE explicit segment_block(Job const& job)
      : job_(job), combine_(job.op), thread_(Device::warp() * lanes + Device::lane()) {}

  struct range {
    index_t begin, end;
    SAM_DEVICE index_t items() const { return end - begin; }
  };
  /// Returns the items of a segment; none if its offsets are wrong, which keeps all accesses inside
  /// the arrays.
  SAM_DEVICE range items_of(index_t k) const {
    auto const begin = static_cast<index_t>(job_.offsets[k]);
    auto const end = static_cast<index_t>(job_.offsets[k + 1]);
    return begin >= 0 && begin <= end && end <= job_.n ? range{begin, end} : range{0, 0};
  }
  SAM_DEVICE void put(index_t segment, bool has_items, one const& sum) const {
    job_.put(segment, has_items ? job_.total_of(sum.at[0]) : job_.nothing);
  }
  /// Combines items by a block of `warps` warps. Thread 0 calls done(has_items, value).
  template <class Done>
  SAM_DEVICE void combine_items(range const& r, int warps, warp_values& values, Done const& done) {
    combine_by_block(
        values,
        [&](one& sum) {
          return combine_.of_source(job_.items, r.begin, int(r.items()), thread_, warps * lanes,
                                    sum);
        },
        done);
  }
  /// Combines the values of the threads of a block. of_thread(sum) sets that of a
  /// thread, and returns how many threads have one.
  template <class OfThread, class Done>
  SAM_DEVICE void combine_by_block(warp_values& values, OfThread const& of_thread,
                                   Done const& done) {
    if (uses_warps_)
      Device::sync_block();  // orders the reads of the warps' values before their next writes
    uses_warps_ = true;
    one sum;
    int const having = of_thread(sum);
    combine_.join_lanes(having - Device::warp() * lanes, lanes, sum);
    if (Device::lane() == 0 && thread_ < having)
      values.at[Device::warp()] = sum.at[0];
    Device::sync_block();  // orders the writes of the warps' values before their reads
    if (Device::warp() > 0)
      return;
    int const with_values = (having + lanes - 1) / lanes;
    if (Device::lane() < with_values)
      sum.at[0] = values.at[Device::lane()];
    combine_.join_lanes(with_values, lanes, sum);
    if (thread_ == 0)
      done(having > 0, sum);
  }

  Job const& job_;
  combiner combine_;
  int thread_;

 private:
  bool uses_warps_ = false;  // combine_by_block() has been called
};

}  // namespace sam::inline v0_1::gpu
