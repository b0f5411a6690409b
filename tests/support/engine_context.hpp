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

/// A context of the host engine, chosen at run time. defined_once.hpp has the functions that are
/// not defined here.
class host_context {
 public:
  enum class place { back_end, serial, threads };
  explicit host_context(place where = place::back_end, int threads = several);
  host_context(host_context const&) = delete;
  ~host_context();

  bool is_on_back_end() const { return context_.index() == 0; }

  void wait();
  char const* name() const;
  void* workspace(std::size_t bytes);
  void* input_memory(std::size_t bytes);

  /// Makes calls that divide their work by it do so in tests.
  sam::index_t cached_bytes() const { return 1 << 16; }

  // The members that primitives need in a context:

  template <sam::engine::job Job, class Policy>
  void run(sam::index_t n, Job const& job, Policy const& policy) {
    chosen().run(n, job, policy);
  }
  template <class Key, class Value, class Digits>
  void sort(sam::engine::sort_job<Key, Value, Digits> const& job) {
    chosen().sort(job);
  }
  template <class Key, class Value, class Digits>
  sam::index_t sort_workspace(sam::engine::sort_job<Key, Value, Digits> const& job) const {
    return chosen().sort_workspace(job);
  }
  template <class Key, class Value, class Digits, class Heads>
  void segmented_sort(sam::engine::sort_job<Key, Value, Digits> const& job, Heads const& heads) {
    chosen().segmented_sort(job, heads);
  }
  template <class Key, class Value, class Digits>
  sam::index_t
  segmented_sort_workspace(sam::engine::sort_job<Key, Value, Digits> const& job) const {
    return chosen().segmented_sort_workspace(job);
  }
  template <class Item, class Count, class Bins>
  void count_bins(sam::engine::histogram_job<Item, Count, Bins> const& job) {
    chosen().count_bins(job);
  }
  template <class Job>
  void sum_bins(Job const& job) {
    chosen().sum_bins(job);
  }
  template <class Offset>
  void mark_bits(sam::engine::mark_job<Offset> const& job) {
    chosen().mark_bits(job);
  }
  template <class Kernel>
  void run_teams(sam::index_t teams, int threads, std::size_t bytes, Kernel const& kernel) {
    chosen().run_teams(teams, threads, bytes, kernel);
  }
  int teams_at_once() const { return chosen().teams_at_once(); }
  template <class Item, class Count, class Kind>
  bool split(sam::engine::split_job<Item, Count, Kind> const& job) {
    return chosen().split(job);
  }

 private:
  /// Returns the base that all of these contexts share, so that each job is compiled once.
  sam::host::any_context& chosen();
  sam::host::any_context const& chosen() const { return const_cast<host_context*>(this)->chosen(); }

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
/// Calls f with a context of the host engine that counts as a device, for one of the contexts that
/// run the host engine: the calls would be the same beside each.
template <class Context, class F>
void also_like_a_device(Context const& context, F f) {
  if constexpr (backend_bytes::on_host)
    if (context.is_on_back_end()) {
      like_a_device device;
      f(device);
    }
}

}  // namespace test
