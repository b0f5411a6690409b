// SPDX-License-Identifier: MIT
// segmented_radix_sort, segmented_radix_sort_pairs, segmented_radix_argsort: every segment put in
// order by itself.
#pragma once

#include <sam/detail/segmented_sort_job.hpp>
#include <sam/radix_sort.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#include <sam/chosen_backend/segmented.hpp>
#include <sam/chosen_backend/segmented_sort.hpp>
#include <sam/chosen_backend/sort.hpp>
#endif

namespace sam {

namespace detail {

/// What is put in order: the items of each segment.
template <class Segments>
struct each_of {
  Segments const& segments;

  void check_apart(call_checks const& call, extent const& written) const {
    segments.check_apart(call, written);
  }
  template <class Context>
  void check(checked_call<Context> const& call, index_t n) const {
    segments.check(call, n, 1, {nullptr, 0, 1, "out"});
  }
  template <class Context, class Job>
  index_t scratch_bytes(checked_call<Context> const& call, Job const& job) const {
    return sam::detail::scratch_bytes_for_segments(call, segments, job);
  }
  template <class Context, class Job>
  void sort_by(Context& context, Job const& job, std::byte* memory) const {
    sam::detail::sort_segments(context, segments, job, memory);
  }
};

}  // namespace detail

/// Sorts every segment stably by radix, by itself: the keys of each go, in order, to where it lies.
///
/// in, out      n keys each, as for radix_sort; out may be in
/// segments     by_offsets(offsets), by_checked_offsets(offsets), by_heads(flags) or by_keys(keys),
///              whose array lies apart from out, or by_length(length); see <sam/segments.hpp>
/// digits       as for radix_sort
/// options      likewise. A GPU, and a back end that sorts all segments at once, need memory of
///              their own beside the spare one
/// traffic      one read and write of n keys where segments fit into a CPU's cache or a GPU's
///              block, whatever their number; longer ones, on a CPU as by radix_sort, on a GPU by a
///              sort of their m keys with 4 bytes beside each, by their bits and by those of the
///              number of such segments, and twice a read and a write. Else that of all n keys
/// workspace    as for radix_sort; by offsets also n / 8 bytes. A GPU needs none for n keys that
///              one block sorts, else room for 2 n keys with 4 bytes beside each, for 2 n values,
///              and a few bytes for each block. segmented_radix_sort_workspace says how much
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out. Checking offsets waits
/// throws       what radix_sort throws; sam::invalid_argument also if segments are wrong, or may be
///              more than 2^32 where all are sorted at once
/// source       as for radix_sort; Batcher, "Sorting networks and their applications", AFIPS 1968
///              (a GPU's short segments)
template <class Context, class In, class Segments, class Out>
void segmented_radix_sort(Context&& context, In const& in, Segments const& segments, Out&& out,
                          detail::sort_options_alone<In> options = {},
                          std::source_location at = std::source_location::current()) {
  using digits = detail::natural_digits;
  if constexpr (detail::all_right<detail::is_radix_sort<Context, In, Out, digits>,
                                  detail::are_segments<Segments>>)
    detail::radix_sort("sam::segmented_radix_sort", context, in,
                       detail::each_of<Segments>{segments}, out, digits{}, options, at);
}
template <class Context, class In, class Segments, class Out, class Digits>
requires(!detail::is_sort_options<Digits>) void segmented_radix_sort(
    Context&& context, In const& in, Segments const& segments, Out&& out, Digits digits,
    detail::sort_options_alone<In> options = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::all_right<detail::is_radix_sort<Context, In, Out, Digits>,
                                  detail::are_segments<Segments>>)
    detail::radix_sort("sam::segmented_radix_sort", context, in,
                       detail::each_of<Segments>{segments}, out, digits, options, at);
}

/// Sorts as segmented_radix_sort does keys with a value beside each, which goes where its key goes;
/// values are those of radix_sort_pairs.
template <class Context, class KeysIn, class ValuesIn, class Segments, class KeysOut,
          class ValuesOut>
void segmented_radix_sort_pairs(Context&& context, KeysIn const& keys_in, ValuesIn const& values_in,
                                Segments const& segments, KeysOut&& keys_out,
                                ValuesOut&& values_out,
                                detail::sort_options_for<KeysIn, ValuesIn> options = {},
                                std::source_location at = std::source_location::current()) {
  using digits = detail::natural_digits;
  if constexpr (detail::all_right<detail::is_radix_sort_of_pairs<Context, KeysIn, ValuesIn, KeysOut,
                                                                 ValuesOut, digits>,
                                  detail::are_segments<Segments>>)
    detail::radix_sort_pairs("sam::segmented_radix_sort_pairs", context, keys_in, values_in,
                             detail::each_of<Segments>{segments}, keys_out, values_out, digits{},
                             options, at);
}
template <class Context, class KeysIn, class ValuesIn, class Segments, class KeysOut,
          class ValuesOut, class Digits>
