// SPDX-License-Identifier: MIT
// Defines the base class of contexts that run by kernels of Kokkos alone: the functions that
// primitives call.
#pragma once

#include <sam/backend/context_use.hpp>
#include <sam/backend/histogram_job.hpp>
#include <sam/backend/sort_job.hpp>
#include <sam/context.hpp>
#include <sam/gpu/fallback/histogram.hpp>
#include <sam/gpu/fallback/radix_sort.hpp>
#include <sam/gpu/fallback/team_scan.hpp>
#include <sam/kokkos/runtime/team.hpp>
#include <sam/kokkos/runtime/workspace.hpp>

#include <Kokkos_Core.hpp>

namespace sam::inline v0_1::kokkos {

/// Counts an item of a histogram of many bins by an atomic addition.
template <class Job>
struct count_item {
  Job job;
  SAM_FUNCTION void operator()(index_t i) const {
    if (i >= job.items_to_count())
      return;
    job.for_each_bin(job.items[i], [&](std::uint64_t bin) {
      if (bin < static_cast<std::uint64_t>(job.size))
        Kokkos::atomic_inc(job.counts + bin);
    });
  }
};

/// Serves as the base of a context on any space. Context's function space() returns the
/// instance on which work is queued. Kokkos promises no forward progress between teams, so every
/// scan reduces chunks of the items first, whatever its carry scheme.
template <class Context, class ExecutionSpace>
class fallback_engine {
 public:
  using engine_base = fallback_engine;

  /// False because the items of a scattering job are not held: they are reduced, then loaded again.
  template <class Item>
  static constexpr bool loads_items_once = false;

  context_use::call begin_call(std::string_view function, std::source_location at) {
    return use_.begin(function, at);
  }
  /// Returns memory for data that a call keeps between its passes.
  void* workspace(std::size_t bytes) {
    return workspace_.template reserve<std::byte>(space(), static_cast<index_t>(bytes));
  }
  /// Returns memory for the inputs that a call stores.
  void* input_memory(std::size_t bytes) {
    return inputs_.template reserve<std::byte>(space(), static_cast<index_t>(bytes));
  }
  /// Returns how many bytes of memory the context keeps for later calls.
  index_t held_bytes() const {
    return memory_.bytes() + workspace_.bytes() + inputs_.bytes() + sort_memory_.bytes();
  }
  /// Returns how many bytes of memory the calls on this context that `calls()` makes would make it
  /// allocate, as it is now. The calls check their arguments but neither read nor write arrays.
  /// Their results, also those stored in variables, mean nothing.
  template <class Calls>
  index_t bytes_for(Calls const& calls) {
    return engine::bytes_measured(calls, std::array{&memory_.measured(), &workspace_.measured(),
                                                    &inputs_.measured(), &sort_memory_.measured()});
  }
  /// True while calls are measured: nothing is queued then.
  bool measures() const { return memory_.measures(); }
  /// Waits for all work, then frees that memory; later calls allocate what they need again. Throws
  /// sam::invalid_argument if another call uses the context.
  void trim(std::source_location at = std::source_location::current()) {
    context_use::call const call = use_.begin("sam::context::trim", at);
    space().fence("sam::trim");
    memory_.clear();
    workspace_.clear();
    inputs_.clear();
    sort_memory_.clear();
  }
  /// Returns memory that device kernels may write and the host may read after wait().
  void* results() {
    if (!results_.is_allocated())
      results_ = kokkos::allocating([] { return results_view("sam::results"); });
    return results_.data();
  }

  template <job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    auto const reserve = [&](index_t count) {
      return memory_.template reserve<typename Job::accumulator>(space(), count);
    };
    gpu::team_reduce_then_scan(launcher(), reserve, n, job, policy);
  }

  template <class Kernel>
  void run_teams(index_t teams, int threads, std::size_t bytes, Kernel const& kernel) {
    launcher().teams("sam::teams", teams, threads, bytes, kernel);
  }
  int teams_at_once() const { return space().concurrency(); }

  template <class Key, class Value, class Digits>
  void sort(sort_job<Key, Value, Digits> const& job) {
    gpu::fallback_sort<Key, Value, Digits> const sort{job};
    auto const reserve = [&](index_t count) {
      return memory_.template reserve<index_t>(space(), count);
    };
    sort.run(launcher(), reserve,
             sort_memory_.template reserve<std::byte>(space(), sort.workspace()));
  }
  template <class Key, class Value, class Digits>
  index_t sort_workspace(sort_job<Key, Value, Digits> const& job) const {
    return gpu::fallback_sort<Key, Value, Digits>{job}.workspace();
  }

  template <class Job>
  void count_bins(Job const& job) {
    launcher()("sam::clear_counts", job.size, gpu::clear_counts<typename Job::count>{job.counts});
    gpu::count_kinds<Job> const kinds(job);
    if (job.kinds() <= kinds.most_kinds)
      return launcher().teams("sam::count_kinds", kinds.chunks(), kinds.runs, kinds.bytes(), kinds);
    launcher()("sam::count_items", job.n, count_item<Job>{job});
  }

 private:
  ExecutionSpace const& space() const { return static_cast<Context const&>(*this).space(); }

  auto launcher() const { return kokkos::launcher<ExecutionSpace>(space(), measures()); }

  device_workspace<ExecutionSpace> memory_;
  device_workspace<ExecutionSpace> workspace_;
  device_workspace<ExecutionSpace> inputs_;
  device_workspace<ExecutionSpace> sort_memory_;
  using results_view = Kokkos::View<std::byte[most_result_bytes], Kokkos::SharedHostPinnedSpace>;
  results_view results_;
  context_use use_;
};

}  // namespace sam::inline v0_1::kokkos
