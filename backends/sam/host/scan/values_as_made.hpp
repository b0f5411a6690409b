// SPDX-License-Identifier: MIT
// Computes the values of a job as a reduction loads them, without a buffer for a tile of them.
#pragma once

#include <sam/host/scan/job_io.hpp>
#include <sam/host/simd/simd.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

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
  /// stores leave the store buffer. So all lanes are stored before the first load. If results are
  /// wider than items, one loop fills several vectors, because g++ needs as many iterations as a
  /// vector has lanes of items.
  template <int N, class T>
  [[gnu::always_inline]] void make_vectors(vec<T>* to) const {
    using item = typename Job::item;
    // With -O3, g++ turns a loop that only copies into memcpy, but not if the type changes.
    using bits =
        std::conditional_t<std::is_signed_v<item>, std::make_unsigned_t<bits_of<T>>, bits_of<T>>;
    constexpr int w = lanes<T>;
    constexpr int wider = max_of(int(sizeof(T) / sizeof(item)), 1);
    constexpr int some = N % wider == 0 ? wider * w : w;
    alignas(vec<T>) bits made[std::size_t{N * w}];
#pragma GCC unroll 32
    for (int k = 0; k < N * w; k += some)
#pragma GCC unroll 1
      for (int l = 0; l < some; ++l)
        made[k + l] = __builtin_bit_cast(bits, static_cast<T>((*this)[k + l]));
#pragma GCC unroll 32
    for (int k = 0; k < N; ++k)
      to[k] = host::load_made<T>(made + k * w);
  }
#endif
#endif
};
/// True if the reduction of a job should read its items through values_as_made.
template <class Job>
inline constexpr bool makes_values_once = reducing<Job> && !scans_source<Job> && !scattering<Job> &&
                                          !has_parts<typename Job::accumulator>;

}  // namespace sam::inline v0_1::host
