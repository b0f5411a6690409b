// SPDX-License-Identifier: MIT
// Maps requests to few kinds of scans. All operators commute, so that a backward scan is a forward
// scan of the reversed items. An exclusive scan is an inclusive one, shifted by a tuple; only sums
// have exclusive kernels.
#pragma once

#include "engine/kernels.hpp"
#include "engine/memory.hpp"
#include "engine/operators.hpp"
#include "engine/scheme.hpp"
#include "failure.hpp"
#include "totals.hpp"

#include <algorithm>
#include <charconv>

namespace sam::tool {

/// Calls use(std::type_identity<T>{}) with the unsigned type of the same width. Sums, products and
/// differences modulo 2^w have the same bits for signed types.
template <class Use>
void with_modular_type(item_type type, Use use) {
  with_type(type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>)
      use(std::type_identity<std::make_unsigned_t<T>>{});
    else
      throw failure("differences of " + std::string(names_of(type).name) +
                    " would not come back exactly; only integers are encoded");
  });
}

/// Parses the user's text as a number.
template <class T>
T parse_number(std::string const& text, std::string const& kind, std::string const& option) {
  T value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw failure(option + " " + (text.empty() ? "''" : text) + " is not " + kind);
  return value;
}
template <class T>
T parse_number(std::string const& text, item_type type, std::string const& option) {
  return parse_number<T>(text, "a number of type " + std::string(names_of(type).name), option);
}

/// Turns an inclusive scan into an exclusive one: shifts the items by one tuple and writes `init`
/// to the first tuple.
template <class T>
void shift(std::span<T> items, index_t tuple_size, T init) {
  auto const by = std::min(static_cast<std::size_t>(tuple_size), items.size());
  std::ranges::copy_backward(items.first(items.size() - by), items.end());
  std::ranges::fill(items.first(by), init);
}

/// Performs one forward scan of unsigned or float items.
template <class Context, class T>
class scanner {
  using arrays = typename memory_of<Context>::template arrays<T>;

 public:
  scanner(Context& context, std::span<T> items, scan_request const& request)
      : context_(context), items_(items), request_(request) {}

  void sum(T init) {
    arrays const staged(context_, items_);
    for (int left = request_.order; left > 0;) {
      if (is_multi_pass())
        left -= sum_in_passes(staged.out(), init);
      else if (request_.exclusive)
        left -= exclusive_sum_of(staged.out(), init);
      else
        left -= tool::sum(context_, staged.in(), staged.out(), left, request_.tuple_size, init);
    }
    staged.bring_back();
  }

  template <class Operator>
  void combine(Operator op, T init) {
    if (is_multi_pass())
      no_multi_pass();
    if constexpr (std::is_same_v<Operator, multiplies> && !is_accumulator)
      no_kernel();
    else
      combine_compiled(op, init);
  }

 private:
  static constexpr bool is_accumulator = std::is_floating_point_v<T> || sizeof(T) == 8;

  template <class Operator>
  void combine_compiled(Operator op, T init) {
    bool const once = is_idempotent<Operator> && !request_.exclusive;
    for (int left = once ? 1 : request_.order; left > 0;) {
      arrays const staged(context_, items_);
      do
        tool::combine(context_, staged.out(), request_.tuple_size, op, init);
      while (--left > 0 && !request_.exclusive);
      staged.bring_back();
      if (request_.exclusive)
        shift(items_, request_.tuple_size, init);
    }
  }

  bool is_multi_pass() const {
    return request_.carry == carry_scheme::reduce_then_scan ||
           request_.carry == carry_scheme::scan_then_propagate;
  }
  [[noreturn]] static void no_multi_pass() {
    throw failure(
        "the carry schemes of several passes are compiled into the tool for inclusive sums only");
  }
  int sum_in_passes(std::span<T> items, T init) {
    if constexpr (is_accumulator) {
      if (!request_.exclusive)
        return multi_pass_sum(context_, items, request_.tuple_size, init, request_.carry);
    }
    no_multi_pass();
  }
  int exclusive_sum_of(std::span<T> items, T init) {
    if constexpr (is_accumulator)
      return exclusive_sum(context_, items, request_.tuple_size, init);
    else
      no_kernel();
  }
  // Never happens for a user: the command converts items for which no kernel is compiled.
  [[noreturn]] static void no_kernel() {
    throw failure("this scan is not compiled into the tool for items of " +
                  std::to_string(sizeof(T)) + " bytes");
  }

  Context& context_;
  std::span<T> items_;
  scan_request const& request_;
};

/// Returns the `flip` of `extreme` that gives the minimum or maximum of items of type T.
template <class T>
constexpr auto flip_for(bool minimum) {
  if constexpr (std::is_floating_point_v<T>)
    return minimum ? T(-1) : T(1);
  else
    return static_cast<std::make_unsigned_t<T>>(minimum ? highest_of<T> : lowest_of<T>);
}

/// The type itself for floats, or the unsigned integer of the same width.
template <class T>
using modular_item = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                                 std::type_identity<T>>::type;

/// Calls scan.sum(init) or scan.combine(op, init) as a request demands, over items of T as unsigned
/// or float, and returns the result.
template <class T, class Scanner, class Request>
auto scan_forwards(Scanner scan, Request const& request) {
  using U = modular_item<T>;
  // Without a value from the user, `init` is the identity, so that inclusive scans may start from
  // it.
  U const init = start_value<U>(request);
  switch (request.op) {
  case scan_operator::plus:
    return scan.sum(init);
  case scan_operator::multiplies:
    return scan.combine(multiplies{}, init);
  case scan_operator::min:
  case scan_operator::max:
    return scan.combine(extreme<U>{flip_for<T>(request.op == scan_operator::min)}, init);
  case scan_operator::all:
  case scan_operator::any:
    // For items of 0 and 1, "all" is the minimum and "any" the maximum.
    return scan.combine(extreme<U>{flip_for<U>(request.op == scan_operator::all)}, init);
  default:
    if constexpr (std::is_integral_v<T>) {
      if (request.op == scan_operator::bit_xor)
        return scan.combine(bit_xor{}, init);
      return scan.combine(bits<U>{request.op == scan_operator::bit_and ? U(~U(0)) : U(0)}, init);
    } else {
      throw failure("bitwise operators work on integers, not on " +
                    std::string(names_of(*request.result).name));
    }
  }
}

template <class Context>
void scan_items(Context& context, buffer const& items, scan_request const& request) {
  chosen_scheme::choice = request.carry;
  with_type(items.type(), [&]<class T>(std::type_identity<T>) {
    if (request.backward)
      std::ranges::reverse(items.as<T>());
    using U = modular_item<T>;
    scan_forwards<T>(scanner<Context, U>(context, items.as<U>(), request), request);
    if (request.backward)
      std::ranges::reverse(items.as<T>());
  });
}

}  // namespace sam::tool
