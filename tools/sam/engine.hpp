// SPDX-License-Identifier: MIT
// The interface between the tool and its back ends. Only the sources in engine/ depend on a back
// end, and they are compiled once for each.
#pragma once

#include "segmentation.hpp"
#include "tune/machine.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sam::tool {

enum class scan_operator { plus, multiplies, min, max, bit_and, bit_or, bit_xor, all, any };

/// The map that is applied to an item before it is combined.
enum class item_map { none, square, absolute, negate, nonzero };

enum class carry_scheme { decoupled, chained, lookback, reduce_then_scan, scan_then_propagate };

/// The options of a scan. `init` is the user's text, which is parsed as a number of type `result`.
struct scan_request {
  scan_operator op = scan_operator::plus;
  std::optional<item_type> result;  // type of the output; if empty, operands_for chooses it
  int order = 1;
  index_t tuple_size = 1;
  bool exclusive = false;
  bool backward = false;
  std::optional<std::string> init;
  carry_scheme carry = carry_scheme::decoupled;
  item_map map = item_map::none;  // other maps need a forward scan of order 1 and tuple size 1
};

/// The options of a segmented scan and of a reduction.
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
  item_map map = item_map::none;  // other maps need a reduction of all items, without segments
};

/// The options of a difference code: `order` differences between items `tuple_size` apart.
struct delta_request {
  int order = 1;
  index_t tuple_size = 1;
};

/// The options of a sort. Integers are ordered by value, floats by value or by IEEE 754's total
/// order. `bits` restricts the sort to bits [begin, end) of the ordered key.
struct sort_request {
  bool descending = false;
  std::array<int, 2> bits;
  bool in_total_order = false;
};

/// The predicate of a compaction: a relation to a value, which is the user's text.
enum class relation { greater, less, equal };
struct keep_request {
  relation is = relation::equal;
  std::string value;
  std::string option;  // the command-line option, for messages
};

/// The options of a histogram. Bins are even and lie between the two limits, which are the user's
/// text, unless boundaries are given. A cumulative histogram has one more count: the total.
struct histogram_request {
  std::string lower, upper;
  bool cumulative = false;
};

/// The options of a recursive filter, as the user's text: one coefficient per order, and as many
/// items before the first one, or none.
struct filter_request {
  std::vector<std::string> coefficients, before;
};
inline constexpr std::size_t highest_filter_order = 4;

/// Describes a back end for the user and says how it is measured.
struct description {
  std::string place;       // memory and processors that it uses
  std::string copy;        // the copy that it is compared with
  index_t measured_bytes;  // large enough to exceed every cache
  // Names and values; the device comes first.
  std::vector<std::pair<std::string, std::string>> facts;
};

/// Times in seconds. Transfers between the host and the device are excluded.
struct decode_speed {
  double decode;
  double copy;
};

class set_calls;  // see word_calls.hpp
class move_calls;
class rank_calls;
class number_calls;

/// Runs the tool's work on one back end. Items lie in host memory. All calls are synchronous.
class engine {
 public:
  virtual ~engine() = default;

  // Scans and reductions need a request with a result type. Logical operators take items that are 0
  // or 1.

  /// Scans items in place, without a map. Products, exclusive sums and multi-pass sums need 8-byte
  /// integers or floats.
  virtual void scan(buffer const& items, scan_request const& request) = 0;
  /// Maps the items of `in` and scans them to `out`, which is as long and has the accumulator type
  /// of the result.
  virtual void scan_mapped(buffer const& in, buffer const& out, scan_request const& request) = 0;
  /// Scans each segment in place. A backward scan may overwrite `segments`.
  virtual void segmented_scan(buffer const& items, segmentation const& segments,
                              segmented_request const& request) = 0;
  /// Reduces all items to the single item of `out`, which has the accumulator type of the result.
  virtual void reduce(buffer const& items, buffer const& out, reduce_request const& request) = 0;
  /// Reduces each segment, given by heads or offsets, and writes the results to the front of `out`.
  /// `out` has capacity for the largest possible number of segments. Returns the number of
  /// segments.
  virtual index_t reduce_segments(buffer const& items, segmentation const& segments,
                                  buffer const& out, reduce_request const& request) = 0;
  /// Reduces each run of equal keys. Writes the first key of each run to `unique_keys`, which has
  /// capacity for all keys or is empty. Returns the number of runs.
  virtual index_t reduce_by_key(buffer const& keys, buffer const& items, buffer const& unique_keys,
                                buffer const& out, reduce_request const& request) = 0;
  /// Encode and decode from one buffer to another of the same type and size, or in place.
  virtual void encode(buffer const& in, buffer const& out, delta_request const& request) = 0;
  virtual void decode(buffer const& in, buffer const& out, delta_request const& request) = 0;

