// SPDX-License-Identifier: MIT
// Tests the lemmas and theorems of Nakano's paper on the memory machines, as inequalities with
// explicit constants.
#include "model/algorithms.hpp"
#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <numeric>

namespace {

using namespace memory_model;

/// The terms of the paper's bounds.
double bandwidth(machine_parameters const& x, number n) { return double(n) / double(x.width); }
double latency(machine_parameters const& x, number n) {
  return double(n) * double(x.latency) / double(x.threads);
}
double reduction(machine_parameters const& x, number n) {
  return double(x.latency) * double(log2_of(n));
}
double bound(machine_parameters const& x, number n) {
  return bandwidth(x, n) + latency(x, n) + reduction(x, n);
}

/// Calls f with machines of both kinds, for a grid of parameters, and sizes n from 2 to 2^11.
void for_each_machine(std::function<void(machine_parameters const&, number)> const& f) {
  for (auto const kind : {machine_kind::discrete, machine_kind::unified})
    for (number const w : {4, 32})
      for (number const l : {1, 7, 300})
        for (number const warps : {1, 4, 32})
          for (number n = 2; n <= 2048; n *= 2) {
            CAPTURE(int(kind), w, l, warps, n);
            f({kind, w, l, warps * w}, n);
          }
}

number item(number i) { return (i * 7 + 3) % 11 - 5; }
void fill(machine& m, number n, std::function<number(number)> const& at) {
  for (number i = 0; i < n; ++i)
    m[at(i)] = item(i);
}
/// Returns whether the n cells hold the prefix sums of their items.
bool holds_prefix_sums(machine& m, number n, std::function<number(number)> const& at,
                       bool exclusive = false) {
  number sum = 0;
  bool all = true;
  for (number i = 0; i < n; ++i) {
    sum += exclusive ? 0 : item(i);
    all = all && m[at(i)] == sum;
    sum += exclusive ? item(i) : 0;
  }
  return all;
}
number in_place(number i) { return i; }

/// Runs an algorithm on cells 0 to n - 1, checks its prefix sums, and returns its time.
template <class Algorithm>
number time_of(machine_parameters const& x, number n, Algorithm const& algorithm, padding at = {},
               bool exclusive = false) {
  machine m(x, 3 * n + 2);
  fill(m, n, at);
  algorithm(m);
  REQUIRE(holds_prefix_sums(m, n, at, exclusive));
  return m.time();
}
number time_of_matrix(machine_parameters const& x, number n, number gap) {
  matrix_layout const layout{x.threads, n / x.threads, gap};
  machine m(x, layout.cells());
  auto const at = [&](number i) { return layout.cell(i / layout.items, i % layout.items); };
  fill(m, n, at);
  matrix_prefix_sums(m, layout);
  REQUIRE(holds_prefix_sums(m, n, at));
  return m.time();
}
number time_of_optimal(machine_parameters const& x, number n) {
  return time_of(x, n, [&](machine& m) { optimal_prefix_sums(m, n, 0, n); });
}

TEST_CASE("the example of figure 3 takes 5 units on the DMM and 7 on the UMM", "[model]") {
  number const addresses[] = {0, 1, 6, 10, 8, 9, 14, 15};
  for (auto const& [kind, wanted] :
       {std::pair{machine_kind::discrete, 5}, std::pair{machine_kind::unified, 7}}) {
    machine m({kind, 4, 3, 8}, 16);
    m.read(8, [&](number i) { return addresses[i]; });
    CHECK(m.time() == wanted);
  }
}

TEST_CASE("requests of a warp for one cell are one request", "[model]") {
  CHECK(units_of_warp(machine_kind::discrete, 4, {5, 5, 5, 5}) == 1);
  CHECK(units_of_warp(machine_kind::discrete, 4, {5, 9, 5, 13}) == 3);
  CHECK(units_of_warp(machine_kind::unified, 4, {5, 9, 5, 13}) == 3);
  CHECK(units_of_warp(machine_kind::unified, 4, {4, 5, 6, 7}) == 1);
}

TEST_CASE("k requests for one bank take k + l - 1 units", "[model]") {
  for (number const k : {1, 2, 4})
    for (number const l : {1, 5, 30}) {
      machine m({machine_kind::discrete, 4, l, 4}, 32);
      m.read(k, [](number i) { return 4 * i; });
      CHECK(m.time() == k + l - 1);
    }
}

TEST_CASE("lemma 1: contiguous access takes at most n/w + nl/p + l", "[model]") {
  for_each_machine([](machine_parameters const& x, number n) {
    machine m(x, n);
    contiguous_access(m, n);
    CHECK(double(m.time()) <= bandwidth(x, n) + latency(x, n) + double(x.latency));
    // The exact time in the proof.
    if (n % x.threads == 0)
      CHECK(m.time() == n / x.threads * (x.threads / x.width + x.latency - 1));
    else
      CHECK(m.time() == (n + x.width - 1) / x.width + x.latency - 1);
  });
}

TEST_CASE("lemma 2: the sum takes at most 3 (n/w + nl/p + l log n)", "[model]") {
  for_each_machine([](machine_parameters const& x, number n) {
    machine m(x, n);
    fill(m, n, in_place);
    number wanted = 0;
    for (number i = 0; i < n; ++i)
      wanted += item(i);
    sum(m, n);
    REQUIRE(m[0] == wanted);
    CHECK(double(m.time()) <= 3 * bound(x, n));
  });
}

TEST_CASE("theorem 1: no sum or prefix sums take less than any of the three limits", "[model]") {
  for_each_machine([](machine_parameters const& x, number n) {
    machine m(x, n);
    sum(m, n);
    std::vector<number> times{
        m.time(), time_of(x, n, [&](machine& of) { naive_prefix_sums(of, n); }),
        time_of_optimal(x, n), time_of(x, n, [&](machine& of) { brent_kung_prefix_sums(of, n); }),
        time_of(
            x, n, [&](machine& of) { blelloch_prefix_sums(of, n); }, {}, true)};
    for (number const time : times) {
      CHECK(double(time) >= bandwidth(x, n));
      CHECK(double(time) >= latency(x, n));
      CHECK(double(time) >= reduction(x, n));
    }
  });
}

TEST_CASE("lemma 3: naive prefix sums take at most 6 (n/w + nl/p + l) log n", "[model]") {
  for_each_machine([](machine_parameters const& x, number n) {
    number const time = time_of(x, n, [&](machine& m) { naive_prefix_sums(m, n); });
    // A shift by less than a warp lies across two address groups, which is why 3 is not enough.
    double const steps = double(log2_of(n));
    CHECK(double(time) <=
          6 * bandwidth(x, n) * steps + 3 * latency(x, n) * steps + 3 * reduction(x, n));
    // They are not optimal: each of the log n rounds accesses nearly all items three times.
    double const accesses = 3 * (double(n) * steps - double(n) + 1);
    CHECK(double(time) >= accesses / double(x.width));
    CHECK(double(time) >= accesses * double(x.latency) / double(x.threads));
  });
}

TEST_CASE("theorem 2: optimal prefix sums take at most 15 n/w + 7 nl/p + 7 l log n", "[model]") {
  for_each_machine([](machine_parameters const& x, number n) {
    // Seven accesses for each pair of items. A stride of 2 doubles the units of a warp, and an
    // offset may add one.
    CHECK(double(time_of_optimal(x, n)) <=
          15 * bandwidth(x, n) + 7 * latency(x, n) + 7 * reduction(x, n));
  });
}

TEST_CASE("corollary 1: a workspace of k is enough, for a term nl log k / k", "[model]") {
  for_each_machine([](machine_parameters const& x, number n) {
    for (number k = std::max<number>(2, n / 64); k <= n; k *= 4) {
      CAPTURE(k);
      number const time =
          time_of(x, n, [&](machine& m) { sequential_parallel_prefix_sums(m, n, k); });
      double const groups = double(n) / double(k);
      CHECK(double(time) <=
            15 * bandwidth(x, n) + 7 * latency(x, n) + 10 * groups * reduction(x, k));
    }
  });
}

TEST_CASE("corollary 1: the term vanishes if k is p log p or wl log(wl)", "[model]") {
  constexpr number n = 1 << 14;
  for (auto const kind : {machine_kind::discrete, machine_kind::unified})
    for (number const l : {4, 16})
      for (number const threads : {64, 256}) {
        machine_parameters const x{kind, 16, l, threads};
        number const of_threads = threads * log2_of(threads);
        number const of_pipeline = 16 * l * log2_of(16 * l);
        auto const k = number(std::bit_ceil(std::uint64_t(std::min(of_threads, of_pipeline))));
        CAPTURE(int(kind), l, threads, k);
        number const time =
            time_of(x, n, [&](machine& m) { sequential_parallel_prefix_sums(m, n, k); });
        CHECK(double(time) <= 25 * (bandwidth(x, n) + latency(x, n)));
      }
}

TEST_CASE("padding removes the conflicts of powers of two on the DMM", "[model]") {
  for (number n = 64; n <= 4096; n *= 2) {
    CAPTURE(n);
    machine_parameters const x{machine_kind::discrete, 32, 30, 64};
    padding const padded{32};
    auto const blelloch = [&](padding at) {
      return time_of(
          x, n, [&](machine& m) { blelloch_prefix_sums(m, n, at); }, at, true);
    };
    auto const brent_kung = [&](padding at) {
      return time_of(
          x, n, [&](machine& m) { brent_kung_prefix_sums(m, n, at); }, at);
    };
    CHECK(blelloch(padded) < blelloch({}));
    CHECK(brent_kung(padded) < brent_kung({}));
    number const items = n / x.threads;
    // Rows of an odd length need no padding, and each row access takes one unit for each warp.
    number const conflicts = std::gcd(items, x.width), warps = x.threads / x.width;
    CHECK(time_of_matrix(x, n, 0) - 3 * items * (warps * conflicts + x.latency - 1) ==
          time_of_matrix(x, n, items % 2 == 0 ? 1 : 0) - 3 * items * (warps + x.latency - 1));
  }
}

/// The times of all prefix sums of 16,384 numbers by 256 threads, as in docs/internals/model.md.
struct times {
  number matrix, matrix_padded, optimal, brent_kung, brent_kung_padded, blelloch, blelloch_padded,
      naive;
  friend bool operator==(times const&, times const&) = default;
};
times times_on(machine_kind kind) {
  constexpr number n = 16384;
  machine_parameters const x{kind, 32, 30, 256};
  padding const padded{32};
  auto const brent_kung = [&](padding at) {
    return time_of(
        x, n, [&](machine& m) { brent_kung_prefix_sums(m, n, at); }, at);
  };
  auto const blelloch = [&](padding at) {
    return time_of(
        x, n, [&](machine& m) { blelloch_prefix_sums(m, n, at); }, at, true);
  };
  return {.matrix = time_of_matrix(x, n, 0),
          .matrix_padded = time_of_matrix(x, n, 1),
          .optimal = time_of_optimal(x, n),
          .brent_kung = brent_kung({}),
          .brent_kung_padded = brent_kung(padded),
          .blelloch = blelloch({}),
          .blelloch_padded = blelloch(padded),
          .naive = time_of(x, n, [&](machine& m) { naive_prefix_sums(m, n); })};
}

TEST_CASE("on the DMM the padded matrix is the fastest", "[model]") {
  times const t = times_on(machine_kind::discrete);
  for (number const other : {t.matrix, t.optimal, t.brent_kung, t.brent_kung_padded, t.blelloch,
                             t.blelloch_padded, t.naive})
    CHECK(t.matrix_padded < other);
  CHECK(t == times{55661, 8045, 20460, 30663, 16750, 35940, 18580, 92442});
}

TEST_CASE("on the UMM padding does not help, and the optimal prefix sums are the fastest",
          "[model]") {
  times const t = times_on(machine_kind::unified);
  CHECK(t.matrix_padded >= t.matrix);
  CHECK(t.blelloch_padded >= t.blelloch);
  CHECK(t.brent_kung_padded >= t.brent_kung);
  for (number const other : {t.matrix, t.brent_kung, t.blelloch, t.naive})
    CHECK(t.optimal < other);
  CHECK(t == times{55731, 55731, 21464, 31615, 33519, 35940, 39252, 97552});
}

TEST_CASE("wrong parameters of a machine are refused", "[model]") {
  CHECK_THROWS_AS(machine({machine_kind::discrete, 0, 1, 1}, 1), std::invalid_argument);
  CHECK_THROWS_AS(machine({machine_kind::discrete, 1, 0, 1}, 1), std::invalid_argument);
  CHECK_THROWS_AS(machine({machine_kind::discrete, 1, 1, 0}, 1), std::invalid_argument);
}

}  // namespace
