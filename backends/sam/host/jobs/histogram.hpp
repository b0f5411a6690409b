// SPDX-License-Identifier: MIT
// Computes histograms on CPUs: each worker counts its part of the items, then the counters are
// added up.
#pragma once

#include <sam/backend/histogram_job.hpp>
#include <sam/host/context_base.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/tuning.hpp>
#include <sam/host/memory/workspace.hpp>

#include <algorithm>

namespace sam::inline v0_1::host {

/// Holds the counters of all workers. If there are few kinds, each worker has several sets of
/// counters, which neighbouring items use in turn. Otherwise an addition would often wait for the
/// previous one to the same counter.
template <class Item, class Count, class Bins>
class histogram {
 public:
  using job_type = histogram_job<Item, Count, Bins>;
  using kind =
      std::conditional_t<!job_type::counts_values, std::uint64_t,
                         std::conditional_t<job_type::has_channels, std::uint32_t, unsigned char>>;

  histogram(int most_workers, job_type const& job)
      : job_(job), counted_(job.n * job_type::channels),
        // Several sets take longer to clear and to add up.
        sets_(job.kinds() <= job_type::channels * tuning::few_kinds &&
                      counted_ >= fewest_for_sets * job.kinds()
                  ? 4
                  : 1),
        pitch_((engine::div_up(job.kinds(), padding) | 1) * padding) {
    index_t const bytes = job.n * index_t{sizeof(Item)};
    // A worker should count more items than it has counters, and many more if one thread adds up
    // those of all.
    index_t const useful = bytes < tuned.parallel_bytes ? 1
                           : job_type::counts_values    ? counted_ / (16 * job.kinds())
                                                        : job.n / pitch_;
    workers_ = static_cast<int>(max_of(1, min_of(most_workers, useful)));
  }

  void run(any_pool const& pool, workspace& memory) {
    bool const are_few = job_.kinds() <= job_type::channels * tuning::few_kinds;
    if (workers_ == 1 && counted_ < (are_few ? 1 : few_items) * job_.kinds())
      return count_in_place(job_);
    index_t const places = workers_ * sets_ * pitch_;
    if (!memory.reserve(workspace::plan().part<index_t>(places)))
      return;
    memory.rewind();
    counters_ = memory.take<index_t>(places);
    pool.for_each_worker(workers_, [&](int w) {
      index_t const begin = part(w, job_.n), end = part(w + 1, job_.n);
      index_t* const own = counters_ + w * sets_ * pitch_;
      std::fill_n(own, sets_ * pitch_, 0);
      if (sets_ == 4)
        count<4>(job_, begin, end, own, pitch_);
      else
        count<1>(job_, begin, end, own, pitch_);
      for (int set = 1; set < sets_; ++set)
        add(own, own + set * pitch_, job_.kinds());
    });
    if constexpr (job_type::counts_values) {
      for (int w = 1; w < workers_; ++w)
        add(counters_, counters_ + w * sets_ * pitch_, job_.kinds());
      std::fill_n(job_.counts, job_.size, Count(0));
      add_values(job_, counters_);
    } else {
      pool.for_each_worker(workers_, [&](int w) {
        for (index_t b = part(w, job_.size); b < part(w + 1, job_.size); ++b)
          job_.counts[b] = static_cast<Count>(sum_of(b));
      });
    }
  }

 private:
  static constexpr index_t padding = cache_line / sizeof(index_t);
  // With fewer items for each bin, it takes longer to clear and to add up counters than to check
  // whether each item lies in a bin.
  static constexpr index_t few_items = 16;
  // Several sets of counters take longer than one with fewer items than this for each bin.
  static constexpr index_t fewest_for_sets = 8;

  index_t part(int w, index_t n) const { return n / workers_ * w + min_of(w, n % workers_); }

  index_t sum_of(index_t counter) const {
    index_t sum = 0;
    for (index_t w = 0; w < workers_; ++w)
      sum += counters_[w * sets_ * pitch_ + counter];
    return sum;
  }
  static void add(index_t* __restrict to, index_t const* __restrict from, index_t count) {
    for (index_t k = 0; k < count; ++k)
      to[k] += from[k];
  }
  // Adds how many items have each value to the counters of their bins.
  template <int C = 0>
  static void add_values(job_type const job, index_t const* of_values) {
    for (int v = 0; v < 256; ++v)
      if (index_t const some = of_values[C * 256 + v]; some != 0)
        if (auto const bin = job.template bin_of_value<C>(static_cast<unsigned char>(v));
            bin != static_cast<std::uint64_t>(job.size))
          job.counts[bin] = static_cast<Count>(job.counts[bin] + static_cast<Count>(some));
    if constexpr (C + 1 < job_type::channels)
      add_values<C + 1>(job, of_values);
  }

  // Takes the job by value; otherwise the compiler must assume that each store changes it. Bins are
  // computed some items ahead, in a loop that compilers can vectorize; values of channels need
  // none.
  template <int Sets>
  static void count(job_type job, index_t begin, index_t end, index_t* own, index_t pitch) {
    constexpr int some = 64, channels = job_type::channels;
    job.first_channel = 0;  // which compilers then see
    job.last_channel = channels;
    if constexpr (job_type::counts_values)
      for (; begin + Sets <= end; begin += Sets)
        for (int k = 0; k < Sets; ++k)
          job.for_each_kind(job.items[begin + k], [&](kind x) { ++own[k * pitch + x]; });
    for (; begin + some <= end; begin += some) {
      kind at[std::size_t{some * channels}];
      for (int l = 0; l < some; ++l) {
        int c = 0;
        job.for_each_kind(job.items[begin + l], [&](kind k) { at[l * channels + c++] = k; });
      }
      for (int l = 0; l < some; l += Sets)
        for (int k = 0; k < Sets; ++k)
          for (int c = 0; c < channels; ++c)
            ++own[k * pitch + static_cast<index_t>(at[(l + k) * channels + c])];
    }
    for (; begin < end; ++begin)
      job.for_each_kind(job.items[begin], [&](kind k) { ++own[k]; });
  }

  /// Counts in the job's own counters.
  static void count_in_place(job_type const job) {
    auto* const counts = job.counts;
    auto const size = static_cast<std::uint64_t>(job.size);
    std::fill_n(counts, job.size, Count(0));
    constexpr int some = 8, channels = job_type::channels;
    std::uint64_t at[std::size_t{some * channels}];
    for (index_t i = 0; i < job.n; i += some) {
      auto const m = static_cast<int>(min_of(index_t{some}, job.n - i));
      for (int l = 0; l < m; ++l) {
        int c = 0;
        job.for_each_bin(job.items[i + l],
                         [&](std::uint64_t bin) { at[l * channels + c++] = bin; });
      }
      for (int l = 0; l < m * channels; ++l)
        if (at[l] < size)
          ++counts[at[l]];
    }
  }

  job_type const& job_;
  index_t counted_, sets_, pitch_;
  int workers_;
  index_t* counters_ = nullptr;
};

template <class Item, class Count, class Bins>
void any_context::count_bins(histogram_job<Item, Count, Bins> const& job) {
  work([&](any_pool const& pool, host::workspace& memory) {
    histogram<Item, Count, Bins>(pool.workers(), job).run(pool, memory);
  });
}

}  // namespace sam::inline v0_1::host
