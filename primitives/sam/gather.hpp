// SPDX-License-Identifier: MIT
// Defines gather, scatter and apply_permutation, which move items by indices.
#pragma once

#include <sam/detail/counted_input.hpp>
#include <sam/detail/gather_job.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#endif

#include <tuple>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Checks that indices are not both counted and checked.
template <class Indices>
struct are_unchecked_if_counted {
  static constexpr bool value =
      !is_counted<Indices> || !are_checked_indices<array_within_t<Indices>>;
  static_assert(value, "sam: counted indices cannot be checked_indices, since their check waits");
};
template <class Context, class Indices>
using reads_indices = std::conjunction<reads_first_items<parameter::indices, Context, Indices>,
                                       parameter::indices::holds_integers<item_or_any_t<Indices>>,
                                       are_unchecked_if_counted<Indices>>;

template <class Context, class In, class Indices, class Out>
using moves_by_indices =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     reads_indices<Context, Indices>, writes_items<parameter::out, Context, Out>,
                     have_one_item_type<In, Out>>;

/// Checks that only the array that sets the number of moves is counted.
template <class A>
struct is_not_counted {
  static constexpr bool value = !is_counted<A>;
  static_assert(value, "sam: only the indices of gather and apply_permutation may be counted, and "
                       "only in of scatter");
};

template <class Context, class In, class Indices, class Out>
void gather(Context& context, In const& in, Indices const& indices, Out& out,
            std::source_location at) {
  checked_call const call(context, "sam::gather", at);
  auto const from = sam::detail::input_of<parameter::in>(call, in);
  auto const [by, taken, number] = detail::first_items_of<parameter::indices>(call, indices);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.same_size(to, by);
  sam::detail::expect_output_apart(call, to, from, by);
  detail::apart_from_count(call, indices, to);
  if (from.size == 0 && by.size > 0)
    call.refuse(from.name, "holds no items, but indices holds ", by.size);
  if constexpr (are_checked_indices<Indices>)
    sam::detail::expect_indices(call, by, from.size, false);
  detail::run_first(
      context, taken.size,
      sam::detail::gather_of(by, from.size, sam::detail::with_column(from, to, columns<>{})),
      number);
}

template <class Context, class In, class Indices, class Out>
void scatter(Context& context, In const& in, Indices const& indices, Out& out,
             std::source_location at) {
  checked_call const call(context, "sam::scatter", at);
  auto const [from, taken, number] = detail::first_items_of<parameter::in>(call, in);
  auto const by = sam::detail::input_of<parameter::indices>(call, indices);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.same_size(by, from);
  sam::detail::expect_output_apart(call, to, from, by);
  detail::apart_from_count(call, in, to);
  if constexpr (are_checked_indices<Indices>)
    sam::detail::expect_indices(call, by, to.size, true);
  using moved = column<job_input_t<std::remove_const_t<decltype(from)>>,
                       job_output_t<std::remove_const_t<decltype(to)>>>;
  detail::run_first(
      context, taken.size,
      scatter_job<job_input_t<std::remove_const_t<decltype(by)>>, moved>{
          sam::detail::source_from(by), {sam::detail::source_from(from), to.data}, to.size},
      number);
}

/// The names of the arrays of apply_permutation in messages, pair by pair.
inline constexpr char const* permuted_names[] = {"in1", "out1", "in2", "out2", "in3", "out3",
                                                 "in4", "out4", "in5", "out5", "in6", "out6",
                                                 "in7", "out7", "in8", "out8"};
inline constexpr int most_permuted = 8;

