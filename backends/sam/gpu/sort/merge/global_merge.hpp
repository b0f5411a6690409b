// SPDX-License-Identifier: MIT
// Merges sorted runs through global memory, for keys that exceed one cluster but are too few for
// the passes of a radix sort. Each cluster sorts one run, or each block on devices without
// clusters; kernels then merge pairs of runs until one is left.
//
// Each warp merges its own part, as in block_merge_sort.hpp, without communication with other
// warps. The last two runs are padded with items that sort last. The padding is never stored.
#pragma once

#include <sam/gpu/sort/merge/cluster_merge_sort.hpp>

namespace sam::inline v0_1::gpu {

/// Configures the kernels: the config of the cluster that sorts a run, which may be of one block,
/// the runs at most, and a merge kernel's warps of a block and items of a lane.
template <class Cluster, int Runs, int Warps, int Slots>
struct global_merge_config {
  using cluster = Cluster;
  static constexpr int runs = Runs;
  static constexpr int warps = Warps;
  static constexpr int slots = Slots;
};

/// Holds the arguments of a merge kernel. It merges sorted runs of `length` items of `from` into
/// `to` or, if that is null, into the job's result.
template <class Job>
struct runs_arguments {
  using stored = typename merge_keys<Job>::stored;
  Job job;
  stored const* from;
  stored* to;
  int length;
};

/// Sorts one run of a larger job by each block, which stores it for the kernels that merge. The
/// runs may take the place of the keys: a block writes where it alone has read.
template <class Device, class Job, class Config>
class block_run_sort : block_merge_sort<Device, Job, Config> {
  using block = block_merge_sort<Device, Job, Config>;
  using typename block::items_type;
  using typename block::network;

 public:
  using block::most_threads, block::size;
  static constexpr int shared_bytes = block::shared_bytes(size);

  SAM_DEVICE explicit block_run_sort(sort_arguments<Job> const& arguments)
      : block(arguments, Device::block() * size),
        runs_(static_cast<typename items_type::stored*>(arguments.runs)) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    network items;
    this->sort(items, size);
    items_type::template store<block::lanes>(this->job_, runs_ + this->first_of_lane(),
                                             this->left_of_lane(), items.at);
  }

 private:
  typename items_type::stored* runs_;
};

/// Copies key i and value i, each only if it has a destination.
template <class Job>
struct copies_of {
  using traits = radix_traits<Job>;
  typename traits::key const* keys;
  typename traits::value const* values;
  typename traits::key* keys_to;  // null if not copied, as is values_to
  typename traits::value* values_to;

  SAM_FUNCTION void operator()(index_t i) const {
    if (keys_to != nullptr)
      keys_to[i] = keys[i];
    if constexpr (traits::has_values)
      if (values_to != nullptr)
        values_to[i] = values[i];
  }
};

/// Merges pairs of runs; each warp of the grid writes one part of the result.
template <class Device, class Job, class Config>
class global_merge {
  using items_type = merge_keys<Job>;
  using item = typename items_type::item;
  using clusters = cluster_merge_sort<Device, Job, typename Config::cluster>;
  static constexpr int lanes = Device::warp_size;
  static constexpr int slots = Config::slots;
  static constexpr int of_warp = slots * lanes;
  static constexpr int of_block = Config::warps * of_warp;

 public:
  static constexpr bool is_possible = clusters::is_possible;
  static constexpr bool are_numbered = items_type::are_numbered;
  using stored = typename items_type::stored;
  static constexpr int run_size = clusters::size;
  static_assert(run_size % of_warp == 0);
  static constexpr index_t size = index_t{Config::runs} * run_size;  // keys at most
  static constexpr int threads = Config::warps * lanes;

  /// True if this sort applies to the job: it compares all bits that the job sorts by, and the keys
  /// exceed one run.
  static bool takes(Job const& job) {
    return items_type::takes(job) && job.n > run_size && job.n <= size;
  }
  /// True if the keys, or below the values, must be copied first and read from the copy. Blocks do
  /// not synchronise, so none may write an array that others still read.
  static bool copies_keys(Job const& job) {
    return are_numbered && job.sorted_keys != nullptr && job.keys == job.sorted_keys &&
           !items_type::tell_keys(job);
  }
  static bool copies_values(Job const& job) {
    return are_numbered && Job::has_values && job.values == job.sorted_values;
  }
  /// Holds the offsets of arrays in the workspace: copies of keys and values, and two buffers of
  /// runs. Runs of plain keys use the result or the spare memory in place of a buffer.
  struct places {
    index_t runs[2] = {-1, -1}, keys = -1, values = -1, bytes = 0;
    index_t add(index_t wanted) {
      index_t const at = bytes;
      bytes += div_up(wanted, 16) * 16;
      return at;
    }
  };
  static places layout(Job const& job) {
    places p;
    if (are_numbered || job.spare_keys == nullptr)
      p.runs[0] = p.add(job.n * index_t{sizeof(stored)});
    if (are_numbered)
      p.runs[1] = p.add(job.n * index_t{sizeof(stored)});
    if (copies_keys(job))
      p.keys = p.add(job.n * index_t{sizeof(*job.keys)});
    if (copies_values(job))
      p.values = p.add(job.n * index_t{sizeof(*job.values)});
    return p;
  }
  /// Returns the bytes of workspace that suffice whichever arrays of the job are equal.
  static index_t workspace(Job job) {
    job.keys = job.sorted_keys;
    if (job.values != nullptr)  // null values are indices
      job.values = job.sorted_values;
    return layout(job).bytes;
  }
  static index_t runs(index_t n) { return div_up(n, run_size); }
  /// Returns the number of merge rounds.
  static int rounds(index_t n) {
    int all = 0;
    while (index_t{run_size} << all < n)
      ++all;
    return all;
  }
  static index_t blocks(index_t n) { return div_up(n, of_block); }

  SAM_DEVICE explicit global_merge(runs_arguments<Job> const& arguments)
      : a_(arguments), n_(int(arguments.job.n)), length_(arguments.length) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    int const begin = Device::block() * of_block + Device::warp() * of_warp;
    if (begin >= n_)
      return;
    sorting_network<Device, item, slots, true> items;
    load_items(items, begin);
    items.merge_rows();
    int const first = begin + Device::lane(), left = n_ - first;
    if (a_.to != nullptr)
      items_type::template store<lanes>(a_.job, a_.to + first, left, items.at);
    else
      items_type::template write<lanes>(a_.job, first, left, items.at, [] {});
  }

 private:
  SAM_DEVICE item at(int i) const {
    return i < n_ ? items_type::of_stored(a_.job, a_.from[i]) : items_type::last();
  }

  /// Loads the warp's part of two runs: its items of the first, then those of the second reversed.
  template <class Items>
  SAM_DEVICE void load_items(Items& items, int begin) const {
    int const skipped = begin & (2 * length_ - 1);
    int const first = begin - skipped, second = first + length_;
    auto const part = gpu::search_part<Device>(length_, skipped, of_warp, [&](int i, int diagonal) {
      item const a = at(first + i), b = at(second + diagonal - 1 - i);
      return !(b < a);
    });
    int const firsts = part.end - part.begin - Device::lane();
    int const rising = first + part.begin + Device::lane();
    int const falling = second + skipped - part.begin + of_warp - 1 - Device::lane();
#pragma unroll
    for (int s = 0; s < slots; ++s)
      items.at[s] = at(s * lanes < firsts ? rising + s * lanes : falling - s * lanes);
  }

  runs_arguments<Job> const& a_;
  int n_, length_;
};

}  // namespace sam::inline v0_1::gpu