  /// Sorts the items in place and stably. Sorts each segment separately if `segments` is given.
  virtual void sort(buffer const& items, segmentation const* segments,
                    sort_request const& request) = 0;
  /// Sorts pairs: each value moves with its item.
  virtual void sort(buffer const& items, buffer const& values, segmentation const* segments,
                    sort_request const& request) = 0;
  /// Writes the original indices of the items in sorted order to `order`, of type int64. Indices
  /// count from the first item of the array, also with segments.
  virtual void argsort(buffer const& items, segmentation const* segments, buffer const& order,
                       sort_request const& request) = 0;

  /// Measures repeated decoding, and repeated copies from `in` to `out`.
  virtual decode_speed measure_decode(buffer const& in, buffer const& out,
                                      delta_request const& request) = 0;

  /// Writes the selected items, in order, to the front of `out`, which is as large as `in`. A
  /// partition writes the others behind them. Returns the number of selected items.
  virtual index_t compact(buffer const& in, buffer const& out, keep_request const& request,
                          bool partition) = 0;
  /// Selects the items whose flag is 1. Flags are bits, 32 per uint32, lowest bit first. May change
  /// `flags`.
  virtual index_t compact(buffer const& in, buffer const& out, buffer const& flags,
                          bool partition) = 0;
  /// Writes the int64 indices of the selected items. Returns their number.
  virtual index_t compact_indices(buffer const& in, buffer const& out,
                                  keep_request const& request) = 0;
  /// Writes the indices of the flags that are 1. There are as many flags as `out` has items.
  virtual index_t compact_indices(buffer const& flags, buffer const& out) = 0;
  /// Writes the items selected by `first`, then those of the rest selected by `second`, then the
  /// others, each part in order. Returns the sizes of the first two parts.
  virtual std::array<index_t, 2> partition(buffer const& in, buffer const& out,
                                           keep_request const& first,
                                           keep_request const& second) = 0;
  /// Writes the first key of each run of keys with equal bits, and its value. Returns the number of
  /// runs.
  virtual index_t unique(buffer const& keys, buffer const& values, buffer const& keys_out,
                         buffer const& values_out) = 0;

  /// Encode writes the value and int64 length of each run of items with equal bits, and decode
  /// expands runs. Both return the number of items to write, and with empty outputs they write
  /// nothing.
  virtual index_t encode_runs(buffer const& in, buffer const& values, buffer const& lengths) = 0;
  virtual index_t decode_runs(buffer const& values, buffer const& lengths, buffer const& out) = 0;

  /// Counts the items in each bin, as int64. Boundaries have the items' type, and there is one more
  /// boundary than bins.
  virtual void histogram(buffer const& in, buffer const& counts,
                         histogram_request const& request) = 0;
  virtual void histogram(buffer const& in, buffer const& boundaries, buffer const& counts,
                         histogram_request const& request) = 0;

  // The calls below work in place on items that `widened` returned.

  /// Sums a table with rows of `width` items; `width` is at least 1.
  virtual void summed_area_table(buffer const& items, index_t width, bool exclusive) = 0;
  /// Solves b[i] += a[i] * b[i - 1]. May change `a`.
  virtual void linear_recurrence(buffer const& a, buffer const& b,
                                 std::optional<std::string> const& init) = 0;
  virtual void linear_filter(buffer const& items, filter_request const& request) = 0;

  // Calls on words, which must not outlive the engine.
  virtual std::unique_ptr<set_calls> sets() = 0;
  virtual std::unique_ptr<move_calls> moves() = 0;
  virtual std::unique_ptr<rank_calls> ranks() = 0;
  virtual std::unique_ptr<number_calls> numbers() = 0;

  virtual description describe() const = 0;
  /// Returns access for the tuner, which must not outlive the engine.
  virtual std::unique_ptr<tune::machine> tuned() = 0;
};

/// The subject of a plan.
enum class plan_kind { scans, sorts };

struct back_end {
  std::string name;
  std::string library;  // name and version of the library that it builds on; may be empty
  std::unique_ptr<engine> (*start)();
  std::string (*plan)(plan_kind);  // a table of the algorithms; empty if there is none
};

/// Returns the back ends that are compiled in. The default comes first.
std::vector<back_end> const& back_ends();

/// Starts the back end of the given name. Throws a failure that names it if it cannot run here.
std::unique_ptr<engine> start_back_end(std::string const& name);

}  // namespace sam::tool
