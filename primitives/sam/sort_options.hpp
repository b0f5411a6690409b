// SPDX-License-Identifier: MIT
// What may be asked of a sort beside its arrays, and the checks of that.
#pragma once

#include <sam/call.hpp>
#include <sam/sort_job.hpp>

#include <span>

namespace sam {

enum class sort_order { ascending, descending };

/// Bits [begin, end) of the keys' images; without an end, up to the highest.
struct bit_range {
  static constexpr int last = -1;
  int begin = 0;
  int end = last;
};

/// order         the largest keys last or first; equal ones stay in their order either way
/// bits          keys that agree in these count as equal. Images of signed integers and of floats
///               are those of sam::number_digits
/// spare_keys    memory for n keys, and for n values if there are any, that the sort may use as it
/// spare_values  likes, so that the context needs none of its own for n keys and n values, or for
///               indices that for n keys alone; but see radix_sort for what it needs for few
template <class Key, class Value = no_values>
struct sort_options {
  sort_order order = sort_order::ascending;
  bit_range bits = {};
  std::span<Key> spare_keys = {};
  std::span<Value> spare_values = {};
};

namespace detail {

template <class T>
inline constexpr bool is_sort_options = false;
template <class Key, class Value>
inline constexpr bool is_sort_options<sort_options<Key, Value>> = true;

/// How a key is seen where the caller does not say.
struct natural_digits {};

/// The check of how keys are seen.
template <class Key, class Digits>
struct are_digits {
  static constexpr bool value = digits_of_key<Digits, Key>;
  static constexpr bool compares = can_call<Digits, Key, Key>;
  static_assert(!compares,
                "sam: a radix sort takes no comparison; give it digits, a const function "
                "object that makes an unsigned integer of a key, in whose order the keys "
                "are wanted");
  static_assert(value || compares, "sam: digits must be a const function object: unsigned_integer "
                                   "digits(Key const&) const, of 8 to 128 bits");
};
template <class Key>
struct are_digits<Key, natural_digits> {
  static constexpr bool value = numeric_key<Key>;
  static_assert(value,
                "sam: keys must be integers, bools or floats of 16 to 64 bits; sort others by "
                "digits, a const function object that makes an unsigned integer of a key");
};

template <class Key, class Digits>
constexpr auto digits_for(Digits const& digits) {
  if constexpr (std::is_same_v<Digits, natural_digits>)
    return number_digits<Key>{};
  else
    return user_digits<Digits, Key>{digits};
}

/// What a back end is asked, without the arrays.
template <class Key, class Value, class Digits>
auto sort_job_for(call_checks const& call, index_t n, Digits const& digits,
                  sort_options<Key, Value> const& options) {
  auto const number = sam::detail::digits_for<Key>(digits);
  using digits_type = flipped_digits<std::remove_const_t<decltype(number)>>;
  using image = typename digits_type::image;
  constexpr int all = digits_type::bits;
  auto const [begin, end] = options.bits;
  int const last = end == bit_range::last ? all : end;
  if (begin < 0 || begin > last || last > all)
    call.refuse("options.bits", "are [", begin, ", ", last, "); they must lie in [0, ", all, ")");
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

/// The options' spare memory, once it has been checked.
template <class Key, class Value>
struct spare_memory {
  checked_array<Key> keys;
  checked_array<Value> values;

  /// Refuses an array of the sort that overlaps it.
  template <class T>
  checked_array<T> const& apart_from(call_checks const& call, checked_array<T> const& a) const {
    call.apart(keys, a);
    call.apart(values, a);
    return a;
  }
};
template <class Context, class Key, class Value>
auto spare_memory_of(checked_call<Context> const& call, sort_options<Key, Value> const& options) {
  spare_memory<Key, Value> const spare{
      call.reached(call.template items<Key>("options.spare_keys", options.spare_keys)),
      call.reached(call.template items<Value>("options.spare_values", options.spare_values))};
  call.apart(spare.values, spare.keys);
  return spare;
}

/// The checks of an array of keys or values that is sorted, and of where it is sorted to.
template <class FromParameter, class ToParameter, class Context, class In, class Out>
using sorts_to =
    std::conjunction<reads_from<FromParameter, Context, In>, writes_to<ToParameter, Context, Out>,
                     have_one_item_type<In, Out>>;

}  // namespace detail

}  // namespace sam
