// SPDX-License-Identifier: MIT
// Reduces the segments that offsets describe in a single kernel, for small inputs, where launching
// several kernels takes longer than their work.
//
// A thread walks its part of the merge path (merge_path.hpp) and combines items up to each end. The
// result is a segment's total, with two exceptions. A thread's first segment may begin in earlier
// threads' parts, and a tile's first segment may begin in earlier tiles. The last block to finish
// completes the first segment of each tile.
//
// Source: Merrill, Garland, "Merge-based parallel sparse matrix-vector multiplication", SC 2016.
#pragma once

#include <sam/backend/reduce_segments_job.hpp>
#include <sam/gpu/carry/descriptor_ring.hpp>
#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/merge_path/merge_path.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the result of some steps of the path: the aggregate of the items since the last end, or of
/// all items if there was no end.
template <class T>
struct path_piece {
  uninitialized_array<T, 1> value;  // valid only if has_items
  bool has_items = false, has_end = false;

  template <class Op>
  SAM_DEVICE void take(Op const& op, T const& x) {
    value.at[0] = has_items ? static_cast<T>(op(value.at[0], x)) : x;
    has_items = true;
  }
  /// Replaces this piece by `before` followed by this piece.
  template <class Op>
  SAM_DEVICE void prepend(Op const& op, path_piece const& before) {
    if (!has_end && before.has_items) {
      value.at[0] =
          has_items ? static_cast<T>(op(before.value.at[0], value.at[0])) : before.value.at[0];
      has_items = true;
    }
    has_end |= before.has_end;
  }
};

/// Records what join() needs of a tile: the aggregate of the items after its last end and, if it
/// has an end, that of the items before its first end.
template <class T>
struct path_record {
  path_piece<T> rest, first;
  index_t segment;  // of the tile's first end
};

/// Holds the arguments of a launch.
template <class Job>
struct path_arguments {
  Job job;
  path_record<typename Job::total>* records;  // one for each tile
  control* shared;                            // counts the blocks that are done
};

/// Runs one block of the kernel.
template <class Device, class Job, class Config>
class segmented_reduce_path {
  using loads = typename Job::loads;
  using item = typename Job::item;
  using T = typename Job::total;
  using piece = path_piece<T>;
  using record = path_record<T>;
  using merged = merge_path<Device, Config>;
  static constexpr int lanes = Device::warp_size;

 public:
  static constexpr int threads = merged::threads;
  static SAM_FUNCTION index_t tiles(Job const& job) { return merged::tiles(job.n, job.segments); }

