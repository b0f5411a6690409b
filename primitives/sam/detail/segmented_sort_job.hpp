// SPDX-License-Identifier: MIT
// Sorts each of many segments: by the back end's segmented sort if it has one, else by one sort of
// all items, by key and segment number.
#pragma once

#include <sam/backend/sort_in_segments.hpp>
#include <sam/detail/fill_job.hpp>
#include <sam/segments.hpp>
#include <sam/sort_options.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Stores each key with the number of its segment, which is a sum of head flags.
template <class Key, class Heads>
struct number_segments_job {
  using item = bool;
  using accumulator = std::uint32_t;
  Key const* keys;
  Heads heads;
  key_in_segment<Key>* to;

  SAM_FUNCTION bool load(index_t i) const { return i > 0 && heads.at(i); }
  SAM_FUNCTION accumulator to_accumulator(bool head) const { return head ? 1 : 0; }
  SAM_FUNCTION void store(index_t i, bool, accumulator segment) const {
    to[i] = {keys[i], segment};
  }
};

/// Copies the sorted keys out of the (key, segment) pairs. Its scan values are not used.
template <class Key>
struct take_keys_job {
  using item = Key;
  using accumulator = std::uint32_t;
  key_in_segment<Key> const* from;
  Key* keys;

  SAM_FUNCTION Key load(index_t i) const { return from[i].key; }
  SAM_FUNCTION accumulator to_accumulator(Key const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, Key const& key, accumulator) const { keys[i] = key; }
};

/// Bits of heads, of which those past a number of items do not count.
struct first_heads_by_bit : heads_by_bit {
  number_in_memory ends_at;
};
/// True if only memory knows where the last segment ends.
template <class Segments>
inline constexpr bool ends_in_memory = [] {
  if constexpr (requires(Segments s) { number_in_memory(s.end_of_last()); })
    return !std::is_same_v<std::remove_cvref_t<decltype(std::declval<Segments>().number)>,
                           known_count>;
  else
    return false;
}();
/// True if kernels of a context read this, and sort no item behind the last segment.
template <class Context, class Job, class Segments>
inline constexpr bool ends_with_segments = [] {
  if constexpr (ends_in_memory<Segments>)
    return sorts_first_of_segments<
        Context, Job, std::remove_cvref_t<decltype(*std::declval<Segments const&>().data())>>;
  else
    return false;
}();

/// Returns the number of words of workspace that the head flags of n items need; 0 if the segments
/// store none. heads_in writes them there and returns the flags.
template <class S>
index_t words_for_heads(S const&, index_t n) {
  if constexpr (requires { S::words_for(n); })
    return S::words_for(n);
  else
    return 0;
}
template <class S, class Context>
auto heads_in(S const& segments, Context& context, std::uint32_t* words, index_t n) {
  if constexpr (requires { S::words_for(n); })
    return segments.template heads_in<direction::forward, 1>(context, words, n, 1);
  else
    return segments.template heads<direction::forward, 1>(context, n, 1);
}

/// Returns the bytes of workspace for the (key, segment) pairs; the words for head flags follow
/// them.
template <class Key>
index_t bytes_in_segments(index_t n) {
  return div_up(n * index_t{sizeof(key_in_segment<Key>)}, 16) * 16;
}

/// Returns the bytes of workspace that sort_segments needs. Rejects more segments than the context
/// can sort.
template <class Context, class Key, class Value, class Digits, class Segments>
index_t workspace_bytes_for_segments(checked_call<Context> const& call, Segments const& segments,
                                     sort_job<Key, Value, Digits> const& job) {
  Context& context = call.context();
  index_t const of_words = 4 * sam::detail::words_for_heads(segments, job.n);
  if constexpr (sorts_segments<Context, sort_job<Key, Value, Digits>>) {
    return of_words;
  } else {
    index_t const most = segments.most_segments(job.n), buffer = index_t{1} << 32;
    if (most > buffer)
      call.refuse("segments", "may be ", most, "; ", context.name(), " sorts at most ", buffer);
    return sam::detail::bytes_in_segments<Key>(job.n) + of_words;
  }
}

/// Sorts each segment by the job, whose n is not 0, with workspace at `memory`.
template <class Context, class Key, class Value, class Digits, class Segments>
void sort_segments(Context& context, Segments const& segments,
                   sort_job<Key, Value, Digits> const& job, std::byte* memory) {
  index_t const n = job.n;
  if constexpr (sorts_segments<Context, sort_job<Key, Value, Digits>>) {
    auto* const words = reinterpret_cast<std::uint32_t*>(memory);
    if constexpr (is_by_offsets<Segments>) {
      using offset = std::remove_cvref_t<decltype(*segments.data())>;
      if constexpr (sorts_segments_by_offsets<Context, sort_job<Key, Value, Digits>, offset>)
        if (context.sort_segments(job, segments.data(), segments.segments()))
          return;
    }
    auto const heads = sam::detail::heads_in(segments, context, words, n);
    if constexpr (ends_with_segments<Context, sort_job<Key, Value, Digits>, Segments>)
      context.segmented_sort(job, first_heads_by_bit{heads, segments.end_of_last()});
    else
      context.segmented_sort(job, heads);
  } else {
    auto* const items = reinterpret_cast<key_in_segment<Key>*>(memory);
    auto* const words =
        reinterpret_cast<std::uint32_t*>(memory + sam::detail::bytes_in_segments<Key>(n));
    auto const heads = sam::detail::heads_in(segments, context, words, n);
    context.run(
        n, number_segments_job<Key, std::remove_const_t<decltype(heads)>>{job.keys, heads, items},
        resolve_policy<bound::inclusive>(scan_policy<>{}, from_nothing{}));
    sam::detail::for_each_sort_in_segments(job, items, segments.most_segments(n),
                                           [&](auto const& sorts) { context.sort(sorts); });
    if (job.sorted_keys != nullptr)
      context.run(n, take_keys_job<Key>{items, job.sorted_keys},
                  resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
  }
}

/// Returns the largest number of bytes of its own memory that the context needs for sort_segments.
template <class Context, class Key, class Value, class Digits, class Segments>
index_t sort_segments_workspace(call_checks const& call, Context const& context,
                                Segments const& segments, sort_job<Key, Value, Digits> const& job) {
  if constexpr (requires { segments.check_length(call); })
    segments.check_length(call);
  index_t const n = job.n;
  index_t const words = detail::words_for_heads(segments, n);
  index_t bytes = words > 0 ? 4 * words + buffer_for_alignment : 0;
  if constexpr (sorts_segments<Context, sort_job<Key, Value, Digits>>) {
    bytes += context.segmented_sort_workspace(job);
  } else {
    bytes += detail::bytes_in_segments<Key>(n);
    index_t of_sort = 0;
    auto* const somewhere = reinterpret_cast<key_in_segment<Key>*>(alignof(key_in_segment<Key>));
    detail::for_each_sort_in_segments(
        job, somewhere, segments.most_segments(n), [&](auto const& sorts) {
          of_sort = engine::max_of(of_sort, context.sort_workspace(sorts));
        });
    bytes += of_sort;
  }
  return bytes;
}

}  // namespace detail

}  // namespace sam::inline v0_1
