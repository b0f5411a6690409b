// SPDX-License-Identifier: MIT
#pragma once

#include <sam/context.hpp>
#include <sam/context_use.hpp>
#include <sam/host/histogram.hpp>
#include <sam/host/mark_bits.hpp>
#include <sam/host/run.hpp>
#include <sam/host/segmented_sort.hpp>
#include <sam/host/split.hpp>

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

 private:
  template <job Job, class Pass>
  friend void run(context& context, index_t n, Job const& job, Pass const& pass) {
    context_use::work const work(context.use_);
    host::no_pool caller;
    host::run(caller, context.memory_, n, job, pass);
  }
  template <class Key, class Value, class Digits>
  friend void sort(context& context, sort_job<Key, Value, Digits> const& job) {
    context_use::work const work(context.use_);
    host::no_pool caller;
    host::sort(caller, context.memory_, job);
  }
  template <class Key, class Value, class Digits>
  friend index_t sort_workspace(context const&, sort_job<Key, Value, Digits> const& job) {
    return host::sort_workspace(host::no_pool{}, job);
  }
  template <class Key, class Value, class Digits, class Heads>
  friend void segmented_sort(context& context, sort_job<Key, Value, Digits> const& job,
                             Heads const& heads) {
    context_use::work const work(context.use_);
    host::no_pool caller;
    host::segmented_sort(caller, context.memory_, job, heads);
  }
  template <class Key, class Value, class Digits>
  friend index_t segmented_sort_workspace(context const&, sort_job<Key, Value, Digits> const& job) {
    return host::segmented_sort_workspace(host::no_pool{}, job);
  }
  template <class Item, class Count, class Bins>
  friend void count_bins(context& context, histogram_job<Item, Count, Bins> const& job) {
    context_use::work const work(context.use_);
    host::no_pool caller;
    host::count_bins(caller, context.memory_, job);
  }
  template <class Offset>
  friend void mark_bits(context& context, mark_job<Offset> const& job) {
    context_use::work const work(context.use_);
    host::no_pool caller;
    host::mark_bits(caller, job);
  }
  template <class Item, class Count, class Kind>
  friend void split(context& context, split_job<Item, Count, Kind> const& job) {
    context_use::work const work(context.use_);
    host::no_pool caller;
    host::split(caller, context.memory_, job);
  }

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
