// SPDX-License-Identifier: MIT
// The calls that the tuner measures, on arrays in memory that the context reaches.
#pragma once

#include <sam/compact.hpp>
#include <sam/histogram.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/scan.hpp>

#include "engine/memory.hpp"
#include "tune/machine.hpp"

#include <chrono>
#include <cstdlib>

namespace sam::tune {

/// Bits that choose which calls are compiled.
enum : unsigned {
  scans = 1,
  selections = 2,
  sorts = 4,
  pair_sorts = 8,
  histograms = 16,
  short_sorts = 32,
  long_sorts = 64,
  apart_sorts = 128,
  all_kinds = 255,
};

/// A call on arrays of its own, which can be repeated.
class workload {
 public:
  virtual ~workload() = default;
  /// Returns the time of one call in seconds.
  virtual double seconds() = 0;
};

/// True if each context of this type has tuning values of its own.
template <class Context>
concept has_own_tuning = requires(Context& context) {
  context.use_tuning(context.tuned());
};

/// Repeats a call often enough that the clock's resolution does not matter.
template <class Context, class Call>
class timed final : public workload {
 public:
  timed(Context& context, index_t n, Call call)
      : context_(context), batch_(engine::max_of(1, engine::min_of(16, timed_together / n))),
        call_(std::move(call)) {}
  double seconds() override {
    // Candidates are processes, and a GPU takes tens of microseconds to change from one to another.
    // A call that is not timed takes them.
    if constexpr (has_own_tuning<Context>) {
      call_();
      context_.wait();
    }
    auto const start = std::chrono::steady_clock::now();
    for (index_t k = 0; k < batch_; ++k)
      call_();
    context_.wait();
    std::chrono::duration<double> const all = std::chrono::steady_clock::now() - start;
    return all.count() / static_cast<double>(batch_);
  }

 private:
  /// The items that one measurement takes. A GPU needs more for its time to exceed the waiting.
  static constexpr index_t timed_together = index_t{1} << (has_own_tuning<Context> ? 24 : 16);

  Context& context_;
  index_t batch_;
  Call call_;
};

/// An input of random numbers and an output, both also in the memory of the context.
template <class Context, class T>
class input_and_output {
 public:
  /// Makes random numbers, or equal ones.
  input_and_output(Context& context, index_t n, std::uint64_t seed, bool are_equal = false)
      : in_(are_equal ? std::vector<T>(static_cast<std::size_t>(n)) : random_items(n, seed)),
        out_(in_.size()), staged_(context, std::span<T const>(in_), std::span<T>(out_)) {}
  auto in() const { return staged_.in(); }
  auto out() const { return staged_.out(); }

 private:
  /// Returns numbers of 31 bits, or of 64 if T has so many.
  static std::vector<T> random_items(index_t n, std::uint64_t seed) {
    std::vector<T> items(static_cast<std::size_t>(n));
    for (T& item : items) {
      seed = seed * 6364136223846793005 + 1442695040888963407;
      item = static_cast<T>((seed >> 33) * (sizeof(T) == 8 ? 0x9e3779b97f4a7c15 : 1));
    }
    return items;
  }
  std::vector<T> in_, out_;
  typename tool::memory_of<Context>::template arrays<T> staged_;
};

/// Predicates that select a half or a quarter of random numbers of 31 bits.
struct is_below {
  std::uint32_t limit;
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x < limit; }
};

/// Returns a workload; null if there is none of that name among Kinds.
template <unsigned Kinds, class Context>
std::unique_ptr<workload> make_workload(Context& context, workload_id const& what) {
  index_t const n = what.n;
  auto const with = [&]<class T>(std::type_identity<T>, auto call,
                                 bool are_equal = false) -> std::unique_ptr<workload> {
    auto data = std::make_shared<input_and_output<Context, T>>(context, n, 1, are_equal);
    auto repeated = [data, call, &context] { call(context, data->in(), data->out()); };
    return std::make_unique<timed<Context, decltype(repeated)>>(context, n, std::move(repeated));
  };
  constexpr std::type_identity<std::uint32_t> u32;
  constexpr is_below half{1u << 30}, quarter{1u << 29};
  if constexpr ((Kinds & scans) != 0)
    if (what.name == "scan")
      return with(std::type_identity<std::int32_t>{},
                  [](Context& c, auto in, auto out) { inclusive_scan(c, in, out); });
  if constexpr ((Kinds & selections) != 0) {
    if (what.name == "compact")
      return with(u32, [half](Context& c, auto in, auto out) { compact(c, in, out, half); });
    if (what.name == "partition")
      return with(u32, [half, quarter](Context& c, auto in, auto out) {
        three_way_partition(c, in, out, quarter, half);
      });
  }
  if constexpr ((Kinds & sorts) != 0)
    if (what.name == "sort")
      return with(u32, [](Context& c, auto in, auto out) { radix_sort(c, in, out); });
  if constexpr ((Kinds & short_sorts) != 0)
    if (what.name == "sort uint16")
      return with(std::type_identity<std::uint16_t>{},
                  [](Context& c, auto in, auto out) { radix_sort(c, in, out); });
  if constexpr ((Kinds & long_sorts) != 0)
    if (what.name == "sort uint64")
      return with(std::type_identity<std::uint64_t>{},
                  [](Context& c, auto in, auto out) { radix_sort(c, in, out); });
  if constexpr ((Kinds & pair_sorts) != 0)
    if (what.name == "sort pairs") {
      auto values = std::make_shared<input_and_output<Context, std::uint32_t>>(context, n, 2);
      return with(u32, [values](Context& c, auto in, auto out) {
        radix_sort_pairs(c, in, values->in(), out, values->out());
      });
    }
  if constexpr ((Kinds & apart_sorts) != 0)
    if (what.name == "sort pairs apart") {  // passes that cannot pack a key with its value
      auto values = std::make_shared<input_and_output<Context, std::uint32_t>>(context, n, 2);
      return with(std::type_identity<std::uint16_t>{}, [values](Context& c, auto in, auto out) {
        radix_sort_pairs(c, in, values->in(), out, values->out());
      });
    }
  if constexpr ((Kinds & histograms) != 0)
    if (std::size_t const at = what.name.find("histogram "); at != std::string::npos) {
      auto const bins = std::size_t(std::atoll(what.name.c_str() + at + 10));
      // Equal items wait for one another's counter, so both kinds of input count.
      return with(
          u32,
          [=](Context& c, auto in, auto out) {
            histogram(c, in, out.first(bins), even_bins(0u, 1u << 31));
          },
          at != 0);
    }
  return nullptr;
}

}  // namespace sam::tune
