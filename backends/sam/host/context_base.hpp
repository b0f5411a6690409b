// SPDX-License-Identifier: MIT
// Defines the base class of all CPU contexts: the functions that primitives call.
#pragma once

#include <sam/backend/context_use.hpp>
#include <sam/backend/histogram_job.hpp>
#include <sam/backend/job.hpp>
#include <sam/backend/mark_job.hpp>
#include <sam/backend/sort_job.hpp>
#include <sam/backend/split_job.hpp>
#include <sam/context.hpp>
#include <sam/host/memory/load_tuning.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/workspace.hpp>

namespace sam::inline v0_1::host {

/// Jobs whose results are made a block at a time, without a scan.
template <class Job>
concept made_in_blocks = generating<Job> ||(copying<Job>&& storing<Job>);

/// Holds what all CPU contexts have in common: their memory, and the functions that primitives
/// call. These are compiled once for all types of contexts. Each is defined in the header of the
/// algorithm it starts, so that a program compiles only what it calls. A back end's scan.hpp,
/// sort.hpp etc. include these headers.
class any_context {
 public:
  void* workspace(std::size_t bytes) { return workspace_.of_bytes(bytes); }
  void* input_memory(std::size_t bytes) { return inputs_.of_bytes(bytes); }
  context_use::call begin_call(std::string_view function, std::source_location at) {
    return use_.begin(function, at);
  }
  /// Returns how many bytes of memory the context keeps for later calls.
  index_t held_bytes() const { return memory_.bytes() + workspace_.bytes() + inputs_.bytes(); }

  /// Frees that memory; later calls allocate what they need again. Throws sam::invalid_argument if
  /// another call uses the context.
  void trim(std::source_location at = std::source_location::current()) {
    context_use::call const call = use_.begin("sam::context::trim", at);
    memory_.clear();
    workspace_.clear();
    inputs_.clear();
  }

  /// Returns how many bytes of memory the calls on this context that `calls()` makes would make it
  /// allocate, as it is now. The calls check their arguments, and may read inputs, but write to no
  /// array. Their results, also those stored in variables, mean nothing.
  template <class Calls>
  index_t bytes_for(Calls const& calls) {
    index_t const bytes = engine::bytes_measured(
        calls, std::array{&memory_.measured(), &workspace_.measured(), &inputs_.measured()});
    workspace_.forget_zeros();
    inputs_.forget_zeros();
    return bytes;
  }
  /// True while calls are measured: nothing is run then.
  bool measures() const { return memory_.measures(); }

  /// Returns a table of the sort algorithms and of how many keys each sorts. Defined in
  /// <sam/host/sort/plan_text.hpp>.
  static std::string sort_plan();
  /// Returns a table of the kernels that scan. Defined in <sam/host/scan/plan_text.hpp>.
  static std::string scan_plan();

  /// Runs a job over n items under a resolved policy. Each kind of job that has an algorithm of its
  /// own has an overload, which the header beside it defines.
  template <job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy);  // <sam/host/scan/run.hpp>
  template <direct Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy);  // <sam/host/jobs/elementwise.hpp>
  template <block_reducing Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy);  // <sam/host/jobs/reduce_blocks.hpp>
  template <made_in_blocks Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy);  // <sam/host/jobs/generate.hpp>
  template <selecting Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy);  // <sam/host/jobs/select.hpp>
  template <segmenting Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy);  // <sam/host/jobs/segmented_scan.hpp>
  template <reducing_segments Job, class Policy>
  void run(index_t n, Job const& job,
           Policy const& policy);  // <sam/host/jobs/segmented_reduce.hpp>
  template <recurrence Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy);  // <sam/host/jobs/filter.hpp>

  template <class Item, class Count, class Kind>
  bool split(split_job<Item, Count, Kind> const& job);
  template <class Offset>
  void mark_bits(mark_job<Offset> const& job);
  template <class Key, class Value, class Digits>
  void sort(sort_job<Key, Value, Digits> const& job);
  template <class Key, class Value, class Digits>
  index_t sort_workspace(sort_job<Key, Value, Digits> const& job) const;
  template <class Key, class Value, class Digits, class Heads>
  void segmented_sort(sort_job<Key, Value, Digits> const& job, Heads const& heads);
  template <class Job>
  bool select_in_segments(Job const& job);
  template <class Key, class Value, class Digits>
  index_t segmented_sort_workspace(sort_job<Key, Value, Digits> const& job) const;
  template <class Item, class Count, class Bins>
  void count_bins(histogram_job<Item, Count, Bins> const& job);
  template <class Job>
  void sum_bins(Job const& job);
  template <class Kernel>
  void run_teams(index_t teams, int threads, std::size_t bytes, Kernel const& kernel);
  int teams_at_once() const { return workers(); }

 protected:
  /// Finds the pool of a context, whose class only these functions know.
  struct pool_access {
    using user = void (*)(void const* call, any_pool const& pool, host::workspace& memory);
    void (*lend)(any_context& context, void const* call, user use);
    int (*workers)(any_context const& context);
  };

  any_context(pool_access const& pool, std::pmr::memory_resource* resource)
      : memory_(resource), workspace_(resource), inputs_(resource), pool_(&pool) {
    host::load_tuning();
  }
  any_context(any_context&&) = default;
  any_context& operator=(any_context&&) = default;
  ~any_context() = default;

  host::workspace& memory() { return memory_; }

 private:
  /// Calls `call` with the pool and the workspace. Meanwhile operators may not use the context.
  template <class Call>
  void work(Call const& call) {
    context_use::work const work(use_);
    pool_->lend(*this, &call, [](void const* c, any_pool const& pool, host::workspace& memory) {
      (*static_cast<Call const*>(c))(pool, memory);
    });
  }
  /// Calls `call` with the pool, the number of workers for n items of a job, and the workspace.
  template <job Job, class Call>
  void work_on(index_t n, Call const& call) {
    work([&](any_pool const& pool, host::workspace& memory) {
      bool const alone = n * index_t{sizeof(typename Job::accumulator)} < tuned.parallel_bytes;
      call(pool, alone ? 1 : pool.workers(), memory);
    });
  }

  /// Returns how many workers a call would have.
  int workers() const { return pool_->workers(*this); }

  host::workspace memory_;
  host::workspace workspace_;
  host::workspace inputs_;
  context_use use_;
  pool_access const* pool_;
};

/// Serves as the base of a CPU context. It implements the functions of docs/extending.md on the
/// pool that Context's function pool() returns.
template <class Context>
class context_base : public any_context {
 public:
  using engine_base = context_base;

  /// Takes memory from a resource, which must outlive the context, or from operator new if it is
  /// null.
  explicit context_base(std::pmr::memory_resource* resource = nullptr)
      : any_context(access, resource) {}

 private:
  static void lend(any_context& context, void const* call, any_context::pool_access::user use) {
    auto pool = static_cast<Context&>(context).pool();
    use(call, any_pool(pool), static_cast<context_base&>(context).memory());
  }
  static int workers(any_context const& context) {
    return static_cast<Context const&>(context).pool().workers();
  }
  static constexpr any_context::pool_access access{lend, workers};
};

}  // namespace sam::inline v0_1::host
