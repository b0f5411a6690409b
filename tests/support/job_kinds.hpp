// SPDX-License-Identifier: MIT
// Checks of every kind of job, through the smallest job that satisfies its concept.
#pragma once

#include <sam/backend/job_archetypes.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace test {

template <class Op>
auto inclusive(Op op) {
  return sam::engine::resolve_policy<sam::engine::bound::inclusive>(sam::scan_policy<Op>{op},
                                                                    sam::engine::from_nothing{});
}
template <class T, class Op>
auto exclusive(Op op, T start) {
  return sam::engine::resolve_policy<sam::engine::bound::exclusive>(
      sam::scan_policy<Op>{op}, sam::engine::from_value<T>{start});
}

inline std::vector<int> some_integers(sam::index_t n) {
  std::vector<int> items(static_cast<std::size_t>(n));
  std::uint32_t x = 12345;
  for (int& item : items) {
    x = x * 1664525 + 1013904223;
    item = static_cast<int>(x >> 24);
  }
  return items;
}

/// Runs the smallest job of every kind over `in`, and compares with plain loops.
///
/// with.run(make, policy, size)  runs the job that make(in, out, count) returns, and returns the
///                               first `size` outputs
/// with.count(), with.count(x)   return and set the count
/// with.selects_first            true if the back end runs selections of the first items
/// with.limits_items             true if it asks a segmented reduction for the number of items
template <class Runner>
void check_every_kind(Runner& with, std::vector<int> const& in) {
  using namespace sam::engine::archetypes;
  using sam::index_t;
  auto const n = static_cast<index_t>(in.size());
  auto const size = in.size();
  std::vector<int> sums(size), squares, odd, parted, differences, segment_sums, totals, filtered;
  for (std::size_t i = 0; i < size; ++i) {
    bool const head = in[i] % 4 == 0;
    sums[i] = in[i] + (i > 0 ? sums[i - 1] : 0);
    squares.push_back(in[i] * in[i]);
    differences.push_back(in[i] - (i > 0 ? in[i - 1] : 0));
    (in[i] % 2 != 0 ? odd : parted).push_back(in[i]);
    segment_sums.push_back(in[i] + (i > 0 && !head ? segment_sums[i - 1] : 0));
    if (i == 0 || head)
      totals.push_back(0);
    totals.back() += in[i];
    auto const last = static_cast<std::uint32_t>(i > 0 ? filtered[i - 1] : 0);
    filtered.push_back(static_cast<int>(3 * last + static_cast<std::uint32_t>(in[i])));
  }
  auto const evens = static_cast<index_t>(parted.size());
  parted.insert(parted.end(), odd.begin(), odd.end());

  sam::plus const plus;
  auto const sum = test::inclusive(plus);
  REQUIRE(with.run([](auto* a, auto* b, auto*) { return scan_job{a, b}; }, sum, size) == sums);
  REQUIRE(with.run(
              [](auto* a, auto* b, auto*) {
                return contiguous_job{{a, b}};
              },
              sum, size) == sums);
  REQUIRE(with.run(
              [=](auto* a, auto* b, auto*) {
                return most_stored_job{{a, b}, n - 1};
              },
              sum, size - 1) == std::vector(sums.begin(), sums.end() - 1));
  for (index_t const stored : {index_t{0}, n / 2, n})
    REQUIRE(with.run(
                [=](auto* a, auto* b, auto*) {
                  return first_stored_job{{a, b}, stored};
                },
                sum, std::size_t(stored)) == std::vector(sums.begin(), sums.begin() + stored));
  REQUIRE(with.run(
              [=](auto* a, auto* b, auto*) {
                return reduction_job{{a, b}, n - 1};
              },
              sum, 1) == std::vector{sums.back()});
  for (index_t const first : {index_t{0}, n / 3, n})
    REQUIRE(with.run(
                [=](auto* a, auto* b, auto*) {
                  return first_reduction_job{{{a, b}, n - 1}, first};
                },
                sum, 1) == std::vector{first > 0 ? sums[std::size_t(first) - 1] : 0});
  REQUIRE(with.run(
              [=](auto* a, auto* b, auto*) {
                return block_reduction_job{{{a, b}, n - 1}};
              },
              sum, 1) == std::vector{sums.back()});
  REQUIRE(with.run(
              [](auto* a, auto* b, auto*) {
                return elementwise_job{{a, b}};
              },
              sum, size) == squares);
  for (index_t const first : {index_t{0}, n / 3, n})
    REQUIRE(with.run(
                [=](auto* a, auto* b, auto*) {
                  return first_elementwise_job{{{a, b}}, first};
                },
                sum, std::size_t(first)) == std::vector(squares.begin(), squares.begin() + first));
  REQUIRE(with.run([=](auto* a, auto* b, auto*) { return copy_job{{a, b}, n}; }, sum, size) == in);
  REQUIRE(with.run(
              [](auto* a, auto* b, auto*) {
                return generating_job{{a, b}};
              },
              sum, size) == differences);
  auto const places = test::exclusive(plus, 0);
  REQUIRE(with.run(
              [](auto* a, auto* b, auto*) {
                return scatter_job{{a, b}};
              },
              places, odd.size()) == odd);
  REQUIRE(with.run(
              [](auto* a, auto* b, auto*) {
                return predicate_job{{{a, b}}};
              },
              places, odd.size()) == odd);
  REQUIRE(with.run(
              [=](auto* a, auto* b, auto* count) {
                return selection_job{{{{a, b}}}, n, count};
              },
              places, odd.size()) == odd);
  REQUIRE(with.count() == static_cast<index_t>(odd.size()));
  if constexpr (Runner::selects_first)
    for (index_t const first : {index_t{0}, n / 3, n}) {
      std::vector<int> some(in.begin(), in.begin() + first);
      std::erase_if(some, [](int x) { return x % 2 == 0; });
      REQUIRE(with.run(
                  [=](auto* a, auto* b, auto* count) {
                    return first_selection_job{{{{{a, b}}}, n, count}, first};
                  },
                  places, some.size()) == some);
      REQUIRE(with.count() == static_cast<index_t>(some.size()));
    }
  if constexpr (Runner::selects_first) {
    auto const halves = with.run(
        [=](auto* a, auto* b, auto* count) {
          return pair_selection_job{a, a, b, n, count};
        },
        places, size);
    auto const first = std::min(odd.size(), size - size / 2), second = std::min(first, size / 2);
    REQUIRE(std::equal(odd.begin(), odd.begin() + index_t(first), halves.begin()));
    REQUIRE(std::equal(odd.begin(), odd.begin() + index_t(second),
                       halves.begin() + index_t(size - size / 2)));
    REQUIRE(with.count() == static_cast<index_t>(odd.size()));
  }
  with.count(evens);
  REQUIRE(with.run(
              [=](auto* a, auto* b, auto* count) {
                return partition_job{a, b, n, count};
              },
              test::exclusive(add_even_counts{}, even_count{{0}}), size) == parted);
  REQUIRE(with.run(
              [=](auto* a, auto* b, auto*) {
                return segmented_scan_job{{a, b, n}};
              },
              test::inclusive(sam::engine::segmented<sam::plus>{plus}), size) == segment_sums);
  using aggregate = segmented_reduction_job::accumulator;
  REQUIRE(with.run(
              [=](auto* a, auto* b, auto* count) {
                return segmented_reduction_job{{a, b, n}, count, plus, {}};
              },
              test::exclusive(sam::engine::segmented_and_counted<sam::plus>{plus}, aggregate{0, 0}),
              totals.size()) == totals);
  REQUIRE(with.count() == static_cast<index_t>(totals.size()));
  for (index_t const first : {index_t{0}, n / 3, n}) {
    std::vector<int> some;
    for (std::size_t i = 0; i < std::size_t(first); ++i) {
      if (i == 0 || in[i] % 4 == 0)
        some.push_back(0);
      some.back() += in[i];
    }
    auto const by =
        test::exclusive(sam::engine::segmented_and_counted<sam::plus>{plus}, aggregate{0, 0});
    auto const of_all = [=](auto* a, auto* b, auto* count) {
      return first_segments_job{{{a, b, n}, count, plus, {}}, first};
    };
    with.count(-1);
    REQUIRE(with.run(of_all, by, some.size()) == some);
    REQUIRE(with.count() == static_cast<index_t>(some.size()));
    if constexpr (Runner::limits_items) {
      with.count(-1);
      REQUIRE(
          with.run(
              [=](auto* a, auto* b, auto* count) {
                return limited_segments_job{{{a, b, first}, count, plus, {}}, of_all(a, b, count)};
              },
              by, some.size()) == some);
      REQUIRE(with.count() == static_cast<index_t>(some.size()));
    }
  }
  REQUIRE(with.run(
              [](auto* a, auto* b, auto*) {
                return recurrence_job{a, b, sam::engine::filter_ring<int, 1>({3})};
              },
              test::inclusive(sam::compose_maps{}), size) == filtered);
}

}  // namespace test
