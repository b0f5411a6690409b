// SPDX-License-Identifier: MIT
// What the tool asks of a back end. Everything else in this folder knows no back end; what is in
// engine/ is compiled once for each.
#pragma once

#include "items.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sam::tool {

enum class scan_operator { plus, multiplies, min, max, bit_and, bit_or, bit_xor, all, any };

enum class carry_scheme { decoupled, chained, lookback, reduce_then_scan, scan_then_propagate };

/// The choices of a scan. `init` is as the user wrote it: the items say how to read it.
struct scan_request {
  scan_operator op = scan_operator::plus;
  int order = 1;
  index_t tuple_size = 1;
  bool exclusive = false;
  bool backward = false;
  std::optional<std::string> init;
  carry_scheme carry = carry_scheme::decoupled;
};

/// The choices of a scan of segments, and of a reduction.
struct segmented_request {
  scan_operator op = scan_operator::plus;
  bool exclusive = false;
  bool backward = false;
  std::optional<std::string> init;
};
struct reduce_request {
  scan_operator op = scan_operator::plus;
  std::optional<std::string> init;
};

/// The sequences of a difference code: `order` differences of every tuple_size-th item.
struct delta_request {
  int order = 1;
  index_t tuple_size = 1;
};

/// How items are sorted: integers by value, floats in IEEE 754's total order.
struct sort_request {
  bool descending = false;
};

/// Which items are kept: those with such a relation to a value, as the user wrote it.
enum class relation { greater, less, equal };
struct keep_request {
  relation is = relation::equal;
  std::string value;
  std::string option;  // that it came with
};

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

  /// In place.
  virtual void scan(buffer const& items, scan_request const& request) = 0;
  /// In place. Of as many head flags, which are uint8, those are not 0 with which a segment begins;
  /// backward, ends.
  virtual void segmented_scan(buffer const& items, buffer const& heads,
                              segmented_request const& request) = 0;
  /// All items to the one in `out`. May change items.
  virtual void reduce(buffer const& items, buffer const& out, reduce_request const& request) = 0;
  /// From one buffer to another of the same type and size, or in place.
  virtual void encode(buffer const& in, buffer const& out, delta_request const& request) = 0;
  virtual void decode(buffer const& in, buffer const& out, delta_request const& request) = 0;

  /// In place; equal items stay in their order.
  virtual void sort(buffer const& items, sort_request const& request) = 0;
  /// To `order`, of type int64, the indices of the items in sorted order.
  virtual void argsort(buffer const& items, buffer const& order, sort_request const& request) = 0;

  /// Decodes often, and copies in to out as often.
  virtual decode_speed measure_decode(buffer const& in, buffer const& out,
                                      delta_request const& request) = 0;

  /// The items that are kept, in order, to the front of out, which is as large as in, and in a
  /// partition the others behind them. Returns how many are kept.
  virtual index_t compact(buffer const& in, buffer const& out, keep_request const& request,
                          bool partition) = 0;
  /// The same of those whose flag, of as many of uint8, is not 0.
  virtual index_t compact(buffer const& in, buffer const& out, buffer const& flags,
                          bool partition) = 0;

  /// Runs of items with equal bits: their values, as many lengths of int64, or none to be told the
  /// number of runs, which is returned; and back. Returns how many there are, with room or without.
  virtual index_t encode_runs(buffer const& in, buffer const& values, buffer const& lengths) = 0;
  virtual index_t decode_runs(buffer const& values, buffer const& lengths, buffer const& out) = 0;

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
