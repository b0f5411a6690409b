// SPDX-License-Identifier: MIT
// Decodes runs in one kernel, given where each run begins: a thread walks its part of the merge
// path (merge_path.hpp) and records the run of each item.
#pragma once

#include <sam/backend/decode_runs_job.hpp>
#include <sam/gpu/merge_path/merge_path.hpp>
#include <sam/gpu/warp/warp_state.hpp>

namespace sam::inline v0_1::gpu {

/// Runs one block of the kernel.
template <class Device, class T, class Offset, class Config>
class run_decode_path {
  using merged = merge_path<Device, Config>;
  using job_type = decode_runs_job<T, Offset>;

 public:
  static constexpr int threads = merged::threads;
  static SAM_FUNCTION index_t tiles(job_type const& job) {
    return merged::tiles(job.size, job.runs);  // an upper bound
  }

 private:
  struct shared_layout {
    int run_of[merged::tile_steps];  // the run of each item of the tile
    typename merged::shared_layout path;
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));

  SAM_DEVICE explicit run_decode_path(job_type const& job)
      : job_(job), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * Device::warp_size + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    index_t const items = engine::min_of(job_.size, *job_.total);
    index_t const count = merged::tiles(items, job_.runs);
    for (index_t tile = Device::block(); tile < count; tile += Device::blocks())
      decode(tile, items);
  }

 private:
  SAM_DEVICE void decode(index_t tile, index_t items) const {
    auto const end = [&](index_t r) {
      return r + 1 < job_.runs ? static_cast<index_t>(job_.starts[r + 1]) : items;
    };
    path_part const part = merged::part_of(tile, items, job_.runs, end, shared_.path);
    for (int k = thread_; k < part.ends; k += threads)
      shared_.path.ends[k] = int(end(part.first_end + k) - part.first_item);
    Device::sync_block();  // orders the writes of the ends before their reads
    merged::walk(
        part, thread_, shared_.path, [&](int i, int r) { shared_.run_of[i] = r; }, [](int) {});
    Device::sync_block();  // orders the writes of run_of before its reads
    T const* const values = job_.values + part.first_end;
    T* const out = job_.out + part.first_item;
    // If the starts do not ascend, an item may lie in no run.
    int const last = int(engine::min_of(index_t{part.ends}, job_.runs - 1 - part.first_end));
    auto const run_of = [&](int i) {
      int const run = shared_.run_of[i];
      return run < 0 || run > last ? last : run;
    };
    uninitialized_array<T, Config::steps> x;  // all loads are issued before the first store
#pragma unroll
    for (int s = 0; s < Config::steps; ++s)
      if (int const i = s * threads + thread_; i < part.items)
        x.at[s] = values[run_of(i)];
#pragma unroll
    for (int s = 0; s < Config::steps; ++s)
      if (int const i = s * threads + thread_; i < part.items)
        out[i] = x.at[s];
  }

  job_type const& job_;
  shared_layout& shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
