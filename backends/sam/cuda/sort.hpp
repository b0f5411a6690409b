// SPDX-License-Identifier: MIT
// Sorting on a CUDA device: which kernels, queued and checked. It looks at no key and waits for
// nothing: the first kernel decides, on the device, which passes there is anything to do for. Where
// keys have 16 bits, and are many, they are counted instead; few keys are sorted by one block, by a
// cluster of blocks, or by several clusters, whose runs are merged.
#pragma once

#include <sam/cuda/counting_sort.hpp>
#include <sam/cuda/run.hpp>
#include <sam/gpu/long_segments.hpp>
#include <sam/gpu/merge_runs.hpp>
#include <sam/gpu/sort_block.hpp>
#include <sam/gpu/sort_counts.hpp>
#include <sam/gpu/sort_pass.hpp>

#include <tuple>

namespace sam::cuda {

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::sort_counts<device, Job, Shape>::threads, 1)
    sort_counts_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::sort_counts<device, Job, Shape>(arguments).run();
}

template <class Job, class Shape, class Word, bool Notes>
__global__ void __launch_bounds__(gpu::sort_pass<device, Job, Shape, Word, Notes>::threads,
                                  Shape::blocks)
    sort_pass_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::sort_pass<device, Job, Shape, Word, Notes>(arguments).run();
}

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::sort_block<device, Job, Shape>::threads, 1)
    sort_block_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::sort_block<device, Job, Shape>(arguments).run();
}

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::merge_block<device, Job, Shape>::most_threads, 1)
    merge_block_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::merge_block<device, Job, Shape>(arguments).run();
}

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::merge_cluster<device, Job, Shape>::most_threads, 1)
    merge_cluster_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  if constexpr (device::has_clusters)
    gpu::merge_cluster<device, Job, Shape>(arguments).run();
}

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::merge_runs<device, Job, Shape>::threads, 1)
    merge_runs_kernel(__grid_constant__ gpu::runs_arguments<Job> const arguments) {
  if constexpr (device::has_clusters)
    gpu::merge_runs<device, Job, Shape>(arguments).run();
}

/// How many blocks of a kernel of a sort a multiprocessor holds.
template <class Shape, class Arguments>
int resident_for_sort(context& context, void (*kernel)(Arguments)) {
  int const resident = resident_blocks<Shape>(context, kernel);
  if (resident == 0)
    throw device_error("sam::cuda", "the device has too little shared memory for a sort",
                       std::source_location::current());
  return resident;
}

// The same for as many keys as are known on the device.
template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::sort_counts<device, Job, Shape>::threads, 1)
    counted_sort_counts_kernel(__grid_constant__ gpu::counted_arguments<Job> const arguments) {
  gpu::with_count<device>(arguments, 1,
                          [](auto const& a) { gpu::sort_counts<device, Job, Shape>(a).run(); });
}
template <class Job, class Shape, class Word>
__global__ void __launch_bounds__(gpu::sort_pass<device, Job, Shape, Word>::threads, Shape::blocks)
    counted_sort_pass_kernel(__grid_constant__ gpu::counted_arguments<Job> const arguments) {
  using pass = gpu::sort_pass<device, Job, Shape, Word>;
  gpu::with_count<device>(arguments, pass::size, [](auto const& a) { pass(a).run(); });
}
template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::sort_block<device, Job, Shape>::threads, 1)
    counted_sort_block_kernel(__grid_constant__ gpu::counted_arguments<Job> const arguments) {
  gpu::with_count<device>(arguments, 1,
                          [](auto const& a) { gpu::sort_block<device, Job, Shape>(a).run(); });
}

/// How a job is sorted under a tuning. If it is counted, the device knows of how many keys, job.n
/// at most.
template <class Job, class Tuning, bool IsCounted = false>
class sorter {
  using traits = gpu::sort_traits<Job>;
  using key = typename traits::key;
  using value = typename traits::value;
  template <class Shape>
  using block = gpu::sort_block<device, Job, Shape>;
  template <class Shape>
  using merge_block = gpu::merge_block<device, Job, Shape>;
  template <class Shape>
  using merge_cluster = gpu::merge_cluster<device, Job, Shape>;
  template <class Shape>
  using merge_runs = gpu::merge_runs<device, Job, Shape>;
  using counts = gpu::sort_counts<device, Job, typename Tuning::counts>;
  static constexpr int digit_bits = Tuning::large::digit_bits;
  static constexpr bool always_notes = !traits::keys_tell;
  template <class Shape, class Word, bool Notes>
  using pass = gpu::sort_pass<device, Job, Shape, Word, Notes>;
  using counting = counting_sorter<Job, Tuning>;
  static constexpr bool may_count = !IsCounted && gpu::sixteen_bits<Job>::are_all;
  using narrow = std::uint32_t;
  using wide = std::uint64_t;