/// Returns the checked pairs of apply_permutation, from pair K on.
template <int K, class Context>
std::tuple<> checked_pairs(checked_call<Context> const&, extent const&) {
  return {};
}
template <int K, class Context, class In, class Out, class... More>
auto checked_pairs(checked_call<Context> const& call, extent const& indices, In const& in, Out& out,
                   More&... more) {
  auto from = sam::detail::input_of<parameter::in>(call, in);
  auto to = sam::detail::output_of<parameter::out>(call, out);
  from.name = permuted_names[2 * K];
  to.name = permuted_names[2 * K + 1];
  call.same_size(from, indices);
  call.same_size(to, indices);
  using pair = std::pair<decltype(from), decltype(to)>;
  return std::tuple_cat(std::tuple<pair>(pair{from, to}),
                        sam::detail::checked_pairs<K + 1>(call, indices, more...));
}
/// Rejects an output, of pair `own`, that overlaps an input or the output of an earlier pair.
template <class Context, class Out, class... Pairs>
void expect_apart_from_pairs(checked_call<Context> const& call, Out const& out, int own,
                             Pairs const&... pairs) {
  int k = 0;
  auto const expect_apart = [&](auto const& pair) {
    sam::detail::expect_output_apart(call, out, pair.first);
    if (k++ >= own)
      return;
    call.apart(out, pair.second);
    sam::detail::expect_outputs_apart(call, out, pair.second);
  };
  (expect_apart(pairs), ...);
}
inline columns<> columns_of() { return {}; }
template <class Pair, class... Rest>
auto columns_of(Pair const& pair, Rest const&... rest) {
  return sam::detail::with_column(pair.first, pair.second, sam::detail::columns_of(rest...));
}

/// Gathers pairs by one job, which reads the indices once, or each pair by a job of its own if the
/// items of all of them exceed a cache.
template <class Context, class Indices, class... Pairs>
void gather_pairs(Context& context, Indices const& indices, Pairs const&... pairs) {
  auto const gather = [&](auto const&... some) {
    detail::run_first(
        context, indices.taken.size,
        sam::detail::gather_of(indices.all, indices.all.size, sam::detail::columns_of(some...)),
        indices.number);
  };
  if constexpr (sizeof...(Pairs) > 1 && engine::has_shared_cache<Context>) {
    index_t const cached = context.cached_bytes();
    constexpr index_t of_row = decltype(sam::detail::columns_of(pairs...))::bytes;
    if (cached > 0 && indices.all.size > cached / of_row)
      return (gather(pairs), ...);
  }
  gather(pairs...);
}

template <class Context, class... Arrays>
struct permutes;
template <class Context>
struct permutes<Context> : std::true_type {};
template <class Context, class In, class Out, class... More>
struct permutes<Context, In, Out, More...>
    : std::conjunction<reads_items<parameter::in, Context, In>,
                       writes_items<parameter::out, Context, Out>, have_one_item_type<In, Out>,
                       permutes<Context, More...>> {};
template <class... Arrays>
struct are_pairs {
  static constexpr bool value = sizeof...(Arrays) % 2 == 0 && sizeof...(Arrays) > 0 &&
                                sizeof...(Arrays) <= 2 * most_permuted;
  static_assert(value, "sam: apply_permutation takes 1 to 8 pairs of an array to read and an array "
                       "to write: apply_permutation(context, indices, in1, out1, in2, out2)");
};

template <class Context, class Indices, class... Arrays>
void apply_permutation(Context& context, Indices const& indices, std::source_location at,
                       Arrays&... arrays) {
  if constexpr (stands_for_context<Context>) {
    sam::detail::apply_permutation(*sam::detail::lend_context(context), indices, at, arrays...);
  } else if constexpr (std::conjunction_v<is_context<Context>, reads_indices<Context, Indices>,
                                          are_pairs<Arrays...>, permutes<Context, Arrays...>>) {
    checked_call const call(context, "sam::apply_permutation", at);
    auto const first = detail::first_items_of<parameter::indices>(call, indices);
    auto const& by = first.all;
    auto const pairs = sam::detail::checked_pairs<0>(call, by, arrays...);
    std::apply(
        [&](auto const&... pair) {
          int own = 0;
          auto const expect_apart = [&](auto const& out) {
            sam::detail::expect_output_apart(call, out, by);
            detail::apart_from_count(call, indices, out);
            sam::detail::expect_apart_from_pairs(call, out, own++, pair...);
          };
          (expect_apart(pair.second), ...);
        },
        pairs);
    if constexpr (are_checked_indices<Indices>)
      sam::detail::expect_indices(call, by, by.size, true);
    std::apply([&](auto const&... pair) { sam::detail::gather_pairs(context, first, pair...); },
               pairs);
  }
}

}  // namespace detail

