// SPDX-License-Identifier: MIT
// Launches a kernel that calls a function once for each of many teams of threads, which are blocks.
#ifndef SAM_LAUNCH_RUNTIME_TEAMS_HPP
#define SAM_LAUNCH_RUNTIME_TEAMS_HPP

#include <sam/gpu/block_team.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class F>
struct team_arguments {
  index_t teams;
  F f;
};
/// Calls f(team) for all teams.
template <class F>
__global__ void team_kernel(SAM_GRID_CONSTANT team_arguments<F> const all) {
  SAM_IF_TARGET {
    device::grid_dependency_trigger();
    device::grid_dependency_wait();
    gpu::run_teams_of_block<device>(blockIdx.x, gridDim.x, int(blockDim.x), all.teams, all.f);
  }
}

/// Queues f(team) for so many teams, of `threads` threads and at least one warp, each with `bytes`
/// bytes of shared memory.
template <class F>
void queue_teams(context& context, index_t teams, int threads, std::size_t bytes, F const& f) {
  constexpr index_t most_blocks = index_t{1} << 30;
  range const named("sam: teams");
  auto* const kernel = &team_kernel<F>;
  threads = int(engine::max_of(threads, device::warp_size));
  if (teams > 0)
    self::launch_sharing_half(context, kernel, self::limited(context, teams, most_blocks), threads,
                              int(bytes), {teams, f});
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
