// SPDX-License-Identifier: MIT
// Chooses the types in which items are combined and results are written.
#pragma once

#include "engine.hpp"

#include <type_traits>

namespace sam::tool {

/// The options of a scan or reduction that determine the types of its items and its result.
struct combination {
  scan_operator op;
  item_map map;
  std::optional<item_type> result;  // the user's choice
};

/// Items that an engine can process, the map that the engine has to apply, and the result type.
struct operands {
  buffer items;
  item_map map;
  item_type result;
};

/// Chooses the result type and converts items that the engine cannot take. Sums and products of
/// integers and bools, and results of mapped integers, are int64 or uint64. Other results have the
/// items' type. Throws a failure if floats would become integers.
operands operands_for(buffer items, combination const& what);

/// Converts the engine's results from the accumulator type to the result type.
buffer as_result(buffer totals, item_type result);

/// Parses `init` as a number of type `result`. Without `init`, returns the identity of the
/// operator. Integers are sign-extended. Throws a failure if `init` is not such a number.
std::uint64_t integer_start(scan_operator op, std::optional<std::string> const& init,
                            item_type result);
/// Parses a float `init`. Without it, a sum of no items is told to users as 0, while a scan starts
/// from -0, which leaves -0 unchanged.
double float_start(scan_operator op, std::optional<std::string> const& init, item_type result,
                   bool is_told);

/// Returns the initial value of a request as U: uint64, a narrower unsigned type, or a float.
template <class U, class Request>
U start_value(Request const& request) {
  bool is_told = true;
  if constexpr (requires { request.exclusive; })
    is_told = request.exclusive;
  if constexpr (std::is_floating_point_v<U>)
    return static_cast<U>(float_start(request.op, request.init, *request.result, is_told));
  else
    return static_cast<U>(integer_start(request.op, request.init, *request.result));
}

}  // namespace sam::tool
