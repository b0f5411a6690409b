// SPDX-License-Identifier: MIT
// compact, compact_flagged, compact_indices and compact_indices_flagged.
#pragma once

#include <sam/compact_job.hpp>
#include <sam/flags.hpp>

namespace sam {

/// Stable compaction: the items of in for which keep(x) holds go to the front of out, in order;
/// their number goes to count. What lies behind them in out stays as it was.
///
/// in, out      n trivially copyable items, and room for as many of the same type as are kept, in
///              memory that `context` reaches; n are always enough. Where out holds fewer, those
///              beyond its end are dropped, and count says how many were kept all the same. out may
///              begin where in does; any other overlap is an error. n may be 0, and may exceed 2^32
/// keep         a const function object on items; gives an item the same answer each time
/// count        an array of one integer that can hold n, apart from in and out
/// traffic      n reads of an item, and a write for each that is kept
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out or count
/// throws       sam::invalid_argument  if arrays overlap, count is not one item or cannot hold n,
///                                     or out is in where the context cannot do that: Kokkos on
///                                     devices, CUDA with items of about 90 bytes and more; nothing
///                                     is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Billeter, Olsson, Assarsson, HPG 2009 (compaction by prefix sums); Maleki, Yang,
///              Burtscher, PLDI 2016 (the scan, in one pass)
template <class Context, array In, output_array Out, class Keep, output_array Count>
void compact(Context& context, In const& in, Out&& out, Keep keep, Count&& count,
             std::source_location at = std::source_location::current()) {
  using T = item_of<In>;
  static_assert(detail::predicate<Keep, T>, "sam: keep must say of an item: bool keep(x) const");
  detail::expect_runs_on<Context, Keep, T>();
  [[maybe_unused]] auto const call = begin_call(context, "sam::compact");
  detail::compact_to_front("sam::compact", context,
                           detail::kept_by_predicate<T, Keep>{in.data(), keep}, in, out, count, at);
}

/// As above; waits, and returns how many items were kept.
template <class Context, array In, output_array Out, class Keep>
index_t compact(Context& context, In const& in, Out&& out, Keep keep,
                std::source_location at = std::source_location::current()) {
  return detail::count_of(context, [&](auto count) { compact(context, in, out, keep, count, at); });
}

/// compact of the items whose flag is not zero. flags are as many integers or bools as there are
/// items in in, or as many bits in sam::packed_bits, apart from out and count. n more reads, of
/// flags; all else as for compact.
template <class Context, array In, flags_array Flags, output_array Out, output_array Count>
void compact_flagged(Context& context, In const& in, Flags const& flags, Out&& out, Count&& count,
                     std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::compact_flagged";
  [[maybe_unused]] auto const call = begin_call(context, name);
  expect_flags(name, context, flags, size_of(in), at);
  expect_apart(name, "flags", memory_of(flags), "out", out, at);
  expect_apart(name, "flags", memory_of(flags), "count", count, at);
  auto const flag = first_flag(flags);
  detail::compact_to_front(name, context,
                           detail::kept_by_flag<item_of<In>, decltype(flag)>{in.data(), flag}, in,
                           out, count, at);
}

/// As above; waits, and returns how many items were kept.
template <class Context, array In, flags_array Flags, output_array Out>
index_t compact_flagged(Context& context, In const& in, Flags const& flags, Out&& out,
                        std::source_location at = std::source_location::current()) {
  return detail::count_of(context,
                          [&](auto count) { compact_flagged(context, in, flags, out, count, at); });
}

/// As compact, but the indices of the items for which keep(x) holds go to out: integers that can
/// hold n - 1, apart from in.
template <class Context, array In, output_array Out, class Keep, output_array Count>
void compact_indices(Context& context, In const& in, Out&& out, Keep keep, Count&& count,
                     std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::compact_indices";
  using T = item_of<In>;
  static_assert(integer<item_of<Out>>, "sam: out must hold integers");
  static_assert(detail::predicate<Keep, T>, "sam: keep must say of an item: bool keep(x) const");
  detail::expect_runs_on<Context, Keep, T>();
  [[maybe_unused]] auto const call = begin_call(context, name);
  detail::expect_compact(name, context, in, out, count, at);
  expect_fits<item_of<Out>>(name, "out", size_of(in) - 1, at);
  expect_apart(name, "out", out, "in", in, at);
  detail::indices_to_out(context, size_of(in),
                         detail::index_kept_by_predicate<T, Keep>{in.data(), keep}, out, count);
}

/// As above; waits, and returns how many items were kept.
template <class Context, array In, output_array Out, class Keep>
index_t compact_indices(Context& context, In const& in, Out&& out, Keep keep,
                        std::source_location at = std::source_location::current()) {
  return detail::count_of(context,
                          [&](auto count) { compact_indices(context, in, out, keep, count, at); });
}

/// The indices of the flags that are not zero, as compact_indices gives those of items. Of
/// sam::packed_bits it is those of set bits below its size.
template <class Context, flags_array Flags, output_array Out, output_array Count>
void compact_indices_flagged(Context& context, Flags const& flags, Out&& out, Count&& count,
                             std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::compact_indices_flagged";
  static_assert(integer<item_of<Out>>, "sam: out must hold integers");
  [[maybe_unused]] auto const call = begin_call(context, name);
  auto const n = static_cast<index_t>(flags.size());
  detail::expect_counts(name, "count", context, count, 1, n, at);
  expect_flags(name, context, flags, at);
  expect_apart(name, "count", count, "flags", memory_of(flags), at);
  detail::expect_beside(name, "out", context, out, "count", count, at);
  expect_fits<item_of<Out>>(name, "out", n - 1, at);
  expect_apart(name, "out", out, "flags", memory_of(flags), at);
  auto const flag = first_flag(flags);
  detail::indices_to_out(context, n, detail::index_kept_by_flag<decltype(flag)>{flag}, out, count);
}

/// As above; waits, and returns how many flags are not zero.
template <class Context, flags_array Flags, output_array Out>
index_t compact_indices_flagged(Context& context, Flags const& flags, Out&& out,
                                std::source_location at = std::source_location::current()) {
  return detail::count_of(
      context, [&](auto count) { compact_indices_flagged(context, flags, out, count, at); });
}

}  // namespace sam
