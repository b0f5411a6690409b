// SPDX-License-Identifier: MIT
// Defines the options of a sort, and their checks.
#pragma once

#include <sam/arguments/output.hpp>
#include <sam/backend/sort_job.hpp>

#include <span>

namespace sam::inline v0_1 {

enum class sort_order { ascending, descending };

/// The order of the items that a selection by rank chooses.
enum class result_order { sorted, unsorted };

/// The order of floats, for sorts without digits.
///
/// total    IEEE 754's total order: negative NaNs, then numbers from -infinity on, -0 before +0,
///          then positive NaNs, each by their payload
/// numeric  -0 and +0 are equal, and so are all NaNs, which follow +infinity and so come first in
///          descending order
enum class float_order { total, numeric };

/// Selects bits [begin, end) of the ordered keys; without an end, up to the highest.
struct bit_range {
  static constexpr int last = -1;
  int begin = 0;
  int end = last;
};

/// Specifies a sort beyond its arrays.
///
/// order         the largest keys last or first; equal keys keep their order in both cases
/// bits          the bits to sort by; keys that agree in these count as equal. Ordered keys of
///               signed integers and of floats are those of sam::number_digits. In numeric order
///               they are those of the canonical floats of sam::numeric_floats
/// spare_keys    memory for n keys that the sort may overwrite, in place of the context's own. For
///               further needs of few keys, see radix_sort
/// spare_values  memory for n values, or for n indices of an argsort, which still takes memory for
///               n keys from the context. With values, both spans are given or neither
/// floats        the order of floats; other keys have only one. Numeric order together with digits
///               is an error, since digits define the order
///
/// Facts         what is known when the call is compiled, so that nothing is compiled for other
///               sorts: sort_facts{.all_bits = true, .few = true}. A call that breaks them is an
///               error. A call without options sorts by all bits, and its type says so
template <class Key, class Value = no_values, sort_facts Facts = sort_facts{}>
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
template <class Key, class Value, sort_facts Facts>
inline constexpr bool is_sort_options<sort_options<Key, Value, Facts>> = true;
template <class Options>
inline constexpr sort_facts facts_of{};
template <class Key, class Value, sort_facts Facts>
inline constexpr sort_facts facts_of<sort_options<Key, Value, Facts>> = Facts;
constexpr bool says_something(sort_facts facts) { return facts.all_bits || facts.few; }

/// Returns the job with what is known of it.
template <sort_facts Facts, class Key, class Value, class Digits>
auto with_facts(sort_job<Key, Value, Digits> const& job) {
  if constexpr (sam::detail::says_something(Facts))
    return known_sort_job<Key, Value, Digits, Facts>{job};
  else
    return job;
}

/// Stands for the library's own digits if the caller gives none.
struct natural_digits {};

/// Checks the digits.
template <class Key, class Digits>
struct are_digits {
  static constexpr bool value = digits_of_key<Digits, Key>;
  static constexpr bool compares =
      !is_opaque<Digits> && callable_with<Digits, Key const&, Key const&>;
  static_assert(!compares,
                "sam: a radix sort takes no comparison; give it digits, a const function "
                "object that maps a key to an unsigned integer, in whose order keys are sorted");
  static_assert(!is_device_lambda<Digits> || says_what_it_returns<Digits>,
                "sam: digits that are a __device__ lambda must say what they return, as in "
                "[] __device__ (Key const& key) -> unsigned { ... }");
  static_assert(value || compares || is_device_lambda<Digits>,
                "sam: digits must be a const function object: unsigned_integer "
                "digits(Key const&) const, of 8 to 128 bits");
};
template <class Key>
struct are_digits<Key, natural_digits> {
  static constexpr bool value = numeric_key<Key>;
  static_assert(value,
                "sam: keys must be integers, bools or floats of 16 to 64 bits; sort others by "
                "digits, a const function object that maps a key to an unsigned integer");
};

template <class Key, class Digits>
constexpr auto digits_for(Digits const& digits) {
  if constexpr (std::is_same_v<Digits, natural_digits>)
    return number_digits<Key>{};
  else
    return user_digits<Digits, Key>{digits};
}

/// Returns the sort job for these options, without arrays.
template <class Key, class Value, sort_facts Facts, class Digits>
auto sort_job_for(call_checks const& call, index_t n, Digits const& digits,
                  sort_options<Key, Value, Facts> const& options) {
  auto const number = sam::detail::digits_for<Key>(digits);
  using digits_type = flipped_digits<std::remove_const_t<decltype(number)>>;
  using ordered_key = typename digits_type::ordered_key;
  constexpr int all = digits_type::bits;
  auto const [begin, end] = options.bits;
  int const last = end == bit_range::last ? all : end;
  if (begin < 0 || begin > last || last > all)
    call.refuse("options.bits", "are [", begin, ", ", last, "); they must lie in [0, ", all, ")");
  if (Facts.all_bits && (begin != 0 || last != all))
    call.refuse("options.bits", "are [", begin, ", ", last,
                "), but options of this type are those of a sort by all bits");
  if (Facts.few && n >> 30 != 0)
    call.refuse("n", "is ", n, ", but options of this type are those of fewer than 2^30 keys");
  constexpr bool is_natural = std::is_same_v<Digits, natural_digits>;
  if (!is_natural && options.floats != float_order::total)
    call.refuse("options.floats",
                "are in numeric order, but digits are given, which define the order");
  auto const expect_room = [&](char const* argument, auto const& spare) {
    if (sam::size_of(spare) < n)
      call.refuse(argument, "holds ", sam::size_of(spare), " items; it must hold at least ", n);
  };
  constexpr bool has_values = !std::is_same_v<Value, no_values>;
  bool const brings = !options.spare_keys.empty() || !options.spare_values.empty();
  if (brings) {
    expect_room("options.spare_keys", options.spare_keys);
    if (has_values)
      expect_room("options.spare_values", options.spare_values);
  }
  auto const flip = static_cast<ordered_key>(
      options.order == sort_order::descending ? ~ordered_key(0) : ordered_key(0));
  return sort_job<Key, Value, digits_type>{n,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           brings ? options.spare_keys.data() : nullptr,
                                           brings && has_values ? options.spare_values.data()
                                                                : nullptr,
                                           {number, flip},
                                           begin == last ? 0 : begin,  // an empty range is [0, 0)
                                           begin == last ? 0 : last};
}

/// Returns the options of a sort that moves other values, in memory of the context.
template <class Moved, class Key, class Value, sort_facts Facts>
sort_options<Key, Moved, Facts> options_for_values(sort_options<Key, Value, Facts> const& options) {
  if constexpr (std::is_same_v<Moved, Value>)
    return options;
  sort_options<Key, Moved, Facts> others;
  others.order = options.order;
  others.bits = options.bits;
  others.floats = options.floats;
  return others;
}

/// Returns true if numeric order is requested and may differ from total order for this key type.
template <class Key, class Value, sort_facts Facts>
constexpr bool is_numeric(sort_options<Key, Value, Facts> const& options) {
  return binary_float<Key> && options.floats == float_order::numeric;
}

/// Fails to compile if the context works on a device that cannot call the digits.
template <class Context, class Key, class Digits>
void expect_digits_run_on() {
  if constexpr (!std::is_same_v<Digits, natural_digits>)
    sam::detail::expect_runs_on<Context, Digits, Key>();
}
/// Checks digits that Context calls.
template <class Context, class Key, class Digits>
struct calls_digits : std::conjunction<are_digits<Key, Digits>, runs_on<Context, Digits, Key>> {};
template <class Context, class Key>
struct calls_digits<Context, Key, natural_digits> : are_digits<Key, natural_digits> {};

/// The bytes that a context's workspace may need beyond the requested size, since it may begin and
/// end on a cache line of its own.
inline constexpr index_t buffer_for_alignment = 256;

/// Holds the options' spare memory after its checks.
template <class Key, class Value>
struct spare_memory {
  checked_array<Key> keys;
  checked_array<Value> values;

