// SPDX-License-Identifier: MIT
// compact, compact_flagged, compact_indices, partition and unique.
#pragma once

#include <sam/compact_job.hpp>

#include <span>

namespace sam {

namespace detail {

template <class Keep, class T>
concept predicate = requires(Keep const keep, T const x) {
  static_cast<bool>(keep(x));
};

/// Without a device's trouble with std::equal_to, which is the host's.
struct equal_items {
  template <class T>
  SAM_FUNCTION constexpr bool operator()(T const& a, T const& b) const {
    return a == b;
  }
};

}  // namespace detail

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
  [[maybe_unused]] auto const named = name_call(context, "sam::compact");
  detail::compact_to_front("sam::compact", context,
                           detail::kept_by_predicate<T, Keep>{in.data(), keep}, in, out, count, at);
}

/// As above; waits, and returns how many items were kept.
template <class Context, array In, output_array Out, class Keep>
index_t compact(Context& context, In const& in, Out&& out, Keep keep,
                std::source_location at = std::source_location::current()) {
  return result_of(context, [&](index_t* place) {
    compact(context, in, out, keep, std::span<index_t, 1>(place, 1), at);
  });
}

/// compact of the items whose flag is not zero. flags are as many integers or bools as there are
/// items in in, apart from out and count. n more reads, of flags; all else as for compact.
template <class Context, array In, array Flags, output_array Out, output_array Count>
void compact_flagged(Context& context, In const& in, Flags const& flags, Out&& out, Count&& count,
                     std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::compact_flagged";
  using T = item_of<In>;
  using flag = item_of<Flags>;
  static_assert(std::is_integral_v<flag>, "sam: flags must be integers or bools");
  static_assert(is_within_reach<Context, Flags>, "sam: the context cannot reach flags");
  [[maybe_unused]] auto const named = name_call(context, name);
  expect_items(name, "flags", flags, at);
  if (size_of(flags) != size_of(in))
    throw invalid_argument(name, "flags",
                           "holds " + std::to_string(size_of(flags)) + " items but in holds " +
                               std::to_string(size_of(in)) + "; both must hold the same number",
                           at);
  expect_apart(name, "flags", flags, "out", out, at);
  expect_apart(name, "flags", flags, "count", count, at);
  expect_reach(name, "flags", context, flags, at);
  detail::compact_to_front(name, context, detail::kept_by_flag<T, flag>{in.data(), flags.data()},
                           in, out, count, at);
}

/// As compact, but the indices of the items for which keep(x) holds go to out: integers that can
/// hold n - 1, apart from in.
template <class Context, array In, output_array Out, class Keep, output_array Count>
void compact_indices(Context& context, In const& in, Out&& out, Keep keep, Count&& count,
                     std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::compact_indices";
  using T = item_of<In>;
  using index = item_of<Out>;
  static_assert(integer<index>, "sam: out must hold integers");
  static_assert(detail::predicate<Keep, T>, "sam: keep must say of an item: bool keep(x) const");
  [[maybe_unused]] auto const named = name_call(context, name);
  detail::expect_compact(name, context, in, out, count, at);
  expect_fits<index>(name, "out", size_of(in) - 1, at);
  expect_apart(name, "out", out, "in", in, at);
  if (size_of(in) == 0)
    return detail::count_nothing(context, count.data());
  detail::run_compact(
      context, size_of(in), detail::index_kept_by_predicate<T, Keep>{in.data(), keep},
      detail::indices_to_front<index, item_of<Count>>{out.data(), size_of(out), count.data()});
}

/// Stable partition: the items for which keep(x) holds, in order, then the others, in order; the
/// number of the former goes to count.
///
/// in, out      n items each, apart from one another
/// traffic      2 n reads and n writes of an item: where the others go is known only when all that
///              are kept have been counted
/// All else as for compact.
template <class Context, array In, output_array Out, class Keep, output_array Count>
void partition(Context& context, In const& in, Out&& out, Keep keep, Count&& count,
               std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::partition";
  using T = item_of<In>;
  static_assert(std::is_same_v<T, item_of<Out>>, "sam: in and out differ in item type");
  static_assert(detail::predicate<Keep, T>, "sam: keep must say of an item: bool keep(x) const");
  [[maybe_unused]] auto const named = name_call(context, name);
  expect_same_size(name, in, out, at);
  expect_apart(name, "out", out, "in", in, at);
  detail::compact_to_front(name, context, detail::kept_by_predicate<T, Keep>{in.data(), keep}, in,
                           out, count, at);
  if (size_of(in) != 0)
    detail::run_compact(context, size_of(in),
                        detail::dropped_by_predicate<T, Keep>{{in.data(), keep}},
                        detail::to_back<T, item_of<Count>>{out.data(), count.data()});
}

/// Drops every item that is equal to the one before it in in: of a run of equal items the first is
/// kept. equal(a, b), == unless it is given, is to be an equivalence. All else as for compact; out
/// may begin where in does.
template <class Context, array In, output_array Out, output_array Count,
          class Equal = detail::equal_items>
void unique(Context& context, In const& in, Out&& out, Count&& count, Equal equal = {},
            std::source_location at = std::source_location::current()) {
  using T = item_of<In>;
  [[maybe_unused]] auto const named = name_call(context, "sam::unique");
  detail::compact_to_front("sam::unique", context,
                           detail::kept_unlike_last<T, Equal>{in.data(), equal}, in, out, count,
                           at);
}

}  // namespace sam
