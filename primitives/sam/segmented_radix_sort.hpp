// SPDX-License-Identifier: MIT
// Defines segmented_radix_sort, segmented_radix_sort_pairs and segmented_radix_argsort, which sort
// every segment by itself, and functions that return their workspace.
#pragma once

#include <sam/detail/segmented_sort_job.hpp>
#include <sam/radix_sort.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#include <sam/chosen_backend/segmented.hpp>
#include <sam/chosen_backend/segmented_sort.hpp>
#include <sam/chosen_backend/sort.hpp>
#endif

#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Marks the heads of the first items, by their number, and each item past them.
template <class Heads, class Number>
struct heads_up_to {
  Heads heads;
  Number number;
  SAM_FUNCTION bool at(index_t i) const { return i >= number() || heads.at(i); }
  index_t next(index_t i, index_t end) const { return detail::next_head(*this, i, end); }
};
/// The segments of the first items, by their number; each item past them is a segment by itself.
template <class Segments, class Number>
struct segments_up_to {
  Segments const& segments;
  Number number;

  index_t most_segments(index_t n) const { return n; }
  static index_t words_for(index_t n) requires requires { Segments::words_for(n); }
  { return Segments::words_for(n); }
  template <direction Heading, int TupleSize, class Context>
  auto heads(Context& context, index_t n, index_t components) const {
    return cut(segments.template heads<Heading, TupleSize>(context, n, components));
  }
  template <direction Heading, int TupleSize, class Context>
  auto heads_in(Context& context, std::uint32_t* words, index_t n, index_t components) const {
    return cut(segments.template heads_in<Heading, TupleSize>(context, words, n, components));
  }

 private:
  template <class Heads>
  heads_up_to<Heads, Number> cut(Heads const& heads) const {
    return {heads, number};
  }
};
/// Returns an index as a value of a sort.
template <class Index>
struct numbered {
  static constexpr bool runs_on_devices = true;
  SAM_FUNCTION constexpr Index operator()(index_t i) const { return static_cast<Index>(i); }
};
/// Sorts the items of each segment, as far as a number in the context's memory says. Kernels that
/// read the number leave items past it in the outputs. Else these stay there because the sort is in
/// place: the others are copied there first. Sorted indices are copied there at the end.
template <class Segments, class Number>
struct each_of_first {
  segments_up_to<Segments, Number> segments;

  template <class Context, class Job>
  index_t workspace_bytes(checked_call<Context> const& call, Job const& job) const {
    index_t const of_segments = sam::detail::workspace_bytes_for_segments(call, segments, job);
    return reads_number<Context, Job> ? of_segments : bytes_for_indices(job) + of_segments;
  }
  template <class Context, class Key, class Value, class Digits>
  void sort_by(Context& context, sort_job<Key, Value, Digits> job, std::byte* memory) const {
    if constexpr (reads_number<Context, sort_job<Key, Value, Digits>>) {
      auto const& given = segments.segments;
      using offset = std::remove_cvref_t<decltype(*given.data())>;
      number_in_memory const number(segments.number.at);
      if (context.sort_segments(job, cut_offsets<offset>{given.data(), job.n, number},
                                given.segments()))
        return;
      auto* const words = reinterpret_cast<std::uint32_t*>(memory);
      context.mark_bits(given.template marks<direction::forward>(words, job.n));
      return context.segmented_sort(job, first_heads_by_bit{{words}, number});
    }
    std::byte* const rest = memory + bytes_for_indices(job);
    if (job.sorted_keys == nullptr) {
      Value* const to = job.sorted_values;
      job.sorted_values = reinterpret_cast<Value*>(memory);
      sam::detail::sort_segments(context, segments, job, rest);
      return copy(context, job.n, static_cast<Value const*>(job.sorted_values), to);
    }
    copy(context, job.n, job.keys, job.sorted_keys);
    job.keys = job.sorted_keys;
    if constexpr (sort_job<Key, Value, Digits>::has_values) {
      copy_values(context, job);
      job.values = job.sorted_values;
    }
    sam::detail::sort_segments(context, segments, job, rest);
  }

