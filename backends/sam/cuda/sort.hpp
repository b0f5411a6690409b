// SPDX-License-Identifier: MIT
// Sorting on a CUDA device: which kernels, queued and checked. It looks at no key and waits for
// nothing: the first kernel decides, on the device, which passes there is anything to do for.
#pragma once

#include <sam/cuda/run.hpp>
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

template <class Job, class Shape, class Word>
__global__ void __launch_bounds__(gpu::sort_pass<device, Job, Shape, Word>::threads, Shape::blocks)
    sort_pass_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::sort_pass<device, Job, Shape, Word>(arguments).run();
}

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::sort_block<device, Job, Shape>::threads, 1)
    sort_block_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::sort_block<device, Job, Shape>(arguments).run();
}

/// How a job is sorted under a tuning.
template <class Job, class Tuning>
class sorter {
  using traits = gpu::sort_traits<Job>;
  using key = typename traits::key;
  using value = typename traits::value;
  template <class Shape>
  using block = gpu::sort_block<device, Job, Shape>;
  using counts = gpu::sort_counts<device, Job, typename Tuning::counts>;
  static constexpr int digit_bits = Tuning::large::digit_bits;
  template <class Shape, class Word>
  using pass = gpu::sort_pass<device, Job, Shape, Word>;
  using narrow = std::uint32_t;
  using wide = std::uint64_t;

 public:
  /// How many bytes of the context's memory run() needs at most.
  static index_t workspace(context const& context, Job const& job) {
    if (job.n == 0 || with_block(context, job.n, [](auto) {}))
      return 0;
    return with_pass(context, job.n, [&](auto p) { return layout<decltype(p)>(job).bytes; });
  }

  static void run(context& context, Job const& job) {
    if (job.n == 0)
      return;
    range const named([&] { return "sam: sort of " + std::to_string(job.n) + " keys"; });
    gpu::sort_arguments<Job> arguments{};
    arguments.job = job;
    arguments.how = context.sort_ranking();
    bool const is_sorted = with_block(context, job.n, [&]<class Shape>(Shape) {
      launch_shape<block<Shape>>(context, &sort_block_kernel<Job, Shape>, 1, arguments);
    });
    if (!is_sorted)
      with_pass(context, job.n, [&](auto p) { run_passes<decltype(p)>(context, arguments); });
  }

 private:
  template <class Shape, class Word>
  struct pass_of {
    using type = pass<Shape, Word>;
    static auto* kernel() { return &sort_pass_kernel<Job, Shape, Word>; }
  };

  /// Calls f with the first shape of whose blocks one has room for so many keys; false if there is
  /// none.
  template <class F>
  static bool with_block(context const& context, index_t n, F const& f) {
    auto const fits = [&]<class Shape>(Shape shape) {
      bool const has_room =
          n <= block<Shape>::size && block<Shape>::shared_bytes <= int(context.shared_bytes());
      if (has_room)
        f(shape);
      return has_room;
    };
    return std::apply([&](auto... shapes) { return (fits(shapes) || ...); },
                      typename Tuning::blocks{});
  }

  /// Calls f with the pass that sorts so many keys, on this device. More than 30 bits count are
  /// sorted by large tiles alone, for which devices with so much memory have room.
  template <class F>
  static auto with_pass(context const& context, index_t n, F const& f) {
    using large = pass_of<typename Tuning::large, narrow>;
    using wider = pass_of<typename Tuning::large, wide>;
    using small = pass_of<typename Tuning::small, narrow>;
    if (!large::type::counts(n))
      return f(wider{});
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
  static void run_passes(context& context, gpu::sort_arguments<Job>& a) {
    Job const& job = a.job;
    places const at = layout<Pass>(job);
    auto* const memory = static_cast<std::byte*>(context.workspace(std::size_t(at.bytes)));
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

  static void count(context& context, gpu::sort_arguments<Job>& a) {
    auto* const kernel = &sort_counts_kernel<Job, typename Tuning::counts>;
    a.copies = counts::copies_in(int(min_of(Tuning::counts_bytes, context.shared_bytes())));
    int const shared_bytes = counts::shared_bytes(a.copies);
    static std::array<std::atomic<bool>, 64> known{};
    if (auto& is_known = known[std::size_t(context.device()) % known.size()]; !is_known) {
      check(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel),
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
            "give a kernel its shared memory");
      is_known = true;
    }
    index_t const blocks = div_up(a.job.n, counts::keys_at_once);
    launch(context, kernel, limited(context, blocks, context.multiprocessors()), counts::threads,
           shared_bytes, a);
  }

  template <class Shape>
  static void launch_shape(context& context, void (*kernel)(gpu::sort_arguments<Job>),
                           index_t tiles, gpu::sort_arguments<Job> const& a) {
    static std::array<std::atomic<int>, 64> known{};  // one for each shape and kernel
    int const resident =
        resident_blocks<Shape>(context, reinterpret_cast<void const*>(kernel), known);
    if (resident == 0)
      throw device_error("sam::cuda", "the device has too little shared memory for a sort",
                         std::source_location::current());
    launch(context, kernel, limited(context, tiles, index_t(resident) * context.multiprocessors()),
           Shape::threads, Shape::shared_bytes, a);
  }
  static index_t limited(context const& context, index_t blocks, index_t most) {
    blocks = min_of(blocks, most);
    return context.most_blocks() > 0 ? min_of(blocks, context.most_blocks()) : blocks;
  }
};

template <class Key, class Value, class Digits>
using sorter_of = sorter<sort_job<Key, Value, Digits>, tuning::sort<sort_job<Key, Value, Digits>>>;

/// Queues a sort.
template <class Key, class Value, class Digits>
void sort(context& context, sort_job<Key, Value, Digits> const& job) {
  sorter_of<Key, Value, Digits>::run(context, job);
}
/// How many bytes of the context's memory that needs at most.
template <class Key, class Value, class Digits>
index_t sort_workspace(context const& context, sort_job<Key, Value, Digits> const& job) {
  return sorter_of<Key, Value, Digits>::workspace(context, job);
}

}  // namespace sam::cuda
