// SPDX-License-Identifier: MIT
// Compares calls that read their number of items from device memory with plain ones.
#pragma once

#include <sam/inputs.hpp>

#include "costs.hpp"

#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>

namespace counted_cost {

using costs::check, costs::random_items, costs::take;
using sam::index_t;
using u32 = std::uint32_t;

inline constexpr index_t sizes[] = {1 << 10, 1 << 16, 1 << 20, 1 << 24};
inline constexpr index_t segment = 64;  // items
inline constexpr index_t segment_counts[] = {1 << 6, 1 << 10, 1 << 14, 1 << 18};

/// An array that a call writes: `others` bytes of it, and `bytes` for each `items` items.
struct written {
  void* begin;
  index_t bytes, items, others;

  std::size_t size(index_t n) const { return std::size_t(n / items * bytes + others); }
};
template <class T>
written by_item(std::span<T> out, index_t each = 1) {
  return {out.data(), each * index_t{sizeof(T)}, 1, 0};
}
template <class T>
written by_segment(std::span<T> out) {
  return {out.data(), sizeof(T), segment, 0};
}
template <class T>
written whole(std::span<T> out) {
  return {out.data(), 0, 1, index_t(out.size_bytes())};
}

template <class T>
std::span<T> first(std::span<T> items, index_t n) {
  return items.first(std::size_t(n));
}

/// Gives calls arrays as they are.
struct as_plain {
  template <class T>
  std::span<T> operator()(std::span<T> items) const {
    return items;
  }
};
/// Gives calls the first items of arrays, of which `number` says how many.
struct as_counted {
  std::span<index_t const> number;
  template <class T>
  auto operator()(std::span<T> items) const {
    return sam::counted(items, number);
  }
};

/// Takes measurements and writes them, each as a line of JSON.
class table {
 public:
  /// only  a part of the names of calls that are measured
  table(std::FILE* to, std::string_view only);
  table(table const&) = delete;
  table& operator=(table const&) = delete;
  ~table();

  sam::cuda::context& context() { return context_; }

  bool has(std::string_view name) const { return name.find(only_) != name.npos; }
  bool all_equal() const { return all_equal_; }

  /// Measures call(m, as) as one of n items, as one of n / 2, and as one of n whose number in
  /// device memory is n, and n / 2. It takes as(items) of the arrays that are counted, of which the
  /// first m items are its own, and writes `out`.
  template <class Call>
  void compare(std::string_view name, index_t n, std::initializer_list<written> out,
               Call const& call) {
    if (!has(name))
      return;
    index_t const numbers[] = {n, n / 2};
    check(cudaMemcpy(numbers_.data(), numbers, sizeof(numbers), cudaMemcpyHostToDevice));
    std::span<index_t const> const both = numbers_;
    as_plain const plain{};
    as_counted const all{both.first(1)}, half{both.last(1)};
    measure(name, n, out,
            {[&] { call(n, plain); }, [&] { call(n, all); }, [&] { call(n / 2, plain); },
             [&] { call(n, half); }});
  }

 private:
  void measure(std::string_view name, index_t n, std::initializer_list<written> out,
               std::vector<std::function<void()>> const& calls);
  bool is_equal(index_t n, std::initializer_list<written> out, std::function<void()> const& one,
                std::function<void()> const& other);

  std::FILE* to_;
  std::string only_;
  cudaStream_t stream_;
  sam::cuda::context context_;
  std::span<index_t> numbers_;
  bool is_first_ = true, all_equal_ = true;
};

/// Arrays in device memory, which are freed together.
class arrays {
 public:
  arrays() = default;
  arrays(arrays const&) = delete;
  arrays& operator=(arrays const&) = delete;
  ~arrays() {
    for (void* const array : all_)
      cudaFree(array);
  }
  template <class T>
  std::span<T> take(index_t n) {
    auto const items = costs::take<T>(n);
    all_.push_back(items.data());
    return items;
  }
  template <class T>
  std::span<T const> copy(std::vector<T> const& from) {
    auto const items = take<T>(std::ssize(from));
    check(cudaMemcpy(items.data(), from.data(), items.size_bytes(), cudaMemcpyHostToDevice));
    return items;
  }

 private:
  std::vector<void*> all_;
};

/// Returns n items below `kinds`.
inline std::vector<u32> items_below(index_t n, u32 kinds, u32 seed = 1) {
  auto items = random_items(n, seed);
  for (u32& item : items)
    item = u32(std::uint64_t{item} * kinds >> 32);
  return items;
}
/// Returns n items in order, each of which is with even chances the one before or the next number.
inline std::vector<u32> rising_items(index_t n, u32 seed) {
  auto items = items_below(n, 2, seed);
  u32 last = 0;
  for (u32& item : items)
    item = last += item;
  return items;
}
/// Returns n items in runs of 10.
inline std::vector<u32> runs_of_ten(index_t n) {
  std::vector<u32> items(std::size_t(n), 0);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = u32(i / 10);
  return items;
}
/// Returns the offsets of n segments of `length` items.
inline std::vector<u32> even_offsets(index_t n, index_t length) {
  std::vector<u32> offsets(std::size_t(n) + 1, 0);
  for (std::size_t k = 0; k < offsets.size(); ++k)
    offsets[k] = u32(k) * u32(length);
  return offsets;
}

/// Orders items as < does, but sam does not know that it does.
struct is_less {
  SAM_FUNCTION bool operator()(u32 a, u32 b) const { return a < b; }
};

void measure_scans(table& to);
void measure_selections(table& to);
void measure_runs(table& to);
void measure_sorts(table& to);
void measure_merges(table& to);
void measure_searches(table& to);

}  // namespace counted_cost
