// SPDX-License-Identifier: MIT
// Sorts on a CUDA device: queues the kernels of the first row of the plan that can be started. The
// host reads no key and never waits: the first kernel of onesweep decides on the device which
// passes have work to do.
#ifndef SAM_LAUNCH_SORT_SORT_HPP
#define SAM_LAUNCH_SORT_SORT_HPP

#include <sam/launch/sort/device_counting_sort.hpp>
#include <sam/launch/sort/few_keys.hpp>
#include <sam/launch/sort/launch_sort.hpp>
#include <sam/launch/sort/plan.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::digit_histogram<device, Job, Config>::threads, 1)
    digit_histogram_kernel(SAM_GRID_CONSTANT gpu::sort_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::digit_histogram<device, Job, Config>(arguments).run();
}

template <class Job, class Config, class Word, bool OriginalIndices>
__global__ void
SAM_LAUNCH_BOUNDS(gpu::onesweep<device, Job, Config, Word, OriginalIndices>::threads,
                  Config::blocks)
    onesweep_kernel(SAM_GRID_CONSTANT gpu::sort_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::onesweep<device, Job, Config, Word, OriginalIndices>(self::in_place(arguments))
      .run();
}

// These kernels read the number of keys from device memory.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::digit_histogram<device, Job, Config>::threads, 1)
    counted_sort_counts_kernel(SAM_GRID_CONSTANT gpu::device_count_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::with_count<device, true>(
      arguments, [](auto const& a) { gpu::digit_histogram<device, Job, Config>(a).run(); });
}
template <class Job, class Config, class Word>
__global__ void SAM_LAUNCH_BOUNDS(gpu::onesweep<device, Job, Config, Word>::threads, Config::blocks)
    counted_onesweep_kernel(SAM_GRID_CONSTANT gpu::device_count_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::onesweep<device, Job, Config, Word, !gpu::radix_traits<Job>::keys_only,
                              gpu::device_count_arguments<Job>>(self::in_place(arguments))
      .run();
}

/// Sorts with the first row of the plan that admits the job and can be started. If HasDeviceCount,
/// the number of keys is in device memory and job.n is its upper bound.
template <class Job, sort_facts Facts = sort_facts{}, bool HasDeviceCount = false>
class sorter {
  using plan = sort_plan<Job, Facts, HasDeviceCount>;
  using tuning = sort_tuning<Job>;
  using traits = gpu::radix_traits<Job>;
  using key = typename traits::key;
  using value = typename traits::value;
  using counts = gpu::digit_histogram<device, Job, typename tuning::counts>;
  static constexpr int digit_bits = tuning::large::digit_bits;
  using few = few_keys_launch<Job, HasDeviceCount>;

 public:
  /// Returns an upper bound, in bytes, of the context's memory that run() needs. A row in clusters
  /// may turn out to be unavailable only when it is started, so the bound includes the rows after
  /// it.
  static index_t workspace(context const& context, Job const& job) {
    index_t bytes = 0;
    if (job.n > 0)
      plan::for_each_choice(limits_of(context), job, [&]<class Row>(std::type_identity<Row> row) {
        bytes = engine::max_of(bytes, workspace_of(row, context, job));
        return !Row::row.in_clusters;
      });
    return bytes;
  }

  static void run(context& context, Job const& job) { run(context, job, number_in_memory{}); }
  /// Sorts in `memory`, which has the size of the workspace. `count` points to the number of keys
  /// in device memory.
  static void run(context& context, Job const& job, std::byte* memory,
                  number_in_memory const& count) {
    run_in(context, job, count, [&](index_t) { return memory; });
  }
  /// Sorts as the last function does, in memory of the context.
  static void run(context& context, Job const& job, number_in_memory const& count) {
    if (job.n > 0)
      run_in(context, job, count, [&](index_t bytes) {
        return static_cast<std::byte*>(context.kernel_workspace(std::size_t(bytes)));
      });
  }

  static sort_limits limits_of(context const& context) {
    gpu::device_resources const& device = context.resources();
    return {index_t(context.shared_bytes()),
            index_t(device.shared_bytes),
            index_t(device.reserved_shared_bytes),
            context.multiprocessors(),
            context.has_clusters(),
            context.small_bytes() == 0,
            context.most_blocks(),
            context.tuned().sort_tiles_per_sm};
  }

 private:
  using arguments_type = typename few::arguments_type;
  /// Sorts as run() does. memory_of(bytes) provides the memory for each row that is tried.
  template <class MemoryOf>
  static void run_in(context& context, Job const& job, number_in_memory const& count,
                     MemoryOf const& memory_of) {
    range const named([&] { return "sam: sort of " + std::to_string(job.n) + " keys"; });
    auto arguments = arguments_for(job);
    arguments.ranks = context.sort_ranking();
    if constexpr (HasDeviceCount)
      arguments.count = count;
    bool const is_started = plan::for_each_choice(limits_of(context), job, [&](auto row) {
      index_t const bytes = workspace_of(row, context, job);
      return start(context, row, arguments, bytes > 0 ? memory_of(bytes) : nullptr);
    });
    if (!is_started)
      sam::detail::fail<device_error>(platform::name,
                                      "the device has too little shared memory for a sort",
                                      std::source_location::current());
  }
  /// Returns the arguments for a job. A caller's digits may lack a default constructor and
  /// assignment, so aggregate initialisation builds them.
  static arguments_type arguments_for(Job const& job) {
    if constexpr (HasDeviceCount)
      return {{job}};
    else
      return {job};
  }

