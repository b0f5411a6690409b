// SPDX-License-Identifier: MIT
// Runs scans, and jobs of kinds for which no other header of the engine has a function: chooses the
// algorithm and the kernel.
#pragma once

#include <sam/algebra/affine_map.hpp>
#include <sam/host/context_base.hpp>
#include <sam/host/kernels/choose_kernel.hpp>
#include <sam/host/scan/in_cache_scan.hpp>
#include <sam/host/scan/multi_pass.hpp>
#include <sam/host/scan/wide_tuples.hpp>

namespace sam::inline v0_1::host {

/// True if reduce_then_scan runs a job in place of a single-pass scheme. Hardly anything is scanned
/// then, so no worker waits for one that is delayed, and the result has the same bits. The states
/// of all tiles must be small compared with the items.
template <job Job, class Kernel>
bool is_reduced_first(tiling const& tiles, Kernel const& kernel) {
  return reducing<Job> && Kernel::rounds == 1 && 64 * kernel.width() <= tiles.size;
}

/// True if a job is a recurrence of integers: an inclusive scan of maps x -> a x + b that it makes.
template <class Job, class Policy>
concept integer_recurrence = std::is_same_v<decltype(Policy::op), compose_maps> &&
                                 is_exact<decltype(Job::accumulator::b)> && Policy::order == 1 &&
                             Policy::tuple_size == 1 && Policy::kind == bound::inclusive &&
                             !is_reversed<Job> && !reducing<Job> && !scans_source<Job>;

/// Computes a recurrence item by item. That takes a product and a sum for each, as compilers leave
/// out the factors of the maps, which nothing needs. Takes the job by value; otherwise the compiler
/// must assume that each store changes it.
template <class Job, class Policy>
void run_recurrence(Job const job, Policy const& policy, index_t n) {
  auto const op = policy.op;
  auto const first = job.load(0);
  auto last = job.to_accumulator(first);
  if constexpr (Policy::starts_known)
    last = op(policy.start.value, last);
  job.store(0, first, last);
  for (index_t i = 1; i < n; ++i) {
    auto const x = job.load(i);
    last = op(last, job.to_accumulator(x));
    job.store(i, x, last);
  }
}
/// Gives the number of workers whose scans of maps take longer than a recurrence item by item.
template <class T>
inline constexpr int workers_of_recurrence = sizeof(T) == 8 ? 4 : 1;

template <class Carry, job Job, class Kernel>
void run_kernel(any_pool const& pool, int workers, workspace& memory, index_t n, Job const& job,
                Kernel&& kernel) {
  auto const tiles = host::tile_config_for<Job>(n, kernel).tiles;
  bool const one_tile = tiles.tiles() == 1;
  if (!one_tile)  // else no tile is appended to another
    kernel.set_tile_items(tiles.size);
  bool const is_order_sensitive = !is_exact<typename Job::accumulator>;
  int const busy = static_cast<int>(engine::min_of(workers, tiles.tiles()));
  if constexpr (multi_pass_scheme<Carry>) {
    host::run_multi_pass<Carry>(pool, workers, memory, n, job, kernel);
  } else if (Kernel::rounds == 1 &&
             (one_tile || (workers == 1 && !is_order_sensitive && !reducing<Job>))) {
    host::scan_alone(memory, n, job, kernel);
  } else {
    if constexpr (reducing<Job>)
      if (host::is_reduced_first<Job>(tiles, kernel))
        return host::run_multi_pass<carry::reduce_then_scan>(pool, busy, memory, n, job, kernel);
    if constexpr (scans_in_parts<Carry, Job, Kernel>) {
      auto const parts = parting::of(n, busy, kernel.granule());
      if (!host::outgrows_caches<Job>(n) && parts.has_all_parts() &&
          kernel.part_aggregates(parts.size) == 0)
        return host::run_in_parts(pool, parts, memory, job, kernel);
    }
    host::run_single_pass<Carry>(pool, busy, memory, n, job, kernel);
  }
}

/// Returns the job for a kernel: on reversed arrays if the job is reversed and the kernel takes
/// them.
template <class Carry, class Kernel, job Job>
decltype(auto) as_taken_by(Kernel const&, Job const& job) {
  if constexpr (reversing<Job> && single_pass_scheme<Carry> && Kernel::takes_reversed &&
                Kernel::rounds == 1)
    return reversed_arrays_job<Job>{job};
  else
    return (job);
}

/// Runs `job` as a scan over n items under a resolved policy.
template <job Job, class Policy>
void run_scan(any_pool const& pool, int workers, workspace& memory, index_t n, Job const& job,
              Policy const& policy) {
  using T = typename Job::accumulator;
  using Carry = typename Policy::carry;
  if constexpr (Policy::tuple_size == run_time_tuple)
    if (host::are_wide<T>(policy.components))
      return host::run_wide_tuples(pool, workers, memory, n, job, policy);
  if constexpr (single_pass_scheme<Carry> && integer_recurrence<Job, Policy>) {
    index_t const tiles = engine::div_up(n, tuning::tile_bytes / index_t{sizeof(T)});
    if (engine::min_of(workers, tiles) <= workers_of_recurrence<decltype(T::b)>) {
      if (n > 0 && !memory.measures())
        host::run_recurrence(job, policy, n);
      return;
    }
  }
  host::with_kernel<T>(policy, [&](auto&& kernel) {
    host::run_kernel<Carry>(pool, workers, memory, n, host::as_taken_by<Carry>(kernel, job),
                            std::move(kernel));
  });
}

template <job Job, class Policy>
void any_context::run(index_t n, Job const& job, Policy const& policy) {
  work_on<Job>(n, [&](any_pool const& pool, int workers, host::workspace& memory) {
    host::run_scan(pool, workers, memory, n, job, policy);
  });
}

}  // namespace sam::inline v0_1::host
