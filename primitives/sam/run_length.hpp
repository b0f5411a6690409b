// SPDX-License-Identifier: MIT
// run_length_encode and run_length_decode.
#pragma once

#include <sam/run_length_job.hpp>

namespace sam {

/// Run-length encoding: of each run of equal items the first goes to values, how many there are to
/// lengths, in order, and the number of runs to count.
///
/// in           n trivially copyable items in memory that `context` reaches. n may be 0, and may
///              exceed 2^32
/// values       room for as many items of the same type as there are runs; where it holds fewer,
///              those beyond its end are dropped. It may begin where in does; any other overlap is
///              an error
/// lengths      the same of integers that can hold n, apart from in and values
/// count        an array of one integer that can hold n, apart from all others
/// equal        ==, or a function object equal(a, b) that is an equivalence
/// traffic      n reads of an item, and a write of an item and a length for each run; on CPUs n
///              reads more, and a read and a write more of each length
/// determinism, returns, throws  as compact
/// source       as compact; lengths as sums of ones, by segments
template <class Context, array In, output_array Values, output_array Lengths, output_array Count,
          detail::equivalence<item_of<In>> Equal = detail::equal_items>
void run_length_encode(Context& context, In const& in, Values&& values, Lengths&& lengths,
                       Count&& count, Equal equal = {},
                       std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::run_length_encode";
  using T = item_of<In>;
  static_assert(integer<item_of<Lengths>>, "sam: lengths must hold integers");
  detail::expect_runs_on<Context, Equal, T, T>();
  [[maybe_unused]] auto const call = begin_call(context, name);
  index_t const n = size_of(in);
  argument_names const names{"in", "values"};
  detail::expect_compact(name, context, in, values, count, at, names);
  detail::expect_beside(name, "lengths", context, lengths, "count", count, at);
  expect_fits<item_of<Lengths>>(name, "lengths", n, at);
  detail::expect_in_place_or_apart<detail::headed<T>>(name, context, in, values, at, names);
  expect_apart(name, "lengths", lengths, "in", in, at);
  expect_apart(name, "lengths", lengths, "values", values, at);
  if (n == 0)
    return detail::count_nothing(context, count.data());
  detail::kept_unlike_last<T, Equal> const heads{in.data(), equal};
  detail::to_front<T, item_of<Count>> const to{
      {count.data()}, in.data(), values.data(), size_of(values)};
  if constexpr (!works_on_device<Context>)
    detail::run_encode_by_packing(context, n, heads, to, lengths.data(), size_of(lengths));
  else if (n <= index_t{highest_of<std::uint32_t>})
    detail::run_encode<std::uint32_t>(context, n, heads, to, lengths.data(), size_of(lengths));
  else
    detail::run_encode<std::uint64_t>(context, n, heads, to, lengths.data(), size_of(lengths));
}

/// As above; waits, and returns the number of runs.
template <class Context, array In, output_array Values, output_array Lengths,
          detail::equivalence<item_of<In>> Equal = detail::equal_items>
index_t run_length_encode(Context& context, In const& in, Values&& values, Lengths&& lengths,
                          Equal equal = {},
                          std::source_location at = std::source_location::current()) {
  return detail::count_of(context, [&](auto count) {
    run_length_encode(context, in, values, lengths, count, equal, at);
  });
}

/// What run_length_encode undoes: values[0] lengths[0] times, then values[1] lengths[1] times, ...
///
/// values       trivially copyable items in memory that `context` reaches
/// lengths      as many integers as there are values, none of them negative; they may be 0
/// out          room for as many items as the lengths are together, of the same type, apart from
///              values and lengths. Where it holds fewer, those beyond its end are dropped; where
///              it holds more, the rest stays as it was
/// count        an array of one integer that can hold the sum of lengths, to which that sum goes:
///              with an empty out, nothing else is asked for; apart from all others
/// traffic      a write for each item, and two reads of each length, of which CPUs have no more but
///              a read of each value; on GPUs two reads and a write of each value, a write and a
///              read of 4 bytes for each run, and 16 for every 32 items in out; where that is of
///              less than 8 MiB, with CUDA, a read of a value for each item in place of the last
/// workspace    a value and 4 bytes for each run, and 8 for every 32 items in out (12 and 12 where
///              out holds 2^32 items or more); on CPUs 8 bytes for every 16 runs; a context keeps
///              it
/// determinism, returns, throws  as compact
/// source       the scans as in compact; an item's run by counting bits, as Jacobson ranks them in
///              "Space-efficient static trees and graphs", FOCS 1989
template <class Context, array Values, array Lengths, output_array Out, output_array Count>
void run_length_decode(Context& context, Values const& values, Lengths const& lengths, Out&& out,
                       Count&& count, std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::run_length_decode";
  static_assert(std::is_same_v<item_of<Values>, item_of<Out>>,
                "sam: values and out differ in item type");
  static_assert(integer<item_of<Lengths>>, "sam: lengths must hold integers");
  [[maybe_unused]] auto const call = begin_call(context, name);
  expect_same_size(name, values, lengths, at, {"values", "lengths"});
  detail::expect_counts(name, "count", context, count, 1, 0, at);
  detail::expect_beside(name, "values", context, values, "count", count, at);
  detail::expect_beside(name, "lengths", context, lengths, "count", count, at);
  detail::expect_beside(name, "out", context, out, "count", count, at);
  expect_apart(name, "out", out, "values", values, at);
  expect_apart(name, "out", out, "lengths", lengths, at);
  if (size_of(values) == 0)
    return detail::count_nothing(context, count.data());
  detail::run_decode(context, values.data(), lengths.data(), size_of(values), out.data(),
                     size_of(out), count.data());
}

/// As above; waits, and returns the sum of lengths.
template <class Context, array Values, array Lengths, output_array Out>
index_t run_length_decode(Context& context, Values const& values, Lengths const& lengths, Out&& out,
                          std::source_location at = std::source_location::current()) {
  return detail::count_of(
      context, [&](auto count) { run_length_decode(context, values, lengths, out, count, at); });
}

}  // namespace sam
