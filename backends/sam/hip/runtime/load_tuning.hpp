// SPDX-License-Identifier: MIT
// Chooses the tuning values of a device when a context is made.
#pragma once

#include <sam/base/tuning_files.hpp>
#include <sam/hip/runtime/platform.hpp>
#include <sam/hip/runtime/tuning.hpp>

namespace sam::inline v0_1::hip {

/// Holds the tuning values of a context, and where they come from.
struct tuning_choice {
  tunables values;
  engine::tuning_source source;
};

/// Returns the values for a device: those that the program was compiled with, changed by the
/// machine's table if there is one. There are no released tables of AMD's devices.
inline tuning_choice load_tuning(hipDeviceProp_t const& device) {
  tuning_choice chosen;
  engine::tuning_source& source = chosen.source;
  if (*tuning::table != '\0')
    std::snprintf(source.text, sizeof source.text, "%s", tuning::table);
  auto const name_device = [](void const* name, char(&to)[256]) {
    std::snprintf(to, sizeof to, "%s", static_cast<char const*>(name));
  };
  engine::load_tables("hip", +name_device, device.name, all_tunables, chosen.values, source);
  return chosen;
}

}  // namespace sam::inline v0_1::hip
