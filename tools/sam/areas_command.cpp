// SPDX-License-Identifier: MIT
// Implements `sam summed-area-table`.
#include <sam/summed_area_table.hpp>

#include "arrays.hpp"
#include "commands.hpp"
#include "conversions.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "npy.hpp"

#include <cstdio>

namespace sam::tool {

namespace {

/// Throws a failure if the table does not tell the sum of the box. An exclusive table lacks the
/// last row and column, so the box must not contain them.
void expect_box(box_sides const& box, std::string const& file, index_t height, index_t width,
                bool exclusive) {
  auto const [top, left, bottom, right] = box;
  index_t const lowest = height - (exclusive ? 1 : 0), last = width - (exclusive ? 1 : 0);
  if (!(0 <= top && top <= bottom && bottom <= lowest && 0 <= left && left <= right &&
        right <= last))
    throw failure("--box must say 0 <= TOP <= BOTTOM <= " + std::to_string(lowest) +
                  " and 0 <= LEFT <= RIGHT <= " + std::to_string(last) + ", for " + file +
                  " holds " + std::to_string(height) + " rows of " + std::to_string(width) +
                  " items" +
                  (exclusive ? ", the last of which an exclusive table leaves out" : ""));
}

/// Returns the sum of a box, from the table.
buffer sum_of_box(buffer const& table, index_t width, box_sides const& box, bool exclusive) {
  buffer sum(table.type(), 1);
  auto const [top, left, bottom, right] = box;
  with_type(table.type(), [&]<class T>(std::type_identity<T>) {
    T const* const from = table.as<T>().data();
    sum.as<T>().front() = exclusive ? exclusive_box_sum(from, width, top, left, bottom, right)
                                    : box_sum(from, width, top, left, bottom, right);
  });
  return sum;
}

}  // namespace

void run_summed_area_table(areas_options const& options) {
  check_files({options.in}, {options.out});
  if (options.box && standard_output_is_taken())
    throw failure("--box prints to standard output, where the table goes already; give a file");
  npy_array table = read_npy(options.in);
  if (table.shape.size() != 2)
    throw failure(options.in, "has rank " + std::to_string(table.shape.size()) +
                                  "; a summed-area table is of an array of rank 2");
  index_t const height = table.shape[0], width = table.shape[1];
  if (options.box)
    expect_box(*options.box, options.in, height, width, options.exclusive);
  table.items = widened(std::move(table.items));
  auto const engine = start_back_end(options.back_end);
  if (table.items.count() > 0)
    engine->summed_area_table(table.items, width, options.exclusive);
  if (!options.out.empty())
    write_npy(options.out, table);
  if (options.box)
    std::printf(
        "%s\n",
        text_of(sum_of_box(table.items, width, *options.box, options.exclusive), 0).c_str());
}

}  // namespace sam::tool
