// SPDX-License-Identifier: MIT
// Compaction and its kin against copies that move as many bytes, and against the peers, all in one
// process on the same items.
#include <sam/compact.hpp>
#include <sam/partition.hpp>
#include <sam/unique.hpp>

#include "support.hpp"

#include <algorithm>
#include <set>
#include <vector>

#if __has_include(<oneapi/tbb/parallel_scan.h>)
#define SAM_PEER_TBB 1
#include <execution>
#endif

namespace {

using perf::add;
using perf::index_t;
using perf::pages;

/// Keeps about so many of 100 random items.
template <class T>
struct kept_of_100 {
  T limit;
  explicit kept_of_100(int percent) : limit(static_cast<T>(percent)) {}
  bool operator()(T x) const { return x < limit; }
  kept_of_100 half_as_many_more() const { return kept_of_100(static_cast<int>(limit) * 3 / 2); }
};

/// As many, but neither the smallest nor the largest.
template <class T>
struct middle_of_100 {
  T low, high;
  explicit middle_of_100(int percent)
      : low(static_cast<T>(50 - percent / 2)), high(static_cast<T>(50 + percent / 2)) {}
  bool operator()(T x) const { return x >= low && x < high; }
};

/// The arrays of all cases of n items of T, kept, since cases are run in turns.
template <class T>
struct arrays {
  static arrays& of(index_t n) { return perf::kept<arrays>(n); }
  explicit arrays(index_t n) : in(n), out(n), flags(n), words((n + 31) / 32) {
    perf::fill_random(flags);
    perf::fill_random(words);
    std::mt19937_64 bits(std::random_device{}());
    for (index_t i = 0; i < n; ++i) {
      in.data()[i] = static_cast<T>(bits() % 100);
      flags.data()[i] &= 1;
    }
  }
  pages<T> in, out;
  pages<std::uint8_t> flags;
  pages<std::uint32_t> words;
};

enum class what { compact, between, flagged, packed, indices, partition, three_ways, unique };

/// Whether a call reorders all of the items.
constexpr bool keeps_all(what kind) { return kind == what::partition || kind == what::three_ways; }

/// The call by sam, which returns how many were kept.
template <class T>
index_t call_sam(sam::default_context& context, what kind, arrays<T>& a, kept_of_100<T> keep) {
  std::span const in(a.in.data(), static_cast<std::size_t>(a.in.size()));
  switch (kind) {
  case what::compact:
    return sam::compact(context, in, a.out, keep);
  case what::between:
    return sam::compact(context, in, a.out, middle_of_100<T>(static_cast<int>(keep.limit)));
  case what::flagged:
    return sam::compact_flagged(context, in, a.flags, a.out);
  case what::packed:
    return sam::compact_flagged(context, in, sam::packed_bits{a.words}, a.out);
  case what::partition:
    return sam::partition(context, in, a.out, keep);
  case what::three_ways:
    return sam::three_way_partition(context, in, a.out, keep, keep.half_as_many_more())[0];
  case what::unique:
    return sam::unique(context, in, a.out);
  case what::indices:
    if constexpr (sam::integer<T>)
      return sam::compact_indices(context, in, a.out, keep);
  }
  return 0;
}

/// The same by a plain loop.
template <class T>
std::vector<T> plain_loop(what kind, arrays<T> const& a, kept_of_100<T> keep) {
  std::vector<T> kept, second, dropped;
  auto const is_second = keep.half_as_many_more();
  middle_of_100<T> const is_between(static_cast<int>(keep.limit));
  for (index_t i = 0; i < a.in.size(); ++i) {
    T const x = a.in.data()[i];
    bool const keeps = kind == what::flagged   ? a.flags.data()[i] != 0
                       : kind == what::packed  ? (a.words.data()[i / 32] >> i % 32 & 1) != 0
                       : kind == what::unique  ? i == 0 || a.in.data()[i - 1] != x
                       : kind == what::between ? is_between(x)
                                               : keep(x);
    if (keeps)
      kept.push_back(kind == what::indices ? static_cast<T>(i) : x);
    else if (kind == what::three_ways && is_second(x))
      second.push_back(x);
    else if (keeps_all(kind))
      dropped.push_back(x);
  }
  kept.insert(kept.end(), second.begin(), second.end());
  kept.insert(kept.end(), dropped.begin(), dropped.end());
  return kept;
}

template <class T>
void by_sam(benchmark::State& state, std::string const& name, what kind, index_t n, int percent) {
  auto& a = arrays<T>::of(n);
  std::memset(static_cast<void*>(a.out.data()), 0xcd, static_cast<std::size_t>(n) * sizeof(T));
  sam::default_context context;
  kept_of_100<T> const keep(percent);
  perf::time_calls(state, n, sizeof(T), [&] { call_sam(context, kind, a, keep); });
  static std::set<std::string> checked;  // once per case: it takes longer than the timing
  if (!checked.insert(name).second)
    return;
  auto const wanted = plain_loop(kind, a, keep);
  if (!std::equal(wanted.begin(), wanted.end(), a.out.data()))
    state.SkipWithError("wrong result");
}

/// A copy that moves as many bytes as are read and written.
template <class T, class Copy>
void by_copy(benchmark::State& state, what kind, index_t n, int percent, Copy copy) {
  auto& a = arrays<T>::of(n);
  double const written = keeps_all(kind) ? 1 : kind == what::unique ? 0.99 : percent / 100.0;
  auto const bytes =
      static_cast<std::size_t>(static_cast<double>(n) * (1 + written) / 2) * sizeof(T);
  perf::time_calls(state, n, sizeof(T), [&] { copy(a.out.data(), a.in.data(), bytes); });
}

template <class T, class... How>
void by_std(benchmark::State& state, what kind, index_t n, int percent, How const&... how) {
  auto& a = arrays<T>::of(n);
  T const* const begin = a.in.data();
  T const* const end = begin + n;
  kept_of_100<T> const keep(percent);
  perf::time_calls(state, n, sizeof(T), [&] {
    if (kind == what::compact)
      std::copy_if(how..., begin, end, a.out.data(), keep);
    else
      std::unique_copy(how..., begin, end, a.out.data());
    benchmark::ClobberMemory();
  });
}

template <class T>
void compare(char const* call, what kind, index_t n, int percent = 50) {
  std::string const name = std::string(call) + "/" + perf::type_name<T>() +
                           "/kept:" + std::to_string(percent) + "/n:" + std::to_string(n);
  add(name, "sam", [=](auto& state) { by_sam<T>(state, name, kind, n, percent); });
  add(name, "roof", [=](auto& state) { by_copy<T>(state, kind, n, percent, perf::roof_copy); });
  add(name, "memcpy", [=](auto& state) { by_copy<T>(state, kind, n, percent, perf::memory_copy); });
  if (kind != what::compact && kind != what::unique)
    return;
  add(name, "serial", [=](auto& state) { by_std<T>(state, kind, n, percent); });
#ifdef SAM_PEER_TBB
  add(name, "std_par",
      [=](auto& state) { by_std<T>(state, kind, n, percent, std::execution::par_unseq); });
#endif
}

[[maybe_unused]] bool const registered = [] {
  constexpr index_t n = index_t{1} << 26;
  for (index_t const size : {n, index_t{1} << 20, index_t{1} << 10})
    compare<std::int32_t>("compact", what::compact, size);
  compare<std::int32_t>("compact", what::compact, n, 10);
  compare<std::int32_t>("compact", what::compact, n, 90);
  compare<std::int32_t>("compact_between", what::between, n);
  compare<double>("compact_between", what::between, n);
  compare<std::uint8_t>("compact", what::compact, n);
  compare<std::uint16_t>("compact", what::compact, n);
  compare<double>("compact", what::compact, n);
  compare<std::int32_t>("compact_flagged", what::flagged, n);
  compare<std::int32_t>("compact_packed_bits", what::packed, n);
  compare<std::int32_t>("compact_indices", what::indices, n);
  compare<std::int32_t>("partition", what::partition, n);
  compare<std::int32_t>("three_way_partition", what::three_ways, n);
  compare<std::int32_t>("unique", what::unique, n, 99);
  return true;
}();

}  // namespace