 private:
  /// True if the kernels of a sort read the number. Where keys and segments are
  /// counted, keys past the last segment are sorted, too, which kernels do not do by offsets.
  template <class Context, class Job>
  static constexpr bool reads_number = [] {
    if constexpr (is_by_offsets<Segments> && !requires(Segments s) { s.number; } &&
                  is_read_in_place<Number>) {
      using offset = std::remove_cvref_t<decltype(*std::declval<Segments const&>().data())>;
      return sorts_first_of_segments<Context, Job, offset> && marks_bits<Context, mark_job<offset>>;
    } else {
      return false;
    }
  }();
  template <class Context, class Key, class Value, class Digits>
  void copy_values(Context& context, sort_job<Key, Value, Digits> const& job) const {
    if constexpr (integer<Value>) {
      if (job.values == nullptr)
        return detail::run_first(
            context, job.n,
            copy_input_job<generated_source<numbered<Value>>>{{{}}, job.sorted_values},
            segments.number);
    }
    copy(context, job.n, job.values, job.sorted_values);
  }
  template <class Key, class Value, class Digits>
  static index_t bytes_for_indices(sort_job<Key, Value, Digits> const& job) {
    return job.sorted_keys == nullptr ? div_up(job.n * index_t{sizeof(Value)}, 16) * 16 : 0;
  }
  template <class Context, class T>
  void copy(Context& context, index_t n, T const* from, T* to) const {
    if (from != to)
      detail::run_first(context, n, copy_input_job<engine::array_source<T>>{{from}, to},
                        segments.number);
  }
};

/// Sorts the items of each segment.
template <class Segments>
struct each_of {
  Segments segments;

  template <class Context>
  auto given(checked_call<Context> const& call) const {
    auto const all = sam::detail::given_segments(call, segments);
    return each_of<std::remove_const_t<decltype(all)>>{all};
  }
  auto to_store(index_t n) const { return sam::detail::segments_to_store(segments, n); }
  template <class Stored>
  auto stored(Stored const& first) const {
    auto const all = sam::detail::stored_segments(segments, first);
    return each_of<std::remove_const_t<decltype(all)>>{all};
  }
  each_of const& first(known_count const&) const { return *this; }
  template <class Number>
  each_of_first<Segments, Number> first(Number const& number) const {
    return {{segments, number}};
  }
  /// Returns how many results there are of a number of keys. Of segments whose number memory has,
  /// there are those of their items, which a device may sort alone.
  template <class Number>
  Number const& results(Number const& number) const {
    return number;
  }
  auto results(known_count const& number) const requires(ends_in_memory<Segments>) {
    return loaded_count{segments.end_of_last(), number.n};
  }
  void check_apart(call_checks const& call, extent const& written) const {
    segments.check_apart(call, written);
  }
  template <class Context>
  void check(checked_call<Context> const& call, index_t n) const {
    segments.check(call, n, 1, {nullptr, 0, 1, "out"});
  }
  template <class Context, class Job>
  index_t workspace_bytes(checked_call<Context> const& call, Job const& job) const {
    return sam::detail::workspace_bytes_for_segments(call, segments, job);
  }
  template <class Context, class Job>
  void sort_by(Context& context, Job const& job, std::byte* memory) const {
    sam::detail::sort_segments(context, segments, job, memory);
  }
};

}  // namespace detail

