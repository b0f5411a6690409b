// SPDX-License-Identifier: MIT
// Launches segmented sorts. A block sorts several short segments in one window, or one longer
// segment. Segments that fit no block are gathered and sorted together. Only the device knows how
// many segments of each kind there are, so every kernel is queued and ends at once if it has no
// work.
#ifndef SAM_LAUNCH_SORT_SEGMENTED_SORT_HPP
#define SAM_LAUNCH_SORT_SEGMENTED_SORT_HPP

#include <sam/gpu/sort/segmented/packed_segments.hpp>
#include <sam/launch/sort/sort.hpp>
#include <sam/launch/sort/sort_segments.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job, class Heads, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::packed_segments<device, Job, Heads, Config>::threads,
                                  Config::blocks)
    packed_segments_kernel(SAM_GRID_CONSTANT gpu::window_arguments<Job, Heads> const arguments) {
  SAM_IF_TARGET gpu::packed_segments<device, Job, Heads, Config>(arguments).run();
}

template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::sort_listed<device, Job, Config>::threads, Config::blocks)
    sort_listed_kernel(SAM_GRID_CONSTANT gpu::listed_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::sort_listed<device, Job, Config>(arguments).run();
}

template <class Job>
using long_items = gpu::move_long_items<device, Job, warps_of(8)>;
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(long_items<Job>::threads)
    bring_long_items_kernel(SAM_GRID_CONSTANT gpu::long_arguments<Job> const arguments) {
  SAM_IF_TARGET long_items<Job>(arguments).load_items();
}
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(long_items<Job>::threads)
    take_long_items_back_kernel(SAM_GRID_CONSTANT gpu::long_arguments<Job> const arguments) {
  SAM_IF_TARGET long_items<Job>(arguments).take_back();
}

/// Queues a segmented sort whose windows have a given config.
template <class Job, class Config>
class segmented_sorter {
  using traits = gpu::radix_traits<Job>;
  using value = typename traits::value;
  using keys = gpu::long_keys<Job>;
  using item = typename keys::item;
  template <class Heads>
  using windows = gpu::packed_segments<device, Job, Heads, Config>;
  using any_windows = windows<void>;
  template <class ListConfig>
  using listed = gpu::sort_listed<device, Job, ListConfig>;
  template <class Sort>
  using sorter_of_long = sorter<Sort, sort_facts{}, true>;

 public:
  /// True if a block's window fits in the shared memory of the device.
  static bool fits(context const& context) {
    return any_windows::shared_bytes <= int(context.shared_bytes());
  }
  /// True if there are so few keys that each block has a multiprocessor of its own.
  static bool is_alone(context const& context, index_t n) {
    return any_windows::windows(n) <= context.multiprocessors();
  }

  static index_t workspace(context const& context, Job const& job) {
    return layout(context, job, job.n).bytes;
  }

  template <class Heads>
  static void run(context& context, Job const& job, Heads const& heads) {
    range const named(
        [&] { return "sam: sort of segments of " + std::to_string(job.n) + " keys"; });
    index_t longest = job.n;
    if constexpr (requires { heads.length; })
      longest = engine::min_of(longest, heads.length);
    bool const has_long = longest > longest_of_block(context, job.n);
    places const at = layout(context, job, longest);
    auto* const memory =
        at.bytes > 0 ? static_cast<std::byte*>(context.kernel_workspace(std::size_t(at.bytes)))
                     : nullptr;
    auto* const records = has_long ? reinterpret_cast<gpu::window_record*>(memory) : nullptr;
    gpu::segment_lists const lists = lists_in(context, job, at, memory);
    if (lists.counts != nullptr)
      self::clear(context, lists.counts, bytes_of_counts, "clear numbers of segments");
    auto* const kernel = &packed_segments_kernel<Job, Heads, Config>;
    self::resident_for_sort<windows<Heads>>(context, kernel);
    self::launch(context, kernel, any_windows::windows(job.n), windows<Heads>::threads,
                 windows<Heads>::shared_bytes,
                 {job, heads, records, lists, context.sort_ranking()});
    if (lists.counts != nullptr)
      sort_listed(context, job, lists, at, memory);
    if (has_long)
      sort_long(context, job, at, memory, number_of(heads));
  }

