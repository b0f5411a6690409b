// SPDX-License-Identifier: MIT
// Implements `sam scan`.
#include "commands.hpp"
#include "conversions.hpp"
#include "destination.hpp"
#include "parts.hpp"
#include "totals.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

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

/// Scans an array part by part in constant memory. The state between two parts is a row for each
/// round: the last inclusive scan values of all components. A part is scanned with that row in
/// front of it, so that any engine continues any scan. An exclusive scan is the inclusive one with
/// its row, without the last tuple.
class streamed_scan {
 public:
  streamed_scan(engine& engine, scan_request const& request)
      : engine_(engine), request_(request), row_items_(request.tuple_size) {
    for (scan_request* round : {&round_, &first_}) {
      *round = request;
      round->order = 1;
      round->exclusive = false;
      round->map = item_map::none;
    }
    round_.init.reset();
  }

  /// Scans the next items of the array.
  buffer scanned(buffer items) {
    operands given = operands_for(std::move(items), {request_.op, request_.map, request_.result});
    item_type const result = given.result;
    round_.result = first_.result = result;
    if (given.map != item_map::none)
      given.items = converted(std::move(given.items), accumulator_of(result), given.map);
    items = converted(std::move(given.items), work_type(round_));
    for (int round = 0; round < request_.order; ++round)
      items = scanned_once(items, static_cast<std::size_t>(round));
    return as_result(std::move(items), result);
  }

 private:
  buffer scanned_once(buffer const& items, std::size_t round) {
    if (rows_.size() == round)
      rows_.push_back(first_row(items.type()));
    index_t const bytes = bytes_of(items.type());
    buffer const both = joined(rows_[round], items);
    auto const row_bytes = static_cast<std::size_t>(row_items_ * bytes);
    engine_.scan(both, round_);
    rows_[round] = last_items(both, row_items_);
    buffer out(items.type(), items.count());
    auto const from = both.bytes().subspan(request_.exclusive ? 0 : row_bytes);
    std::ranges::copy(from.first(out.bytes().size()), out.bytes().begin());
    return out;
  }

  /// Returns the row before the first items: the initial value, or the identity.
  buffer first_row(item_type type) const {
    buffer row(type, row_items_);
    scan_request told = first_;
    told.exclusive = request_.exclusive;
    with_type(type, [&]<class T>(std::type_identity<T>) {
      using U = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                            std::type_identity<T>>::type;
      std::ranges::fill(row.as<U>(), start_value<U>(told));
    });
    return row;
  }

  engine& engine_;
  scan_request const& request_;
  scan_request round_, first_;  // of a later part, and of the first one
  index_t row_items_;
  std::vector<buffer> rows_;
};

void run_streamed_scan(npy_reader& in, scan_options const& options) {
  auto const engine = start_back_end(options.back_end);
  streamed_scan scan(*engine, options.request);
  std::optional<npy_writer> out;
  for_each_part(in, options.chunk, [&](buffer part) {
    buffer const items = scan.scanned(std::move(part));
    if (!out)
      out.emplace(options.out, npy_header{items.type(), in.header().shape});
    out->write(items);
  });
  out->finish();
}

}  // namespace

void run_scan(scan_options const& options) {
  check_files({options.in}, {options.out});
  npy_reader in(options.in);
  bool const fits = in.header().count() <= options.chunk;
  if (!fits && !options.request.backward && options.request.tuple_size <= options.chunk)
    return run_streamed_scan(in, options);
  npy_array array = in.read_all();
  scan_request request = options.request;
  operands given = operands_for(std::move(array.items), {request.op, request.map, request.result});
  request.map = given.map;
  request.result = given.result;
  array.items = scanned(*start_back_end(options.back_end), std::move(given), request);
  write_npy(options.out, array);
}

}  // namespace sam::tool