/// Sorts the keys of every segment stably by radix; each segment keeps its place.
///
/// in, out      n keys each, as for radix_sort; out may be in. in may be sam::counted(keys, number)
///              or a computed input. Segments belong to all keys that there may be; on a device
///              the work is laid out for all of them. Counted keys are copied to out first, unless
///              they are there; a GPU copies none in segments by offsets that are not counted, if
///              their number has 4 or 8 bytes
/// segments     by_offsets(offsets), by_checked_offsets(offsets), by_ranges(begins, ends),
///              by_heads(flags) or by_keys(keys), whose arrays lie apart from out, or
///              by_length(length); see <sam/segments.hpp>. Keys may be a computed input. Offsets
///              may be counted; out is then unspecified behind the last segment, and a computed
///              output may get no results there, unless the keys are counted, too
/// digits       as for radix_sort
/// options      as for radix_sort. A GPU, and a back end that sorts all segments at once, need
///              memory of their own even with spare memory
/// traffic      one read and write of n keys if each segment fits into a CPU's cache or a GPU's
///              block, for any number of segments. A CPU sorts longer segments as radix_sort does.
///              A GPU sorts their m keys together, with 4 bytes for each, by their bits and by
///              those of the number of such segments, and reads and writes them twice more. If
///              there are at least 2^24 keys of up to 8 bytes and no values, one block sorts a
///              segment of up to 65,536, with two reads and one write for each digit. Up to 2^18
///              keys by offsets, and 2^22 keys alone in long segments, are read and written once
///              for each digit if a block does not hold their segment. A back end without
///              segmented sorts sorts all n keys together
/// workspace    as for radix_sort; by offsets also n / 8 bytes. A GPU needs none for n keys that
///              one block sorts. For more it needs memory for 2 n keys with 4 bytes each, for 2 n
///              values, and a few bytes for each block. segmented_radix_sort_workspace returns the
///              amount
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out. Checked offsets make
///              the call wait
/// throws       as radix_sort; also sam::invalid_argument if segments are invalid, or if there may
///              be more than 2^32 and all are sorted at once
/// source       as for radix_sort; Batcher, "Sorting networks and their applications", AFIPS 1968
///              (a GPU's short segments)
template <class Context, class In, class Segments, class Out>
void segmented_radix_sort(Context&& context, In const& in, Segments const& segments, Out&& out,
                          detail::sort_options_alone<In> options = {},
                          std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::segmented_radix_sort(*detail::lend_context(context), in, segments,
                                     std::forward<Out>(out), options, at);
  } else {
    using digits = detail::natural_digits;
    if constexpr (detail::all_right<detail::is_counted_sort<Context, In, Out, digits>,
                                    detail::are_segments<Segments>>)
      detail::radix_sort("sam::segmented_radix_sort", context, in,
                         detail::each_of<Segments>{segments}, out, digits{}, options, at);
  }
}
template <class Context, class In, class Segments, class Out, class Digits>
requires(!detail::is_sort_options<Digits>) void segmented_radix_sort(
    Context&& context, In const& in, Segments const& segments, Out&& out, Digits digits,
    detail::sort_options_alone<In> options = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_radix_sort(*detail::lend_context(context), in, segments,
                                     std::forward<Out>(out), digits, options, at);
  else if constexpr (detail::all_right<detail::is_counted_sort<Context, In, Out, Digits>,
                                       detail::are_segments<Segments>>)
    detail::radix_sort("sam::segmented_radix_sort", context, in,
                       detail::each_of<Segments>{segments}, out, digits, options, at);
}

/// Sorts keys as segmented_radix_sort does, and moves the value of each key along with it. Values
/// are as for radix_sort_pairs.
template <class Context, class KeysIn, class ValuesIn, class Segments, class KeysOut,
          class ValuesOut>
void segmented_radix_sort_pairs(Context&& context, KeysIn const& keys_in, ValuesIn const& values_in,
                                Segments const& segments, KeysOut&& keys_out,
                                ValuesOut&& values_out,
                                detail::sort_options_for<KeysIn, ValuesIn> options = {},
                                std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::segmented_radix_sort_pairs(*detail::lend_context(context), keys_in, values_in,
                                           segments, std::forward<KeysOut>(keys_out),
                                           std::forward<ValuesOut>(values_out), options, at);
  } else {
    using digits = detail::natural_digits;
    if constexpr (detail::all_right<detail::is_counted_sort_of_pairs<Context, KeysIn, ValuesIn,
                                                                     KeysOut, ValuesOut, digits>,
                                    detail::are_segments<Segments>>)
      detail::radix_sort_pairs("sam::segmented_radix_sort_pairs", context, keys_in, values_in,
                               detail::each_of<Segments>{segments}, keys_out, values_out, digits{},
                               options, at);
  }
}
template <class Context, class KeysIn, class ValuesIn, class Segments, class KeysOut,
          class ValuesOut, class Digits>
