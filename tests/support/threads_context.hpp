// SPDX-License-Identifier: MIT
#pragma once

#include <sam/backend/context_use.hpp>
#include <sam/context.hpp>
#include <sam/host/jobs/histogram.hpp>
#include <sam/host/jobs/mark_bits.hpp>
#include <sam/host/jobs/split.hpp>
#include <sam/host/run.hpp>
#include <sam/host/sort/segmented_sort.hpp>

#include <functional>
#include <thread>
#include <vector>

namespace test {

/// The host engine on any number of threads of its own, also on more than there are cores.
class threads {
 public:
  explicit threads(int count) : count_(count) {}

  void wait() {}
  char const* name() const { return "threads"; }
  void* scratch(std::size_t bytes) { return scratch_.of_bytes(bytes); }
  int workers() const { return count_; }
  sam::context_use::call begin_call(std::string_view function, std::source_location at) {
    return use_.begin(function, at);
  }
  /// How much memory it keeps for calls to come.
  sam::index_t held_bytes() const { return memory_.bytes() + scratch_.bytes(); }

  void for_each_worker(int count, std::function<void(int)> const& work) const {
    std::vector<std::jthread> others;
    for (int w = 1; w < count; ++w)
      others.emplace_back([&work, w] { work(w); });
    work(0);
  }

  // What primitives ask of a back end:

  template <sam::job Job, class Pass>
  void run(sam::index_t n, Job const& job, Pass const& pass) {
    sam::context_use::work const work(use_);
    sam::host::run(*this, memory_, n, job, pass);
  }
  template <class Key, class Value, class Digits>
  void sort(sam::sort_job<Key, Value, Digits> const& job) {
    sam::context_use::work const work(use_);
    sam::host::sort(*this, memory_, job);
  }
  template <class Key, class Value, class Digits>
  sam::index_t sort_workspace(sam::sort_job<Key, Value, Digits> const& job) const {
    return sam::host::sort_workspace(*this, job);
  }
  template <class Key, class Value, class Digits, class Heads>
  void segmented_sort(sam::sort_job<Key, Value, Digits> const& job, Heads const& heads) {
    sam::context_use::work const work(use_);
    sam::host::segmented_sort(*this, memory_, job, heads);
  }
  template <class Key, class Value, class Digits>
  sam::index_t segmented_sort_workspace(sam::sort_job<Key, Value, Digits> const& job) const {
    return sam::host::segmented_sort_workspace(*this, job);
  }
  template <class Item, class Count, class Bins>
  void count_bins(sam::histogram_job<Item, Count, Bins> const& job) {
    sam::context_use::work const work(use_);
    sam::host::count_bins(*this, memory_, job);
  }
  template <class Offset>
  void mark_bits(sam::mark_job<Offset> const& job) {
    sam::context_use::work const work(use_);
    sam::host::mark_bits(*this, job);
  }
  template <class Item, class Count, class Kind>
  void split(sam::split_job<Item, Count, Kind> const& job) {
    sam::context_use::work const work(use_);
    sam::host::split(*this, memory_, job);
  }

 private:
  int count_;
  sam::host::workspace memory_;
  sam::host::workspace scratch_;
  sam::context_use use_;
};
static_assert(sam::context<threads>);

/// The same without what a back end need not offer: segments are sorted all at once, and items are
/// parted kind by kind.
class plain_threads {
 public:
  explicit plain_threads(int count = 2) : inner_(count) {}
  void wait() {}
  char const* name() const { return "plain_threads"; }
  void* scratch(std::size_t bytes) { return inner_.scratch(bytes); }

  // What primitives ask of a back end:

  template <sam::job Job, class Pass>
  void run(sam::index_t n, Job const& job, Pass const& pass) {
    inner_.run(n, job, pass);
  }
  template <class Key, class Value, class Digits>
  void sort(sam::sort_job<Key, Value, Digits> const& job) {
    inner_.sort(job);
  }
  template <class Key, class Value, class Digits>
  sam::index_t sort_workspace(sam::sort_job<Key, Value, Digits> const& job) const {
    return inner_.sort_workspace(job);
  }

 private:
  threads inner_;
};
static_assert(sam::context<plain_threads>);

}  // namespace test
