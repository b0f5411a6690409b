// SPDX-License-Identifier: MIT
// The types of totals: what items become before they are combined, and what the user gets.
#pragma once

#include "engine.hpp"

#include <type_traits>

namespace sam::tool {

/// The choices of a scan or reduction that decide on types, and whether every result starts from
/// `init` in the output, as that of an exclusive scan does.
struct combination {
  scan_operator op;
  item_map map;
  std::optional<item_type> result;  // chosen by the user
};

/// Items ready for an engine, the map that it has still to apply, and the type of the result.
struct operands {
  buffer items;
  item_map map;
  item_type result;
};

/// Chooses the type of the result and converts items where the engine cannot. Sums and products of
/// integers and bools, and all that is made of mapped integers, are int64 or uint64; else a result
/// is of the items' type. Throws a failure if floats are to become integers.
operands operands_for(buffer items, combination const& what);

/// Brings what the engine made, in accumulators, to the result type.
buffer as_result(buffer totals, item_type result);

/// `init`, a number of type `result`, or without it a value that leaves every item of that type
/// alone. Integers are sign-extended. Throws a failure if `init` is no such number.
std::uint64_t integer_start(scan_operator op, std::optional<std::string> const& init,
                            item_type result);
/// Likewise for floats. A sum that is told to users without any item is 0, but items of a scan are
/// combined with -0, which leaves -0 alone.
double float_start(scan_operator op, std::optional<std::string> const& init, item_type result,
                   bool is_told);

/// The start of a request as U: uint64 or an unsigned type that is narrower, or a float.
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
