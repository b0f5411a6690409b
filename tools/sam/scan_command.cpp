// SPDX-License-Identifier: MIT
// Implements `sam scan`.
#include "commands.hpp"
#include "conversions.hpp"
#include "destination.hpp"
#include "npy.hpp"
#include "totals.hpp"

namespace sam::tool {

namespace {

/// Returns the type in which a scan is computed. Integer products, exclusive sums and multi-pass
/// sums are compiled for 8 bytes only. Their low bits equal the results of narrower types.
item_type work_type(scan_request const& request) {
  bool const in_one_pass = request.carry != carry_scheme::reduce_then_scan &&
                           request.carry != carry_scheme::scan_then_propagate;
  bool const is_sum = request.op == scan_operator::plus;
  bool const of_any_type =
      is_sum ? in_one_pass && !request.exclusive : request.op != scan_operator::multiplies;
  return of_any_type ? *request.result : accumulator_of(*request.result);
}

buffer scanned(engine& engine, operands given, scan_request const& request) {
  if (request.map == item_map::none) {
    buffer items = converted(std::move(given.items), work_type(request));
    engine.scan(items, request);
    return as_result(std::move(items), given.result);
  }
  buffer out(accumulator_of(given.result), given.items.count());
  engine.scan_mapped(given.items, out, request);
  return as_result(std::move(out), given.result);
}

}  // namespace

void run_scan(scan_options const& options) {
  check_files({options.in}, {options.out});
  npy_array array = read_npy(options.in);
  scan_request request = options.request;
  operands given = operands_for(std::move(array.items), {request.op, request.map, request.result});
  request.map = given.map;
  request.result = given.result;
  array.items = scanned(*start_back_end(options.back_end), std::move(given), request);
  write_npy(options.out, array);
}

}  // namespace sam::tool
