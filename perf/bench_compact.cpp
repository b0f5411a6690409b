// SPDX-License-Identifier: MIT
// Benchmarks compaction, partition and unique against copies of as many bytes and against other
// libraries, in one process and on the same items.
#include <sam/compact.hpp>
#include <sam/partition.hpp>
#include <sam/unique.hpp>

#include "select_peers.hpp"
#include "support.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#ifdef SAM_PEER_TBB
#include <execution>
#endif

namespace {

using perf::add;
using perf::index_t;
using perf::pages;

/// A predicate that keeps about `percent` of random items from 0 to 99.
template <class T>
struct kept_of_100 {
  T limit;
  explicit kept_of_100(int percent) : limit(static_cast<T>(percent)) {}
  bool operator()(T x) const { return x < limit; }
  kept_of_100 half_as_many_more() const { return kept_of_100(static_cast<int>(limit) * 3 / 2); }
};

/// A predicate that keeps about `percent` of the items, from the middle of their range.
template <class T>
struct middle_of_100 {
  T low, high;
  explicit middle_of_100(int percent)
      : low(static_cast<T>(50 - percent / 2)), high(static_cast<T>(50 + percent / 2)) {}
  bool operator()(T x) const { return x >= low && x < high; }
};

/// The arrays of all cases with n items of T. They are kept because cases run in random order.
template <class T>
struct arrays {
  static arrays& of(index_t n) { return perf::kept<arrays>(n); }
  explicit arrays(index_t n) : in(n), out(n), second(n), rest(n), flags(n), words((n + 31) / 32) {
    perf::fill_random(flags);
    perf::fill_random(words);
    std::mt19937_64 bits(std::random_device{}());
    for (index_t i = 0; i < n; ++i) {
      in.data()[i] = static_cast<T>(bits() % 100);
      flags.data()[i] &= 1;
    }
  }
  void poison() {
    for (pages<T> const* const each : {&out, &second, &rest})
      std::memset(static_cast<void*>(each->data()), 0xcd,
                  static_cast<std::size_t>(each->size()) * sizeof(T));
  }
  pages<T> in, out;
  pages<T> second, rest;  // for peers that write the dropped items to other lists
  pages<std::uint8_t> flags;
  pages<std::uint32_t> words;
};

enum class what {
  compact,
  between,
  flagged,
  packed,
  indices,
  indices_flagged,
  partition,
  three_ways,
  unique
};

/// Returns the number of lists that a call writes.
constexpr int parts(what kind) {
  return kind == what::three_ways ? 3 : kind == what::partition ? 2 : 1;
}

/// Calls sam. Returns the number of items that were kept.
template <what Kind, class T>
index_t call_sam(sam::default_context& context, arrays<T>& a, kept_of_100<T> keep) {
  std::span const in(a.in.data(), static_cast<std::size_t>(a.in.size()));
  if constexpr (Kind == what::compact)
    return sam::compact(context, in, a.out, keep);
  else if constexpr (Kind == what::between)
    return sam::compact(context, in, a.out, middle_of_100<T>(static_cast<int>(keep.limit)));
  else if constexpr (Kind == what::flagged)
    return sam::compact_flagged(context, in, a.flags, a.out);
  else if constexpr (Kind == what::packed)
    return sam::compact_flagged(context, in, sam::packed_bits{a.words}, a.out);
  else if constexpr (Kind == what::indices)
    return sam::compact_indices(context, in, a.out, keep);
  else if constexpr (Kind == what::indices_flagged)
    return sam::compact_indices_flagged(context, a.flags, a.out);
  else if constexpr (Kind == what::partition)
    return sam::partition(context, in, a.out, keep);
  else if constexpr (Kind == what::three_ways)
    return sam::three_way_partition(context, in, a.out, keep, keep.half_as_many_more())[0];
  else
    return sam::unique(context, in, a.out);
}

/// Calls f(part, value): part(i) is the list of item i, and value(i) is the item written to it.
template <what Kind, class T, class F>
void with_parts(arrays<T> const& a, kept_of_100<T> keep, F f) {
  T const* const in = a.in.data();
  auto const part = [=, flags = a.flags.data(), words = a.words.data(),
                     is_between = middle_of_100<T>(static_cast<int>(keep.limit)),
                     is_second = keep.half_as_many_more()](index_t i) -> int {
    if constexpr (Kind == what::flagged || Kind == what::indices_flagged)
      return flags[i] != 0 ? 0 : 1;
    else if constexpr (Kind == what::packed)
      return (words[i / 32] >> i % 32 & 1) != 0 ? 0 : 1;
    else if constexpr (Kind == what::unique)
      return i == 0 || in[i - 1] != in[i] ? 0 : 1;
    else if constexpr (Kind == what::between)
      return is_between(in[i]) ? 0 : 1;
    else if constexpr (Kind == what::three_ways)
      return keep(in[i]) ? 0 : is_second(in[i]) ? 1 : 2;
    else
      return keep(in[i]) ? 0 : 1;
  };
  if constexpr (Kind == what::indices || Kind == what::indices_flagged)
    f(part, [](index_t i) { return static_cast<T>(i); });
  else
    f(part, [=](index_t i) { return in[i]; });
}

/// Compares the output with a plain loop, once per case, because this takes longer than the timing.
/// The lists are consecutive in `out` if `together`, else in arrays of their own.
template <what Kind, class T>
void check(benchmark::State& state, std::string const& name, arrays<T> const& a,
           kept_of_100<T> keep, bool together) {
  static std::set<std::string> checked;
  if (!checked.insert(name).second)
    return;
  std::array<std::vector<T>, 3> lists;
  with_parts<Kind>(a, keep, [&](auto part, auto value) {
    for (index_t i = 0; i < a.in.size(); ++i)
      if (int const p = part(i); p < parts(Kind))
        lists[static_cast<std::size_t>(p)].push_back(value(i));
  });
  T const* at = a.out.data();
  T const* const own[] = {a.out.data(), a.second.data(), a.rest.data()};
  for (std::size_t p = 0; p < lists.size(); ++p) {
    if (!std::equal(lists[p].begin(), lists[p].end(), together ? at : own[p]))
      perf::report_wrong_result(state, name);
    at += lists[p].size();
  }
}

template <what Kind, class T>
void by_sam(benchmark::State& state, std::string const& name, index_t n, int percent) {
  auto& a = arrays<T>::of(n);
  a.poison();
  sam::default_context context;
  kept_of_100<T> const keep(percent);
  perf::time_calls(state, n, sizeof(T), [&] { call_sam<Kind>(context, a, keep); });
  check<Kind>(state, name, a, keep, true);
}

/// Times a copy of as many bytes as the call reads and writes.
template <what Kind, class T, class Copy>
void by_copy(benchmark::State& state, index_t n, int percent, Copy copy) {
  auto& a = arrays<T>::of(n);
  double const read = Kind == what::indices_flagged ? 1.0 / sizeof(T)
                      : Kind == what::flagged       ? 1 + 1.0 / sizeof(T)
                      : Kind == what::packed        ? 1 + 0.125 / sizeof(T)
                                                    : 1;
  double const written = parts(Kind) > 1 ? 1 : percent / 100.0;
  auto const bytes =
      static_cast<std::size_t>(static_cast<double>(n) * (read + written) / 2) * sizeof(T);
  perf::time_calls(state, n, sizeof(T), [&] { copy(a.out.data(), a.in.data(), bytes); });
}

/// True if the standard library has the algorithm.
constexpr bool is_in_std(what kind) {
  return kind == what::compact || kind == what::between || kind == what::unique ||
         kind == what::partition;
}
template <what Kind, class T, class... How>
void by_std(benchmark::State& state, std::string const& name, index_t n, int percent,
            How const&... how) {
  auto& a = arrays<T>::of(n);
  a.poison();
  T const* const begin = a.in.data();
  T const* const end = begin + n;
  T* const out = a.out.data();
  kept_of_100<T> const keep(percent);
  perf::time_calls(state, n, sizeof(T), [&] {
    if constexpr (Kind == what::compact)
      std::copy_if(how..., begin, end, out, keep);
    else if constexpr (Kind == what::between)
      std::copy_if(how..., begin, end, out, middle_of_100<T>(percent));
    else if constexpr (Kind == what::unique)
      std::unique_copy(how..., begin, end, out);
    else
      std::partition_copy(how..., begin, end, out, a.second.data(), keep);
    benchmark::ClobberMemory();
  });
  check<Kind>(state, name, a, keep, false);
}

template <what Kind, class Peer, class T>
void by_peer(benchmark::State& state, std::string const& name, index_t n, int percent) {
  auto& a = arrays<T>::of(n);
  a.poison();
  kept_of_100<T> const keep(percent);
  std::array<T*, 3> const to{a.out.data(), a.second.data(), a.rest.data()};
  with_parts<Kind>(a, keep, [&](auto part, auto value) {
    perf::time_calls(state, n, sizeof(T), [&] {
      Peer::template select<parts(Kind)>(n, part, value, to);
      benchmark::ClobberMemory();
    });
  });
  check<Kind>(state, name, a, keep, false);
}

template <what Kind, class T>
void compare(char const* call, index_t n, int percent = 50) {
  std::string const name = std::string(call) + "/" + perf::type_name<T>() +
                           "/kept:" + std::to_string(percent) + "/n:" + std::to_string(n);
  auto const of = [=](std::string const& who) { return name + " " + who; };
  add(name, "sam", [=](auto& state) { by_sam<Kind, T>(state, of("sam"), n, percent); });
  add(name, "roof", [=](auto& state) { by_copy<Kind, T>(state, n, percent, perf::roof_copy); });
  add(name, "memcpy", [=](auto& state) { by_copy<Kind, T>(state, n, percent, perf::memory_copy); });
  if constexpr (is_in_std(Kind)) {
    add(name, "serial", [=](auto& state) { by_std<Kind, T>(state, of("serial"), n, percent); });
#ifdef SAM_PEER_TBB
    add(name, "std_par", [=](auto& state) {
      by_std<Kind, T>(state, of("std_par"), n, percent, std::execution::par_unseq);
    });
#endif
  }
  perf::for_each_select_peer([&](auto peer) {
    using peer_type = decltype(peer);
    if constexpr (!is_in_std(Kind) || !std::is_same_v<peer_type, perf::serial_select>)
      add(name, peer.name,
          [=](auto& state) { by_peer<Kind, peer_type, T>(state, of(peer.name), n, percent); });
  });
}

[[maybe_unused]] bool const registered = [] {
  for (index_t const n : perf::sizes({1 << 26, 1 << 20, 1 << 10}))
    compare<what::compact, std::int32_t>("compact", n);
  for (index_t const n : perf::sizes({1 << 26})) {
    compare<what::compact, std::int32_t>("compact", n, 10);
    compare<what::compact, std::int32_t>("compact", n, 90);
    compare<what::between, std::int32_t>("compact_between", n);
    compare<what::between, double>("compact_between", n);
    compare<what::compact, std::uint8_t>("compact", n);
    compare<what::compact, std::uint16_t>("compact", n);
    compare<what::compact, double>("compact", n);
    compare<what::flagged, std::int32_t>("compact_flagged", n);
    compare<what::packed, std::int32_t>("compact_packed_bits", n);
    compare<what::indices, std::int32_t>("compact_indices", n);
    compare<what::indices_flagged, std::int32_t>("compact_indices_flagged", n);
    compare<what::partition, std::int32_t>("partition", n);
    compare<what::three_ways, std::int32_t>("three_way_partition", n);
    compare<what::unique, std::int32_t>("unique", n, 99);
  }
  return true;
}();

}  // namespace
