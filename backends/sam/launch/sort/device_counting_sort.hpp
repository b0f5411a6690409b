// SPDX-License-Identifier: MIT
// Launches the three kernels of the counting sort of 16-bit keys.
#ifndef SAM_LAUNCH_SORT_DEVICE_COUNTING_SORT_HPP
#define SAM_LAUNCH_SORT_DEVICE_COUNTING_SORT_HPP

#include <sam/gpu/sort/counting/device_counting_sort.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::device_counting_sort<device, Job, Config>::counting_threads,
                                  1)
    count_keys_kernel(SAM_GRID_CONSTANT gpu::counting_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::device_counting_sort<device, Job, Config>(arguments).count();
}
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::device_counting_sort<device, Job, Config>::adding_threads)
    add_counts_kernel(SAM_GRID_CONSTANT gpu::counting_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::device_counting_sort<device, Job, Config>(arguments).add_up();
}
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::device_counting_sort<device, Job, Config>::writing_threads,
                                  Config::writing_blocks)
    write_keys_kernel(SAM_GRID_CONSTANT gpu::counting_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::device_counting_sort<device, Job, Config>(arguments).write();
}

/// Queues a counting sort.
template <class Job, class Tuning>
class counting_sorter {
  using config = typename Tuning::counting;
  using kernels = gpu::device_counting_sort<device, Job, config>;

 public:
  static index_t workspace(context const& context, Job const& job) {
    return kernels::begins_bytes + kernels::totals_bytes + tables_bytes(context, job);
  }
  static void run(context& context, Job const& job, std::byte* memory) {
    gpu::counting_arguments<Job> a{job};
    a.pairs = pairs(context, job);
    a.begins = reinterpret_cast<index_t*>(memory);
    a.totals = reinterpret_cast<index_t*>(memory + kernels::begins_bytes);
    a.counts =
        reinterpret_cast<std::uint32_t*>(memory + kernels::begins_bytes + kernels::totals_bytes);
    auto* const count = &count_keys_kernel<Job, config>;
    self::resident_blocks(context, count, kernels::counting_threads,
                          kernels::counting_shared_bytes);
    self::launch(context, count, 2 * a.pairs, kernels::counting_threads,
                 kernels::counting_shared_bytes, a);
    self::launch(context, &add_counts_kernel<Job, config>, kernels::adding_blocks,
                 kernels::adding_threads, kernels::adding_shared_bytes, a);
    job.n < context.tuned().counting_small_keys ? write<typename Tuning::counting_few>(context, a)
                                                : write<config>(context, a);
  }

 private:
  template <class Config>
  static void write(context& context, gpu::counting_arguments<Job> const& a) {
    using kernels = gpu::device_counting_sort<device, Job, Config>;
    self::launch(context, &write_keys_kernel<Job, Config>,
                 self::limited(context, kernels::tiles(a.job.n),
                               index_t{Config::writing_blocks} * context.multiprocessors()),
                 kernels::writing_threads, kernels::writing_shared_bytes, a);
  }
  static int pairs(context const& context, Job const& job) {
    index_t const blocks =
        self::limited(context, 2 * engine::div_up(job.n, context.tuned().counting_pair_keys),
                      context.multiprocessors());
    index_t const least = engine::div_up(job.n, index_t{1} << 31);  // counters have 32 bits
    return int(max_of(blocks / 2, least));
  }
  static index_t tables_bytes(context const& context, Job const& job) {
    return 2 * pairs(context, job) * index_t{kernels::table * 4};
  }
};

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