 public:
  /// How many bytes of the context's memory run() needs at most.
  static index_t workspace(context const& context, Job const& job) {
    // Whether clusters can be had is known only once they are asked for. Where their runs are
    // merged that takes no more memory than passes.
    auto const is_one_block = []<class Shape>(Shape) { return !gpu::has_clusters<Shape>; };
    if (job.n == 0 || with_block(context, job, is_one_block))
      return 0;
    if constexpr (may_count)
      if (counting::takes(context, job))
        return counting::workspace(context, job);
    return with_pass(context, job, [&](auto p) { return layout<decltype(p)>(job).bytes; });
  }

  static void run(context& context, Job const& job) {
    if (job.n == 0)
      return;
    index_t const bytes = workspace(context, job);
    void* const memory = bytes > 0 ? context.workspace(std::size_t(bytes)) : nullptr;
    run(context, job, static_cast<std::byte*>(memory), nullptr);
  }
  /// The same in memory for a workspace; if it is counted, of as many keys as `count` says.
  static void run(context& context, Job const& job, std::byte* memory, index_t const* count) {
    range const named([&] { return "sam: sort of " + std::to_string(job.n) + " keys"; });
    arguments_type arguments{};
    arguments.job = job;
    arguments.how = context.sort_ranking();
    if constexpr (IsCounted)
      arguments.count = count;
    if (with_block(context, job,
                   [&](auto s) { return launch_block(context, s, arguments, memory); }))
      return;
    if constexpr (may_count)
      if (counting::takes(context, job))
        return counting::run(context, job, memory);
    with_pass(context, job, [&](auto p) { run_passes<decltype(p)>(context, arguments, memory); });
  }

 private:
  using arguments_type =
      std::conditional_t<IsCounted, gpu::counted_arguments<Job>, gpu::sort_arguments<Job>>;
  template <class Shape>
  static auto* block_kernel() {
    if constexpr (IsCounted)
      return &counted_sort_block_kernel<Job, Shape>;
    else
      return &sort_block_kernel<Job, Shape>;
  }
  template <class Shape, class Word, bool Notes = always_notes>
  struct pass_of {
    using type = pass<Shape, Word, Notes>;
    static auto* kernel() {
      if constexpr (IsCounted)
        return &counted_sort_pass_kernel<Job, Shape, Word>;
      else
        return &sort_pass_kernel<Job, Shape, Word, Notes>;
    }
  };

  /// Calls f with each shape of a block, or of clusters, that sorts the job alone, until f is true;
  /// false if it never is.
  template <class F>
  static bool with_block(context const& context, Job const& job, F const& f) {
    auto const use = [&](auto shape) { return fits_block(context, shape, job) && f(shape); };
    return std::apply([&](auto... shapes) { return (use(shapes) || ...); },
                      typename Tuning::blocks{});
  }