 private:
  /// Returns the number of items that lies in memory, if one does.
  template <class Heads>
  static number_in_memory number_of(Heads const& heads) {
    if constexpr (requires { heads.ends_at; })
      return heads.ends_at;
    else
      return {};
  }
  using list_configs = typename sort_tuning<Job>::listed;
  template <std::size_t K>
  using list_config = std::tuple_element_t<K, list_configs>;
  static constexpr std::size_t most_lists = std::tuple_size_v<list_configs>;
  static_assert(most_lists <= gpu::segment_lists::most);
  template <class ListConfig>
  static constexpr bool sorts_in_tiles = requires {
    ListConfig::longest;
  };
  /// The longest segment that windows or the blocks before config K sort.
  template <std::size_t K>
  static constexpr int longest_before = [] {
    int longest = any_windows::longest;
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      ((longest = int(max_of(longest, listed<list_config<J>>::size))), ...);
    }
    (std::make_index_sequence<K>{});
    return longest;
  }();

  /// Calls f(k, least, config) for each list k, which holds segments of at least `least` of n items
  /// in all. A list's blocks take longer segments than windows and the lists before do, and fit the
  /// device.
  template <class F>
  static void for_each_list(context const& context, index_t n, F const& f) {
    int k = 0;
    index_t least = any_windows::longest + 1;
    auto const use = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      using of_list = listed<list_config<K>>;
      if constexpr (of_list::size > longest_before<K>)
        if (of_list::shared_bytes <= int(context.shared_bytes()) &&
            sort_tuning<Job>::lists(of_list::size, n, least - 1)) {
          f(k++, least, list_config<K>{});
          least = of_list::size + 1;
        }
    };
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (use(std::integral_constant<std::size_t, K>{}), ...);
    }
    (std::make_index_sequence<most_lists>{});
  }
  /// Returns the length of the longest segment that a block sorts if there are n items.
  static index_t longest_of_block(context const& context, index_t n) {
    index_t longest = any_windows::longest;
    for_each_list(context, n, [&]<class ListConfig>(int, index_t, ListConfig) {
      longest = listed<ListConfig>::size;
    });
    return longest;
  }

  /// The offsets of the arrays in the workspace, in bytes.
  struct places {
    index_t windows = 0, count = 0, items = 0, values = 0, sort = 0, bytes = 0;
    index_t lists[gpu::segment_lists::most] = {}, counts = -1, spare = -1;
  };
  static constexpr std::size_t bytes_of_counts = gpu::segment_lists::most * sizeof(std::uint32_t);
  /// Returns the layout of the workspace for segments of up to `longest` items.
  static places layout(context const& context, Job const& job, index_t longest) {
    places p;
    auto const add = [&](index_t wanted) {
      index_t const at = p.bytes;
      p.bytes += div_up(wanted, 256) * 256;
      return at;
    };
    index_t const count = any_windows::windows(job.n);
    if (longest > longest_of_block(context, job.n))
      lay_out_long(context, job, count, p, add);
    if (longest > any_windows::longest) {
      // A window lists at most one segment. A valid input has at most n / least such segments, but
      // a caller's inconsistent predicate may make segments overlap.
      for_each_list(context, job.n, [&]<class ListConfig>(int k, index_t, ListConfig) {
        p.lists[k] = add(count * index_t{sizeof(gpu::listed_segment)});
        if constexpr (sorts_in_tiles<ListConfig>)
          // Long segments are brought together only after the listed ones have been sorted.
          p.spare = p.items > 0 ? p.items : add(job.n * index_t{sizeof(typename traits::key)});
      });
      p.counts = add(bytes_of_counts);
    }
    return p;
  }
  /// Adds the arrays for segments that are too long for any block. The records of windows come
  /// first.
  template <class Add>
  static void lay_out_long(context const& context, Job const& job, index_t count, places& p,
                           Add const& add) {
    add(count * index_t{sizeof(gpu::window_record)});
    p.windows = add(count * index_t{sizeof(gpu::window_place)});
    p.count = add(sizeof(index_t));
    p.items = add(job.n * index_t{sizeof(item)});
    if constexpr (traits::has_values)
      p.values = add(job.n * index_t{sizeof(value)});
    index_t of_sort = 0;
    for_each_sort(context, job, p, nullptr, [&]<class Sort>(Sort const& sorts) {
      of_sort = engine::max_of(of_sort, sorter_of_long<Sort>::workspace(context, sorts));
    });
    p.sort = add(of_sort);
  }

  static gpu::segment_lists lists_in(context const& context, Job const& job, places const& at,
                                     std::byte* memory) {
    gpu::segment_lists lists{};
    if (at.counts < 0)
      return lists;
    for_each_list(context, job.n, [&]<class ListConfig>(int k, index_t, ListConfig) {
      lists.buffer_for[k] = listed<ListConfig>::size;
      lists.segments[k] = reinterpret_cast<gpu::listed_segment*>(memory + at.lists[k]);
    });
    lists.counts = reinterpret_cast<std::uint32_t*>(memory + at.counts);
    return lists;
  }
  static void sort_listed(context& context, Job const& job, gpu::segment_lists const& lists,
                          places const& at, std::byte* memory) {
    for_each_list(context, job.n, [&]<class ListConfig>(int k, index_t least, ListConfig) {
      auto* const kernel = &sort_listed_kernel<Job, ListConfig>;
      gpu::listed_arguments<Job> arguments{{job}};
      arguments.ranks = context.sort_ranking();
      if constexpr (sorts_in_tiles<ListConfig>)
        arguments.keys_at[1] = reinterpret_cast<typename traits::key*>(memory + at.spare);
      arguments.segments = lists.segments[k];
      arguments.count = lists.counts + k;
      index_t const resident = self::resident_for_sort<listed<ListConfig>>(context, kernel);
      self::launch(context, kernel,
                   self::limited(context, job.n / least + 1, resident * context.multiprocessors()),
                   listed<ListConfig>::threads, listed<ListConfig>::shared_bytes, arguments);
    });
  }

  template <class Use>
  static void for_each_sort(context const& context, Job const& job, places const& at,
                            std::byte* memory, Use const& use) {
    Job all = job;
    if constexpr (traits::has_values)
      all.values = all.sorted_values = reinterpret_cast<value*>(memory + at.values);
    keys::for_each_sort(all, reinterpret_cast<item*>(memory + at.items),
                        job.n / (longest_of_block(context, job.n) + 1) + 1, use);
  }

  static void sort_long(context& context, Job const& job, places const& at, std::byte* memory,
                        number_in_memory const& number) {
    auto* const records = reinterpret_cast<gpu::window_record*>(memory);
    auto* const windows = reinterpret_cast<gpu::window_place*>(memory + at.windows);
    auto* const count = reinterpret_cast<index_t*>(memory + at.count);
    index_t const tiles = any_windows::windows(job.n);
    context.run(
        tiles, gpu::place_windows_job{records, windows, count, tiles - 1},
        resolve_policy<bound::exclusive>(
            scan_policy<gpu::join_windows>{},
            from_value<gpu::windows_accumulator>{{0, 0, 0, gpu::windows_accumulator::is_short}}));
    gpu::long_arguments<Job> arguments{job,     records, windows,          count,
                                       nullptr, nullptr, any_windows::size};
    arguments.number = number;
    arguments.items = reinterpret_cast<item*>(memory + at.items);
    if constexpr (traits::has_values)
      arguments.values = reinterpret_cast<value*>(memory + at.values);
    auto const move = [&](auto* kernel) {
      self::launch(context, kernel, limited(context, tiles, index_t{8} * context.multiprocessors()),
                   long_items<Job>::threads, 0, arguments);
    };
    move(&bring_long_items_kernel<Job>);
    for_each_sort(context, job, at, memory, [&]<class Sort>(Sort const& sorts) {
      sorter_of_long<Sort>::run(context, sorts, memory + at.sort, count);
    });
    move(&take_long_items_back_kernel<Job>);
  }
};

