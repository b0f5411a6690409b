// SPDX-License-Identifier: MIT
// Loads the values of a job for a kernel, prefetches its items, and stores its results.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/host/memory/prefetch.hpp>
#include <sam/host/memory/streaming.hpp>
#include <sam/host/memory/tuning.hpp>
#include <sam/host/simd/reversed_arrays.hpp>

#include <algorithm>

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <sam/host/simd/structure_of_arrays.hpp>
#else
namespace sam::inline v0_1::host {
template <class T, int N>
struct spread;
template <class T>
concept is_spread = false;
}  // namespace sam::inline v0_1::host
#endif

namespace sam::inline v0_1::host {

/// True if values of T have several components. Compilers vectorize loops over such values only if
/// the components lie in separate arrays.
template <class T>
inline constexpr bool has_parts = [] {
  if constexpr (is_spread<T>)
    return spread<T, 1>::parts > 1;
  else
    return false;
}();

/// Names the type of the values that a job scans: Job::scanned if the job has it, else its
/// accumulator.
template <class Job>
struct scanned_by {
  using type = typename Job::accumulator;
};
template <class Job>
requires requires { typename Job::scanned; }
struct scanned_by<Job> {
  using type = typename Job::scanned;
};
template <job Job>
using scanned_of = typename scanned_by<Job>::type;

/// True if a job scans an array that is in memory in the opposite order.
template <class Job>
concept has_reversed_source = requires(Job const j) {
  { j.source() } -> std::same_as<reversed_array<scanned_of<Job> const>>;
};
/// True if a job scans an array that is in memory, in either order.
template <class Job>
concept scans_source = has_reversed_source<Job> || requires(Job const j) {
  { j.source() } -> std::same_as<scanned_of<Job> const*>;
};
/// True if a job only stores its scan values into an array, in the opposite order.
template <class Job>
concept stores_reversed = requires(Job const j) {
  { j.target() } -> std::same_as<reversed_array<scanned_of<Job>>>;
};
/// True if a job only stores its scan values into an array, in order.
template <class Job>
concept stores_in_order = !has_output<Job> && requires(Job const j) {
  { j.target() } -> std::same_as<scanned_of<Job>*>;
};
/// True if a job only stores its scan values into an array, in either order.
template <class Job>
concept stores_scanned = stores_reversed<Job> || stores_in_order<Job>;

/// Wraps a reversed job whose source or target is an array, and presents the arrays to kernels as
/// reversed arrays.
template <job Job>
requires is_reversed<Job>
struct reversed_arrays_job {
  using item = typename Job::item;
  using accumulator = typename Job::accumulator;
  Job job;

