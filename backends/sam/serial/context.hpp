// SPDX-License-Identifier: MIT
#pragma once

#include <sam/backend/context_use.hpp>
#include <sam/context.hpp>
#include <sam/host/jobs/histogram.hpp>
#include <sam/host/jobs/mark_bits.hpp>
#include <sam/host/jobs/split.hpp>
#include <sam/host/run.hpp>
#include <sam/host/sort/segmented_sort.hpp>

namespace sam::serial {

/// The caller's thread. Needs nothing installed; every call is done when it returns.
class context {
 public:
  void wait() {}
  char const* name() const { return "serial"; }
  void* scratch(std::size_t bytes) { return scratch_.of_bytes(bytes); }
  context_use::call begin_call(std::string_view function, std::source_location at) {
    return use_.begin(function, at);
  }

  // The engine, which primitives call: docs/extending.md.

  template <job Job, class Pass>
  void run(index_t n, Job const& job, Pass const& pass) {
    context_use::work const work(use_);
    host::no_pool caller;
    host::run(caller, memory_, n, job, pass);
  }
  template <class Key, class Value, class Digits>
  void sort(sort_job<Key, Value, Digits> const& job) {
    context_use::work const work(use_);
    host::no_pool caller;
    host::sort(caller, memory_, job);
  }
  template <class Key, class Value, class Digits>
  index_t sort_workspace(sort_job<Key, Value, Digits> const& job) const {
    return host::sort_workspace(host::no_pool{}, job);
  }
  template <class Key, class Value, class Digits, class Heads>
  void segmented_sort(sort_job<Key, Value, Digits> const& job, Heads const& heads) {
    context_use::work const work(use_);
    host::no_pool caller;
    host::segmented_sort(caller, memory_, job, heads);
  }
  template <class Key, class Value, class Digits>
  index_t segmented_sort_workspace(sort_job<Key, Value, Digits> const& job) const {
    return host::segmented_sort_workspace(host::no_pool{}, job);
  }
  template <class Item, class Count, class Bins>
  void count_bins(histogram_job<Item, Count, Bins> const& job) {
    context_use::work const work(use_);
    host::no_pool caller;
    host::count_bins(caller, memory_, job);
  }
  template <class Offset>
  void mark_bits(mark_job<Offset> const& job) {
    context_use::work const work(use_);
    host::no_pool caller;
    host::mark_bits(caller, job);
  }
  template <class Item, class Count, class Kind>
  void split(split_job<Item, Count, Kind> const& job) {
    context_use::work const work(use_);
    host::no_pool caller;
    host::split(caller, memory_, job);
  }

 private:
  host::workspace memory_;
  host::workspace scratch_;
  context_use use_;
};
static_assert(sam::context<context>);

/// Nothing to set up.
struct runtime {
  runtime(int&, char**) {}
};

}  // namespace sam::serial
