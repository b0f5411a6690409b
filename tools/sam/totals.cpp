// SPDX-License-Identifier: MIT
// Implements the choice of types for scans and reductions.
#include "totals.hpp"

#include "conversions.hpp"
#include "failure.hpp"

#include <charconv>
#include <limits>

namespace sam::tool {

namespace {

bool is_of_truth(scan_operator op) { return op == scan_operator::all || op == scan_operator::any; }
bool is_extreme(scan_operator op) { return op == scan_operator::min || op == scan_operator::max; }

/// Returns the result type if the user chooses none. Negated integers give a signed type, and
/// nonzero items are counted as int64.
item_type default_result(item_type type, scan_operator op, item_map map) {
  if (map == item_map::nonzero)
    return item_type::int64;
  if (is_float(type))
    return type;
  if (map == item_map::negate)
    return item_type::int64;
  bool const grows = op == scan_operator::plus || op == scan_operator::multiplies;
  return grows || map != item_map::none ? accumulator_of(type) : type;
}

/// Parses the user's text as a number of type T.
template <class T>
T parsed_init(std::string const& text, item_type type) {
  T value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool const fits = type != item_type::boolean || value == T(0) || value == T(1);
  if (error != std::errc() || end != text.data() + text.size() || !fits)
    throw failure("--init " + (text.empty() ? "''" : text) + " is not a number of type " +
                  std::string(names_of(type).name) +
                  (type == item_type::boolean ? ", which is 0 or 1" : ""));
  return value;
}

/// Returns the identity of the operator for integers of type T.
template <class T>
T integer_identity(scan_operator op, bool is_bool) {
  using limits = std::numeric_limits<T>;
  T const highest = is_bool ? T(1) : limits::max();
  switch (op) {
  case scan_operator::multiplies:
  case scan_operator::all:
    return T(1);
  case scan_operator::min:
    return highest;
  case scan_operator::max:
    return limits::min();
  case scan_operator::bit_and:
    return std::is_signed_v<T> ? static_cast<T>(-1) : highest;
  default:
    return T(0);
  }
}

}  // namespace

operands operands_for(buffer items, combination const& what) {
  auto const [op, asked_map, asked] = what;
  if (is_of_truth(op) && asked_map != item_map::none)
    throw failure("--map makes numbers; --op land and lor combine truth values");
  item_type const usual = default_result(items.type(), op, asked_map);
  item_type const result = asked.value_or(usual);
  item_map map = asked_map;
  if (is_of_truth(op))
    items = converted(std::move(items), result, item_map::nonzero);
  if (map == item_map::nonzero && is_float(items.type())) {
    items = converted(std::move(items), item_type::uint8, map);
    map = item_map::none;
  }
  if (is_float(items.type()) && !is_float(result))
    throw failure("--as " + std::string(names_of(result).name) + " is not for items of type " +
                  std::string(names_of(items.type()).name) +
                  ", which stay floats: float32 or float64");
  // The engine combines in 64 bits. The low bits of sums, products and bitwise results equal those
  // of narrow integers, but minimum and maximum have to compare converted items.
  bool const is_other_float = is_float(result) && result != items.type();
  if (is_other_float || (is_extreme(op) && result != usual)) {
    items = converted(std::move(items), result, map);
    map = item_map::none;
  }
  return {std::move(items), map, result};
}

buffer as_result(buffer totals, item_type result) { return converted(std::move(totals), result); }

std::uint64_t integer_start(scan_operator op, std::optional<std::string> const& init,
                            item_type result) {
  return with_type(result, [&]<class T>(std::type_identity<T>) {
    std::uint64_t start = 0;
    if constexpr (std::is_integral_v<T>)
      start =
          static_cast<std::uint64_t>(init ? parsed_init<T>(*init, result)
                                          : integer_identity<T>(op, result == item_type::boolean));
    return is_of_truth(op) ? std::uint64_t{start != 0} : start;
  });
}

double float_start(scan_operator op, std::optional<std::string> const& init, item_type result,
                   bool is_told) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (init) {
    double const start = result == item_type::float32 ? double{parsed_init<float>(*init, result)}
                                                      : parsed_init<double>(*init, result);
    return is_of_truth(op) ? double(start != 0) : start;
  }
  switch (op) {
  case scan_operator::multiplies:
  case scan_operator::all:
    return 1;
  case scan_operator::min:
    return infinity;
  case scan_operator::max:
    return -infinity;
  case scan_operator::plus:
    return is_told ? 0.0 : -0.0;
  default:
    return 0;
  }
}

}  // namespace sam::tool
