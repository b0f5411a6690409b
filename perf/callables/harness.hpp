// SPDX-License-Identifier: MIT
// Times a call of the library, and a plain serial loop, with one user-defined function object.
#pragma once

#include <sam/portable.hpp>
#include <sam/serial/backend.hpp>

#include "../pages.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <type_traits>

namespace callables {

using perf::pages, sam::index_t;

/// Defines a function object with a name.
#define SAM_CALLABLE(name, parameters, ...)                                                        \
  struct name {                                                                                    \
    static constexpr char const* label = #name;                                                    \
    auto operator() parameters const { __VA_ARGS__; }                                              \
  };

template <class... Callables>
struct list {};
template <class... Callables, class Use>
void for_each(list<Callables...>, Use use) {
  (use(Callables{}), ...);
}

/// An item of 8 bytes in two parts.
struct pair {
  std::int32_t first, second;
};

/// The items of this program, which is compiled once for each type of them.
using item = SAM_ITEM;

/// The sizes to measure: one that fits into the second-level cache, and one that fits into no
/// cache.
inline constexpr index_t in_cache = index_t{1} << 15;
inline constexpr index_t in_memory = index_t{1} << (sizeof(item) < 4 ? 24 : 22);

template <class T>
constexpr char const* type_name() {
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? "f32" : "f64";
  else if constexpr (std::is_class_v<T>)
    return "pair";
  else
    return sizeof(T) == 1 ? "u8" : sizeof(T) == 2 ? "i16" : sizeof(T) == 4 ? "i32" : "i64";
}

/// An array that all cases of a program share. Its contents differ from case to case, so each
/// `Use` has its own.
template <class T, class Use>
pages<T> const& shared_array() {
  static pages<T> const all(in_memory);
  return all;
}
struct as_input {};
struct as_output {};
struct as_wanted {};

/// Uniform items: all bytes, integers from 0 to 999, floats from -1 to 1.
template <class T>
T random_item(std::mt19937_64& bits) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(static_cast<double>(bits() >> 11) * 0x1p-52 - 1);
  else if constexpr (std::is_class_v<T>)
    return {static_cast<std::int32_t>(bits() % 1000), static_cast<std::int32_t>(bits() % 1000)};
  else
    return static_cast<T>(bits() % (sizeof(T) == 1 ? 256 : 1000));
}
template <class T>
std::span<T const> random_items(index_t n) {
  static bool const filled = [] {
    std::mt19937_64 bits(12345);
    auto const& all = shared_array<T, as_input>();
    for (T& x : all.first(all.size()))
      x = random_item<T>(bits);
    return true;
  }();
  static_cast<void>(filled);
  return shared_array<T, as_input>().first(n);
}

/// Seconds that a call takes: the least of some samples of at least 0.3 milliseconds each.
template <class Call>
double seconds(Call call) {
  using clock = std::chrono::steady_clock;
  auto const of = [&](int calls) {
    auto const start = clock::now();
    for (int k = 0; k < calls; ++k) {
      call();
      asm volatile("" : : : "memory");
    }
    return std::chrono::duration<double>(clock::now() - start).count();
  };
  double const first = of(1);
  int const calls = std::max(1, static_cast<int>(3e-4 / std::max(first, 1e-7)));
  int const samples = first > 0.02 ? 2 : first > 1e-3 ? 4 : 7;
  double least = first;
  for (int k = 0; k < samples; ++k)
    least = std::min(least, of(calls) / calls);
  return least;
}

/// The only kind of cells to measure; all if null.
inline char const* only = nullptr;

/// Prints a line for each size: the call, the function object, the item type, the number of items,
/// and the nanoseconds per item of the library and of the plain loop. Both are called with the
/// number of items; `same` is true if they wrote the same results.
template <class Sam, class Plain, class Same>
void compare(char const* call, char const* callable, Sam sam, Plain plain, Same same) {
  if (only != nullptr && std::strstr(call, only) == nullptr &&
      std::strstr(callable, only) == nullptr)
    return;
  for (index_t const n : {in_cache, in_memory}) {
    double const per_item = 1e9 / static_cast<double>(n);
    double const ours = seconds([&] { sam(n); }) * per_item;
    double const theirs = seconds([&] { plain(n); }) * per_item;
    if (!same(n))
      std::fprintf(stderr, "%s/%s/%s: wrong result\n", call, callable, type_name<item>());
    std::printf("%s %s %s %lld %.4f %.4f\n", call, callable, type_name<item>(),
                static_cast<long long>(n), ours, theirs);
    std::fflush(stdout);
  }
}

/// Compares n items bit by bit.
template <class T>
bool same_items(T const* a, T const* b, index_t n) {
  return std::memcmp(a, b, static_cast<std::size_t>(n) * sizeof(T)) == 0;
}
/// Compares results of scans and reductions. Floats are not compared: results depend on how a scan
/// groups the items, and some of the operators are associative only for real numbers. The tests
/// compare these.
template <class T>
bool same_sums(T const* a, T const* b, index_t n) {
  return std::is_floating_point_v<T> || same_items(a, b, n);
}

}  // namespace callables
