// SPDX-License-Identifier: MIT
// Chooses the tuning values of a device when a context is made.
#pragma once

#include <sam/base/tuning_files.hpp>
#include <sam/cuda/runtime/platform.hpp>
#include <sam/cuda/runtime/released_tables.hpp>

namespace sam::inline v0_1::cuda {

/// Holds the tuning values of a context, and where they come from.
struct tuning_choice {
  tunables values;
  engine::tuning_source source;
};

/// Returns the values for a device: those of a table that was compiled in or of the nearest
/// released table, changed by the machine's table if there is one.
inline tuning_choice load_tuning(cudaDeviceProp const& device) {
  tuning_choice chosen;
  engine::tuning_source& source = chosen.source;
  if (*tuning::table != '\0') {
    std::snprintf(source.text, sizeof source.text, "%s", tuning::table);
  } else {
    table_choice const released = cuda::choose_table(
        device.name, {device.major * 10 + device.minor, device.multiProcessorCount,
                      index_t(device.sharedMemPerBlockOptin), device.l2CacheSize});
    chosen.values = released.table.values;
    std::snprintf(source.text, sizeof source.text, "the released table %s, %s", released.table.name,
                  released.relation());
  }
  auto const name_device = [](void const* name, char(&to)[256]) {
    std::snprintf(to, sizeof to, "%s", static_cast<char const*>(name));
  };
  engine::load_tables("cuda", +name_device, device.name, all_tunables, chosen.values, source);
  return chosen;
}

}  // namespace sam::inline v0_1::cuda
