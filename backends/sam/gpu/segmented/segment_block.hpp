// SPDX-License-Identifier: MIT
// Has what the kernels that reduce segments by offsets share: the bounds of a segment, the
// reduction of consecutive items by a block, and the chunks of long segments.
#pragma once

#include <sam/backend/reduce_segments_job.hpp>
#include <sam/gpu/segmented/value_combiner.hpp>

namespace sam::inline v0_1::gpu {

/// Configures blocks of at most `Warps` warps, whose threads load `Together` items at a time, and
/// which reduce segments of up to MostOfWarp items by warps. Segments of more than two chunks may
/// be divided into chunks of `Chunk` items.
template <int Warps, int Together, int MostOfWarp, int Chunk>
struct each_segment_config {
  static constexpr int most_of_warp = MostOfWarp;
  static constexpr int warps = Warps;
  static constexpr int together = Together;
  static constexpr int chunk = Chunk;
};

/// Names a chunk of a long segment. A chunk with a negative number has no items.
struct segment_chunk {
  index_t segment;
  index_t number;
};

/// Lists the chunks of long segments, those of a segment in order, in global memory.
template <class T>
struct segment_chunks {
  segment_chunk* at;     // null if all segments are reduced by one block each
  T* values;             // of the chunks
  index_t capacity;      // of both arrays
  std::uint32_t* count;  // 0 before the first kernel, and 0 again after the second one
  std::uint32_t* left;   // counts the blocks of the second kernel that are done

  /// Returns how many chunks n items may have. Segments of two chunks at most are not divided.
  static SAM_FUNCTION index_t most(index_t n, int chunk) {
    return n / chunk + n / (2 * index_t{chunk});
  }
};

/// Has functions of the kernels' blocks.
template <class Device, class Job, class Config>
class segment_block {
 protected:
  using T = typename Job::total;
  static constexpr int lanes = Device::warp_size;
  static constexpr int chunk = Config::chunk;
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
  SAM_DEVICE void combine_by_block(range const& r, int warps, warp_values& values,
                                   Done const& done) {
    if (uses_warps_)
      Device::sync_block();  // orders the reads of the warps' values before their next writes
    uses_warps_ = true;
    one sum;
    int const having =
        combine_.of_source(job_.items, r.begin, int(r.items()), thread_, warps * lanes, sum);
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
