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

/// The sequences of a difference code: `order` differences of every tuple_size-th item.
struct delta_request {
  int order = 1;
  index_t tuple_size = 1;
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
  /// From one buffer to another of the same type and size, or in place.
  virtual void encode(buffer const& in, buffer const& out, delta_request const& request) = 0;
  virtual void decode(buffer const& in, buffer const& out, delta_request const& request) = 0;

  /// Decodes often, and copies in to out as often.
  virtual decode_speed measure_decode(buffer const& in, buffer const& out,
                                      delta_request const& request) = 0;

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
