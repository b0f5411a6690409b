// SPDX-License-Identifier: MIT
// Helpers for tests of sorts on fibers: keys and values, launches, and checks of the result.
#pragma once

#include <sam/backend/sort_job.hpp>

#include "device.hpp"
#include "scans.hpp"
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

namespace simt {

using sam::index_t;

template <class Key>
using numbers = sam::number_digits<Key>;

/// A key whose digits cover only a part of it, so that equal keys can be told apart.
struct record {
  std::uint16_t number;
  std::uint16_t mark;
};
struct by_number {
  SAM_FUNCTION std::uint16_t operator()(record const& r) const { return r.number; }
};
struct large_value {
  std::uint64_t words[3];
};
struct wide_value {
  std::uint64_t words[2];
};
/// Inconsistent digits, which change each time that they are read.
struct unsure_number {
  static inline thread_local std::uint32_t state = 1;
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t const&) const {
    std::uint32_t const x = (state += 0x9e3779b9);
    return (x ^ x >> 15) * 0x85ebca6b;
  }
};

template <class T>
T value_of(index_t i) {
  T value;
  std::memset(static_cast<void*>(&value), 0, sizeof(T));
  auto const bits = static_cast<std::uint64_t>(i) * 2654435761u;
  std::memcpy(static_cast<void*>(&value), &bits, std::min(sizeof(T), sizeof(bits)));
  return value;
}

/// Launches kernels one after the other, each with its own seed.
template <int Warp>
class launcher {
 public:
  explicit launcher(std::uint64_t seed) : seed_(seed) {}
  template <class Kernel>
  void operator()(int blocks, int threads, int shared_bytes, Kernel const& kernel,
                  int of_cluster = 0) {
    grid g{};
    g.blocks = blocks;
    g.warps = threads / Warp;
    g.warp_size = Warp;
    g.shared_bytes = shared_bytes;
    g.seed = seed_++;
    g.of_cluster = of_cluster;
    launch(g, kernel);
  }

 private:
  std::uint64_t seed_;
};

/// Keys and values of a test case in guarded arrays, and the sort_job for them. Options select an
/// in-place sort, an argsort, and the bits to sort by.
template <class Case>
class sort_trial {
 public:
  using key = typename Case::key;
  using value = typename Case::value;
  static constexpr bool has_values = Case::job::has_values;

  template <class Options>
  sort_trial(std::vector<key> const& keys, Options const& o, bool is_aligned)
      : keys_(keys), values_(keys.size()), in_place_(o.in_place),
        of_indices_(o.of_indices && sam::integer<value>), in_(keys, is_aligned ? 0 : 1),
        out_(std::vector<key>(keys.size()), is_aligned ? 0 : 3),
        values_in_(make_values(), is_aligned ? 0 : 1),
        values_out_(std::vector<value>(keys.size()), is_aligned ? 0 : 1) {
    if constexpr (requires { job.digits.flip; })
      job.digits.flip = static_cast<typename Case::digits::ordered_key>(~0);
    job.n = static_cast<index_t>(keys.size());
    job.keys = in_.data();
    job.sorted_keys = in_place_ ? in_.data() : out_.data();
    job.begin_bit = o.begin_bit;
    job.end_bit = Case::digits::bits - o.bits_left_out;
    if constexpr (has_values) {
      job.values = of_indices_ ? nullptr : values_in_.data();
      job.sorted_values = in_place_ && !of_indices_ ? values_in_.data() : values_out_.data();
      if (of_indices_ && !in_place_)
        job.sorted_keys = nullptr;
    }
  }
  sort_trial(sort_trial const&) = delete;

  typename Case::job job{};

  /// Sorts a part of order() stably by the selected bits.
  template <class Iterator>
  void sort(Iterator begin, Iterator end) const {
    std::stable_sort(begin, end,
                     [&](std::size_t i, std::size_t j) { return digits(i) < digits(j); });
  }
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> all(keys_.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  /// Requires that nothing outside of the arrays was written.
  void check_fences() const {
    REQUIRE((in_.intact() && out_.intact() && values_in_.intact() && values_out_.intact()));
  }
  /// Checks that the result has that order, and that nothing else was changed.
  void check(std::vector<std::size_t> const& order) const {
    bool keys_right = true, values_right = true;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (job.sorted_keys != nullptr)
        keys_right =
            keys_right && std::memcmp(&job.sorted_keys[i], &keys_[order[i]], sizeof(key)) == 0;
      if constexpr (has_values) {
        value wanted = values_[order[i]];
        if constexpr (sam::integer<value>)
          if (of_indices_)
            wanted = static_cast<value>(order[i]);
        values_right =
            values_right && std::memcmp(&job.sorted_values[i], &wanted, sizeof(value)) == 0;
      }
    }
    REQUIRE(keys_right);
    REQUIRE(values_right);
    check_fences();
    if (!in_place_ && !keys_.empty())
      REQUIRE(std::memcmp(in_.data(), keys_.data(), keys_.size() * sizeof(key)) == 0);
  }

 private:
  auto digits(std::size_t i) const {
    using ordered_key = decltype(job.digits(keys_[i]));
    using wide = std::conditional_t<(sizeof(ordered_key) <= 8), std::uint64_t, ordered_key>;
    auto const x = static_cast<wide>(job.digits(keys_[i]));
    wide const upto = job.end_bit == 8 * int{sizeof(wide)} ? static_cast<wide>(~wide(0))
                                                           : (wide(1) << job.end_bit) - 1;
    return job.end_bit == job.begin_bit ? wide(0) : (x & upto) >> job.begin_bit;
  }
  std::vector<value> const& make_values() {
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = value_of<value>(index_t(i));
    return values_;
  }

  std::vector<key> const& keys_;
  std::vector<value> values_;
  bool in_place_, of_indices_;
  fenced<key> in_, out_;
  fenced<value> values_in_, values_out_;
};

}  // namespace simt
