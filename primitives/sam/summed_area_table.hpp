// SPDX-License-Identifier: MIT
// summed_area_table and exclusive_summed_area_table, and the sums of boxes that they answer.
#pragma once

#include <sam/scan.hpp>
#include <sam/segmented_scan.hpp>

namespace sam {

namespace detail {

template <bound Bound, class Context, class In, class Out>
void area_table(std::string_view function, Context& context, In const& in, index_t width, Out& out,
                std::source_location at) {
  using T = item_of<Out>;
  static_assert(arithmetic<T> || is_floating<T>,
                "sam: a table is of integers modulo 2^w or of floating-point numbers");
  [[maybe_unused]] auto const call = begin_call(context, function, at);
  expect_scan(function, context, in, out, scan_policy<>{}, at);
  expect_same_size(function, in, out, at);
  expect_same_or_apart(function, in, out, at);
  index_t const n = size_of(in);
  if (width < 1)
    throw invalid_argument(function, "width",
                           "is " + std::to_string(width) + "; it must be at least 1", at);
  if (n % width != 0)
    throw invalid_argument(function, "width",
                           "is " + std::to_string(width) + "; in holds " + std::to_string(n) +
                               " items, which are no whole rows of so many",
                           at);
  auto const columns = tuples_of(width);
  if constexpr (Bound == bound::exclusive) {
    segmented_exclusive_scan(context, in, by_length(width), out, plus{}, T(0), at);
    exclusive_scan(context, out, out, columns, T(0), at);
  } else if (width == 1 || width == n) {
    inclusive_scan(context, in, out, plus{}, at);
  } else {
    segmented_inclusive_scan(context, in, by_length(width), out, plus{}, at);
    inclusive_scan(context, out, out, columns, at);
  }
}

/// (a - b) - (c - d).
template <class T>
SAM_FUNCTION constexpr T differ_twice(T a, T b, T c, T d) {
  if constexpr (integer<T>) {
    using ring = modular_t<T>;
    return static_cast<T>(static_cast<ring>(a) - static_cast<ring>(b) - static_cast<ring>(c) +
                          static_cast<ring>(d));
  } else {
    return static_cast<T>((a - b) - (c - d));
  }
}

}  // namespace detail

/// Summed-area table of an image, row by row: out's item in row y and column x is the sum of all of
/// in from row 0 to y and from column 0 to x, both included. Then `box_sum` has the sum of any box
/// by four reads.
///
/// in, out      height * width items each, in memory that `context` reaches. out may be in. They
///              are added in out's item type, an integer, modulo 2^w, or a floating-point type: a
///              box's sum is right wherever it fits, even if the table's are not
/// width        items of a row, at least 1. in holds whole rows
/// traffic      2 n reads and 2 n writes of an item: a segmented scan of the rows, then a scan of
///              the columns, as tuples; n each if there is one row or one column
/// workspace    none per call, as for inclusive_scan
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out
/// throws       as inclusive_scan; also sam::invalid_argument  if width is below 1, or in holds no
///              whole rows; nothing is written
/// source       Crow, "Summed-area tables for texture mapping", SIGGRAPH 1984
template <class Context, array In, output_array Out>
void summed_area_table(Context& context, In const& in, index_t width, Out&& out,
                       std::source_location at = std::source_location::current()) {
  detail::area_table<bound::inclusive>("sam::summed_area_table", context, in, width, out, at);
}

/// The same before row y and before column x: the first row and the first column are 0, and the
/// last ones of in count nowhere. For `exclusive_box_sum`, which then needs no cases.
template <class Context, array In, output_array Out>
void exclusive_summed_area_table(Context& context, In const& in, index_t width, Out&& out,
                                 std::source_location at = std::source_location::current()) {
  detail::area_table<bound::exclusive>("sam::exclusive_summed_area_table", context, in, width, out,
                                       at);
}

/// The sum of rows [top, bottom) and columns [left, right) of the image, of whose rows of `width`
/// items summed_area_table made `table`. 0 <= top <= bottom <= height and 0 <= left <= right <=
/// width, which is not checked. May be called wherever the table may be read, on a device too. With
/// floats, it is as far off as the table is at the box's far corner.
template <class T>
SAM_FUNCTION constexpr T box_sum(T const* table, index_t width, index_t top, index_t left,
                                 index_t bottom, index_t right) {
  auto const upto = [&](index_t y, index_t x) {
    return y == 0 || x == 0 ? T(0) : table[(y - 1) * width + x - 1];
  };
  return detail::differ_twice(upto(bottom, right), upto(top, right), upto(bottom, left),
                              upto(top, left));
}

/// The same of a table of exclusive_summed_area_table, for boxes that do not touch the last row or
/// the last column: bottom < height, right < width.
template <class T>
SAM_FUNCTION constexpr T exclusive_box_sum(T const* table, index_t width, index_t top, index_t left,
                                           index_t bottom, index_t right) {
  T const* const above = table + top * width;
  T const* const below = table + bottom * width;
  return detail::differ_twice(below[right], above[right], below[left], above[left]);
}

}  // namespace sam
