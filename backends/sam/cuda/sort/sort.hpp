// SPDX-License-Identifier: MIT
// Sorting on a CUDA device: which kernels, queued and checked. It looks at no key and waits for
// nothing: the first kernel decides, on the device, which passes there is anything to do for. Where
// keys have 16 bits, and are many, they are counted instead; few keys are sorted by other kernels.
#pragma once

#include <sam/cuda/sort/device_counting_sort.hpp>
#include <sam/cuda/sort/few_keys.hpp>
#include <sam/cuda/sort/tuning.hpp>
#include <sam/gpu/sort/digit_histogram.hpp>
#include <sam/gpu/sort/onesweep/onesweep_kernel.hpp>

namespace sam::cuda {

template <class Job, class Config>
__global__ void __launch_bounds__(gpu::digit_histogram<device, Job, Config>::threads, 1)
    digit_histogram_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::digit_histogram<device, Job, Config>(arguments).run();
}

template <class Job, class Config, class Word, bool OriginalIndices>
__global__ void
__launch_bounds__(gpu::onesweep<device, Job, Config, Word, OriginalIndices>::threads,
                  Config::blocks)
    onesweep_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::onesweep<device, Job, Config, Word, OriginalIndices>(arguments).run();
}

// The same for as many keys as are known on the device.
template <class Job, class Config>
__global__ void __launch_bounds__(gpu::digit_histogram<device, Job, Config>::threads, 1)
    counted_sort_counts_kernel(__grid_constant__ gpu::device_count_arguments<Job> const arguments) {
  gpu::with_count<device>(
      arguments, 1, [](auto const& a) { gpu::digit_histogram<device, Job, Config>(a).run(); });
}
template <class Job, class Config, class Word>
__global__ void __launch_bounds__(gpu::onesweep<device, Job, Config, Word>::threads, Config::blocks)
    counted_onesweep_kernel(__grid_constant__ gpu::device_count_arguments<Job> const arguments) {
  using pass = gpu::onesweep<device, Job, Config, Word>;
  gpu::with_count<device>(arguments, pass::size, [](auto const& a) { pass(a).run(); });
}

/// How a job is sorted under a tuning. If it is counted, the device knows of how many keys, job.n
/// at most.
template <class Job, class Tuning, bool HasDeviceCount = false>
class sorter {
  using traits = gpu::radix_traits<Job>;
  using key = typename traits::key;
  using value = typename traits::value;
  using counts = gpu::digit_histogram<device, Job, typename Tuning::counts>;
  static constexpr int digit_bits = Tuning::large::digit_bits;
  static constexpr bool always_original_indices = !traits::keys_only;
  template <class Config, class Word, bool OriginalIndices>
  using pass = gpu::onesweep<device, Job, Config, Word, OriginalIndices>;
  using few = few_keys_sorter<Job, Tuning, HasDeviceCount>;
  using counting = counting_sorter<Job, Tuning>;
  static constexpr bool may_count = !HasDeviceCount && gpu::sixteen_bits<Job>::are_all;
  using narrow = std::uint32_t;
  using wide = std::uint64_t;

 public:
  /// How many bytes of the context's memory run() needs at most.
  static index_t workspace(context const& context, Job const& job) {
    if (job.n == 0)
      return 0;
    index_t const of_few = few::workspace(context, job);
    return few::is_one_block(context, job) ? of_few
                                           : sam::max_of(of_few, workspace_of_many(context, job));
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
    auto arguments = arguments_for(job);
    arguments.how = context.sort_ranking();
    if constexpr (HasDeviceCount)
      arguments.count = count;
    if (few::run(context, arguments, memory))
      return;
    if constexpr (may_count)
      if (counting::takes(context, job))
        return counting::run(context, job, memory);
    with_pass(context, job, [&](auto p) { run_passes<decltype(p)>(context, arguments, memory); });
  }

 private:
  using arguments_type = typename few::arguments_type;
  /// A caller's digits need have no default constructor and no assignment.
  static arguments_type arguments_for(Job const& job) {
    if constexpr (HasDeviceCount)
      return {{job}};
    else
      return {job};
  }

  static index_t workspace_of_many(context const& context, Job const& job) {
    if constexpr (may_count)
      if (counting::takes(context, job))
        return counting::workspace(context, job);
    return with_pass(context, job, [&](auto p) { return layout<decltype(p)>(job).bytes; });
  }

