// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "npy.hpp"

namespace sam::tool {

void run_scan(scan_options const& options) {
  npy_array const array = read_npy(options.in);
  start_back_end(options.back_end)->scan(array.items, options.request);
  write_npy(options.out, array);
}

}  // namespace sam::tool
