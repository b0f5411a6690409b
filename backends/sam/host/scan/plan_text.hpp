// SPDX-License-Identifier: MIT
// Prints which kernel scans what on CPUs, as a table for `sam info --scan-plan`.
#pragma once

#include <sam/host/context_base.hpp>
#include <sam/host/kernels/choose_kernel.hpp>
#include <sam/host/scan/single_pass.hpp>

#include <string>

namespace sam::inline v0_1::host {

/// Returns the row of inclusive scans of T under Op, of an order and tuple size.
template <class T, class Op, int Order = 1, int TupleSize = 1>
std::string scan_row_of(std::string const& items, std::string const& operation,
                        index_t components = TupleSize) {
  auto const policy = engine::resolve_policy<bound::inclusive>(
      scan_policy<Op, Order, TupleSize>{Op{}, components}, from_nothing{});
  std::string row;
  host::with_kernel<T>(policy, [&](auto const& kernel) {
    auto const config = tile_config::of<T>(index_t{1} << 30, kernel);
    row = "| " + items + " | " + operation + " | " + std::to_string(Order) + " | " +
          std::to_string(components) + (TupleSize == run_time_tuple ? ", at run time" : "") +
          " | " + kernel.name + " | " + std::to_string(config.tiles.size) + " |\n";
  });
  return row;
}

inline std::string any_context::scan_plan() {
  using i8 = std::int8_t;
  using i32 = std::int32_t;
  using i64 = std::int64_t;
  return "| items | operator | order | tuple | kernel | items of a tile |\n"
         "| --- | --- | --- | --- | --- | --- |\n" +
         host::scan_row_of<i8, plus>("int8", "plus") +
         host::scan_row_of<i32, plus>("int32", "plus") +
         host::scan_row_of<i64, plus>("int64", "plus") +
         host::scan_row_of<float, plus>("float", "plus") +
         host::scan_row_of<double, maximum>("double", "maximum") +
         host::scan_row_of<i32, logical_and>("int32", "logical_and") +
         host::scan_row_of<i32, plus, 2>("int32", "plus") +
         host::scan_row_of<i32, plus, 8>("int32", "plus") +
         host::scan_row_of<i32, plus, 1, 2>("int32", "plus") +
         host::scan_row_of<i32, plus, 1, 5>("int32", "plus") +
         host::scan_row_of<i32, plus, 1, run_time_tuple>("int32", "plus", 100);
}

}  // namespace sam::inline v0_1::host
