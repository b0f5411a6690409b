// SPDX-License-Identifier: MIT
// What the tool asks of a back end. Everything else in this folder knows no back end; what is in
// engine/ is compiled once for each.
#pragma once

#include "segmentation.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sam::tool {

enum class scan_operator { plus, multiplies, min, max, bit_and, bit_or, bit_xor, all, any };

/// What becomes of an item before it is combined.
enum class item_map { none, square, absolute, negate, nonzero };

enum class carry_scheme { decoupled, chained, lookback, reduce_then_scan, scan_then_propagate };

/// The choices of a scan. `init` is text as the user wrote it; `result` says how to read it.
struct scan_request {
  scan_operator op = scan_operator::plus;
  std::optional<item_type> result;  // that the user gets; operands_for chooses it where it is empty
  int order = 1;
  index_t tuple_size = 1;
  bool exclusive = false;
  bool backward = false;
  std::optional<std::string> init;
  carry_scheme carry = carry_scheme::decoupled;
  item_map map = item_map::none;  // others: forwards, of order 1, of single items
};

/// The choices of a scan of segments, and of a reduction.
struct segmented_request {
  scan_operator op = scan_operator::plus;
  std::optional<item_type> result;
  bool exclusive = false;
  bool backward = false;
  std::optional<std::string> init;
};
struct reduce_request {
  scan_operator op = scan_operator::plus;
  std::optional<item_type> result;
  std::optional<std::string> init;
  item_map map = item_map::none;  // others: of all items, not of segments
};

/// The sequences of a difference code: `order` differences of every tuple_size-th item.
struct delta_request {
  int order = 1;
  index_t tuple_size = 1;
};

/// How items are sorted: integers by value, floats in numeric order or in IEEE 754's total order,
/// and either by bits [begin, end) alone of unsigned integers in that order.
struct sort_request {
  bool descending = false;
  std::array<int, 2> bits;
  bool in_total_order = false;
};

/// Which items are kept: those with such a relation to a value, as the user wrote it.
enum class relation { greater, less, equal };
struct keep_request {
  relation is = relation::equal;
  std::string value;
  std::string option;  // that it came with
};

/// The bins of a histogram: even ones between two limits, as the user wrote them, unless boundaries
/// say otherwise; and whether counts are cumulative, with one more of all items.
struct histogram_request {
  std::string lower, upper;
  bool cumulative = false;
};

/// The numbers of a recursive filter, as the user wrote them: as many of each as it is of order, or
/// nothing before the first item.
struct filter_request {
  std::vector<std::string> coefficients, before;
};
inline constexpr std::size_t highest_filter_order = 4;

/// What a back end runs on, and what it is measured by.
struct description {
  std::string place;       // where its items are, and who works on them
  std::string copy;        // what copies as many bytes there, to compare
  index_t measured_bytes;  // enough that no cache holds them
  std::vector<std::pair<std::string, std::string>> facts;  // for people; the device is the first
};

/// Times in seconds, without bringing items to where they are worked on.
struct decode_speed {
  double decode;
  double copy;
};

/// One back end at work. Items lie in the host's memory; all work is done when a call returns.
class engine {
 public:
  virtual ~engine() = default;

  // Scans and reductions need a request with a result type. Operators on truth values take items
  // that are 0 or 1.

  /// Scans items in place, without a map. Products, exclusive sums and sums by several passes need
  /// integers of 8 bytes or floats.
  virtual void scan(buffer const& items, scan_request const& request) = 0;
  /// Maps items of `in` and scans them to `out`, which is as long and of the accumulator type of
  /// the result.
  virtual void scan_mapped(buffer const& in, buffer const& out, scan_request const& request) = 0;
  /// In place. A backward scan may change what says where segments lie.
  virtual void segmented_scan(buffer const& items, segmentation const& segments,
                              segmented_request const& request) = 0;
  /// Combines all items to the one in `out`, which is of the accumulator type of the result.
  virtual void reduce(buffer const& items, buffer const& out, reduce_request const& request) = 0;
  /// The same of each segment, which is said by heads or by offsets, to the front of out, with room
  /// for as many as there may be. Returns how many there are.
  virtual index_t reduce_segments(buffer const& items, segmentation const& segments,
                                  buffer const& out, reduce_request const& request) = 0;
  /// Likewise of each run of equal keys, whose first one goes to unique_keys, which has room for
  /// as many as there may be, or for none.
  virtual index_t reduce_by_key(buffer const& keys, buffer const& items, buffer const& unique_keys,
                                buffer const& out, reduce_request const& request) = 0;
  /// From one buffer to another of the same type and size, or in place.
  virtual void encode(buffer const& in, buffer const& out, delta_request const& request) = 0;
  virtual void decode(buffer const& in, buffer const& out, delta_request const& request) = 0;

