// SPDX-License-Identifier: MIT
// Runs comparison sorts and merges: by the context's own kernels, or else by elementwise jobs.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/locate_job.hpp>
#include <sam/detail/merge_chunks.hpp>
#include <sam/sort_options.hpp>

namespace sam::inline v0_1::detail {

/// True if Less compares integers by < or >, so that a radix sort gives the same result.
template <class Less, class Key>
inline constexpr bool
    ascends = (integer<Key> ||
               std::is_same_v<Key, bool>)&&is_one_of<Less, sam::less, std::less<>, std::less<Key>>;
template <class Less, class Key>
inline constexpr bool descends =
    (integer<Key> ||
     std::is_same_v<Key, bool>)&&is_one_of<Less, sam::greater, std::greater<>, std::greater<Key>>;
template <class Less, class Key>
inline constexpr bool sorts_by_radix = ascends<Less, Key> || descends<Less, Key>;

/// Returns the items of a chunk that one worker merges, of n items. A device has a thread for each.
/// CPUs have chunks of 8 to 64 KiB, so that there are some for many workers.
template <class Context, class T>
index_t merged_chunk(index_t n) {
  if (works_on_device<Context>)
    return 32;
  constexpr index_t fewest = engine::max_of((8 << 10) / index_t{sizeof(T)}, 64);
  return engine::max_of(engine::min_of(n / 32, 8 * fewest), fewest);
}

/// Returns a job whose sizes are known, or one whose sizes are read by the work.
template <class Job, class A, class B>
auto sized_merge(Job const& job, A const& a, B const& b) {
  if constexpr (std::is_same_v<A, known_count> && std::is_same_v<B, known_count>)
    return job;
  else
    return counted_merge<Job, A, B>{job, a, b};
}

/// Merges runs of items, of which there are a() and b().
template <class Context, class Key, class Value, class Less, class A, class B>
void run_merge_pass(Context& context, merge_pass<Key, Value, Less> const& pass, A const& a,
                    B const& b) {
  using T = merged_item_t<Key, Value>;
  if constexpr (merges_runs<Context, T>) {
    context.merge_runs(detail::sized_merge(pass, a, b));
  } else {
    index_t const chunk = sam::detail::merged_chunk<Context, T>(pass.size());
    detail::run_sized(context, engine::div_up(pass.size(), chunk),
                      merge_chunks_job<merge_pass<Key, Value, Less>>{pass, chunk}, a, b);
  }
}

template <class Context, class Key, class Value, class Less, class A, class B>
void run_merge(Context& context, merge_job<Key, Value, Less> const& job, A const& a, B const& b) {
  if (job.n_a + job.n_b > 0)
    sam::detail::run_merge_pass(
        context, merge_pass<Key, Value, Less>{job.a, job.b, job.n_a, job.n_b, 0, job.to, job.less},
        a, b);
}

/// Returns the items of a run that is sorted first. On CPUs it has from 4 to 256 KiB, so that
/// there are runs for many workers.
template <class Context, class T>
index_t sorted_run([[maybe_unused]] index_t n) {
  if constexpr (merges_runs<Context, T>)
    return Context::template sorted_run_items<T>;
  else if constexpr (works_on_device<Context>)
    return 32;
  index_t chunk = 64;
  while (chunk * index_t{sizeof(T)} < (4 << 10) ||
         (chunk * index_t{sizeof(T)} < (256 << 10) && chunk * 32 < n))
    chunk *= 2;
  return chunk;
}

/// Sorts runs, then merges pairs of runs until one is left. Keys alone alternate between the result
/// and a buffer. Keys with values do so between two buffers, and the last merge separates them.
/// If the work reads the number of items, job.n is the largest one.
template <class Context, class Key, class Value, class Less, class Number>
void run_merge_sort(Context& context, merge_sort_job<Key, Value, Less> const& job,
                    Number const& number) {
  known_count const none{0};
  using T = merged_item_t<Key, Value>;
  constexpr bool alone = std::is_same_v<Value, no_values>, by_kernels = merges_runs<Context, T>;
  index_t const n = job.n;
  if (n == 0)
    return;
  index_t const length = sam::detail::sorted_run<Context, T>(n);
  int rounds = alone || by_kernels ? 0 : 1;
  while (length << rounds < n)
    ++rounds;
  if constexpr (by_kernels)
    if (rounds == 0)
      return context.sort_runs(detail::sized_merge(job, number, none));
  T* const memory = engine::workspace<T>(context, alone ? n : 2 * n);
  T* buffers[2] = {memory, memory + n};
  if constexpr (alone) {
    buffers[0] = rounds % 2 == 0 ? job.to.keys : memory;
    buffers[1] = rounds % 2 == 0 ? memory : job.to.keys;
  }
  if constexpr (by_kernels)
    context.sort_runs(detail::sized_merge(
        merge_sort_job<Key, Value, Less>{
            job.from, n, engine::together_as_target<Key, Value>(buffers[0]), job.less},
        number, none));
  else
    detail::run_sized(
        context, engine::div_up(n, length),
        sort_chunks_job<Key, Value, Less>{job.from, n, buffers[0], buffers[1], job.less, length},
        number, none);
  for (int round = 0; round < rounds; ++round) {
    auto const from = engine::together_as_source<Key, Value>(buffers[round % 2]);
    auto const to = round == rounds - 1
                        ? job.to
                        : engine::together_as_target<Key, Value>(buffers[1 - round % 2]);
    sam::detail::run_merge_pass(
        context, merge_pass<Key, Value, Less>{from, from, n, 0, length << round, to, job.less},
        number, none);
  }
}

}  // namespace sam::inline v0_1::detail