requires(!detail::is_sort_options<Digits>) void segmented_radix_sort_pairs(
    Context&& context, KeysIn const& keys_in, ValuesIn const& values_in, Segments const& segments,
    KeysOut&& keys_out, ValuesOut&& values_out, Digits digits,
    detail::sort_options_for<KeysIn, ValuesIn> options = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::all_right<detail::is_radix_sort_of_pairs<Context, KeysIn, ValuesIn, KeysOut,
                                                                 ValuesOut, Digits>,
                                  detail::are_segments<Segments>>)
    detail::radix_sort_pairs("sam::segmented_radix_sort_pairs", context, keys_in, values_in,
                             detail::each_of<Segments>{segments}, keys_out, values_out, digits,
                             options, at);
}

/// Writes the order of the keys of every segment, which stay where they are: where segment k
/// begins, out holds the index, among all keys, of its first key in order, and so on.
///
/// keys, out    as for radix_argsort
/// All else as for segmented_radix_sort; also throws sam::invalid_argument if an index may not fit.
template <class Context, class Keys, class Segments, class Out>
void segmented_radix_argsort(Context&& context, Keys const& keys, Segments const& segments,
                             Out&& out, detail::sort_options_for<Keys, Out> options = {},
                             std::source_location at = std::source_location::current()) {
  using digits = detail::natural_digits;
  if constexpr (detail::all_right<detail::is_radix_argsort<Context, Keys, Out, digits>,
                                  detail::are_segments<Segments>>)
    detail::radix_argsort("sam::segmented_radix_argsort", context, keys,
                          detail::each_of<Segments>{segments}, out, digits{}, options, at);
}
template <class Context, class Keys, class Segments, class Out, class Digits>
requires(!detail::is_sort_options<Digits>) void segmented_radix_argsort(
    Context&& context, Keys const& keys, Segments const& segments, Out&& out, Digits digits,
    detail::sort_options_for<Keys, Out> options = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::all_right<detail::is_radix_argsort<Context, Keys, Out, Digits>,
                                  detail::are_segments<Segments>>)
    detail::radix_argsort("sam::segmented_radix_argsort", context, keys,
                          detail::each_of<Segments>{segments}, out, digits, options, at);
}

/// Returns how many bytes of its own, at most, `context` needs to sort n keys in segments, beside
/// what it keeps for scans, which depends on its workers and not on n; otherwise as
/// radix_sort_workspace. Of offsets it asks only how many there are.
template <class Key, class Value = no_values, class Context, segments Segments,
          class Digits = detail::natural_digits>
index_t segmented_radix_sort_workspace(Context const& context, index_t n, Segments const& segments,
                                       sort_options<Key, Value> const& options = {},
                                       Digits digits = {},
                                       std::source_location at = std::source_location::current()) {
  if constexpr (detail::are_digits<Key, Digits>::value) {
    detail::call_checks const call("sam::segmented_radix_sort_workspace", at);
    detail::expect_workspace_size(call, n);
    auto job = detail::sort_job_for(call, n, digits, options);
    job.sorted_keys = reinterpret_cast<Key*>(alignof(Key));  // somewhere: nothing reads it
    return detail::sort_segments_workspace(call, context, segments, job) +
           detail::numeric_order_workspace(n, options);
  }
}
/// Returns the same for the order of n keys, in integers of type Index.
template <class Key, class Index, class Context, segments Segments,
          class Digits = detail::natural_digits>
index_t
segmented_radix_argsort_workspace(Context const& context, index_t n, Segments const& segments,
                                  sort_options<Key, Index> const& options = {}, Digits digits = {},
                                  std::source_location at = std::source_location::current()) {
  if constexpr (detail::are_digits<Key, Digits>::value) {
    detail::call_checks const call("sam::segmented_radix_argsort_workspace", at);
    detail::expect_workspace_size(call, n);
    return detail::sort_segments_workspace(call, context, segments,
                                           detail::sort_job_for(call, n, digits, options)) +
           detail::numeric_order_workspace(n, options);
  }
}

}  // namespace sam
