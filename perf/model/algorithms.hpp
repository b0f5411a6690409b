// SPDX-License-Identifier: MIT
// Sums and prefix sums on memory machines. Each algorithm computes its result in the machine's
// memory, so that tests can check it, while the machine adds up the time. Sizes are powers of two.
#pragma once

#include "machine.hpp"

#include <bit>

namespace memory_model {

/// Returns the base-2 logarithm of a power of two.
inline number log2_of(number n) { return std::countr_zero(static_cast<std::uint64_t>(n)); }

inline std::vector<number> added(std::vector<number> x, std::vector<number> const& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += y[i];
  return x;
}

/// Reads n cells from `base` on. Source: Nakano, section 3.
inline void contiguous_access(machine& m, number n, number base = 0) {
  m.read(n, [&](number i) { return base + i; });
}

/// Leaves the sum of cells 0 to n - 1 in cell 0. Source: Nakano, section 4.
inline void sum(machine& m, number n) {
  for (number half = n / 2; half > 0; half /= 2) {
    auto const low = m.read(half, [](number i) { return i; });
    auto const high = m.read(half, [&](number i) { return half + i; });
    m.write(added(low, high), [](number i) { return i; });
  }
}

/// Replaces cells base to base + n - 1 by their inclusive prefix sums. Source: Nakano, section 6;
/// also known as the scan of Hillis and Steele, or of Kogge and Stone.
inline void naive_prefix_sums(machine& m, number n, number base = 0) {
  for (number by = 1; by < n; by *= 2) {
    auto const left = m.read(n - by, [&](number i) { return base + i; });
    auto const own = m.read(n - by, [&](number i) { return base + by + i; });
    m.write(added(left, own), [&](number i) { return base + by + i; });
  }
}

/// Replaces cells base to base + n - 1 by their inclusive prefix sums, with n cells of workspace.
/// Array t, of 2^t cells, holds sums of n / 2^t items each. Source: Nakano, section 7.
inline void optimal_prefix_sums(machine& m, number n, number base, number workspace) {
  number const last = log2_of(n);
  auto const array = [&](number t) { return t == last ? base : workspace + n - (number{2} << t); };
  for (number t = last - 1; t >= 1; --t) {
    number const half = number{1} << t;
    auto const even = m.read(half, [&](number i) { return array(t + 1) + 2 * i; });
    auto const odd = m.read(half, [&](number i) { return array(t + 1) + 2 * i + 1; });
    m.write(added(even, odd), [&](number i) { return array(t) + i; });
  }
  for (number t = 1; t < last; ++t) {
    number const count = (number{1} << t) - 1;
    auto const sums = m.read(count, [&](number i) { return array(t) + i; });
    m.write(sums, [&](number i) { return array(t + 1) + 2 * i + 1; });
    auto const next = m.read(count, [&](number i) { return array(t + 1) + 2 * i + 2; });
    m.write(added(sums, next), [&](number i) { return array(t + 1) + 2 * i + 2; });
  }
  if (n > 1) {
    auto const left = m.read(1, [&](number) { return base + n - 2; });
    auto const own = m.read(1, [&](number) { return base + n - 1; });
    m.write(added(left, own), [&](number) { return base + n - 1; });
  }
}

/// Replaces cells 0 to n - 1 by their inclusive prefix sums, in groups of k cells one after
/// another. Cells n to n + k - 1 are workspace. Source: Nakano, section 7, corollary 1.
inline void sequential_parallel_prefix_sums(machine& m, number n, number k) {
  for (number group = 0; group < n; group += k) {
    if (group > 0) {
      auto const before = m.read(1, [&](number) { return group - 1; });
      auto const own = m.read(1, [&](number) { return group; });
      m.write(added(before, own), [&](number) { return group; });
    }
    optimal_prefix_sums(m, k, group, n);
  }
}

/// Places cell i at i + i / every, which leaves a gap after each `every` cells; 0 leaves no gaps.
struct padding {
  number every = 0;
  number operator()(number i) const { return every == 0 ? i : i + i / every; }
};

/// Replaces n cells by their exclusive prefix sums. Source: Blelloch, "Prefix sums and their
/// applications", 1990; with padding: Harris, Sengupta, Owens, GPU Gems 3, chapter 39, 2007.
inline void blelloch_prefix_sums(machine& m, number n, padding at = {}) {
  auto const left = [&](number by) {
    return [&at, by](number i) { return at(by * (2 * i + 1) - 1); };
  };
  auto const right = [&](number by) {
    return [&at, by](number i) { return at(by * (2 * i + 2) - 1); };
  };
  for (number by = 1; by < n; by *= 2) {
    auto const sums = added(m.read(n / 2 / by, left(by)), m.read(n / 2 / by, right(by)));
    m.write(sums, right(by));
  }
  m.write({0}, [&](number) { return at(n - 1); });
  for (number by = n / 2; by >= 1; by /= 2) {
    auto const low = m.read(n / 2 / by, left(by));
    auto const high = m.read(n / 2 / by, right(by));
    m.write(high, left(by));
    m.write(added(low, high), right(by));
  }
}

/// Replaces n cells by their inclusive prefix sums. Source: Brent, Kung, "A regular layout for
/// parallel adders", 1982.
inline void brent_kung_prefix_sums(machine& m, number n, padding at = {}) {
  auto const add_to = [&](number count, number first, number by) {
    auto const target = [&](number i) { return at(first + 2 * by * i); };
    auto const source = [&](number i) { return at(first + 2 * by * i - by); };
    m.write(added(m.read(count, source), m.read(count, target)), target);
  };
  for (number by = 1; by < n; by *= 2)
    add_to(n / 2 / by, 2 * by - 1, by);
  for (number by = n / 4; by >= 1; by /= 2)
    add_to(n / 2 / by - 1, 3 * by - 1, by);
}

/// The cells of a matrix scan: a row for each thread, with gaps between rows, and a column of one
/// cell for each row behind them.
struct matrix_layout {
  number rows, items, gap;
  number cell(number row, number column) const { return row * (items + gap) + column; }
  number column(number row) const { return rows * (items + gap) + row; }
  number cells() const { return rows * (items + gap + 1); }
};

/// Replaces the cells of a matrix, row by row, by their inclusive prefix sums. Each thread reduces
/// its row, the column of row sums is scanned, and each thread scans its row. Source: Dotsenko et
/// al., "Fast scan algorithms on graphics processors", ICS 2008, section 4.2.
inline void matrix_prefix_sums(machine& m, matrix_layout const& at) {
  std::vector<number> running(static_cast<std::size_t>(at.rows));
  for (number c = 0; c < at.items; ++c)
    running = added(running, m.read(at.rows, [&](number r) { return at.cell(r, c); }));
  m.write(running, [&](number r) { return at.column(r); });
  naive_prefix_sums(m, at.rows, at.column(0));
  running = m.read(at.rows - 1, [&](number r) { return at.column(r); });
  running.insert(running.begin(), 0);
  for (number c = 0; c < at.items; ++c) {
    running = added(running, m.read(at.rows, [&](number r) { return at.cell(r, c); }));
    m.write(running, [&](number r) { return at.cell(r, c); });
  }
}

}  // namespace memory_model