 private:
  struct shared_layout {
    uninitialized_array<item, merged::tile_steps> items;
    typename merged::shared_layout path;
    piece of_warp[Config::warps];
    std::uint32_t is_last;
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));

  SAM_DEVICE explicit segmented_reduce_path(path_arguments<Job> const& arguments)
      : a_(arguments), job_(arguments.job),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    index_t const count = tiles(job_);
    for (index_t tile = Device::block(); tile < count; tile += Device::blocks())
      reduce(tile, count == 1);
    if (count > 1 && gpu::is_last_block<Device>(&a_.shared->left, thread_, shared_.is_last))
      join(int(count));
  }

 private:
  // --- A tile ------------------------------------------------------------------------------------

  SAM_DEVICE void reduce(index_t tile, bool alone) {
    auto const end = [this](index_t k) { return static_cast<index_t>(job_.offsets[k + 1]); };
    path_part const part = merged::part_of(tile, job_.n, job_.segments, end, shared_.path);
    load_items(part);
    Device::sync_block();  // orders the writes of items and ends before their reads
    piece rest, first;
    int const own_end = merged::walk(
        part, thread_, shared_.path,
        [&](int i, int) {
          rest.take(job_.op, static_cast<T>(loads::item(job_.items, part.first_item + i,
                                                        shared_.items.at[i])));
        },
        [&](int k) {
          if (rest.has_end)
            put(part.first_end + k, rest);
          else
            first = rest;
          rest.has_items = false, rest.has_end = true;
        });
    bool const has_end = rest.has_end;
    piece const before = scan(rest);
    bool const is_first = has_end && !before.has_end;  // in the tile
    if (has_end) {
      first.prepend(job_.op, cut(before));
      if (!is_first || alone)
        put(part.first_end + own_end, first);
    }
    if (alone)
      return;
    bool const is_last = thread_ == threads - 1;
    if (is_first)
      a_.records[tile].first = first;
    if (is_last) {
      a_.records[tile].rest = rest;
      a_.records[tile].segment = part.first_end;
    }
  }

  /// Loads the tile's items and ends into shared memory. All loads are issued before the first
  /// store.
  SAM_DEVICE void load_items(path_part const& part) const {
    uninitialized_array<item, Config::steps> x;
    int e[Config::steps];
#pragma unroll
    for (int s = 0; s < Config::steps; ++s) {
      int const at = s * threads + thread_;
      if (at < part.items)
        x.at[s] = loads::load(job_.items, part.first_item + at);
      else if (at < part.items + part.ends)
        e[s] = int(static_cast<index_t>(job_.offsets[part.first_end + at - part.items + 1]) -
                   part.first_item);
    }
#pragma unroll
    for (int s = 0; s < Config::steps; ++s) {
      int const at = s * threads + thread_;
      if (at < part.items)
        shared_.items.at[at] = x.at[s];
      else if (at < part.items + part.ends)
        shared_.path.ends[at - part.items] = e[s];
    }
  }

  SAM_DEVICE void put(index_t segment, piece const& all) const {
    job_.put(segment, all.has_items ? job_.total_of(all.value.at[0]) : job_.nothing);
  }

  // --- Scan across the block's threads ----------------------------------------------------------

  static SAM_DEVICE piece cut(piece p) {
    p.has_end = false;
    return p;
  }
  static SAM_DEVICE piece from_below(piece const& mine, int up) {
    piece theirs;
    theirs.value.at[0] = gpu::shuffle_up<Device>(mine.value.at[0], up);
    std::uint32_t const has =
        Device::shuffle_up((mine.has_items ? 1u : 0u) | (mine.has_end ? 2u : 0u), up);
    theirs.has_items = (has & 1) != 0, theirs.has_end = (has & 2) != 0;
    return theirs;
  }
  /// Computes the inclusive prefix of each thread's piece, over the threads of the block, in
  /// `mine`. Returns the exclusive prefix.
  SAM_DEVICE piece scan(piece& mine) const {
#pragma unroll
    for (int d = 1; d < lanes; d *= 2) {
      piece const before = from_below(mine, d);
      if (Device::lane() >= d)
        mine.prepend(job_.op, before);
    }
    if (Device::lane() == lanes - 1)
      shared_.of_warp[Device::warp()] = mine;
    piece before = from_below(mine, 1);
    Device::sync_block();  // orders the writes of the warps' pieces before their reads
    piece of_warps;
    for (int w = 0; w < Device::warp(); ++w) {
      piece next = shared_.of_warp[w];
      next.prepend(job_.op, of_warps);
      of_warps = next;
    }
    mine.prepend(job_.op, of_warps);
    if (Device::lane() == 0)
      return of_warps;
    before.prepend(job_.op, of_warps);
    return before;
  }

  // --- Join of the tiles ------------------------------------------------------------------------

  /// Completes the first segment that ends in each tile.
  SAM_DEVICE void join(int count) const {
    int const each = (count + threads - 1) / threads;
    int const begin = min_of(thread_ * each, count), end = min_of(begin + each, count);
    piece all;
    for (int t = begin; t < end; ++t) {
      piece next = a_.records[t].rest;
      next.prepend(job_.op, all);
      all = next;
    }
    piece before = scan(all);
    for (int t = begin; t < end; ++t) {
      record const& r = a_.records[t];
      if (r.rest.has_end) {
        piece first = r.first;
        first.prepend(job_.op, cut(before));
        put(r.segment, first);
      }
      piece next = r.rest;
      next.prepend(job_.op, before);
      before = next;
    }
  }

  path_arguments<Job> const& a_;
  Job const& job_;
  shared_layout& shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
