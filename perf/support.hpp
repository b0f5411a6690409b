// SPDX-License-Identifier: MIT
// Arrays, threads and timing of benchmarks on a CPU, and the copies that results are compared with.
#pragma once

#include <sam/backend.hpp>
#include <sam/host/memory/streaming.hpp>
#include <sam/portable.hpp>

#include "backend_threads.hpp"  // of the back end's folder
#include "pages.hpp"
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace perf {

using sam::index_t;

/// Returns the Arrays constructed from these arguments. They are kept because cases run in random
/// order.
template <class Arrays, class... From>
Arrays& kept(From... from) {
  static std::map<std::tuple<From...>, std::unique_ptr<Arrays>> all;
  auto& own = all[{from...}];
  if (!own)
    own = std::make_unique<Arrays>(from...);
  return *own;
}

/// Fills an array with new random items. Floats are small, so that sums stay exact enough to
/// compare.
template <class T>
void fill_random(pages<T> const& items) {
  std::mt19937_64 bits(std::random_device{}());
  for (index_t i = 0; i < items.size(); ++i)
    if constexpr (std::is_floating_point_v<T>)
      items.data()[i] = static_cast<T>(bits() % 1024) / 1024 - T(0.5);
    else
      items.data()[i] = static_cast<T>(bits());
}

/// True if a equals b, or if floats differ only as much as other orders of addition explain.
template <class T>
bool near(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return std::abs(a - b) <= T(1e-3) * std::max(T(1), std::abs(b));
  else
    return a == b;
}

/// Copies in parallel, one part per thread.
template <class Copy>
void copy_in_parallel(void* to, void const* from, std::size_t bytes, Copy copy) {
  auto const parts = static_cast<std::size_t>(threads());
  in_parallel([&](int t) {
    std::size_t const begin = bytes / 64 * static_cast<std::size_t>(t) / parts * 64;
    std::size_t const end =
        t + 1 == threads() ? bytes : bytes / 64 * static_cast<std::size_t>(t + 1) / parts * 64;
    copy(static_cast<char*>(to) + begin, static_cast<char const*>(from) + begin, end - begin);
  });
}
inline void memory_copy(void* to, void const* from, std::size_t bytes) {
  copy_in_parallel(to, from, bytes,
                   [](void* o, void const* i, std::size_t b) { std::memcpy(o, i, b); });
}
/// Copies the bytes with streaming stores, the fastest way if no cache holds them. This copy is the
/// `roof` that results are compared with.
inline void roof_copy(void* to, void const* from, std::size_t bytes) {
  copy_in_parallel(to, from, bytes, [](void* o, void const* i, std::size_t b) {
    sam::host::streaming_copy(o, i, b);
    sam::host::streaming_fence();
  });
}

/// Returns the sizes that SAM_PERF_SIZES lists, as in 1024,65536, or else the ones given.
inline std::vector<index_t> sizes(std::vector<index_t> all) {
  if (char const* at = std::getenv("SAM_PERF_SIZES"); at != nullptr && *at != 0) {
    all.clear();
    for (char* end = nullptr; *at != 0; at = *end == ',' ? end + 1 : end) {
      all.push_back(std::strtoll(at, &end, 10));
      if (end == at || all.back() < 1 || (*end != 0 && *end != ','))
        throw std::runtime_error("SAM_PERF_SIZES must list sizes, as in 1024,65536");
    }
  }
  return all;
}

/// Times batches of `calls` calls, one batch per iteration. Calls prepare() before each; its time
/// is not counted.
template <class Call, class Prepare>
void time_batches(benchmark::State& state, index_t items, std::size_t item_bytes, int calls,
                  Call call, Prepare prepare) {
  for (auto _ : state) {
    prepare();
    auto const start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k)
      call();
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  auto const n = static_cast<double>(items) * calls * static_cast<double>(state.iterations());
  state.counters["calls"] = calls;  // of an iteration, whose time is real_time
  state.counters["items/s"] = benchmark::Counter(n, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] =
      benchmark::Counter(2 * n * static_cast<double>(item_bytes), benchmark::Counter::kIsRate);
}
/// Times call(), one call per iteration, after one that is not counted. Calls prepare() before
/// each; its time is not counted.
template <class Call, class Prepare>
void time_calls(benchmark::State& state, index_t items, std::size_t item_bytes, Call call,
                Prepare prepare) {
  prepare();
  call();
  time_batches(state, items, item_bytes, 1, call, prepare);
}
/// Times call(), after calls that are not counted. An iteration has as many calls as take some
/// microseconds, since reading the clock takes tens of nanoseconds.
template <class Call>
void time_calls(benchmark::State& state, index_t items, std::size_t item_bytes, Call call) {
  using clock = std::chrono::steady_clock;
  call();
  auto const start = clock::now();
  call();
  double const once = std::chrono::duration<double>(clock::now() - start).count();
  int const calls = static_cast<int>(std::clamp(1e-5 / once, 1.0, 100.0));
  time_batches(state, items, item_bytes, calls, call, [] {});
}

/// Says that a case is wrong, also on stderr: Google Benchmark 1.7 crashes before it reports cases
/// whose first repetition has an error.
inline void report_wrong_result(benchmark::State& state, std::string const& name) {
  std::fprintf(stderr, "%s: wrong result\n", name.c_str());
  state.SkipWithError("wrong result");
}

/// Registers the case `name`, done by `who`, for at least SAM_PERF_SECONDS.
template <class F>
void add(std::string const& name, char const* who, F f) {
  char const* const seconds = std::getenv("SAM_PERF_SECONDS");
  benchmark::RegisterBenchmark((name + "/by:" + who).c_str(), f)
      ->UseManualTime()
      ->MinTime(seconds != nullptr ? std::atof(seconds) : 0.05);
}

template <class T>
std::string type_name() {
  std::string const kind = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "i" : "u";
  return kind + std::to_string(8 * sizeof(T));
}

}  // namespace perf
