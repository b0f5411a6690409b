// SPDX-License-Identifier: MIT
// What may be asked of a sort beside its arrays, and the checks of that.
#pragma once

#include <sam/array.hpp>
#include <sam/context.hpp>
#include <sam/sort_job.hpp>

#include <span>

namespace sam {

enum class sort_order { ascending, descending };

/// How floats compare where no digits are given.
///
/// total    IEEE 754's total order: negative NaNs, then numbers from -infinity on, -0 before +0,
///          then positive NaNs, each by their payload
/// numeric  -0 and +0 are equal, and so are all NaNs, which come after +infinity, so first in
///          descending order
enum class float_order { total, numeric };

/// Bits [begin, end) of the keys' images; without an end, up to the highest.
struct bit_range {
  static constexpr int last = -1;
  int begin = 0;
  int end = last;
};

/// order         the largest keys last or first; equal ones stay in their order either way
/// bits          keys that agree in these count as equal. Images of signed integers and of floats
///               are those of sam::number_digits; in numeric order they are those of the floats
///               that sam::numeric_floats calls canonical
/// spare_keys    memory for n keys, and for n values if there are any, that the sort may use as it
/// spare_values  likes, so that the context needs none of its own for n keys and n values, or for
///               indices that for n keys alone; but see radix_sort for what it needs for few
/// floats        how keys compare that are floats; other keys compare in one way. It is an error
///               to ask for numeric order and to give digits, which say how keys compare
template <class Key, class Value = no_values>
struct sort_options {
  sort_order order = sort_order::ascending;
  bit_range bits = {};
  std::span<Key> spare_keys = {};
  std::span<Value> spare_values = {};
  float_order floats = float_order::total;
};

namespace detail {

template <class T>
inline constexpr bool is_sort_options = false;
template <class Key, class Value>
inline constexpr bool is_sort_options<sort_options<Key, Value>> = true;

/// How a key is seen where the caller does not say.
struct natural_digits {};

template <class Key, class Digits>
constexpr auto digits_for(Digits const& digits) {
  static_assert(std::is_trivially_copyable_v<Key>, "sam: keys must be trivially copyable");
  if constexpr (std::is_same_v<Digits, natural_digits>) {
    static_assert(numeric_key<Key>, "sam: keys must be integers, bools or floats of 16 to 64 bits, "
                                    "or be sorted by a function object that "
                                    "makes an unsigned integer of each; see sam::radix_sort");
    return number_digits<Key>{};
  } else {
    static_assert(!is_device_lambda<Digits> || says_what_it_returns<Digits>,
                  "sam: digits that are a __device__ lambda must say what they return, as in "
                  "[] __device__ (Key const& key) -> unsigned { ... }");
    static_assert(digits_of_key<Digits, Key>,
                  "sam: digits must be a function object: unsigned_integer operator()(Key const&) "
                  "const");
    return user_digits<Digits, Key>{digits};
  }
}

/// Fails to compile where the context works on a device that cannot call the digits.
template <class Context, class Key, class Digits>
void expect_digits_run_on(Digits const&) {
  if constexpr (!std::is_same_v<Digits, natural_digits>)
    expect_runs_on<Context, Digits, Key>();
}

/// What a back end is asked, without the arrays.
template <class Key, class Value, class Digits>
auto sort_job_for(std::string_view function, index_t n, Digits const& digits,
                  sort_options<Key, Value> const& options, std::source_location at) {
  auto const number = digits_for<Key>(digits);
  using digits_type = flipped_digits<std::remove_const_t<decltype(number)>>;
  using image = typename digits_type::image;
  constexpr int all = digits_type::bits;
  auto const [begin, end] = options.bits;
  int const last = end == bit_range::last ? all : end;
  if (begin < 0 || begin > last || last > all)
    throw invalid_argument(function, "options.bits",
                           "are [" + std::to_string(begin) + ", " + std::to_string(last) +
                               "); they must lie in [0, " + std::to_string(all) + ")",
                           at);
  constexpr bool is_natural = std::is_same_v<Digits, natural_digits>;
  if (!is_natural && options.floats != float_order::total)
    throw invalid_argument(function, "options.floats",
                           "are in numeric order, but digits are given, which say how keys compare",
                           at);
  auto const expect_room = [&](std::string_view argument, auto const& spare) {
    if (size_of(spare) < n)
      throw invalid_argument(function, argument,
                             "holds " + std::to_string(size_of(spare)) +
                                 " items; it must hold at least " + std::to_string(n),
                             at);
  };
  constexpr bool has_values = !std::is_same_v<Value, no_values>;
  bool const brings = !options.spare_keys.empty() || !options.spare_values.empty();
  if (brings) {
    expect_room("options.spare_keys", options.spare_keys);
    if (has_values)
      expect_room("options.spare_values", options.spare_values);
  }
  auto const flip =
      static_cast<image>(options.order == sort_order::descending ? ~image(0) : image(0));
  return sort_job<Key, Value, digits_type>{n,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           brings ? options.spare_keys.data() : nullptr,
                                           brings && has_values ? options.spare_values.data()
                                                                : nullptr,
                                           {number, flip},
                                           begin == last ? 0 : begin,  // no bits, wherever
                                           begin == last ? 0 : last};
}

/// Returns whether numeric order is asked for, and differs from total order for such keys.
template <class Key, class Value>
constexpr bool is_numeric(sort_options<Key, Value> const& options) {
  return binary_float<Key> && options.floats == float_order::numeric;
}

/// What a sort reads or writes must be in reach, and not in the spare memory.
template <class Context, array A, class Key, class Value>
void expect_sortable(std::string_view function, std::string_view argument, Context const& context,
                     A const& a, sort_options<Key, Value> const& options, std::source_location at) {
  static_assert(sam::context<Context>, "sam: the first argument must be a back end's context");
  static_assert(is_within_reach<Context, A>, "sam: the context cannot reach an array");
  static_assert(std::is_trivially_copyable_v<item_of<A>>, "sam: values must be trivially copyable");
  expect_items(function, argument, a, at);
  expect_apart(function, "options.spare_keys", options.spare_keys, argument, a, at);
  expect_apart(function, "options.spare_values", options.spare_values, argument, a, at);
  expect_reach(function, argument, context, a, at);
}
/// The same of the spare memory itself.
template <class Context, class Key, class Value>
void expect_sortable(std::string_view function, Context const& context,
                     sort_options<Key, Value> const& options, std::source_location at) {
  expect_items(function, "options.spare_keys", options.spare_keys, at);
  expect_items(function, "options.spare_values", options.spare_values, at);
  expect_apart(function, "options.spare_values", options.spare_values, "options.spare_keys",
               options.spare_keys, at);
  expect_reach(function, "options.spare_keys", context, options.spare_keys, at);
  expect_reach(function, "options.spare_values", context, options.spare_values, at);
}

/// What says which items are parts of their own must lie apart from it too, and be right: that is
/// found out last, since it may take a pass.
template <class Context, class Parts, class Key, class Value>
void expect_parts(std::string_view function, Context& context, Parts const& parts, index_t n,
                  sort_options<Key, Value> const& options, std::source_location at) {
  parts.expect_apart_from(function, "options.spare_keys", options.spare_keys, at);
  parts.expect_apart_from(function, "options.spare_values", options.spare_values, at);
  parts.expect(function, context, n, at);
}

}  // namespace detail

}  // namespace sam