  /// Returns an input or output of the sort; rejects an array that overlaps the spare memory.
  template <class A>
  A const& apart_from(call_checks const& call, A const& a) const {
    call.apart(keys, a);
    call.apart(values, a);
    sam::detail::expect_outputs_apart(call, keys, a);
    sam::detail::expect_outputs_apart(call, values, a);
    return a;
  }
};
template <class Context, class Key, class Value, sort_facts Facts>
auto spare_memory_of(checked_call<Context> const& call,
                     sort_options<Key, Value, Facts> const& options) {
  spare_memory<Key, Value> const spare{
      call.reached(call.template items<Key>("options.spare_keys", options.spare_keys)),
      call.reached(call.template items<Value>("options.spare_values", options.spare_values))};
  call.apart(spare.values, spare.keys);
  return spare;
}

/// Holds the place of a call without options. Unlike std::source_location it cannot be made from
/// {}, which stands for options.
struct call_site {
  constexpr call_site(std::source_location where) : at(where) {}
  std::source_location at;
};
/// The options of a call without options.
template <class Key, class Value = no_values>
using default_sort_options = sort_options<Key, Value, sort_facts{.all_bits = true}>;

/// Checks an array of keys or values to sort, and its destination.
template <class FromParameter, class ToParameter, class Context, class In, class Out>
using sorts_to =
    std::conjunction<reads_from<FromParameter, Context, In>, writes_to<ToParameter, Context, Out>,
                     have_one_item_type<In, Out>>;

}  // namespace detail

}  // namespace sam::inline v0_1
