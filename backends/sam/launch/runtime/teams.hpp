// SPDX-License-Identifier: MIT
// Launches a kernel that calls a function once for each block, as a team of threads.
#ifndef SAM_LAUNCH_RUNTIME_TEAMS_HPP
#define SAM_LAUNCH_RUNTIME_TEAMS_HPP

#include <sam/gpu/block_team.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class F>
struct team_arguments {
  F f;
};
/// Calls f(team) in each block.
template <class F>
__global__ void team_kernel(SAM_GRID_CONSTANT team_arguments<F> const all) {
  SAM_IF_TARGET {
    device::grid_dependency_trigger();
    device::grid_dependency_wait();
    all.f(gpu::block_team<device>());
  }
}

/// Queues a kernel that calls f(team) for so many teams, of `threads` threads and at least one
/// warp, each with `bytes` bytes of shared memory.
template <class F>
void queue_teams(context& context, index_t teams, int threads, std::size_t bytes, F const& f) {
  range const named("sam: teams");
  auto* const kernel = &team_kernel<F>;
  threads = int(engine::max_of(threads, device::warp_size));
  if (context.starts_early())
    share_half(context, reinterpret_cast<void const*>(kernel));
  if (teams > 0)
    self::launch(context, kernel, teams, threads, int(bytes), {f});
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
