// SPDX-License-Identifier: MIT
// The engine call on a CUDA device: which kernels, how many blocks, queued and checked. It computes
// nothing, and allocates nothing that the context holds already.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/runtime/for_each.hpp>
#include <sam/cuda/runtime/launch.hpp>
#include <sam/cuda/scan/tuning.hpp>
#include <sam/gpu/fallback/reduce_then_scan.hpp>
#include <sam/gpu/scan/multi_pass.hpp>

#include <array>

namespace sam::cuda {

template <class Job, class Pass, class Config>
__global__ void __launch_bounds__(gpu::scan_config<device, Job, Pass, Config>::threads,
                                  Config::blocks)
    scan_kernel(__grid_constant__ gpu::scan_arguments<device, Job, Pass, Config> const arguments) {
  gpu::scan_block<device, Job, Pass, Config>(arguments).run();
}

template <class T, class Pass>
using spine_block = gpu::spine_block<device, T, Pass, scan_tuning::spine_warps<T, Pass>>;
template <class T, class Pass>
__global__ void __launch_bounds__(spine_block<T, Pass>::threads)
    spine_kernel(__grid_constant__ gpu::spine_arguments<device, T, Pass> const arguments) {
  spine_block<T, Pass>(arguments).run();
}

/// Passes over tiles: in one kernel under a single-pass scheme.
template <class T, class Pass>
inline constexpr bool is_tiled = Pass::tuple_size >= 1 && Pass::tuple_size <= device::warp_size &&
                                 (Pass::order == 1 || (has_algebra<T, Pass> && Pass::order <= 16));

/// Queues one kernel of this config over so many tiles; false if the device cannot run it. mail()
/// is where its blocks tell one another what they know, on so many rings.
template <class Config, job Job, class Pass, class Mail>
bool launch_kernel(context& context, index_t n, index_t tiles, Job const& job, Pass const& pass,
                   typename gpu::scan_config<device, Job, Pass, Config>::tables const& tables,
                   Mail mail, index_t rings = 1) {
  using config = gpu::scan_config<device, Job, Pass, Config>;
  static_assert(cuda::context::smallest_window > 2 * config::lookback_type::classes);
  static_assert(config::threads <= device::most_warps * device::warp_size);
  range const named([&] {
    return "sam: pass of order " + std::to_string(Pass::order) + ", tuples of " +
           std::to_string(pass.components) + ", " + std::to_string(n) + " items";
  });
  auto* const kernel = &scan_kernel<Job, Pass, Config>;
  int const resident = cuda::resident_blocks<config>(context, kernel);
  if (resident == 0)
    return false;
  index_t const most = gpu::evenly_on(rings, index_t(resident) * context.multiprocessors());
  cuda::launch(context, kernel, limited(context, tiles, most), config::threads,
               config::shared_bytes, {job, pass, n, tables, mail()});
  return true;
}

/// Queues the kernel of a pass over tuples of a fixed size; false if the device cannot run it.
/// `states` are those of a multi-pass scheme.
template <class Config, job Job, class Pass, class... States>
bool launch_scan(context& context, index_t n, Job const& job, Pass const& pass, States... states) {
  using config = gpu::scan_config<device, Job, Pass, Config>;
  using traits = typename config::traits;
  static auto const tables = config::tables::make(config::items, config::warps);
  constexpr int words =
      sizeof...(States) == 0 ? gpu::words_of_slot<traits, typename Job::accumulator> : 0;
  return cuda::launch_kernel<Config>(
      context, n, sam::div_up(n, config::tile_items), job, pass, tables, [&] {
        return typename config::lookback_type::memory{context.ring_for(words), states...};
      });
}

/// The kernels of a multi-pass scheme, all of one config.
template <class Config, class T, class Pass>
class scan_queue {
 public:
  scan_queue(context& context, index_t n, index_t tiles, Pass const& pass)
      : context_(context), n_(n), tiles_(tiles), pass_(pass) {
    index_t const values = tiles * Pass::tuple_size * traits::Q;
    aggregates_ = static_cast<T*>(context.workspace(std::size_t(2 * values) * sizeof(T)));
    before_ = aggregates_ + values;
  }