requires(!detail::is_sort_options<Digits>) void segmented_radix_sort_pairs(
    Context&& context, KeysIn const& keys_in, ValuesIn const& values_in, Segments const& segments,
    KeysOut&& keys_out, ValuesOut&& values_out, Digits digits,
    detail::sort_options_for<KeysIn, ValuesIn> options = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_radix_sort_pairs(
        *detail::lend_context(context), keys_in, values_in, segments,
        std::forward<KeysOut>(keys_out), std::forward<ValuesOut>(values_out), digits, options, at);
  else if constexpr (detail::all_right<detail::is_counted_sort_of_pairs<Context, KeysIn, ValuesIn,
                                                                        KeysOut, ValuesOut, Digits>,
                                       detail::are_segments<Segments>>)
    detail::radix_sort_pairs("sam::segmented_radix_sort_pairs", context, keys_in, values_in,
                             detail::each_of<Segments>{segments}, keys_out, values_out, digits,
                             options, at);
}

/// Writes the sorted order of the keys of every segment; keys are not changed. Where segment k
/// begins, out holds the index, among all keys, of its first key in sorted order, and so on.
///
/// keys, out    as for radix_argsort
/// workspace    for counted keys on a device that are copied to out also memory for n indices
/// Everything else is as for segmented_radix_sort; also throws sam::invalid_argument if out's
/// integers cannot hold n - 1.
template <class Context, class Keys, class Segments, class Out>
void segmented_radix_argsort(Context&& context, Keys const& keys, Segments const& segments,
                             Out&& out, detail::sort_options_for<Keys, Out> options = {},
                             std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::segmented_radix_argsort(*detail::lend_context(context), keys, segments,
                                        std::forward<Out>(out), options, at);
  } else {
    using digits = detail::natural_digits;
    if constexpr (detail::all_right<detail::is_counted_argsort<Context, Keys, Out, digits>,
                                    detail::are_segments<Segments>>)
      detail::radix_argsort("sam::segmented_radix_argsort", context, keys,
                            detail::each_of<Segments>{segments}, out, digits{}, options, at);
  }
}
template <class Context, class Keys, class Segments, class Out, class Digits>
requires(!detail::is_sort_options<Digits>) void segmented_radix_argsort(
    Context&& context, Keys const& keys, Segments const& segments, Out&& out, Digits digits,
    detail::sort_options_for<Keys, Out> options = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_radix_argsort(*detail::lend_context(context), keys, segments,
                                        std::forward<Out>(out), digits, options, at);
  else if constexpr (detail::all_right<detail::is_counted_argsort<Context, Keys, Out, Digits>,
                                       detail::are_segments<Segments>>)
    detail::radix_argsort("sam::segmented_radix_argsort", context, keys,
                          detail::each_of<Segments>{segments}, out, digits, options, at);
}

/// Returns the largest number of bytes of its own memory that `context` needs to sort n keys in
/// segments. Memory for scans, which depends on the number of workers and not on n, is not
/// included. Of offsets only the number is used. Everything else is as for radix_sort_workspace.
template <class Key, class Value = no_values, class Context, segments Segments,
          class Digits = detail::natural_digits>
index_t segmented_radix_sort_workspace(Context const& context, index_t n, Segments const& segments,
                                       sort_options<Key, Value> const& options = {},
                                       Digits digits = {},
                                       std::source_location at = std::source_location::current()) {
  if constexpr (detail::are_digits<Key, Digits>::value) {
    detail::call_checks const call("sam::segmented_radix_sort_workspace", at);
    detail::expect_workspace_size(call, n);
    return detail::workspace_to_move<Context>(n, options, [&](auto const& moved) {
      auto job = detail::sort_job_for(call, n, digits, moved);
      job.sorted_keys = reinterpret_cast<Key*>(alignof(Key));  // not null, and never dereferenced
      return detail::sort_segments_workspace(call, context, segments, job) +
             detail::numeric_order_workspace(n, moved);
    });
  }
}
/// Returns the workspace, as segmented_radix_sort_workspace, of segmented_radix_argsort of n keys
/// with indices of type Index.
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

}  // namespace sam::inline v0_1
