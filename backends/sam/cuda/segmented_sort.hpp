// SPDX-License-Identifier: MIT
// Sorting each of many segments on a CUDA device: short ones by blocks that have room for them,
// long ones together. How many there are of these is known on the device alone: what there is for
// nothing to do is queued, and ends at once.
#pragma once

#include <sam/cuda/sort.hpp>
#include <sam/gpu/sort_windows.hpp>

namespace sam::cuda {

template <class Job, class Heads, class Shape>
__global__ void __launch_bounds__(gpu::sort_windows<device, Job, Heads, Shape>::threads,
                                  Shape::blocks)
    sort_windows_kernel(__grid_constant__ gpu::window_arguments<Job, Heads> const arguments) {
  gpu::sort_windows<device, Job, Heads, Shape>(arguments).run();
}

template <class Job>
using long_items = gpu::move_long_items<device, Job, 8>;
template <class Job>
__global__ void __launch_bounds__(long_items<Job>::threads)
    bring_long_items_kernel(__grid_constant__ gpu::long_arguments<Job> const arguments) {
  long_items<Job>(arguments).bring();
}
template <class Job>
__global__ void __launch_bounds__(long_items<Job>::threads)
    take_long_items_back_kernel(__grid_constant__ gpu::long_arguments<Job> const arguments) {
  long_items<Job>(arguments).take_back();
}

/// By windows of a shape.
template <class Job, class Shape>
class segmented_sorter {
  using traits = gpu::sort_traits<Job>;
  using value = typename traits::value;
  using keys = gpu::long_keys<Job>;
  using item = typename keys::item;
  template <class Heads>
  using windows = gpu::sort_windows<device, Job, Heads, Shape>;
  using any_windows = windows<void>;
  template <class Sort>
  using sorter_of_long = sorter<Sort, tuning::sort<Sort>, true>;

 public:
  /// Whether the device has room for its blocks.
  static bool fits(context const& context) {
    return any_windows::shared_bytes <= int(context.shared_bytes());
  }
  /// Whether there are so few keys that each block has a multiprocessor of its own.
  static bool is_alone(context const& context, index_t n) {
    return any_windows::windows(n) <= context.multiprocessors();
  }

  static index_t workspace(context const& context, Job const& job) {
    return may_be_long(job.n, nullptr) ? layout(context, job).bytes : 0;
  }

  template <class Heads>
  static void run(context& context, Job const& job, Heads const& heads) {
    range const named(
        [&] { return "sam: sort of segments of " + std::to_string(job.n) + " keys"; });
    bool const has_long = may_be_long(job.n, &heads);
    places const at = has_long ? layout(context, job) : places{};
    auto* const memory =
        has_long ? static_cast<std::byte*>(context.workspace(std::size_t(at.bytes))) : nullptr;
    auto* const records = reinterpret_cast<gpu::window_record*>(memory);
    auto* const kernel = &sort_windows_kernel<Job, Heads, Shape>;
    resident_for_sort<windows<Heads>>(context, kernel);
    launch(context, kernel, any_windows::windows(job.n), windows<Heads>::threads,
           windows<Heads>::shared_bytes, {job, heads, records, context.sort_ranking()});
    if (has_long)
      sort_long(context, job, at, memory);
  }

 private:
  /// Whether a segment may be one for which a block has no room.
  template <class Heads>
  static bool may_be_long(index_t n, Heads const* heads) {
    if constexpr (requires { heads->length; })
      n = min_of(n, heads->length);
    return n > any_windows::longest;
  }
  static bool may_be_long(index_t n, std::nullptr_t) { return n > any_windows::longest; }

  /// What lies where in the workspace.
  struct places {
    index_t windows = 0, count = 0, items = 0, values = 0, sort = 0, bytes = 0;
  };
  static places layout(context const& context, Job const& job) {
    places p;
    auto const add = [&](index_t wanted) {
      index_t const at = p.bytes;
      p.bytes += div_up(wanted, 256) * 256;
      return at;
    };
    index_t const count = any_windows::windows(job.n);
    add(count * index_t{sizeof(gpu::window_record)});
    p.windows = add(count * index_t{sizeof(gpu::window_place)});
    p.count = add(sizeof(index_t));
    p.items = add(job.n * index_t{sizeof(item)});
    if constexpr (traits::has_values)
      p.values = add(job.n * index_t{sizeof(value)});
    index_t of_sort = 0;
    for_each_sort(job, p, nullptr, [&]<class Sort>(Sort const& sorts) {
      of_sort = max_of(of_sort, sorter_of_long<Sort>::workspace(context, sorts));
    });
    p.sort = add(of_sort);
    return p;
  }

  template <class Use>
  static void for_each_sort(Job const& job, places const& at, std::byte* memory, Use const& use) {
    Job all = job;
    if constexpr (traits::has_values)
      all.values = all.sorted_values = reinterpret_cast<value*>(memory + at.values);
    keys::for_each_sort(all, reinterpret_cast<item*>(memory + at.items),
                        job.n / (any_windows::longest + 1) + 1, use);
  }

  static void sort_long(context& context, Job const& job, places const& at, std::byte* memory) {
    auto* const records = reinterpret_cast<gpu::window_record*>(memory);
    auto* const windows = reinterpret_cast<gpu::window_place*>(memory + at.windows);
    auto* const count = reinterpret_cast<index_t*>(memory + at.count);
    index_t const tiles = any_windows::windows(job.n);
    cuda::run(context, tiles, gpu::place_windows_job{records, windows, count, tiles - 1},
              make_pass<bound::exclusive>(
                  scan_policy<gpu::join_windows>{},
                  from_value<gpu::windows_summary>{{0, 0, 0, gpu::windows_summary::is_short}}));
    gpu::long_arguments<Job> arguments{job,     records, windows,          count,
                                       nullptr, nullptr, any_windows::size};
    arguments.items = reinterpret_cast<item*>(memory + at.items);
    if constexpr (traits::has_values)
      arguments.values = reinterpret_cast<value*>(memory + at.values);
    auto const move = [&](auto* kernel) {
      launch(context, kernel, limited(context, tiles, index_t{8} * context.multiprocessors()),
             long_items<Job>::threads, 0, arguments);
    };
    move(&bring_long_items_kernel<Job>);
    for_each_sort(job, at, memory, [&]<class Sort>(Sort const& sorts) {
      sorter_of_long<Sort>::run(context, sorts, memory + at.sort, count);
    });
    move(&take_long_items_back_kernel<Job>);
  }
};

/// Calls f with what sorts so many keys.
template <class Job, class F>
auto with_segmented_sorter(context const& context, index_t n, F const& f) {
  using tuned = tuning::sort<Job>;
  using usual = segmented_sorter<Job, typename tuned::window>;
  using roomy = segmented_sorter<Job, typename tuned::roomy_window>;
  return roomy::fits(context) && roomy::is_alone(context, n) ? f(roomy{}) : f(usual{});
}

/// Queues a sort of every segment.
template <class Key, class Value, class Digits, class Heads>
void segmented_sort(context& context, sort_job<Key, Value, Digits> const& job, Heads const& heads) {
  with_segmented_sorter<sort_job<Key, Value, Digits>>(
      context, job.n, [&](auto sorter) { sorter.run(context, job, heads); });
}
/// How many bytes of the context's memory that needs at most.
template <class Key, class Value, class Digits>
index_t segmented_sort_workspace(context const& context, sort_job<Key, Value, Digits> const& job) {
  return with_segmented_sorter<sort_job<Key, Value, Digits>>(
      context, job.n, [&](auto sorter) { return sorter.workspace(context, job); });
}

}  // namespace sam::cuda