  // By digits:
  template <class Shape>
  static bool fits_block(context const& context, Shape, Job const& job) {
    return job.n <= block<Shape>::size && block<Shape>::shared_bytes <= int(context.shared_bytes());
  }
  template <class Shape>
  static bool launch_block(context& context, Shape, arguments_type const& a, std::byte*) {
    launch_shape<block<Shape>>(context, block_kernel<Shape>(), 1, a);
    return true;
  }
  // By comparisons, of as many keys as the host knows of:
  template <int Warps, int Slots>
  static bool fits_block(context const& context, gpu::merge_shape<Warps, Slots> shape,
                         Job const& job) {
    using merging = merge_block<decltype(shape)>;
    return !IsCounted && merging::takes(job) &&
           merging::shared_bytes(job.n) <= int(context.shared_bytes());
  }
  template <int Warps, int Slots>
  static bool launch_block(context& context, gpu::merge_shape<Warps, Slots> shape,
                           arguments_type const& a, std::byte*) {
    using merging = merge_block<decltype(shape)>;
    if constexpr (!IsCounted && merging::is_possible) {
      auto* const kernel = &merge_block_kernel<Job, decltype(shape)>;
      index_t const most = min_of(merging::shared_bytes(merging::size), context.shared_bytes());
      resident_blocks(context, kernel, merging::most_threads, int(most));
      launch(context, kernel, 1, merging::threads(a.job.n), merging::shared_bytes(a.job.n), a);
    }
    return true;
  }
  // And by several blocks; false if the device, or this part of it, holds no such cluster.
  template <int Warps, int Slots, int Blocks>
  static bool fits_block(context const& context, gpu::cluster_shape<Warps, Slots, Blocks> shape,
                         Job const& job) {
    using merging = merge_cluster<decltype(shape)>;
    return !IsCounted && context.has_clusters() && merging::takes(job) &&
           limited(context, merging::blocks(job.n), Blocks) == merging::blocks(job.n);
  }
  template <int Warps, int Slots, int Blocks>
  static bool launch_block(context& context, gpu::cluster_shape<Warps, Slots, Blocks> shape,
                           arguments_type const& a, std::byte*) {
    return launch_clusters(context, shape, 1, merge_cluster<decltype(shape)>::blocks(a.job.n), a);
  }
  template <class Shape>
  static bool launch_clusters(context& context, Shape, index_t clusters, int of_cluster,
                              arguments_type const& a) {
    using merging = merge_cluster<Shape>;
    if constexpr (!IsCounted && merging::is_possible) {
      auto* const kernel = &merge_cluster_kernel<Job, Shape>;
      constexpr int threads = merging::most_threads, bytes = merging::shared_bytes;
      if (of_cluster > blocks_of_cluster(context, kernel, merging::most_blocks, threads, bytes))
        return false;
      launch(context, kernel, clusters * of_cluster, threads, bytes, a, true, of_cluster);
      return true;
    } else {
      return false;
    }
  }
  // And by several clusters.
  template <class Cluster, int Runs, int Warps, int Slots>
  static bool fits_block(context const& context, gpu::runs_shape<Cluster, Runs, Warps, Slots> shape,
                         Job const& job) {
    using merging = merge_runs<decltype(shape)>;
    index_t const blocks = max_of(merging::runs(job.n) * Cluster::blocks, merging::blocks(job.n));
    return !IsCounted && context.has_clusters() && merging::takes(job) &&
           limited(context, blocks, blocks) == blocks;
  }
  template <class Cluster, int Runs, int Warps, int Slots>
  static bool launch_block(context& context, gpu::runs_shape<Cluster, Runs, Warps, Slots> shape,
                           arguments_type const& a, std::byte* memory) {
    using merging = merge_runs<decltype(shape)>;
    if constexpr (!IsCounted && merging::is_possible) {
      index_t const n = a.job.n;
      key* const result = a.job.sorted_keys;
      key* const spare =
          a.job.spare_keys != nullptr ? a.job.spare_keys : reinterpret_cast<key*>(memory);
      arguments_type of_runs = a;
      of_runs.job.sorted_keys = merging::rounds(n) % 2 == 0 ? result : spare;
      if (!launch_clusters(context, Cluster{}, merging::runs(n), Cluster::blocks, of_runs))
        return false;
      auto* const kernel = &merge_runs_kernel<Job, decltype(shape)>;
      auto const* const function = reinterpret_cast<void const*>(kernel);
      context.known(function, [&] { return share_half(function), 0; });
      gpu::runs_arguments<Job> next{of_runs.job, merging::run_size};
      for (; next.length < n; next.length *= 2) {
        next.job.keys = next.job.sorted_keys;
        next.job.sorted_keys = next.job.keys == result ? spare : result;
        launch(context, kernel, merging::blocks(n), merging::threads, 0, next);
      }
      return true;
    } else {
      return false;
    }
  }

  /// Calls f with the pass that does a job on this device. More keys than 30 bits count are sorted
  /// by large tiles alone, for which devices with so much memory have room.
  template <class F>
  static auto with_pass(context const& context, Job const& job, F const& f) {
    if (!pass<typename Tuning::large, narrow, always_notes>::counts(job.n))
      return f(pass_of<typename Tuning::large, wide>{});
    if constexpr (!IsCounted && !always_notes) {
      // Devices without room for notes rank by votes.
      using noted = pass<typename Tuning::small, narrow, true>;
      bool const has_room = noted::shared_bytes <= int(context.shared_bytes());
      if (!traits::is_provable(job) && has_room)
        return with_narrow_pass<true>(context, job.n, f);
    }
    return with_narrow_pass<always_notes>(context, job.n, f);
  }
  template <bool Notes, class F>
  static auto with_narrow_pass(context const& context, index_t n, F const& f) {
    using large = pass_of<typename Tuning::large, narrow, Notes>;
    using small = pass_of<typename Tuning::small, narrow, Notes>;
    bool const fits = large::type::shared_bytes <= int(context.shared_bytes());
    bool const fills =
        n >= Tuning::small_items * context.multiprocessors() || context.small_bytes() == 0;
    return fits && fills ? f(large{}) : f(small{});
  }

