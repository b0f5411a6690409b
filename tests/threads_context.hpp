// SPDX-License-Identifier: MIT
#pragma once

#include <sam/context.hpp>
#include <sam/context_use.hpp>
#include <sam/host/histogram.hpp>
#include <sam/host/mark_bits.hpp>
#include <sam/host/run.hpp>
#include <sam/host/segmented_sort.hpp>
#include <sam/host/split.hpp>

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

 private:
  template <sam::job Job, class Pass>
  friend void run(threads& context, sam::index_t n, Job const& job, Pass const& pass) {
    sam::context_use::work const work(context.use_);
    sam::host::run(context, context.memory_, n, job, pass);
  }
  template <class Key, class Value, class Digits>
  friend void sort(threads& context, sam::sort_job<Key, Value, Digits> const& job) {
    sam::context_use::work const work(context.use_);
    sam::host::sort(context, context.memory_, job);
  }
  template <class Key, class Value, class Digits>
  friend sam::index_t sort_workspace(threads const& context,
                                     sam::sort_job<Key, Value, Digits> const& job) {
    return sam::host::sort_workspace(context, job);
  }
  template <class Key, class Value, class Digits, class Heads>
  friend void segmented_sort(threads& context, sam::sort_job<Key, Value, Digits> const& job,
                             Heads const& heads) {
    sam::context_use::work const work(context.use_);
    sam::host::segmented_sort(context, context.memory_, job, heads);
  }
  template <class Key, class Value, class Digits>
  friend sam::index_t segmented_sort_workspace(threads const& context,
                                               sam::sort_job<Key, Value, Digits> const& job) {
    return sam::host::segmented_sort_workspace(context, job);
  }
  template <class Item, class Count, class Bins>
  friend void count_bins(threads& context, sam::histogram_job<Item, Count, Bins> const& job) {
    sam::context_use::work const work(context.use_);
    sam::host::count_bins(context, context.memory_, job);
  }
  template <class Offset>
  friend void mark_bits(threads& context, sam::mark_job<Offset> const& job) {
    sam::context_use::work const work(context.use_);
    sam::host::mark_bits(context, job);
  }
  template <class Item, class Count, class Kind>
  friend void split(threads& context, sam::split_job<Item, Count, Kind> const& job) {
    sam::context_use::work const work(context.use_);
    sam::host::split(context, context.memory_, job);
  }
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

 private:
  template <sam::job Job, class Pass>
  friend void run(plain_threads& context, sam::index_t n, Job const& job, Pass const& pass) {
    run(context.inner_, n, job, pass);
  }
  template <class Key, class Value, class Digits>
  friend void sort(plain_threads& context, sam::sort_job<Key, Value, Digits> const& job) {
    sort(context.inner_, job);
  }
  template <class Key, class Value, class Digits>
  friend sam::index_t sort_workspace(plain_threads const& context,
                                     sam::sort_job<Key, Value, Digits> const& job) {
    return sort_workspace(context.inner_, job);
  }
  threads inner_;
};
static_assert(sam::context<plain_threads>);

}  // namespace test
