// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "npy.hpp"

namespace sam::tool {

void run_sort(sort_options const& options) {
  npy_array array = read_npy(options.in);
  auto const engine = start_back_end(options.back_end);
  if (options.wants_order) {
    buffer order(item_type::int64, array.items.count());
    engine->argsort(array.items, order, options.request);
    array.items = std::move(order);
  } else {
    engine->sort(array.items, options.request);
  }
  write_npy(options.out, array);
}

}  // namespace sam::tool
