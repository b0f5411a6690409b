// SPDX-License-Identifier: MIT
// Scans a tile of numbers under an arbitrary operator. Its calls of the operator are laid out so
// that the compiler can vectorize them.
#pragma once

#include <sam/host/kernels/scalar_kernel.hpp>
#include <sam/host/simd/structure_of_arrays.hpp>
#include <sam/host/simd/truth_word.hpp>

#include <cstddef>

namespace sam::host {

/// True for numbers without an algebra and without tuples. Compilers can vectorize operator calls
/// on numbers, but less often calls on structs.
template <class Policy, class T>
concept fits_columns = is_spread<T> && Policy::tuple_size == 1 && !has_algebra<T, Policy>;

/// Implements a kernel (see scalar_kernel.hpp for the interface) for order 1, which the engine
/// iterates.
///
/// Each run of consecutive items of a block lies in one lane, so the loops over lanes have no
/// dependency chain. Compilers vectorize them, selections included. Where they cannot, the runs
/// still overlap.
///
/// The loops read their lanes from memory: if g++ sees the moves before a loop, it vectorizes only
/// some operators. The notes are the aggregates of the runs, followed by the aggregates of those in
/// runs, and so on for each level that has whole blocks.
template <class T, class Policy>
class transposed_kernel : public scalar_kernel<T, Policy> {
  using base = scalar_kernel<T, Policy>;
  using base::policy_;
  using bits = typename spread<T, 1>::bits;
  static constexpr int W = lanes<bits>;
  static constexpr int run = max_of(8, chunk<bits>);
  static constexpr int block = run * W;
  static constexpr int parts = spread<T, 1>::parts;
  static constexpr bool has_few_lanes = W < 8;
  // True if the column scan is faster than a serial loop when there are no notes. It applies the
  // operator twice per item. A serial loop applies it once, but each application waits for the one
  // before, which takes longest for floats.
  static constexpr bool pays_without_notes = W > 4 || std::is_floating_point_v<T>;

 public:
  static constexpr bool takes_reversed = false;  // reversing whole vectors would be slower
  using base::base;

  index_t granule() const { return block; }
  index_t piece_granule() const { return block; }
  index_t notes(index_t items) const { return 2 * items / run; }  // of all levels

  void reduce(T const* items, index_t count, T* accumulator, T* notes) const {
    T const* level = items;
    index_t n = count;
    for (; n % block == 0; level = notes, n /= run, notes += n)
      for (index_t i = 0; i < n; i += block)
        reduce_block(level + i, notes + i / run);
    T sum = level[0];
    for (index_t i = 1; i < n; ++i)
      sum = policy_.op(sum, level[i]);
    *accumulator = sum;
  }

  void place(T* notes, index_t count, T* state, bool known) const {
    place_level(notes, count / run, state, known);
  }

  void scan(T const* items, T* out, index_t count, index_t at, T* state, bool known,
            T const* notes) const {
    index_t i = 0;
    if (!known && at == 0) {
      i = min_of(block, count);
      base::scan(items, out, i, 0, state, false, nullptr);
    }
    if (notes != nullptr)
      return scan_blocks(items + i, out + i, count - i, notes + (at + i) / run);
    if constexpr (pays_without_notes)
      for (; i + block <= count; i += block) {
        columns c;
        load_columns(items + i, c);
        uninitialized_array<T, W> own;
        put_totals(c, own.at);
        base::place_serially(own.at, W, state, true);
        scan_columns<Policy::kind>(c, out + i, own.at);
      }
    base::scan(items + i, out + i, count - i, i, state, true, nullptr);
  }

 private:
  using V = vec<bits>;
  using columns = spread<T, block>;

  // Calls f(0) ... f(N - 1). With few lanes g++ vectorizes better if it inlines the calls late.
  template <int N, class F>
  [[gnu::always_inline]] static void down_run(F const& f) {
    if constexpr (has_few_lanes)
      host::unrolled<N>(f);
    else
      host::unrolled_inline<N>(f);
  }