  template <class Config, class Word, bool OriginalIndices = always_original_indices>
  struct pass_of {
    using type = pass<Config, Word, OriginalIndices>;
    static auto* kernel() {
      if constexpr (HasDeviceCount)
        return &counted_onesweep_kernel<Job, Config, Word>;
      else
        return &onesweep_kernel<Job, Config, Word, OriginalIndices>;
    }
  };

  /// Calls f with the pass that does a job on this device. More keys than 30 bits count are sorted
  /// by large tiles alone, for which devices with so much memory have room.
  template <class F>
  static auto with_pass(context const& context, Job const& job, F const& f) {
    if (!pass<typename Tuning::large, narrow, always_original_indices>::counts(job.n))
      return f(pass_of<typename Tuning::large, wide>{});
    if constexpr (!HasDeviceCount && !always_original_indices) {
      // Devices without room for original_indices rank by votes.
      using noted = pass<typename Tuning::small, narrow, true>;
      bool const has_room = noted::shared_bytes <= int(context.shared_bytes());
      if (!traits::sorts_all_bits(job) && has_room)
        return with_narrow_pass<true>(context, job.n, f);
    }
    return with_narrow_pass<always_original_indices>(context, job.n, f);
  }
  template <bool OriginalIndices, class F>
  static auto with_narrow_pass(context const& context, index_t n, F const& f) {
    using large = pass_of<typename Tuning::large, narrow, OriginalIndices>;
    using small = pass_of<typename Tuning::small, narrow, OriginalIndices>;
    using smaller = pass_of<typename Tuning::smaller, narrow, OriginalIndices>;
    bool const fits = large::type::shared_bytes <= int(context.shared_bytes());
    bool const fills =
        n >= Tuning::small_items * context.multiprocessors() || context.small_bytes() == 0;
    if (fits && fills)
      return f(large{});
    index_t const tiles = sam::div_up(n, smaller::type::size);
    index_t const at_once = index_t{Tuning::smaller::blocks} * context.multiprocessors();
    return tiles <= limited(context, at_once, at_once) ? f(smaller{}) : f(small{});
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
    gpu::sort_arguments<Job> const a{job};
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
    a.steps = int(sam::max_of(1, sorts + (a.in_place ? sorts % 2 : 0)));
    count(context, a);
    for (int step = 0; step != a.steps; ++step) {
      Pass::type::prepare(a, step);
      cuda::launch_sort<typename Pass::type>(context, Pass::kernel(), a.tiles, a);
    }
  }

  static auto* counts_kernel() {
    if constexpr (HasDeviceCount)
      return &counted_sort_counts_kernel<Job, typename Tuning::counts>;
    else
      return &digit_histogram_kernel<Job, typename Tuning::counts>;
  }
  static void count(context& context, arguments_type& a) {
    auto* const kernel = counts_kernel();
    a.copies = counts::copies_in(int(sam::min_of(Tuning::counts_bytes, context.shared_bytes())));
    int const shared_bytes = counts::shared_bytes(a.copies);
    cuda::resident_blocks(context, kernel, counts::threads, shared_bytes);
    index_t blocks = cuda::limited(context, sam::div_up(a.job.n, counts::keys_at_once),
                                   context.multiprocessors());
    blocks =
        sam::max_of(blocks, sam::div_up(a.job.n, index_t{1} << 31));  // counters are of 32 bits
    cuda::launch(context, kernel, blocks, counts::threads, shared_bytes, a);
  }
};

template <class Key, class Value, class Digits>
using sorter_of = sorter<sort_job<Key, Value, Digits>, sort_tuning<sort_job<Key, Value, Digits>>>;

/// Queues a sort.
template <class Key, class Value, class Digits>
void context::sort(sort_job<Key, Value, Digits> const& job) {
  sorter_of<Key, Value, Digits>::run(*this, job);
}
/// With what the context keeps for whatever sort needs a workspace.
inline index_t with_sort_control(index_t workspace) {
  return workspace > 0 ? workspace + index_t{sizeof(gpu::sort_control)} : 0;
}
/// How many bytes of the context's memory that needs at most.
template <class Key, class Value, class Digits>
index_t context::sort_workspace(sort_job<Key, Value, Digits> const& job) const {
  return cuda::with_sort_control(sorter_of<Key, Value, Digits>::workspace(*this, job));
}

}  // namespace sam::cuda
