// SPDX-License-Identifier: MIT
// The contexts that a test of an engine runs on. They have one type, so that each check is compiled
// once.
#pragma once

#include <sam/backend.hpp>
#include <sam/serial/backend.hpp>

#include "backend_bytes.hpp"  // of the back end's folder
#include "sizes.hpp"
#include "threads_context.hpp"
#include <catch2/generators/catch_generators.hpp>

#include <type_traits>
#include <variant>

namespace test {

/// A context of the host engine, chosen at run time.
class host_context {
 public:
  enum class place { back_end, serial, threads };
  // Every test constructs and destroys a context. Not inlining this code saves compile time.
  [[gnu::noinline]] explicit host_context(place where = place::back_end, int threads = several) {
    if (where == place::serial)
      context_.emplace<1>();
    else if (where == place::threads)
      context_.emplace<2>(threads);
  }
  host_context(host_context const&) = delete;
  [[gnu::noinline]] ~host_context() {}

  bool is_on_back_end() const { return context_.index() == 0; }

  void wait() {
    std::visit([](auto& where) { where.wait(); }, context_);
  }
  char const* name() const {
    return std::visit([](auto const& where) { return where.name(); }, context_);
  }
  void* workspace(std::size_t bytes) {
    return std::visit([&](auto& where) { return where.workspace(bytes); }, context_);
  }
  void* input_memory(std::size_t bytes) {
    return std::visit([&](auto& where) { return where.input_memory(bytes); }, context_);
  }

  /// Makes calls that divide their work by it do so in tests.
  sam::index_t cached_bytes() const { return 1 << 16; }

  // The members that primitives need in a context:

  template <sam::engine::job Job, class Policy>
  void run(sam::index_t n, Job const& job, Policy const& policy) {
    std::visit([&](auto& where) { where.run(n, job, policy); }, context_);
  }
  template <class Key, class Value, class Digits>
  void sort(sam::engine::sort_job<Key, Value, Digits> const& job) {
    std::visit([&](auto& where) { where.sort(job); }, context_);
  }
  template <class Key, class Value, class Digits>
  sam::index_t sort_workspace(sam::engine::sort_job<Key, Value, Digits> const& job) const {
    return std::visit([&](auto const& where) { return where.sort_workspace(job); }, context_);
  }
  template <class Key, class Value, class Digits, class Heads>
  void segmented_sort(sam::engine::sort_job<Key, Value, Digits> const& job, Heads const& heads) {
    std::visit([&](auto& where) { where.segmented_sort(job, heads); }, context_);
  }
  template <class Key, class Value, class Digits>
  sam::index_t
  segmented_sort_workspace(sam::engine::sort_job<Key, Value, Digits> const& job) const {
    return std::visit([&](auto const& where) { return where.segmented_sort_workspace(job); },
                      context_);
  }
  template <class Item, class Count, class Bins>
  void count_bins(sam::engine::histogram_job<Item, Count, Bins> const& job) {
    std::visit([&](auto& where) { where.count_bins(job); }, context_);
  }
  template <class Offset>
  void mark_bits(sam::engine::mark_job<Offset> const& job) {
    std::visit([&](auto& where) { where.mark_bits(job); }, context_);
  }
  template <class Item, class Count, class Kind>
  bool split(sam::engine::split_job<Item, Count, Kind> const& job) {
    return std::visit([&](auto& where) { return where.split(job); }, context_);
  }

 private:
  std::variant<sam::default_context, sam::serial::context, threads> context_;
};

using engine_context =
    std::conditional_t<backend_bytes::on_host, host_context, sam::default_context>;

/// Returns the back end's context or, if the back end runs the host engine, also the serial one. A
/// test case that calls this once, at its beginning, is run for each in turn.
template <class Context = engine_context>
Context each_context() {
  if constexpr (backend_bytes::also_on_serial)
    return Context(GENERATE(host_context::place::back_end, host_context::place::serial));
  else
    return Context();
}

/// Calls f with the serial context, if the back end runs the host engine.
template <class Context, class F>
void also_on_serial(Context const&, F f) {
  if constexpr (backend_bytes::also_on_serial) {
    Context alone(host_context::place::serial);
    f(alone);
  }
}
/// Calls f with a context of `count` threads, for one of the contexts that run the host engine.
template <class Context, class F>
void also_on_threads(Context const& context, F f, int count = several) {
  if constexpr (backend_bytes::on_host)
    if (context.is_on_back_end()) {
      Context crowd(host_context::place::threads, count);
      f(crowd);
    }
}

}  // namespace test