  item load(index_t i) const { return job.load(i); }
  accumulator to_accumulator(item const& x) const { return job.to_accumulator(x); }
  void store(index_t i, item const& x, accumulator const& y) const { job.store(i, x, y); }
  auto source() const requires has_source<forward_job_of<Job>> {
    return reversed_array<accumulator const>{job.inner.source() + job.n};
  }
  auto target() const requires has_target<forward_job_of<Job>> {
    return reversed_array<accumulator>{job.inner.target() + job.n};
  }
};
/// True if a reversed job has a target array that a reversed_arrays_job can present.
template <class Job>
concept reversing = is_reversed<Job> && has_target<forward_job_of<Job>> && !scattering<Job>;

/// Writes the aggregates of items [begin, begin + count) to `to`, for types with several
/// components. Blocks of 64 are assembled in separate component arrays.
template <job Job, class T = typename Job::accumulator>
void put_parts(Job const& job, index_t begin, index_t count, T* to) {
  if constexpr (is_reversed<Job>) {
    host::put_parts(job.inner, job.n - begin - count, count, to);
    std::reverse(to, to + count);
  } else {
    index_t const whole = count / 64 * 64;
    for (index_t i = 0; i < whole; i += 64) {
      spread<T, 64> c;
      for (int l = 0; l < 64; ++l)
        c.put(l, job.to_accumulator(job.load(begin + i + l)));
      c.join_all(to + i);
    }
    for (index_t i = whole; i < count; ++i)
      to[i] = job.to_accumulator(job.load(begin + i));
  }
}
/// Writes the job's outputs for items [begin, begin + count) to `to`, for scan values with several
/// components.
template <job Job, class To, class T = typename Job::accumulator>
void make_from_parts(Job const& job, index_t begin, index_t count, T const* scanned, To* to) {
  index_t const whole = count / 64 * 64;
  for (index_t i = 0; i < whole; i += 64) {
    spread<T, 64> c;
    c.part_all(scanned + i);
    for (int l = 0; l < 64; ++l)
      to[i + l] = job.output(job.load(begin + i + l), c.get(l));
  }
  for (index_t i = whole; i < count; ++i)
    to[i] = job.output(job.load(begin + i), scanned[i]);
}

/// Writes the values to scan for items [begin, begin + count) to `to`, which lies apart from the
/// job and from its items. Compilers must know that: a store of a byte could otherwise change the
/// job's pointers, and then they do not vectorize the loop.
template <job Job, class T>
void put_values(Job const& job, index_t begin, index_t count, T* __restrict to) {
  constexpr index_t block = 64;
  index_t i = 0;
  for (; i + block <= count; i += block)
#ifdef __clang__
#pragma clang loop unroll(disable)
#endif
    for (index_t k = 0; k < block; ++k)
      to[i + k] = job.to_accumulator(job.load(begin + i + k));
  for (; i < count; ++i)
    to[i] = job.to_accumulator(job.load(begin + i));
}

/// Returns the values to scan for items [begin, begin + count). They are the job's source array if
/// it has one; else the function computes them into `buffer`. A scatter job's items go to `held`.
template <job Job, class T = typename Job::accumulator>
auto values(Job const& job, index_t begin, index_t count, T* buffer,
            [[maybe_unused]] typename Job::item* held = nullptr) {
  if constexpr (scans_source<Job>) {
    return job.source() + begin;
  } else {
    if constexpr (scattering<Job>)
      for (index_t i = 0; i < count; ++i) {
        held[i] = job.load(begin + i);
        buffer[i] = job.to_accumulator(held[i]);
      }
    else if constexpr (has_parts<T>)
      host::put_parts(job, begin, count, buffer);
    else
      host::put_values(job, begin, count, buffer);
    return static_cast<T const*>(buffer);
  }
}

template <int Level, class T, int Before, int After>
void prefetch_items(pointer_with_neighbours<T, Before, After> items, index_t count) {
  host::prefetch_items<Level>(items.data, count);
}
template <int Level>
void prefetch_items(bit_pointer bits, index_t count) {
  host::prefetch_items<Level>(bits.words + bits.bit / 32, div_up(count, 32));
}

/// Prefetches the memory of items [begin, begin + count) into a cache.
template <int Level = second_level, job Job>
void prefetch(Job const& job, index_t begin, index_t count) {
  if constexpr (requires { job.template prefetch<Level>(begin, count); })
    job.template prefetch<Level>(begin, count);
  else if constexpr (has_source<Job>)
    host::prefetch_items<Level>(job.source() + begin, count);
  else if constexpr (is_reversed<Job>)
    host::prefetch<Level>(job.inner, job.n - begin - count, count);
  else if constexpr (reading<Job>)
    engine::with_pointers(job.reads(), begin, [&](auto const&... items) {
      (host::prefetch_items<Level>(items, count), ...);
    });
}

template <int Level = second_level, job Job>
void prefetch(reversed_arrays_job<Job> const& backward, index_t begin, index_t count) {
  host::prefetch<Level>(backward.job, begin, count);
}

/// Stores the job's outputs for items [begin, begin + count), computed from the items and their
/// scan values. If `streaming`, the stores bypass the caches.
template <job Job>
void put_outputs(Job const& job, index_t begin, index_t count,
                 typename Job::accumulator const* scanned, bool streaming) {
  using T = output_of<Job>;
  constexpr index_t few = 4096 / sizeof(T) > 0 ? 4096 / sizeof(T) : 1;
  T* const to = job.target() + begin;
  auto const put = [&](T* where, index_t first, index_t m) {
    if constexpr (has_parts<typename Job::accumulator>)
      host::make_from_parts(job, begin + first, m, scanned + first, where);
    else
      for (index_t i = 0; i < m; ++i)
        where[i] = job.output(job.load(begin + first + i), scanned[first + i]);
  };
  if (!streaming)
    return put(to, 0, count);
  for (index_t at = 0; at < count; at += few) {
    alignas(64) uninitialized_array<T, few> outputs;
    index_t const m = min_of(few, count - at);
    put(outputs.at, at, m);
    host::streaming_copy(to + at, outputs.at, static_cast<std::size_t>(m) * sizeof(T));
  }
}

/// Stores the results of items [begin, begin + count). `scanned` holds their scan values in the
/// order of the target; `held` holds the items of a scatter job. If `streaming`, stores to an array
/// bypass the caches.
template <job Job, class Scanned>
void store(Job const& job, index_t begin, index_t count, Scanned scanned, bool streaming,
           [[maybe_unused]] typename Job::item const* held = nullptr) {
  if constexpr (stores_scanned<Job>) {
    auto const bytes = static_cast<std::size_t>(count) * sizeof(scanned_of<Job>);
    void* const to = host::lowest(job.target() + begin, count);
    if (streaming)
      host::streaming_copy(to, host::lowest(scanned, count), bytes);
    else
      std::memcpy(to, host::lowest(scanned, count), bytes);
  } else if constexpr (has_output<Job>) {
    host::put_outputs(job, begin, count, scanned, streaming);
  } else if constexpr (is_reversed<Job> && !scattering<forward_job_of<Job>>) {
    std::reverse(scanned, scanned + count);
    host::store(job.inner, job.n - begin - count, count, scanned, streaming);
  } else if constexpr (scattering<Job>) {
    for (index_t i = 0; i < count; ++i)
      job.store(begin + i, held[i], scanned[i]);
  } else {
    for (index_t i = 0; i < count; ++i)
      job.store(begin + i, job.load(begin + i), scanned[i]);
  }
}

/// Returns how many outputs before item i share a cache line with the output of item i. Returns 0
/// if the job has no output array.
template <job Job>
index_t past_line(Job const& job, index_t i) {
  if constexpr (stores_scanned<Job> || has_output<Job>)
    return host::past_line(job.target(), i);
  else
    return 0;
}

/// Tiles of fewer bytes than this would take longer to share out than to process.
inline constexpr index_t least_shared_bytes = index_t{32} << 10;

/// Returns the number of items of a tile of n items of `size` bytes, if results are the same for
/// tiles of all sizes. Tiles of few items are small, so that all workers have some.
inline index_t items_of_exact_tile(index_t n, index_t size) {
  constexpr index_t fewest_tiles = 64;
  return min_of(tuned.exact_tile_bytes / size, max_of(least_shared_bytes / size, n / fewest_tiles));
}
/// Returns the size of a tile in bytes. It is a constant unless results of T are the same for tiles
/// of all sizes.
template <class T>
index_t bytes_of_tile() {
  return is_exact<T> ? tuned.exact_tile_bytes : tuning::tile_bytes;
}
/// True if n outputs exceed the size that the caches hold.
template <job Job>
bool outgrows_caches(index_t n) {
  return n * index_t{sizeof(scanned_of<Job>)} >= tuned.streaming_bytes;
}
/// True if stores of n outputs should bypass the caches.
template <job Job>
bool should_stream(index_t n) {
  return has_streaming_stores && host::outgrows_caches<Job>(n);
}

}  // namespace sam::inline v0_1::host
