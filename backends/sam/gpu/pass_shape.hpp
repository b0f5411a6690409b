// SPDX-License-Identifier: MIT
// What is known of a pass when it is compiled: how a block works, and what it keeps.
#pragma once

#include <sam/gpu/mailbox.hpp>

namespace sam::gpu {

/// How a block works: so many summing and as many finishing warps, items of a component a thread,
/// and stages; and how many such blocks should fit a multiprocessor.
template <int Warps, int Items, int Stages, int Blocks>
struct block_shape {
  static constexpr int blocks = Blocks;
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int stages = Stages;
  static constexpr int row_loaders = 4;  // of rows that lie apart
};

/// Whether tiles are brought and sent as they are in memory, forwards or backwards.
template <class Job>
inline constexpr bool loads_directly = has_source<Job>;
template <class Job>
inline constexpr bool loads_directly<reversed<Job>> = has_source<Job>;
template <class Job>
inline constexpr bool stores_directly = loads_directly<Job>&& has_target<Job>;
template <class Job>
inline constexpr bool stores_directly<reversed<Job>> = stores_directly<Job>;

/// Everything about a pass that is known when it is compiled. Where the tuple size is not known, S
/// and items of a warp and a tile are the most there can be.
template <class Device, class Job, class Pass, class Shape>
struct pass_shape {
  using T = typename Job::summary;
  using traits = pass_traits<Device, T, Pass>;
  static constexpr int warps = Shape::warps;
  static constexpr int stages = Shape::stages;
  static constexpr int items = Shape::items;  // of a thread
  static constexpr int S = traits::S;
  static constexpr int warp_items = Device::warp_size / S * S * items;
  static constexpr int tile_items = warps * warp_items;
  using mail_type = mailbox_for<Device, T, Pass>;
  static constexpr int carriers = mail_type::warps;
  static constexpr bool sums = sums_tiles<typename Pass::carry>;
  static constexpr bool finishes = finishes_tiles<typename Pass::carry>;
  static constexpr int summers = sums ? warps : 0;
  static constexpr int finishers = finishes ? warps : 0;
  static constexpr int loaders = traits::fixed ? 1 : Shape::row_loaders;
  static constexpr int publishers = sums ? 1 : 0;
  static constexpr int senders = finishes && stores_directly<Job> ? 1 : 0;
  static constexpr int threads =
      (summers + finishers + loaders + publishers + (finishes ? carriers : 0) + senders) *
      Device::warp_size;
  static constexpr int blocks = Shape::blocks;
  using tables = power_tables<traits>;

  /// What a block keeps in shared memory besides the stages.
  struct board {
    typename Device::barrier claimed[loaders > 1 ? stages : 1];  // it is known which tile is next
    typename Device::barrier full[stages];                       // the items are there
    typename Device::barrier summed[stages];                     // and the sums of the warps
    typename Device::barrier published[stages];                  // and that of the tile
    typename Device::barrier parted[stages];    // and what lies before it, by carriers
    typename Device::barrier carried[stages];   // and where each warp starts
    typename Device::barrier finished[stages];  // and its items are scanned
    typename Device::barrier empty[stages];     // and sent: nobody needs the stage any more
    typename traits::power::ring powers[tile_powers<traits>::values];
    index_t tile[stages];                             // which is in it, or none
    index_t strip[traits::fixed ? 1 : stages];        // and of which strip
    room<T, S * traits::Q> sum[stages];               // of the tile
    room<T, carriers * S * traits::Q> parts[stages];  // of what lies before it
    room<T, warps * S * traits::Q> sums[stages];      // of the warps
    room<T, warps * S * traits::Q> starts[stages];  // of the warps: first in the tile, then in all
    room<T, warps * Device::warp_size * traits::Q> before[stages];  // of the threads, in their warp
  };
  static constexpr int aligned(int bytes) { return (bytes + 127) / 128 * 128; }
  static constexpr int board_bytes = aligned(int(sizeof(board)));
  static constexpr int held_at = aligned(tile_items * int(sizeof(T)) + 16);  // items, in a stage
  static constexpr int stage_bytes = held_at + aligned(tile_items * held_bytes<Job>);
  static constexpr int shared_bytes = board_bytes + stages * stage_bytes;
};

/// What a launch is given.
template <class Device, class Job, class Pass, class Shape>
struct pass_arguments {
  using shape = pass_shape<Device, Job, Pass, Shape>;
  Job job;
  Pass pass;
  index_t n;
  typename shape::tables tables;
  typename shape::mail_type::memory mail;
};

}  // namespace sam::gpu
