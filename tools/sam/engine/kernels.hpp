// SPDX-License-Identifier: MIT
// Declares the scans, sorts and other primitives that the tool calls. Each is defined in a header
// of its own and instantiated in several small source files, which compile in parallel. SAM_CONTEXT
// is the context of one back end.
#pragma once

#include <sam/arguments/flags.hpp>

#include "engine.hpp"
#include "engine/key_range.hpp"
#include "engine/number_bits.hpp"
#include "engine/operators.hpp"

#include <array>
#include <span>

namespace sam::tool {

/// Flags as bits: 32 per word, lowest bit first.
using flag_bits = packed_bits<std::span<std::uint32_t const>>;

struct segments_in_reach;  // see engine/segments_in_reach.hpp
template <class Word>
struct keys_in_reach;

// Sums by one call of the library. Each returns the order that it computed. `sum` is inclusive, and
// its order is `order` or the highest lower one that is compiled. The others are of order 1 and
// take accumulators only: uint64 or floats. `multi_pass_sum` is inclusive.

template <class Context, class T>
int sum(Context& context, std::span<T const> in, std::span<T> out, int order, index_t tuple_size,
        T init);
template <class Context, class T>
int exclusive_sum(Context& context, std::span<T> items, index_t tuple_size, T init);
template <class Context, class T>
int multi_pass_sum(Context& context, std::span<T> items, index_t tuple_size, T init,
                   carry_scheme scheme);

/// Scans inclusively with another operator, of order 1. Products take accumulators only.
template <class Context, class T, class Operator>
void combine(Context& context, std::span<T> items, index_t tuple_size, Operator op, T init);

/// Sorts in place, or writes the indices of the sorted items and leaves the items unchanged.
template <class Context, class U>
void sort_numbers(Context& context, std::span<U> items, number_bits<U> digits,
                  sort_request const& request);
template <class Context, class U>
void argsort_numbers(Context& context, std::span<U const> items, std::span<std::int64_t> order,
                     number_bits<U> digits, sort_request const& request);

/// Sorts pairs. Values are words of 4 or 8 bytes.
template <class Context, class U, class Word>
void sort_pairs(Context& context, std::span<U> keys, std::span<Word const> values,
                std::span<Word> sorted, number_bits<U> digits, sort_request const& request);

/// Sorts each segment separately. Keys, like values, are words of 4 or 8 bytes.
template <class Context, class U>
void sort_segments(Context& context, std::span<U const> keys, segments_in_reach const& segments,
                   std::span<U> sorted, number_bits<U> digits, sort_request const& request);
template <class Context, class U>
void argsort_segments(Context& context, std::span<U const> keys, segments_in_reach const& segments,
                      std::span<std::int64_t> order, number_bits<U> digits,
                      sort_request const& request);
template <class Context, class U, class Word>
void sort_segments_of_pairs(Context& context, std::span<U const> keys, std::span<Word const> values,
                            segments_in_reach const& segments, std::span<U> sorted_keys,
                            std::span<Word> sorted, number_bits<U> digits,
                            sort_request const& request);

/// Scans segments forwards and inclusively with an operator that is chosen at run time. Each
/// segment starts from `init`.
template <class Context, class T>
void segmented(Context& context, std::span<T> items, segments_in_reach const& segments,
               any_operator<T> op, T init);

// The kernels below load items of type In and combine them as T, which is uint64 for all integers.

/// Maps the items, then scans or reduces them.
template <class Context, class In, class T>
void mapped_scan(Context& context, std::span<In const> items, std::span<T> out, any_map<In, T> map,
                 any_operator<T> op, T init, bool exclusive);
template <class Context, class In, class T>
void mapped_total(Context& context, std::span<In const> items, std::span<T> out, any_map<In, T> map,
                  any_operator<T> op, T init);
/// Reduces segments given by heads or offsets. Returns the number of segments.
template <class Context, class In, class T>
index_t segment_totals(Context& context, std::span<In const> items,
                       segments_in_reach const& segments, std::span<T> out, any_operator<T> op,
                       T init);
/// Reduces runs of equal keys, without an initial value. Returns the number of runs.
template <class Context, class In, class T, class Word>
index_t key_totals(Context& context, keys_in_reach<Word> const& keys, std::span<In const> items,
                   std::span<Word> unique_keys, std::span<T> out, any_operator<T> op);

/// Computes first-order differences.
template <class Context, class T>
void difference(Context& context, std::span<T const> in, std::span<T> out, index_t tuple_size);

// The kernels below take items as unsigned integers. They return the number of items that they
// kept, encoded or decoded.

template <class Context, class U>
index_t keep_range(Context& context, std::span<U const> in, std::span<U> out, key_range<U> keys);
template <class Context, class U>
index_t keep_flagged(Context& context, std::span<U const> in, flag_bits const& flags,
                     std::span<U> out);
template <class Context, class U>
index_t indices_in_range(Context& context, std::span<U const> in, std::span<std::int64_t> out,
                         key_range<U> keys);
template <class Context>
index_t indices_flagged(Context& context, flag_bits const& flags, std::span<std::int64_t> out);
template <class Context, class U>
std::array<index_t, 2> part_in_three(Context& context, std::span<U const> in, std::span<U> out,
                                     key_range<U> first, key_range<U> second);
template <class Context, class U, class Word>
index_t unique_keys(Context& context, std::span<U const> keys, std::span<Word const> values,
                    std::span<U> keys_out, std::span<Word> values_out);
template <class Context, class U>
index_t encode_runs(Context& context, std::span<U const> in, std::span<U> values,
                    std::span<std::int64_t> lengths);
template <class Context, class U>
index_t decode_runs(Context& context, std::span<U const> values,
                    std::span<std::int64_t const> lengths, std::span<U> out);

/// The bins of a histogram over T: between boundaries if there are any, otherwise even bins.
template <class T>
struct bins_of {
  // A limit may exceed the largest uint64 by one, so that it needs a wider type.
  using limit = std::conditional_t<std::is_integral_v<T>, sam::detail::int128, double>;
  std::span<T const> boundaries;
  limit lower{}, upper{};
  bool cumulative = false;
};
template <class Context, class T>
void count(Context& context, std::span<T const> items, std::span<std::int64_t> counts,
           bins_of<T> const& bins);

// The kernels below work in place on uint64 or double. The recurrence starts from `init`.

template <class Context, class T>
void sum_areas(Context& context, std::span<T> items, index_t width, bool exclusive);
template <class Context, class T>
void recur(Context& context, std::span<T const> a, std::span<T> b, T init);
template <class Context, class T>
void filter(Context& context, std::span<T> items, std::span<T const> coefficients,
            std::span<T const> before);

}  // namespace sam::tool
