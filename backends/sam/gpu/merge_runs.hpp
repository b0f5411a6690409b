// SPDX-License-Identifier: MIT
// A sort of keys that are too many for one cluster and too few to fill the passes of a sort by
// digits: clusters sort runs of them, each as many as it has room for, and then kernels merge these
// by two, from memory to memory, until there is one run.
//
// Each warp merges a part of its own, as in merge_block.hpp, without a word to others. Behind the
// last key lie as many as fill the last two runs, which nothing is less than, and which nobody
// writes.
#pragma once

#include <sam/gpu/merge_cluster.hpp>

namespace sam::gpu {

/// Runs that are sorted by a cluster each, at most so many; and warps of a block that merges, and
/// items a lane.
template <class Cluster, int Runs, int Warps, int Slots>
struct runs_shape {
  using cluster = Cluster;
  static constexpr int runs = Runs;
  static constexpr int warps = Warps;
  static constexpr int slots = Slots;
};

/// Whether keys are sorted by clusters: one, or several.
template <class Shape>
inline constexpr bool has_clusters = is_cluster<Shape>;
template <class Cluster, int Runs, int Warps, int Slots>
inline constexpr bool has_clusters<runs_shape<Cluster, Runs, Warps, Slots>> = true;

/// What a kernel merges: job.keys, which are sorted by runs of so many, into job.sorted_keys.
template <class Job>
struct runs_arguments {
  Job job;
  int length;
};

template <class Device, class Job, class Shape>
class merge_runs {
  using traits = sort_traits<Job>;
  using key = typename traits::key;
  using image = typename traits::image;
  using clusters = merge_cluster<Device, Job, typename Shape::cluster>;
  static constexpr int lanes = Device::warp_size;
  static constexpr int slots = Shape::slots;
  static constexpr int of_warp = slots * lanes;
  static constexpr int of_block = Shape::warps * of_warp;

 public:
  static constexpr bool is_possible = clusters::is_possible;
  static constexpr int run_size = clusters::size;
  static_assert(run_size % of_warp == 0);
  static constexpr index_t size = index_t{Shape::runs} * run_size;  // at most
  static constexpr int threads = Shape::warps * lanes;

  /// Whether it sorts all that this job sorts by; what one cluster sorts is left to it.
  static bool takes(Job const& job) {
    return is_possible && job.n > run_size && job.n <= size && traits::is_provable(job);
  }
  static index_t runs(index_t n) { return div_up(n, run_size); }
  /// How often runs are merged by two.
  static int rounds(index_t n) {
    int all = 0;
    while (index_t{run_size} << all < n)
      ++all;
    return all;
  }
  static index_t blocks(index_t n) { return div_up(n, of_block); }

  SAM_DEVICE explicit merge_runs(runs_arguments<Job> const& arguments)
      : job_(arguments.job), n_(int(arguments.job.n)), length_(arguments.length) {}

  SAM_DEVICE void run() {
    Device::await_previous_kernel();
    Device::let_next_kernel_start();
    int const begin = Device::block() * of_block + Device::warp() * of_warp;
    if (begin >= n_)
      return;
    lane_network<Device, image, slots, true> items;
    bring(items, begin);
    items.merge_rows();
    key* const to = job_.sorted_keys + begin + Device::lane();
    int const left = n_ - begin - Device::lane();
#pragma unroll
    for (int s = 0; s < slots; ++s)
      if (s * lanes < left)
        to[s * lanes] = key_of_image<key>(job_.digits, items.at[s]);
  }

 private:
  SAM_DEVICE image item(int i) const {
    return i < n_ ? static_cast<image>(job_.digits(job_.keys[i])) : static_cast<image>(~image(0));
  }

  /// Brings the part that begins there: first its items of the first run, then those of the second
  /// in reverse.
  template <class Items>
  SAM_DEVICE void bring(Items& items, int begin) const {
    int const skipped = begin & (2 * length_ - 1);
    int const first = begin - skipped, second = first + length_;
    auto const part = search_part<Device>(length_, skipped, of_warp, [&](int i, int diagonal) {
      image const a = item(first + i), b = item(second + diagonal - 1 - i);
      return !(b < a);
    });
    int const firsts = part.end - part.begin - Device::lane();
    int const rising = first + part.begin + Device::lane();
    int const falling = second + skipped - part.begin + of_warp - 1 - Device::lane();
#pragma unroll
    for (int s = 0; s < slots; ++s)
      items.at[s] = item(s * lanes < firsts ? rising + s * lanes : falling - s * lanes);
  }

  Job const& job_;
  int n_, length_;
};

}  // namespace sam::gpu
