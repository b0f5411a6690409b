// SPDX-License-Identifier: MIT
// histogram and cumulative_histogram.
#pragma once

#include <sam/bins.hpp>
#include <sam/histogram_job.hpp>
#include <sam/scan.hpp>

namespace sam {

namespace detail {

template <class Context, class In, class Counts, class Bins>
void count_bins_of(std::string_view function, std::string_view argument, Context& context,
                   In const& in, Counts& counts, index_t number, Bins const& bins,
                   std::source_location at) {
  using T = item_of<In>;
  using count = item_of<Counts>;
  static_assert(sam::context<Context>, "sam: the first argument must be a back end's context");
  static_assert(is_within_reach<Context, In> && is_within_reach<Context, Counts>,
                "sam: the context cannot reach the memory space of in or of the counts");
  static_assert(integer<count> && (sizeof(count) == 4 || sizeof(count) == 8),
                "sam: counts must be integers of 4 or 8 bytes");
  static_assert(std::is_trivially_copyable_v<T>, "sam: items must be trivially copyable");
  expect_items(function, "in", in, at);
  expect_items(function, argument, counts, at);
  expect_apart(function, argument, counts, "in", in, at);
  expect_fits<count>(function, argument, size_of(in), at);
  expect_reach(function, "in", context, in, at);
  expect_reach(function, argument, context, counts, at);
  auto const count_by = [&](auto const& bin_of) {
    if (number > 0)
      count_bins(context, histogram_job<T, count, std::remove_cvref_t<decltype(bin_of)>>{
                              size_of(in), in.data(), counts.data(), number, bin_of});
  };
  if constexpr (knows_bins<Bins>) {
    bins.template expect<T>(function, argument, context, number, counts, at);
    bins.template with_bins<T>(number, count_by);
  } else {
    static_assert(detail::callable_for<Bins, index_t, T const&>,
                  "sam: bins are even_bins(lower, upper), bins_between(boundaries), or a function "
                  "object that makes an index of an item");
    expect_runs_on<Context, Bins, T>();
    count_by(bins);
  }
}

}  // namespace detail

/// Histogram: counts[b] is how many items lie in bin b. What it held before is written over.
///
/// in           n items, in memory that `context` reaches
/// counts       an integer of 4 or 8 bytes for each bin, apart from in. It must be able to hold n
/// bins         even_bins(lower, upper) or bins_between(boundaries), see <sam/bins.hpp>; or a
///              function object that makes of an item the index of its bin, which a device may
///              call, once or more for equal items. An item that has an index below 0, or not below
///              the number of bins, is not counted
/// traffic      n reads of one item. Some thousand bins, and those of items of one byte, are
///              counted close to the processor; of more, each item is also an addition to memory
///              on a GPU
/// workspace    on CPUs up to 32 bytes for each bin and thread, as long as items are more than
///              bins; for items of one byte 9 KB for each thread
/// determinism  counts are exact
/// returns      once the work is queued; context.wait() before reading counts
/// throws       sam::invalid_argument  if counts cannot hold n or overlaps in, or the bins are no
///                                     range or not as many as there are counts; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Shams, Kennedy, ICSPCS 2007 (counters of one's own, added up in the end)
template <class Context, array In, output_array Counts, class Bins>
void histogram(Context& context, In const& in, Counts&& counts, Bins const& bins,
               std::source_location at = std::source_location::current()) {
  [[maybe_unused]] auto const call = begin_call(context, "sam::histogram");
  detail::count_bins_of("sam::histogram", "counts", context, in, counts, size_of(counts), bins, at);
}

/// Cumulative histogram: below[b] is how many items lie in bins before b, and below[bins] how many
/// in any. So below[j] - below[i] items lie in bins i to before j. `below` holds one item more than
/// there are bins, so at least 1, and is scanned once it holds the counts; all else as for
/// histogram.
template <class Context, array In, output_array Below, class Bins>
void cumulative_histogram(Context& context, In const& in, Below&& below, Bins const& bins,
                          std::source_location at = std::source_location::current()) {
  constexpr char const* function = "sam::cumulative_histogram";
  [[maybe_unused]] auto const call = begin_call(context, function);
  if (size_of(below) == 0)
    throw invalid_argument(function, "below",
                           "holds no items; it must hold one more than there are bins", at);
  detail::count_bins_of(function, "below", context, in, below, size_of(below) - 1, bins, at);
  exclusive_scan(context, below, below, plus{}, at);  // which makes nothing of the last item
}

}  // namespace sam