  template <class Row>
  static index_t workspace_of(std::type_identity<Row> row, context const& context, Job const& job) {
    if constexpr (Row::row.algorithm == sort_algorithm::onesweep)
      return layout<Row>(job).bytes;
    else if constexpr (Row::row.algorithm == sort_algorithm::device_counting)
      return counting_sorter<Job, tuning>::workspace(context, job);
    else
      return few::workspace(row, job);
  }
  template <class Row>
  static bool start(context& context, std::type_identity<Row> row, arguments_type& a,
                    std::byte* memory) {
    if constexpr (Row::row.algorithm == sort_algorithm::onesweep) {
      run_passes<Row>(context, a, memory);
      return true;
    } else if constexpr (Row::row.algorithm == sort_algorithm::device_counting) {
      counting_sorter<Job, tuning>::run(context, a.job, memory);
      return true;
    } else {
      return few::start(context, row, a, memory);
    }
  }
  template <class Row>
  static auto* pass_kernel() {
    if constexpr (HasDeviceCount)
      return &counted_onesweep_kernel<Job, typename Row::config, typename Row::word>;
    else
      return &onesweep_kernel<Job, typename Row::config, typename Row::word, Row::original_indices>;
  }

  /// The offsets of the arrays in the workspace, in bytes.
  struct places {
    index_t words = 0, words_bytes = 0, keys[2] = {-1, -1}, values = -1, bytes = 0;
    index_t add(index_t wanted) {
      index_t const at = bytes;
      bytes += div_up(wanted, 256) * 256;
      return at;
    }
  };
  template <class Row>
  static places layout(Job const& job) {
    places p;
    gpu::sort_arguments<Job> const a{job};
    p.words_bytes = Row::kernel::words_bytes(job.n, a.places(digit_bits));
    p.words = p.add(p.words_bytes);
    // A sort in place needs the spare buffer even for a single pass.
    if (job.sorted_keys == nullptr)
      p.keys[0] = p.add(job.n * index_t{sizeof(key)});
    if (job.spare_keys == nullptr) {
      p.keys[1] = p.add(job.n * index_t{sizeof(key)});
      if constexpr (traits::has_values)
        p.values = p.add(job.n * index_t{sizeof(value)});
    }
    return p;
  }

  template <class Row>
  static void run_passes(context& context, arguments_type& a, std::byte* memory) {
    Job const& job = a.job;
    places const at = layout<Row>(job);
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
    a.steps = int(engine::max_of(1, sorts + (a.in_place ? sorts % 2 : 0)));
    count(context, a);
    for (int step = 0; step != a.steps; ++step) {
      Row::kernel::prepare(a, step);
      self::launch_sort<typename Row::kernel>(context, pass_kernel<Row>(), a.tiles, a);
    }
  }

  static auto* counts_kernel() {
    if constexpr (HasDeviceCount)
      return &counted_sort_counts_kernel<Job, typename tuning::counts>;
    else
      return &digit_histogram_kernel<Job, typename tuning::counts>;
  }
  static void count(context& context, arguments_type& a) {
    auto* const kernel = counts_kernel();
    a.copies = counts::copies_in(int(engine::min_of(tuning::counts_bytes, context.shared_bytes())));
    int const shared_bytes = counts::shared_bytes(a.copies);
    self::resident_blocks(context, kernel, counts::threads, shared_bytes);
    // Few keys go to more blocks, whose threads load half as many vectors at once.
    index_t blocks = self::limited(context, engine::div_up(a.job.n, counts::keys_at_once / 2),
                                   context.multiprocessors());
    blocks =
        engine::max_of(blocks, engine::div_up(a.job.n, index_t{1} << 31));  // counters have 32 bits
    self::launch(context, kernel, blocks, counts::threads, shared_bytes, a);
  }
};

/// Queues a sort.
template <class Key, class Value, class Digits>
void queue_sort(context& context, sort_job<Key, Value, Digits> const& job) {
  sorter<sort_job<Key, Value, Digits>>::run(context, job);
}
template <class Key, class Value, class Digits, sort_facts Facts>
void queue_sort(context& context, known_sort_job<Key, Value, Digits, Facts> const& job) {
  sorter<sort_job<Key, Value, Digits>, Facts>::run(context, job);
}
/// Queues a sort of as many keys as `number` says.
template <class Key, class Value, class Digits>
void queue_counted_sort(context& context, sort_job<Key, Value, Digits> const& job,
                        number_in_memory const& number) {
  sorter<sort_job<Key, Value, Digits>, sort_facts{}, true>::run(context, job, number);
}
template <class Key, class Value, class Digits, sort_facts Facts>
void queue_counted_sort(context& context, known_sort_job<Key, Value, Digits, Facts> const& job,
                        number_in_memory const& number) {
  sorter<sort_job<Key, Value, Digits>, Facts, true>::run(context, job, number);
}
/// Returns a workspace size plus the control block that the context keeps for all sorts that need a
/// workspace.
inline index_t with_sort_control(index_t workspace) {
  return workspace > 0 ? workspace + index_t{sizeof(gpu::sort_control)} : 0;
}
/// Returns an upper bound, in bytes, of the context's memory that a sort needs, whichever facts are
/// known at compile time.
template <class Key, class Value, class Digits>
index_t workspace_of_sort(context const& context, sort_job<Key, Value, Digits> const& job) {
  using type = sort_job<Key, Value, Digits>;
  index_t bytes = sorter<type>::workspace(context, job);
  if (job.begin_bit == 0 && job.end_bit == Digits::bits)
    bytes = max_of(bytes, sorter<type, sort_facts{.all_bits = true}>::workspace(context, job));
  return self::with_sort_control(bytes);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
