// SPDX-License-Identifier: MIT
// Contexts of the host engine with a given number of threads.
#pragma once

#include <sam/context.hpp>
#include <sam/host/jobs/elementwise.hpp>
#include <sam/host/jobs/filter.hpp>
#include <sam/host/jobs/generate.hpp>
#include <sam/host/jobs/histogram.hpp>
#include <sam/host/jobs/multi_partition.hpp>
#include <sam/host/jobs/offsets_to_bits.hpp>
#include <sam/host/jobs/reduce_blocks.hpp>
#include <sam/host/jobs/segmented_reduce.hpp>
#include <sam/host/jobs/segmented_scan.hpp>
#include <sam/host/jobs/select.hpp>
#include <sam/host/jobs/teams.hpp>
#include <sam/host/sort/segmented_sort.hpp>

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace test {

/// The host engine on a given number of threads, which may exceed the number of cores.
class threads : public sam::host::context_base<threads> {
 public:
  explicit threads(int count) : count_(count) {}

  void wait() {}
  char const* name() const { return "threads"; }

  int workers() const { return count_; }
  void for_each_worker(int count, std::function<void(int)> const& work) const {
    std::vector<std::jthread> others;
    for (int w = 1; w < count; ++w)
      others.emplace_back([&work, w] { work(w); });
    work(0);
  }

 private:
  friend sam::host::context_base<threads>;
  struct worker_pool {
    threads const& all;
    int workers() const { return all.workers(); }
    void for_each_worker(int count, std::function<void(int)> const& work) const {
      all.for_each_worker(count, work);
    }
  };
  worker_pool pool() const { return {*this}; }

  int count_;
};
static_assert(sam::context<threads>);

/// A context of threads without optional members: segments are sorted all at once, and partitions
/// handle one part after the other.
class plain_threads {
 public:
  explicit plain_threads(int count = 2) : inner_(count) {}
  void wait() {}
  char const* name() const { return "plain_threads"; }
  void* workspace(std::size_t bytes) { return inner_.workspace(bytes); }
  void* input_memory(std::size_t bytes) { return inner_.input_memory(bytes); }

  // The members that primitives need in a context:

  template <sam::engine::job Job, class Policy>
  void run(sam::index_t n, Job const& job, Policy const& policy) {
    inner_.run(n, job, policy);
  }
  template <class Key, class Value, class Digits>
  void sort(sam::engine::sort_job<Key, Value, Digits> const& job) {
    inner_.sort(job);
  }
  template <class Key, class Value, class Digits>
  sam::index_t sort_workspace(sam::engine::sort_job<Key, Value, Digits> const& job) const {
    return inner_.sort_workspace(job);
  }

 private:
  threads inner_;
};
static_assert(sam::context<plain_threads>);

/// A context of the host engine that counts as a device, so that calls leave numbers in memory to
/// their work.
class like_a_device : public sam::host::context_base<like_a_device> {
 public:
  void wait() {}
  char const* name() const { return "like_a_device"; }
  void* results() { return results_; }
  template <class Job>
  void count_bins(Job const& job) {
    auto known = static_cast<sam::engine::histogram_job<typename Job::item, typename Job::count,
                                                        decltype(job.bins)> const&>(job);
    known.n = job.items_to_count();
    known.items = job.first_to_count();
    context_base::count_bins(known);
  }

 private:
  friend sam::host::context_base<like_a_device>;
  static sam::host::no_pool pool() { return {}; }
  alignas(std::max_align_t) std::byte results_[sam::engine::most_result_bytes];
};
static_assert(sam::context<like_a_device>);

}  // namespace test
