// SPDX-License-Identifier: MIT
// Defines summed_area_table and exclusive_summed_area_table, and the box sums that they answer.
#pragma once

#include <sam/detail/inputs/copy_input.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_scan.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#include <sam/chosen_backend/segmented.hpp>
#endif

#include <utility>

namespace sam::inline v0_1 {

namespace detail {

template <bound Bound, class Context, class In, class Out>
void area_table(char const* function, Context& context, In const& in, index_t width, Out& out,
                std::source_location at) {
  using T = item_of<Out>;
  checked_call const call(context, function, at);
  auto const given = detail::first_items_of<parameter::in>(call, in);
  auto const to = call.template output<parameter::out>(out);
  call.same_size(to, given.all);
  call.same_or_apart(to, given.all);
  detail::apart_from_count(call, in, to);
  call.at_least("width", width, 1);
  if (given.all.size % width != 0)
    call.refuse("width", "is ", width, "; in holds ", given.all.size,
                " items, which are no whole rows of so many");
  index_t const n = given.taken.size;
  if (n == 0)
    return;
  auto const [all, from, number] = std::get<0>(detail::in_memory(context, given));
  checked_array<T const> const again{to.data, n, to.name};
  auto const start = [] {
    if constexpr (Bound == bound::exclusive)
      return from_value<T>{T(0)};
    else
      return from_nothing{};
  }();
  constexpr bool is_known = std::is_same_v<decltype(number), known_count const>;
  if (is_known && Bound == bound::inclusive && (width == 1 || width == n))
    return sam::detail::run_scan<Bound>(context, from, to, std::identity{}, scan_policy<>{}, start);
  sam::detail::run_segmented_scan<Bound>(context, from, by_length{width}, to, scan_policy<>{},
                                         start, number);
  if constexpr (is_known)
    sam::detail::run_scan<Bound>(context, again, to, std::identity{}, tuples_of(width), start);
  else
    context.run(
        n, detail::storing_first(scan_job<T, T, std::identity>{{to.data}, to.data, {}}, number),
        engine::resolve_policy<Bound>(detail::cut_to(n, tuples_of(width)), start));
}

/// Checks a table at compile time.
template <class Context, class In, class Out>
using is_area_table =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     writes_to<parameter::out, Context, Out>, holds_numbers<Out>,
                     converts_items<In, item_or_any_t<Out>>>;

/// Returns (a - b) - (c - d).
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

/// Computes the summed-area table of an image, stored row by row: out's item in row y and column x
/// is the sum of in over rows 0 to y and columns 0 to x, both included. box_sum then returns the
/// sum of any box from four reads.
///
/// in, out      height * width items each, in memory that `context` reaches. out may be in. Items
///              are added in out's item type, an integer, modulo 2^w, or a floating-point type.
///              With integers, the sum of a box is right if it fits, even where those of the table
///              overflow
///              in may be sam::counted(items, number): the table of the first items, whose last row
///              may be short, is written, and the rest of out does not change. in may be a computed
///              input (<sam/inputs.hpp>), whose items are first stored in memory of the context
/// width        items of a row, at least 1. in must hold whole rows
/// traffic      2 n reads and 2 n writes of an item: a segmented scan of the rows, then a scan of
///              the columns, as tuples; n each if there is one row or one column
/// workspace    none per call, as for inclusive_scan
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out
/// throws       as inclusive_scan; also sam::invalid_argument if width is below 1, or in does not
///              hold whole rows; nothing is written
/// source       Crow, "Summed-area tables for texture mapping", SIGGRAPH 1984
template <class Context, class In, class Out>
void summed_area_table(Context&& context, In const& in, index_t width, Out&& out,
                       std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::summed_area_table(*detail::lend_context(context), in, width, std::forward<Out>(out),
                                  at);
  else if constexpr (detail::is_area_table<Context, In, Out>::value)
    detail::area_table<engine::bound::inclusive>("sam::summed_area_table", context, in, width, out,
                                                 at);
}

/// Computes the exclusive summed-area table: an item is the sum of in over all rows before y and
/// all columns before x. Its first row and first column are 0, and the last row and column of in
/// are not used. exclusive_box_sum needs no case distinctions. Everything else is as for
/// summed_area_table.
template <class Context, class In, class Out>
void exclusive_summed_area_table(Context&& context, In const& in, index_t width, Out&& out,
                                 std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::exclusive_summed_area_table(*detail::lend_context(context), in, width,
                                            std::forward<Out>(out), at);
  else if constexpr (detail::is_area_table<Context, In, Out>::value)
    detail::area_table<engine::bound::exclusive>("sam::exclusive_summed_area_table", context, in,
                                                 width, out, at);
}

/// Returns the sum of rows [top, bottom) and columns [left, right) of an image. `table` is the
/// result of summed_area_table for rows of `width` items. 0 <= top <= bottom <= height and 0 <=
/// left <= right <= width must hold, which is not checked. It may be called wherever the table can
/// be read, also on a device. With floats, the error is as large as the table's at the box's far
/// corner.
template <class T>
SAM_FUNCTION constexpr T box_sum(T const* table, index_t width, index_t top, index_t left,
                                 index_t bottom, index_t right) {
  auto const upto = [&](index_t y, index_t x) {
    return y == 0 || x == 0 ? T(0) : table[(y - 1) * width + x - 1];
  };
  return detail::differ_twice(upto(bottom, right), upto(top, right), upto(bottom, left),
                              upto(top, left));
}

/// Returns the sum of a box, as box_sum, from a table of exclusive_summed_area_table. The box must
/// not touch the last row or the last column: bottom < height, right < width.
template <class T>
SAM_FUNCTION constexpr T exclusive_box_sum(T const* table, index_t width, index_t top, index_t left,
                                           index_t bottom, index_t right) {
  T const* const above = table + top * width;
  T const* const below = table + bottom * width;
  return detail::differ_twice(below[right], above[right], below[left], above[left]);
}

}  // namespace sam::inline v0_1