  template <job Job, class Part>
  void tiles(Job const& job, Part const& part) const {
    if (!cuda::launch_scan<Config>(context_, n_, job, part, aggregates_, before_))
      sam::detail::fail<device_error>("sam::cuda",
                                      "a kernel of a multi-pass scheme does not fit the device",
                                      std::source_location::current());
  }
  void states() const {
    using block = spine_block<T, Pass>;
    auto* const kernel = &spine_kernel<T, Pass>;
    cuda::resident_blocks<block>(context_, kernel);
    index_t const rows = Config::warps * index_t{traits::runs} * Config::items;
    static auto const tables =
        gpu::power_tables<traits>::make(index_t{Config::items}, Config::warps);
    cuda::launch(context_, kernel, 1, block::threads, block::shared_bytes,
                 block::arguments_for(pass_, tables, tiles_ - 1, rows, aggregates_, before_),
                 false);
  }

 private:
  using traits = gpu::policy_traits<device, T, Pass>;
  context& context_;
  index_t n_, tiles_;
  Pass const& pass_;
  T *aggregates_, *before_;
};

template <class Config, job Job, class Pass>
requires multi_pass_scheme<typename Pass::carry>
bool launch_scan(context& context, index_t n, Job const& job, Pass const& pass) {
  using config = gpu::scan_config<device, Job, Pass, Config>;
  if (config::shared_bytes > int(context.shared_bytes()))
    return false;
  index_t const tiles = sam::div_up(n, config::tile_items);
  auto const scan =
      sam::carried_by<gpu::scan_tiles>(pass);  // so that states() is one for all schemes
  scan_queue<Config, typename Job::accumulator, std::remove_const_t<decltype(scan)>> const queue(
      context, n, tiles, scan);
  gpu::run_scheme(typename Pass::carry{}, queue, tiles, job, pass);
  return true;
}

/// Queues the kernel of a pass over tuples of a size known when running; false if the device cannot
/// run it.
template <class Config, job Job, class Pass>
bool launch_panels(context& context, index_t n, Job const& job, Pass const& pass) {
  using T = typename Job::accumulator;
  using config = gpu::scan_config<device, Job, Pass, Config>;
  using traits = typename config::traits;
  static_assert(cuda::context::smallest_ring_window >
                2 * config::lookback_warps);  // of wide panels
  static auto const tables = [] {
    std::array<typename config::tables, traits::algebra ? traits::runs : 1> for_runs;
    for (int r = 0; r < int(for_runs.size()); ++r)
      for_runs[std::size_t(r)] = config::tables::make(config::items, config::warps, r + 1);
    return for_runs;
  }();
  auto const by =
      gpu::panels::of(n, pass.components, device::warp_size, config::warps * config::items,
                      int(sizeof(T)), context::most_rings);
  // Small items are work for all blocks; what others wait for is memory.
  index_t const rings = sizeof(T) < 4 ? 1 : by.rings;
  return cuda::launch_kernel<Config>(
      context, n, by.all_tiles(), job, pass, tables[traits::algebra ? std::size_t(by.runs - 1) : 0],
      [&] { return context.ring_for(gpu::words_of_slot<traits, T>, by); }, rings);
}

template <job Job, class Pass>
void run_multi_pass(context& context, index_t n, Job const& job, Pass const& pass) {
  auto const launch = [&](char const* label, index_t count, auto const& f) {
    cuda::for_each(context, label, count, f);
  };
  auto const reserve = [&](index_t count) {
    using T = typename Job::accumulator;
    return static_cast<T*>(context.workspace(std::size_t(count) * sizeof(T)));
  };
  gpu::reduce_then_scan(launch, reserve, n, job, pass);
}

/// Tuples of a size known when running. In a pass over so few rows that a thread may take a column,
/// several kernels are in fact one.
template <job Job, class Pass>
void run_panels(context& context, index_t n, Job const& job, Pass const& pass) {
  using T = typename Job::accumulator;
  if constexpr (multi_pass_scheme<typename Pass::carry>) {
    cuda::run_multi_pass(context, n, job, pass);
  } else if constexpr (Pass::order > 1 && !has_algebra<T, Pass>) {
    auto const once = sam::one_round(pass);
    cuda::run_panels(context, n, job, once);
    for (int round = 1; round < Pass::order; ++round)
      cuda::run_panels(context, n, job.again(), once);
  } else if constexpr (Pass::order > 16 ||
                       gpu::scan_config<device, Job, Pass,
                                        scan_tuning::panels<T, Pass>>::shared_bytes >
                           scan_tuning::shared_bytes) {
    cuda::run_multi_pass(context, n, job, pass);
  } else {
    bool const few_rows = sam::div_up(n, gpu::chunking<T, Pass>::length) <= pass.components;
    if (few_rows || !cuda::launch_panels<scan_tuning::panels<T, Pass>>(context, n, job, pass))
      cuda::run_multi_pass(context, n, job, pass);
  }
}

/// What a block of a pass needs of shared memory or, if that is more, of the one that it is cut as:
/// what is cut alike must be so on every device.
template <class Job, class Pass, template <class, class> class Config>
inline constexpr int bytes_as_cut = [] {
  using cut = cut_as_t<Job>;
  return int(max_of(gpu::scan_config<device, Job, Pass, Config<Job, Pass>>::shared_bytes,
                    gpu::scan_config<device, cut, Pass, Config<cut, Pass>>::shared_bytes));
}();
/// Whether shared memory has room for the states and items of a pass over tiles.
template <class Job, class Pass>
inline constexpr bool fits_tiles =
    held_bytes<Job> <= limits::largest_held&& bytes_as_cut<Job, Pass, scan_tuning::small> <=
    scan_tuning::shared_bytes;
/// Whether there are items for large tiles on all of the device.
template <class Job, class Pass>
bool is_large(context const& context, index_t n) {
  return n * gpu::stage_of<cut_as_t<Job>, Pass>::bits_of_item >= context.small_bytes() * index_t{8};
}

/// Queues `job` over n items under `pass`.
template <job Job, class Pass>
void context::run(index_t n, Job const& job, Pass const& pass) {
  using T = typename Job::accumulator;
  if constexpr (independent<Job>) {
    cuda::run_multi_pass(*this, n, job, pass);  // one kernel
  } else if constexpr (Pass::tuple_size == run_time_tuple) {
    if constexpr (single_pass_scheme<typename Pass::carry>) {
      if (pass.components == 1)
        return run(n, job, sam::with_tuple_size<1>(pass));
      if constexpr (lanewise_operator<typename Pass::op_type, T>) {  // sizes that are frequent
        if (pass.components == 2)
          return run(n, job, sam::with_tuple_size<2>(pass));
        if (pass.components == 3)
          return run(n, job, sam::with_tuple_size<3>(pass));
        if (pass.components == 4)
          return run(n, job, sam::with_tuple_size<4>(pass));
      }
    }
    cuda::run_panels(*this, n, job, pass);
  } else if constexpr (Pass::tuple_size > cuda::device::warp_size) {
    cuda::run_panels(*this, n, job, sam::with_tuple_size<run_time_tuple>(pass));
  } else if constexpr (!is_tiled<T, Pass>) {
    if constexpr (Pass::order > 1 && !has_algebra<T, Pass>) {
      // No algebra: so many rounds.
      auto const once = sam::one_round(pass);
      run(n, job, once);
      for (int round = 1; round < Pass::order; ++round)
        run(n, job.again(), once);
    } else {
      cuda::run_multi_pass(*this, n, job, pass);
    }
  } else if constexpr (!fits_tiles<Job, Pass>) {
    cuda::run_multi_pass(*this, n, job, pass);  // states or items too large for shared memory
  } else {
    static_assert(
        !scattering<Job> ||
        gpu::scan_config<cuda::device, Job, Pass, scan_tuning::small<Job, Pass>>::shared_bytes <=
            64 << 10);  // or in place would fail on some device: see limits::largest_held
    if (cuda::is_large<Job, Pass>(*this, n) &&
        cuda::bytes_as_cut<Job, Pass, scan_tuning::large> <= int(shared_bytes()) &&
        cuda::launch_scan<scan_tuning::large<Job, Pass>>(*this, n, job, pass))
      return;
    if (!cuda::launch_scan<scan_tuning::small<Job, Pass>>(*this, n, job, pass))
      sam::detail::fail<device_error>("sam::cuda",
                                      "the device has too little shared memory for the pass",
                                      std::source_location::current());
  }
}

}  // namespace sam::cuda