  void place_level(T* level, index_t n, T* state, bool known) const {
    if (n % block != 0)
      return base::place_serially(level, n, state, known);
    T* const before = level + n;
    place_level(before, n / run, state, known);
    index_t i = 0;
    if (!known) {
      uninitialized_array<T, 1> total;
      base::place_serially(level, block, total.at, false);
      i = block;
    }
    for (; i < n; i += block)
      scan_block<bound::exclusive>(level + i, level + i, before + i / run);
  }

  void scan_blocks(T const* items, T* out, index_t count, T const* before) const {
    for (index_t i = 0; i < count; i += block)
      scan_block<Policy::kind>(items + i, out + i, before + i / run);
  }

  void reduce_block(T const* items, T* totals) const {
    columns c;
    load_columns(items, c);
    put_totals(c, totals);
  }

  // Computes the aggregate of each run, in the order of runs.
  void put_totals(columns const& c, T* totals) const {
    auto const op = policy_.op;
    spread<T, W> sums;
#ifdef __clang__  // else clang unrolls first and vectorizes only parts
#pragma clang loop unroll(disable)
#endif
    for (int l = 0; l < W; ++l) {
      T sum = c.get(l);
      down_run<run - 1>([&](auto r) __attribute__((always_inline)) {
        sum = op(sum, c.get((r + 1) * W + l));
      });
      sums.put(l, sum);
    }
    V total[std::size_t{parts}];
    sums.load(0, total);
    for (V& part : total)
      part = host::shuffle<bits, lane_of<bits>>(part, part);
    columns::join(totals, total);
  }

  template <bound Kind>
  void scan_block(T const* items, T* out, T const* before) const {
    columns c;
    load_columns(items, c);
    scan_columns<Kind>(c, out, before);
  }

  template <bound Kind>
  void scan_columns(columns& c, T* out, T const* before) const {
    auto const op = policy_.op;
    spread<T, W> sums;
    V first[std::size_t{parts}];
    columns::part(before, first);
    for (V& part : first)
      part = host::shuffle<bits, run_of<bits>>(part, part);
    sums.store(0, first);
#ifdef __clang__  // else clang unrolls first and vectorizes only parts
#pragma clang loop unroll(disable)
#endif
    for (int l = 0; l < W; ++l) {
      T sum = sums.get(l);
      down_run<run>([&](auto r) __attribute__((always_inline)) {
        c.put(r * W + l, sam::step<1, Kind>(op, &sum, c.get(r * W + l)));
      });
    }
    V v[std::size_t{run}][std::size_t{parts}];
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      c.load(r * W, v[r]);
    transpose(v, [](V* rows) { host::to_rows<run, bits>(rows); });
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      columns::join(out + r * W, v[r]);
  }

  static void load_columns(T const* items, columns& c) {
    V v[std::size_t{run}][std::size_t{parts}];
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      columns::part(items + r * W, v[r]);
    transpose(v, [](V* rows) { host::to_columns<run, bits>(rows); });
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      c.store(r * W, v[r]);
    if constexpr (!has_few_lanes)
      host::keep_in_memory(c);
  }

  template <class Turn>
  [[gnu::always_inline]] static void transpose(V (&v)[std::size_t{run}][std::size_t{parts}],
                                               Turn turn) {
    if constexpr (parts == 1)
      return turn(&v[0][0]);
#pragma GCC unroll 2
    for (int p = 0; p < parts; ++p) {
      V rows[std::size_t{run}];
#pragma GCC unroll 16
      for (int r = 0; r < run; ++r)
        rows[r] = v[r][p];
      turn(rows);
#pragma GCC unroll 16
      for (int r = 0; r < run; ++r)
        v[r][p] = rows[r];
    }
  }
};

}  // namespace sam::host
