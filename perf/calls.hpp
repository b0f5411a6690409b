// SPDX-License-Identifier: MIT
// Cases of benchmarks in which sam and its peers make one call on the same arrays.
#pragma once

#include "support.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#if __has_include(<oneapi/tbb/parallel_for.h>)
#define SAM_PEER_TBB 1
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <execution>
#endif
#if __has_include(<parlay/primitives.h>)
#define SAM_PEER_PARLAY 1
#include <parlay/primitives.h>
#endif

namespace perf {

template <class T>
std::span<std::byte> bytes_of(pages<T> const& items) {
  return std::as_writable_bytes(std::span(items.data(), static_cast<std::size_t>(items.size())));
}

/// Two arrays of as many bytes as a call moves, half of them each.
struct copied_bytes {
  explicit copied_bytes(index_t bytes) : from(bytes), to(bytes) {}
  pages<std::byte> from, to;
};

/// One call on n items. `Arrays` is made from n, and its function results() returns the spans of
/// bytes that the call writes.
template <class Arrays>
class compared_call {
 public:
  using work = std::function<void(Arrays&)>;

  /// Adds copies of as many bytes as the call moves: moved for each item, read and written
  /// together. wanted(arrays) writes the expected results by a plain loop or an algorithm of std.
  compared_call(std::string const& call, index_t n, double moved, work wanted)
      : name_(call + "/n:" + std::to_string(n)), n_(n),
        half_(static_cast<std::size_t>(moved * static_cast<double>(n) / 2)),
        wanted_(std::move(wanted)) {
    add_copy("roof", roof_copy);
    add_copy("memcpy", memory_copy);
  }

  /// Adds sam's call, f(context, arrays), and compares its results with the expected ones.
  template <class F>
  compared_call& by_sam(F f) {
    add(name_, "sam", [=, *this](benchmark::State& state) {
      sam::default_context context;
      auto& a = kept<Arrays>(n_);
      auto const call = [&] {
        f(context, a);
        context.wait();
      };
      time_calls(state, n_, bytes_of_item(), call);
      static std::set<std::string> checked;  // once per case, as it takes longer than the timing
      if (!checked.insert(name_).second)
        return;
      poison(a);
      call();
      auto const found = results(a);
      poison(a);
      wanted_(a);
      if (found != results(a))
        report_wrong_result(state, name_);
    });
    return *this;
  }

  /// Adds a peer. prepare(arrays) comes before each call, and is not timed.
  compared_call& by(
      char const* who, work f, work prepare = [](Arrays&) {}) {
    add(name_, who, [=, *this](benchmark::State& state) {
      auto& a = kept<Arrays>(n_);
      time_calls(
          state, n_, bytes_of_item(),
          [&] {
            f(a);
            benchmark::ClobberMemory();
          },
          [&] { prepare(a); });
    });
    return *this;
  }
  /// Adds the plain loop that writes the expected results.
  compared_call& by_loop() { return by("serial", wanted_); }

  /// Adds an algorithm of the standard library, f(arrays) on one thread and f(arrays, policy) on
  /// all threads.
  template <class F>
  compared_call& by_std(
      F f, work prepare = [](Arrays&) {}) {
    by(
        "serial", [f](Arrays& a) { f(a); }, prepare);
#ifdef SAM_PEER_TBB
    by(
        "std_par", [f](Arrays& a) { f(a, std::execution::par_unseq); }, prepare);
#endif
    return *this;
  }

  /// Adds parallel loops of other libraries. f(arrays) returns what is called with 0, 1, ...,
  /// calls(arrays) - 1.
  template <class F, class Calls>
  compared_call& by_loops(F f, Calls calls) {
    by("threads", [=](Arrays& a) {
      index_t const n = calls(a);
      in_parallel([n, of = f(a)](int t) {
        for (index_t i = n * t / threads(), end = n * (t + 1) / threads(); i < end; ++i)
          of(i);
      });
    });
#ifdef SAM_PEER_TBB
    by("tbb", [=](Arrays& a) {
      tbb::parallel_for(tbb::blocked_range<index_t>(0, calls(a)),
                        [of = f(a)](tbb::blocked_range<index_t> const& r) {
                          for (index_t i = r.begin(); i < r.end(); ++i)
                            of(i);
                        });
    });
#endif
#ifdef SAM_PEER_PARLAY
    by("parlay", [=](Arrays& a) {
      parlay::parallel_for(0, static_cast<std::size_t>(calls(a)),
                           [of = f(a)](std::size_t i) { of(static_cast<index_t>(i)); });
    });
#endif
    return *this;
  }
  template <class F>
  compared_call& by_loops(F f) {
    return by_loops(f, [n = n_](Arrays&) { return n; });
  }

 private:
  std::size_t bytes_of_item() const { return half_ / static_cast<std::size_t>(n_); }
  void poison(Arrays& a) const {
    for (auto const bytes : a.results())
      std::memset(bytes.data(), 0xcd, bytes.size());
  }
  std::vector<std::byte> results(Arrays& a) const {
    std::vector<std::byte> all;
    for (auto const bytes : a.results())
      all.insert(all.end(), bytes.begin(), bytes.end());
    return all;
  }
  template <class Copy>
  void add_copy(char const* who, Copy copy) const {
    add(name_, who, [=, *this](benchmark::State& state) {
      auto const& bytes = kept<copied_bytes>(static_cast<index_t>(half_) + 64);
      time_calls(state, n_, bytes_of_item(),
                 [&] { copy(bytes.to.data(), bytes.from.data(), half_); });
    });
  }

  std::string name_;
  index_t n_;
  std::size_t half_;
  work wanted_;
};

}  // namespace perf
