// SPDX-License-Identifier: MIT
// Sorts runs of a few thousand items by comparisons, one run by each block: threads sort their own
// items, then pairs of runs are merged in shared memory, in rounds. All items of a round's output
// are divided equally among threads, by searches along the merge path.
//
// Source: Green, McColl, Bader, "GPU merge path", ICS 2012.
#pragma once

#include <sam/gpu/sort/comparison/thread_merge.hpp>

namespace sam::inline v0_1::gpu {

/// Sorts the runs of a job.
template <class Device, class Job, class Config>
class sort_runs_block {
  using source = std::remove_cvref_t<decltype(std::declval<Job>().from)>;
  using T = typename source::item;
  static constexpr int items = Config::items;

 public:
  static constexpr int threads = Config::warps * Device::warp_size;
  static constexpr int run = threads * items;
  static constexpr int shared_bytes = (run + items) * int{sizeof(T)};
  static index_t tiles(Job const& job) { return div_up(job.n, run); }

  SAM_DEVICE explicit sort_runs_block(Job const& job)
      : job_(job), shared_(reinterpret_cast<T*>(Device::shared_memory())),
        thread_(Device::warp() * Device::warp_size + Device::lane()) {}

  SAM_DEVICE void operator()() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    index_t const runs = div_up(job_.n, run);
    for (index_t r = Device::block(); r < runs; r += Device::blocks())
      if (job_.n - r * run >= run)
        sort<true>(r * run, run);
      else
        sort<false>(r * run, int(job_.n - r * run));
  }

 private:
  /// Sorts `count` items from item `first` on.
  template <bool Full>
  SAM_DEVICE void sort(index_t first, int count) const {
    auto const precedes = [&](T const& a, T const& b) {
      return static_cast<bool>(job_.less(source::key_of(a), source::key_of(b)));
    };
    int const thread = Device::opaque(thread_);  // else indices would stay in registers
    int const begin = thread * items;
    int const own = Full ? items : int(min_of(max_of(count - begin, 0), items));
    thread_items<T, items> mine;
    gpu::load_tile<threads, items, Full>(shared_, thread, count,
                                         [&](int i) { return job_.from.load(first + i); });
    Device::sync_block();  // orders the writes of the items before their reads by other threads
    mine.load(shared_ + begin);
    mine.sort(own, precedes);
    Device::sync_warp();  // threads have read their items; only they overwrite them
    for (int width = 1; width < threads && width * items < count; width *= 2) {
      mine.store(shared_ + begin, own);
      Device::sync_block();  // orders the writes of the runs before their reads
      int const a = int(min_of(thread / (2 * width) * (2 * width) * items, count));
      int const b = int(min_of(a + width * items, count));
      int const end = int(min_of(a + 2 * width * items, count));
      if (own > 0)
        mine.merge(shared_, {a, b, b, end}, begin - a, precedes);
      Device::sync_block();  // orders the reads of the runs before they are overwritten
    }
    mine.store(shared_ + begin, own);
    Device::sync_block();  // orders the writes of the sorted run before its reads
    gpu::store_tile<threads, items, Full>(shared_, thread, count,
                                          [&](int i, T const& x) { job_.to.store(first + i, x); });
    Device::sync_block();  // orders these reads before the next run is loaded
  }

  Job const& job_;
  T* shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