/// Returns indices that every call checks before use: they must lie within the array, and those of
/// scatter and apply_permutation must be distinct. The check waits for its result. Invalid indices
/// throw sam::invalid_argument, and nothing is written.
///
/// indices  the array must live until the call that uses it has done its work; a temporary that
///          owns its items does not compile
template <class Indices>
auto checked_indices(Indices&& indices) {
  if constexpr (detail::parameter::indices::is_array<Indices>::value) {
    static_cast<void>(detail::parameter::indices::is_kept<Indices>::value);  // or does not compile
    return detail::checked_indices<detail::borrowed_t<Indices&>>{detail::borrow(indices)};
  } else {
    return 0;
  }
}

/// Copies the items at the given indices: out[i] = in[indices[i]].
///
/// in           m items in memory that `context` reaches, or a computed input (<sam/inputs.hpp>).
///              It may not be empty if indices is not
/// indices      n integers in [0, m), or sam::counted(indices, number), or a computed input. For
/// another one, out[i] is
///              unspecified, but nothing outside in is read; sam::checked_indices(indices) rejects
///              it
/// out          n items of in's item type, apart from in and indices, or a computed output
///              (<sam/outputs.hpp>)
/// traffic      n reads of an index and of an item, which may lie anywhere, and n writes
/// workspace    none
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ or out overlaps in or indices; nothing is
///                                     written
///              sam::device_error      if the back end cannot queue the work
/// source       one map over the indices, without a scan
template <class Context, class In, class Indices, class Out>
void gather(Context&& context, In const& in, Indices const& indices, Out&& out,
            std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::gather(*detail::lend_context(context), in, indices, std::forward<Out>(out), at);
  else if constexpr (std::conjunction_v<detail::is_not_counted<In>,
                                        detail::moves_by_indices<Context, In, Indices, Out>>)
    detail::gather(context, in, indices, out, at);
}

/// Copies items to the given indices: out[indices[i]] = in[i]. Other items of out do not change.
///
/// in           n items in memory that `context` reaches, or sam::counted(items, number), or a
///              computed input
/// indices      n integers in [0, m), or a computed input, which are distinct. Items with another
/// index are dropped, and
///              of several items with one index any may remain; sam::checked_indices(indices)
///              rejects both
/// out          m items of in's item type, apart from in and indices, or a computed output
/// traffic      n reads of an index and of an item, and n writes, which may lie anywhere
/// workspace    for checked indices 4 or 8 bytes for each item of out, else none
/// Everything else is as for gather.
template <class Context, class In, class Indices, class Out>
void scatter(Context&& context, In const& in, Indices const& indices, Out&& out,
             std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::scatter(*detail::lend_context(context), in, indices, std::forward<Out>(out), at);
  else if constexpr (std::conjunction_v<detail::is_not_counted<Indices>,
                                        detail::moves_by_indices<Context, In, Indices, Out>>)
    detail::scatter(context, in, indices, out, at);
}

/// Brings several arrays into one order: out1[i] = in1[indices[i]], out2[i] = in2[indices[i]], and
/// so on for 1 to 8 pairs of arrays, each of its own item type. The indices are read once, or once
/// for each pair where one array fits a GPU's L2 cache better than all.
///
///   sam::apply_permutation(context, indices, in1, out1, in2, out2, ...)
///
/// indices      n integers in [0, n), such as radix_argsort returns, or sam::counted(indices,
///              number). If they are not a permutation,
///              each array is gathered all the same; sam::checked_indices(indices) rejects them
/// in, out      n items each, or computed inputs and outputs, at most eight pairs; every out lies
///              apart from all other arrays. zipped and zipped_to take more
/// Everything else is as for gather. It is a class so that the place of the call is known in
/// messages after any number of arguments.
template <class Context, class Indices, class... Arrays>
struct apply_permutation {
  apply_permutation(Context&& context, Indices const& indices, Arrays&&... arrays,
                    std::source_location at = std::source_location::current()) {
    detail::apply_permutation(context, indices, at, arrays...);
  }
};
template <class Context, class Indices, class... Arrays>
apply_permutation(Context&&, Indices const&, Arrays&&...)
    -> apply_permutation<Context, Indices, Arrays...>;

}  // namespace sam::inline v0_1