  /// What lies where in the workspace.
  struct places {
    index_t words = 0, words_bytes = 0, keys[2] = {-1, -1}, values = -1, bytes = 0;
    index_t add(index_t wanted) {
      index_t const at = bytes;
      bytes += div_up(wanted, 256) * 256;
      return at;
    }
  };
  template <class Pass>
  static places layout(Job const& job) {
    places p;
    gpu::sort_arguments<Job> a{};
    a.job = job;
    p.words_bytes = Pass::type::words_bytes(job.n, a.places(digit_bits));
    p.words = p.add(p.words_bytes);
    // Who sorts in place needs the spare for a single pass.
    if (job.sorted_keys == nullptr)
      p.keys[0] = p.add(job.n * index_t{sizeof(key)});
    if (job.spare_keys == nullptr) {
      p.keys[1] = p.add(job.n * index_t{sizeof(key)});
      if constexpr (traits::has_values)
        p.values = p.add(job.n * index_t{sizeof(value)});
    }
    return p;
  }

  template <class Pass>
  static void run_passes(context& context, arguments_type& a, std::byte* memory) {
    Job const& job = a.job;
    places const at = layout<Pass>(job);
    auto const key_memory = [&](key* own, index_t place) {
      return place < 0 ? own : reinterpret_cast<key*>(memory + place);
    };
    a.keys_at[0] = key_memory(job.sorted_keys, at.keys[0]);
    a.keys_at[1] = key_memory(job.spare_keys, at.keys[1]);
    a.in_place = a.all_in_place = job.keys == job.sorted_keys;
    if constexpr (traits::has_values) {
      a.values_at[0] = job.sorted_values;
      a.values_at[1] =
          at.values < 0 ? job.spare_values : reinterpret_cast<value*>(memory + at.values);
      bool const values_in_place = job.values == job.sorted_values;
      a.all_in_place = values_in_place && (a.in_place || job.sorted_keys == nullptr);
      a.in_place = values_in_place || a.in_place;
    }
    a.pack_if_aligned();
    a.control = context.sort_control();
    a.words = memory + at.words;
    a.words_bytes = at.words_bytes;
    int const sorts = a.places(digit_bits);
    a.steps = int(max_of(1, sorts + (a.in_place ? sorts % 2 : 0)));
    count(context, a);
    for (int step = 0; step != a.steps; ++step) {
      Pass::type::prepare(a, step);
      launch_shape<typename Pass::type>(context, Pass::kernel(), a.tiles, a);
    }
  }

  static auto* counts_kernel() {
    if constexpr (IsCounted)
      return &counted_sort_counts_kernel<Job, typename Tuning::counts>;
    else
      return &sort_counts_kernel<Job, typename Tuning::counts>;
  }
  static void count(context& context, arguments_type& a) {
    auto* const kernel = counts_kernel();
    a.copies = counts::copies_in(int(min_of(Tuning::counts_bytes, context.shared_bytes())));
    int const shared_bytes = counts::shared_bytes(a.copies);
    resident_blocks(context, kernel, counts::threads, shared_bytes);
    index_t blocks =
        limited(context, div_up(a.job.n, counts::keys_at_once), context.multiprocessors());
    blocks = max_of(blocks, div_up(a.job.n, index_t{1} << 31));  // counters are of 32 bits
    launch(context, kernel, blocks, counts::threads, shared_bytes, a);
  }

  template <class Shape>
  static void launch_shape(context& context, void (*kernel)(arguments_type), index_t tiles,
                           arguments_type const& a) {
    index_t const resident = resident_for_sort<Shape>(context, kernel);
    launch(context, kernel, limited(context, tiles, resident * context.multiprocessors()),
           Shape::threads, Shape::shared_bytes, a);
  }
};

template <class Key, class Value, class Digits>
using sorter_of = sorter<sort_job<Key, Value, Digits>, tuning::sort<sort_job<Key, Value, Digits>>>;

/// Queues a sort.
template <class Key, class Value, class Digits>
void sort(context& context, sort_job<Key, Value, Digits> const& job) {
  sorter_of<Key, Value, Digits>::run(context, job);
}
/// With what the context keeps for whatever sort needs a workspace.
inline index_t with_sort_control(index_t workspace) {
  return workspace > 0 ? workspace + index_t{sizeof(gpu::sort_control)} : 0;
}
/// How many bytes of the context's memory that needs at most.
template <class Key, class Value, class Digits>
index_t sort_workspace(context const& context, sort_job<Key, Value, Digits> const& job) {
  return with_sort_control(sorter_of<Key, Value, Digits>::workspace(context, job));
}

}  // namespace sam::cuda
