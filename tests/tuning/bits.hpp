// SPDX-License-Identifier: MIT
// Prints a hash of the results of calls, most of them on floats. Programs that are compiled and run
// with several tuning tables print the same.
#pragma once

#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include "backend_bytes.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

namespace bits {

using sam::index_t;
using context_type = sam::default_context;

template <class T>
std::vector<T> random_items(std::size_t n, std::uint64_t seed) {
  std::vector<T> items(n);
  for (T& item : items) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    if constexpr (std::is_floating_point_v<T>)
      item = static_cast<T>(static_cast<std::int32_t>(seed >> 32)) / T(1 << 20);
    else
      item = static_cast<T>(seed >> 33);
  }
  return items;
}

/// Items in the memory of the back end.
template <class T>
class array {
 public:
  explicit array(std::size_t n) : n_(n), bytes_(n * sizeof(T)) {}
  explicit array(std::vector<T> const& items) : array(items.size()) {
    std::vector<std::byte> bytes(n_ * sizeof(T));
    std::memcpy(bytes.data(), items.data(), bytes.size());
    bytes_.from_host(bytes);
  }
  T* data() { return reinterpret_cast<T*>(bytes_.data()); }
  T const* data() const { return reinterpret_cast<T const*>(bytes_.data()); }
  std::size_t size() const { return n_; }
  std::vector<std::byte> first_bytes(std::size_t count) const {
    return bytes_.to_host(0, count * sizeof(T));
  }

 private:
  std::size_t n_;
  test::backend_bytes bytes_;
};

inline void print(char const* name, std::size_t n, std::vector<std::byte> const& results) {
  std::uint64_t hash = 14695981039346656037u;
  for (std::byte const byte : results)
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 1099511628211u;
  std::printf("%s of %zu: %016llx\n", name, n, static_cast<unsigned long long>(hash));
}
/// Waits for a call and prints the first `count` of its results.
template <class T>
void print(context_type& context, char const* name, array<T> const& results, std::size_t count) {
  context.wait();
  bits::print(name, results.size(), results.first_bytes(count));
}
template <class T>
void print(context_type& context, char const* name, array<T> const& results) {
  bits::print(context, name, results, results.size());
}

/// Adds, but is not known to commute or to have an identity.
struct own_plus {
  SAM_FUNCTION float operator()(float a, float b) const { return a + b; }
};

struct is_odd {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 2 == 1; }
};

inline void scan(context_type& context, std::size_t n) {
  array const floats(bits::random_items<float>(n, 1));
  array<float> out(n), one(1);
  sam::inclusive_scan(context, floats, out);
  bits::print(context, "inclusive_scan of floats", out);
  sam::inclusive_scan(context, floats, out, sam::scan_policy<sam::plus, 2, 3>{});
  bits::print(context, "inclusive_scan of floats, order 2, tuples of 3", out);
  sam::exclusive_scan(context, floats, out, own_plus{}, 1.0f);
  bits::print(context, "exclusive_scan of floats by an operator", out);
  sam::inclusive_scan(context, floats, out,
                      sam::scan_policy<sam::plus, 1, sam::run_time_tuple>{{}, 1000});
  bits::print(context, "inclusive_scan of floats, tuples of 1000", out);
  sam::linear_filter(context, floats, std::array{0.5f, -0.25f}, out);
  bits::print(context, "linear_filter of floats", out);
  sam::reduce(context, floats, one, sam::plus{});
  bits::print(context, "reduce of floats", one);
  array const integers(bits::random_items<std::int32_t>(n, 2));
  array<std::int32_t> sums(n);
  sam::inclusive_scan(context, integers, sums);
  bits::print(context, "inclusive_scan of integers", sums);
}

inline void segments(context_type& context, std::size_t n) {
  array const floats(bits::random_items<float>(n, 3));
  array<float> out(n);
  std::vector<std::int32_t> ends{0};
  while (static_cast<std::size_t>(ends.back()) < n)
    ends.push_back(std::min<std::int32_t>(static_cast<std::int32_t>(n), ends.back() * 9 / 8 + 1));
  array const offsets(ends);
  sam::segmented_inclusive_scan(context, floats, sam::by_offsets(offsets), out);
  bits::print(context, "segmented_inclusive_scan of floats", out);
  array<float> totals(ends.size() - 1);
  sam::segmented_reduce(context, floats, sam::by_offsets(offsets), totals);
  bits::print(context, "segmented_reduce of floats", totals);
}

inline void move(context_type& context, std::size_t n) {
  array const keys(bits::random_items<float>(n, 4));
  array const values(bits::random_items<std::uint32_t>(n, 5));
  array<float> sorted(n);
  array<std::uint32_t> beside(n);
  sam::radix_sort_pairs(context, keys, values, sorted, beside);
  bits::print(context, "keys of radix_sort_pairs", sorted);
  bits::print(context, "values of radix_sort_pairs", beside);
  sam::partition(context, values, beside, is_odd{});
  bits::print(context, "partition", beside);
  auto const kept = static_cast<std::size_t>(sam::compact(context, values, beside, is_odd{}));
  bits::print(context, "compact", beside, kept);
  array<std::int64_t> counts(1000);
  sam::histogram(context, values, counts, sam::even_bins(0u, 1u << 31));
  bits::print(context, "histogram", counts);
}

/// Numbers of items for few items and for small and large tiles.
inline constexpr std::size_t sizes[] = {1000, 70007, 5 << 20};

inline void print_all(context_type& context) {
  for (std::size_t const n : sizes) {
    bits::scan(context, n);
    bits::segments(context, n);
    bits::move(context, n);
  }
}

}  // namespace bits
