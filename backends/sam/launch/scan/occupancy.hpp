// SPDX-License-Identifier: MIT
// Chooses how blocks of scan kernels use a multiprocessor: how many there are, with how many
// stages, and whether the device has large tiles. None of it changes the items of a tile.
#ifndef SAM_LAUNCH_SCAN_OCCUPANCY_HPP
#define SAM_LAUNCH_SCAN_OCCUPANCY_HPP

#include <sam/launch/runtime/launch.hpp>
#include <sam/launch/scan/plan.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Returns the number of stages for which blocks of a config have room if `blocks` of them share a
/// multiprocessor; 0 if they are too few.
template <class Config>
int stages_for(context const& context, int blocks) {
  if (context.has_fixed_stages())
    return Config::shared_bytes <= int(context.shared_bytes()) ? Config::stages : 0;
  gpu::device_resources const& device = context.resources();
  index_t const bytes =
      min_of(index_t(context.shared_bytes()),
             index_t(device.shared_bytes) / blocks - index_t(device.reserved_shared_bytes));
  int stages = scan_tuning::most_stages;
  while (stages > 0 && Config::shared_bytes_of(stages) > bytes)
    --stages;
  return stages < scan_tuning::least_stages ? 0 : stages;
}
/// Returns the shared memory of a block with that number of stages.
template <class Config>
int bytes_for(context const& context, int stages) {
  return context.has_fixed_stages() ? Config::shared_bytes : Config::shared_bytes_of(stages);
}

/// Describes how blocks of a kernel use a multiprocessor: how many, with how many stages, in how
/// much shared memory. No blocks if the device cannot run them.
struct occupancy {
  int blocks = 0, stages = 0, bytes = 0;
};
/// Returns the occupancy of a kernel whose blocks run those of all `Configs`.
template <class... Configs, class Arguments>
occupancy occupancy_of(context& context, void (*kernel)(Arguments), int threads) {
  auto const with = [&](int blocks) {
    occupancy of{blocks};
    of.stages = scan_tuning::most_stages;
    ((of.stages = int(min_of(of.stages, self::stages_for<Configs>(context, blocks)))), ...);
    ((of.bytes = int(engine::max_of(of.bytes, self::bytes_for<Configs>(context, of.stages)))), ...);
    return of;
  };
  if (context.has_fixed_stages()) {
    occupancy of = with(1);
    of.blocks = of.stages == 0 ? 0 : self::resident_blocks(context, kernel, threads, of.bytes);
    return of;
  }
  int const blocks = context.known(reinterpret_cast<void const*>(kernel), [&] {
    for (int together = int(context.tuned().scan_blocks); together > 0; --together)
      if (occupancy const of = with(together);
          of.stages > 0 && self::count_resident(context, kernel, threads, of.bytes) >= together)
        return together;
    return 0;
  });
  return blocks == 0 ? occupancy{} : with(blocks);
}

/// True if the device has enough shared memory for large tiles. Jobs that must have equal tile
/// sizes then have them on every device.
template <class Job, class Policy>
bool has_large_tiles(context const& context) {
  using like = tiled_like_t<Job>;
  if (context.has_fixed_stages())
    return bytes_as_tiled<Job, Policy, scan_tuning::large> <= int(context.shared_bytes());
  constexpr int stages = scan_tuning::least_large_stages<Job, Policy>;
  auto const fits = [&]<class Config>(std::type_identity<Config>) {
    return Config::shared_bytes_of(stages) <= int(context.shared_bytes());
  };
  return fits(std::type_identity<
              gpu::scan_config<device, Job, Policy, scan_tuning::large<Job, Policy>>>{}) &&
         fits(std::type_identity<
              gpu::scan_config<device, like, Policy, scan_tuning::large<like, Policy>>>{});
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
