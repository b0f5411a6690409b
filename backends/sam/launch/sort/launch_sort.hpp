// SPDX-License-Identifier: MIT
// Launches a kernel of a sort over tiles.
#pragma once

#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Returns how many blocks of a sort kernel a multiprocessor holds. Throws sam::device_error if it
/// holds none.
template <class Config, class Arguments>
int resident_for_sort(context& context, void (*kernel)(Arguments)) {
  int const resident = self::resident_blocks<Config>(context, kernel);
  if (resident == 0)
    sam::detail::fail<device_error>(platform::name,
                                    "the device has too little shared memory for a sort",
                                    std::source_location::current());
  return resident;
}

/// Queues a sort kernel for a number of tiles.
template <class Config, class Arguments>
void launch_sort(context& context, void (*kernel)(Arguments), index_t tiles,
                 std::type_identity_t<Arguments> const& a) {
  index_t const resident = self::resident_for_sort<Config>(context, kernel);
  self::launch(context, kernel, limited(context, tiles, resident * context.multiprocessors()),
               Config::threads, Config::shared_bytes, a);
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
