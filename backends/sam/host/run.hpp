// SPDX-License-Identifier: MIT
// The engine call on CPUs. A pool is what runs it: `workers()` at most at a time, and
// `for_each_worker(count, f)`, which calls f(0) ... f(count - 1), at once if it can, and returns
// when all are done.
#pragma once

#include <sam/host/kernel.hpp>
#include <sam/host/multi_pass.hpp>
#include <sam/host/wide_tuples.hpp>

namespace sam::host {

/// One worker, the caller's thread.
struct no_pool {
  int workers() const { return 1; }
  template <class Work>
  void for_each_worker(int count, Work work) const {
    for (int w = 0; w < count; ++w)
      work(w);
  }
};

/// Runs `job` over n items under `pass`, and returns when all is done.
template <class Pool, job Job, class Pass>
void run(Pool& pool, workspace& memory, index_t n, Job const& job, Pass const& pass) {
  using T = typename Job::summary;
  using Carry = typename Pass::carry;
  index_t const bytes = n * index_t{sizeof(T)};
  int const workers = bytes < tuning::parallel_bytes ? 1 : pool.workers();
  if constexpr (Pass::tuple_size == run_time_tuple)
    if (are_wide<T>(pass.components))
      return run_wide_tuples(pool, workers, memory, n, job, pass);
  with_kernel<T>(pass, [&](auto kernel) {
    using Kernel = decltype(kernel);
    auto const shape = shape::of<T>(n, kernel, held_bytes<Job>);
    kernel.tile_is(shape.tiles.size);
    bool const one_tile = shape.tiles.tiles() == 1;
    bool const regrouping_shows = !is_exact<T>;
    if constexpr (multi_pass_scheme<Carry>)
      run_multi_pass<Carry>(pool, workers, memory, n, job, kernel);
    else if (Kernel::rounds == 1 && (one_tile || (workers == 1 && !regrouping_shows)))
      scan_alone(memory, n, job, kernel);
    else
      run_single_pass<Carry>(pool, static_cast<int>(min_of(workers, shape.tiles.tiles())), memory,
                             n, job, kernel);
  });
}

}  // namespace sam::host