  /// In place; equal items stay in their order. Each segment, if there are any, is sorted by
  /// itself.
  virtual void sort(buffer const& items, segmentation const* segments,
                    sort_request const& request) = 0;
  /// The same, with as many values, each of which goes where its item goes.
  virtual void sort(buffer const& items, buffer const& values, segmentation const* segments,
                    sort_request const& request) = 0;
  /// To `order`, of type int64, the indices, among all items, of the items in sorted order.
  virtual void argsort(buffer const& items, segmentation const* segments, buffer const& order,
                       sort_request const& request) = 0;

  /// Decodes often, and copies in to out as often.
  virtual decode_speed measure_decode(buffer const& in, buffer const& out,
                                      delta_request const& request) = 0;

  /// The items that are kept, in order, to the front of out, which is as large as in, and in a
  /// partition the others behind them. Returns how many are kept.
  virtual index_t compact(buffer const& in, buffer const& out, keep_request const& request,
                          bool partition) = 0;
  /// The same of those whose flag is 1: of as many bits, 32 in each uint32, the lowest first. May
  /// change flags.
  virtual index_t compact(buffer const& in, buffer const& out, buffer const& flags,
                          bool partition) = 0;
  /// The indices of those that are kept, as int64.
  virtual index_t compact_indices(buffer const& in, buffer const& out,
                                  keep_request const& request) = 0;
  /// Of flags as above, as many as out has room for.
  virtual index_t compact_indices(buffer const& flags, buffer const& out) = 0;
  /// The items that are kept by `first`, those of the others that are kept by `second`, and the
  /// rest, each in order. Returns how many are of the first and of the second kind.
  virtual std::array<index_t, 2> partition(buffer const& in, buffer const& out,
                                           keep_request const& first,
                                           keep_request const& second) = 0;
  /// The first of each run of keys with equal bits, and the value beside it. Returns how many.
  virtual index_t unique(buffer const& keys, buffer const& values, buffer const& keys_out,
                         buffer const& values_out) = 0;

  /// Runs of items with equal bits: their values, as many lengths of int64, or none to be told the
  /// number of runs, which is returned; and back. Returns how many there are, with room or without.
  virtual index_t encode_runs(buffer const& in, buffer const& values, buffer const& lengths) = 0;
  virtual index_t decode_runs(buffer const& values, buffer const& lengths, buffer const& out) = 0;

  /// How many items lie in each bin, as int64; of boundaries, which are of the items' type, there
  /// is one more than there are bins.
  virtual void histogram(buffer const& in, buffer const& counts,
                         histogram_request const& request) = 0;
  virtual void histogram(buffer const& in, buffer const& boundaries, buffer const& counts,
                         histogram_request const& request) = 0;

  // In place, of items as `widened` makes them.

  /// Of rows of `width` items, at least 1.
  virtual void summed_area_table(buffer const& items, index_t width, bool exclusive) = 0;
  /// b[i] + a[i] * b[i - 1]. May change a.
  virtual void linear_recurrence(buffer const& a, buffer const& b,
                                 std::optional<std::string> const& init) = 0;
  virtual void linear_filter(buffer const& items, filter_request const& request) = 0;

  virtual description describe() const = 0;
};

struct back_end {
  std::string name;
  std::string library;  // that it builds on, and its version; may be empty
  std::unique_ptr<engine> (*start)();
};

/// Those compiled in, the default one first.
std::vector<back_end> const& back_ends();

/// One of them, by its name. Throws a failure that names it if it cannot run here.
std::unique_ptr<engine> start_back_end(std::string const& name);

}  // namespace sam::tool