/// Calls f with the segmented_sorter for n keys: the one with large windows if each of its blocks
/// gets a multiprocessor of its own.
template <class Job, class F>
auto with_segmented_sorter(context const& context, index_t n, F const& f) {
  using tuned = sort_tuning<Job>;
  using usual = segmented_sorter<Job, typename tuned::window>;
  using roomy = segmented_sorter<Job, typename tuned::roomy_window>;
  return roomy::fits(context) && roomy::is_alone(context, n) ? f(roomy{}) : f(usual{});
}

/// Queues a segmented sort.
template <class Key, class Value, class Digits, class Heads>
void queue_segmented_sort(context& context, sort_job<Key, Value, Digits> const& job,
                          Heads const& heads) {
  self::with_segmented_sorter<sort_job<Key, Value, Digits>>(
      context, job.n, [&](auto sorter) { sorter.run(context, job, heads); });
}
/// Returns an upper bound, in bytes, of the context's memory that a segmented sort needs.
template <class Key, class Value, class Digits>
index_t workspace_of_segmented_sort(context const& context,
                                    sort_job<Key, Value, Digits> const& job) {
  using job_type = sort_job<Key, Value, Digits>;
  index_t of_few = 0;
  if constexpr (sizeof(Key) <= 8)
    of_few = segment_sorter<job_type, index_t>::workspace(context, job);
  return self::with_segmented_sorter<job_type>(context, job.n, [&](auto sorter) {
    return self::with_sort_control(engine::max_of(of_few, sorter.workspace(context, job)));
  });
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
