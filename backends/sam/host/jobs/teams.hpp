// SPDX-License-Identifier: MIT
// Runs the kernels of teams on a CPU: each worker is a team of one thread.
#pragma once

#include <sam/host/jobs/elementwise.hpp>

#include <array>

namespace sam::inline v0_1::host {

/// A thread as a team. Its functions may be compiled for devices, as the kernels that call them.
class lone_team {
 public:
  static constexpr bool is_one_thread = true;
  SAM_FUNCTION lone_team(index_t index, std::byte* memory) : index_(index), memory_(memory) {}
  SAM_FUNCTION index_t index() const { return index_; }
  SAM_FUNCTION std::byte* memory() const { return memory_; }
  SAM_FUNCTION void barrier() const {}
  /// Calls f(0) to f(count - 1).
  template <class F>
  SAM_FUNCTION void for_each(int count, F const& f) const {
    for (int i = 0; i < count; ++i)
      f(i);
  }

 private:
  index_t index_;
  std::byte* memory_;
};

template <class Kernel>
void any_context::run_teams(index_t teams, int, std::size_t bytes, Kernel const& kernel) {
  work([&](any_pool const& pool, host::workspace& memory) {
    index_t const most =
        teams * static_cast<index_t>(bytes) < tuned.parallel_bytes ? 1 : pool.workers();
    auto const workers = static_cast<int>(engine::min_of(most, teams));
    workspace::plan plan;
    for (int w = 0; w < workers; ++w)
      plan.part<std::byte>(static_cast<index_t>(bytes));
    if (!memory.reserve(plan))
      return;
    memory.rewind();
    auto* const own = memory.take<std::byte>(0);
    index_t const apart =
        engine::div_up(static_cast<index_t>(bytes), index_t{cache_line}) * index_t{cache_line};
    host::for_each_tile_of_ranges(pool, workers, teams,
                                  [&](int w, index_t t) { kernel(lone_team(t, own + w * apart)); });
  });
}

}  // namespace sam::inline v0_1::host
