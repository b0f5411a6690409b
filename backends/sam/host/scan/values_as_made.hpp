// SPDX-License-Identifier: MIT
// Computes the values of a job as a reduction loads them, without a buffer for a tile of them.
#pragma once

#include <sam/host/scan/job_io.hpp>
#include <sam/host/simd/simd.hpp>

#include <cstddef>

namespace sam::inline v0_1::host {

/// Computes a job's values on each access, without a buffer. It suits jobs that load hardly any
/// item a second time.
template <job Job>
struct values_as_made {
  Job const* job;
  index_t begin;

  values_as_made operator+(index_t i) const { return {job, begin + i}; }
  auto operator[](index_t i) const { return job->to_accumulator(job->load(begin + i)); }
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
  template <class T>
  vec<T> vector() const {
    T made[std::size_t{lanes<T>}];
    for (int l = 0; l < lanes<T>; ++l)
      made[l] = static_cast<T>((*this)[l]);
    return host::load<T>(made);
  }
#ifndef __clang__
  /// Computes N consecutive vectors for g++, which vectorizes the loop over lanes, conditions
  /// included, only if it does not unroll that loop first. The lanes of vector code then stay in
  /// registers. Scalar code stores them one by one, and a load of several lanes waits until their
  /// stores leave the store buffer. So all lanes are stored before the first load. Results that
  /// are wider than items fill two vectors per loop, because g++ counts lanes of the items.
  template <int N, class T>
  requires(sizeof(T) <= 2 * sizeof(typename Job::item))
      [[gnu::always_inline]] void make_vectors(vec<T>* to) const {
    constexpr int w = lanes<T>;
    constexpr int some = sizeof(T) > sizeof(typename Job::item) && N % 2 == 0 ? 2 * w : w;
    alignas(vec<T>) T made[std::size_t{N * w}];
#pragma GCC unroll 32
    for (int k = 0; k < N * w; k += some)
#pragma GCC unroll 1
      for (int l = 0; l < some; ++l)
        made[k + l] = static_cast<T>((*this)[k + l]);
#pragma GCC unroll 32
    for (int k = 0; k < N; ++k)
      to[k] = host::load<T>(made + k * w);
  }
#endif
#endif
};
/// True if the reduction of a job should read its items through values_as_made.
template <class Job>
inline constexpr bool makes_values_once = reducing<Job> && !scans_source<Job> && !scattering<Job> &&
                                          !has_parts<typename Job::accumulator>;

}  // namespace sam::inline v0_1::host
