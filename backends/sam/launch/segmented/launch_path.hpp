// SPDX-License-Identifier: MIT
// Launches merge-path kernels for segments and runs.
#pragma once

#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Queues a kernel for the tiles of a merge path. Returns false if the device cannot run it.
template <class Path, class Arguments>
bool launch_path(context& context, void (*kernel)(Arguments), index_t tiles,
                 std::type_identity_t<Arguments> const& arguments) {
  int const resident = self::resident_blocks<Path>(context, kernel);
  if (resident == 0)
    return false;
  self::launch(context, kernel,
               limited(context, tiles, index_t{resident} * context.multiprocessors()),
               Path::threads, Path::shared_bytes, arguments);
  return true;
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
