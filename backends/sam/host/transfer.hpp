// SPDX-License-Identifier: MIT
// Between a job and the arrays that kernels work on.
#pragma once

#include <sam/host/streaming.hpp>
#include <sam/host/tuning.hpp>
#include <sam/job.hpp>

#include <algorithm>

namespace sam::host {

/// The values that the job's items [begin, begin + count) count with: in place, or in `room`. The
/// items of a scattering job stay in `held`.
template <job Job>
typename Job::summary const* values(Job const& job, index_t begin, index_t count,
                                    typename Job::summary* room,
                                    [[maybe_unused]] typename Job::item* held = nullptr) {
  if constexpr (has_source<Job>)
    return job.source() + begin;
  else if constexpr (scattering<Job>)
    for (index_t i = 0; i < count; ++i) {
      held[i] = job.load(begin + i);
      room[i] = job.summarise(held[i]);
    }
  else
    for (index_t i = 0; i < count; ++i)
      room[i] = job.summarise(job.load(begin + i));
  return room;
}

/// Asks for memory that will be read soon to be brought into the second-level cache.
template <job Job>
void prefetch(Job const& job, index_t begin, index_t count) {
  if constexpr (has_source<Job>) {
    auto const* const from = reinterpret_cast<std::byte const*>(job.source() + begin);
    for (index_t at = 0; at < count * index_t{sizeof(typename Job::summary)}; at += 64)
      __builtin_prefetch(from + at, 0, 2);
  } else if constexpr (is_reversed<Job>) {
    prefetch(job.inner, job.n - begin - count, count);
  }
}

/// Finishes items [begin, begin + count), of a scattering job those that are held, with scan values
/// that lie in cache, past the caches if `streaming`.
template <job Job>
void finish(Job const& job, index_t begin, index_t count, typename Job::summary* scanned,
            bool streaming, [[maybe_unused]] typename Job::item const* held = nullptr) {
  if constexpr (has_target<Job>) {
    auto const bytes = static_cast<std::size_t>(count) * sizeof *scanned;
    if (streaming)
      streaming_copy(job.target() + begin, scanned, bytes);
    else
      std::memcpy(static_cast<void*>(job.target() + begin), scanned, bytes);
  } else if constexpr (is_reversed<Job>) {
    std::reverse(scanned, scanned + count);
    finish(job.inner, job.n - begin - count, count, scanned, streaming);
  } else if constexpr (scattering<Job>) {
    for (index_t i = 0; i < count; ++i)
      job.finish(begin + i, held[i], scanned[i]);
  } else {
    for (index_t i = 0; i < count; ++i)
      job.finish(begin + i, job.load(begin + i), scanned[i]);
  }
}

/// How many items before item i of the output begin in the line that it lies in.
template <job Job>
index_t past_line(Job const& job, index_t i) {
  if constexpr (has_target<Job>)
    return static_cast<index_t>(reinterpret_cast<std::uintptr_t>(job.target() + i) % 64 /
                                sizeof *job.target());
  else
    return 0;
}

/// Whether this many items are worth bypassing the caches.
template <job Job>
bool should_stream(index_t n) {
  return has_streaming_stores &&
         n * index_t{sizeof(typename Job::summary)} >= tuning::streaming_bytes;
}

}  // namespace sam::host
