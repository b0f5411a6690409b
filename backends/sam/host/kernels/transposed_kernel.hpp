// SPDX-License-Identifier: MIT
// This header defines a kernel for numbers under an arbitrary operator. It arranges the calls of
// the operator so that the compiler can vectorize them.
#pragma once

#include <sam/host/kernels/scalar_kernel.hpp>
#include <sam/host/simd/structure_of_arrays.hpp>
#include <sam/host/simd/truth_word.hpp>

#include <cstddef>

namespace sam::inline v0_1::host {

/// True if transposed_kernel can scan values of T under this policy. Compilers vectorize calls of
/// an operator on numbers, but often not those on structs.
template <class Policy, class T>
concept fits_columns = is_spread<T> && Policy::tuple_size == 1 && !has_algebra<T, Policy>;

/// Scans values of order 1, with one run of consecutive items in each lane. The engine iterates the
/// scan for higher orders. scalar_kernel.hpp describes the kernel interface.
///
/// The loops over lanes below have no dependent operations, so compilers vectorize them, including
/// selections. Where they cannot, the runs still overlap. A loop loads its lanes from memory: if
/// g++ sees the moves before the loop, it vectorizes some operators only.
///
/// The parts of a tile are the runs, whose aggregates come first. Behind them, each higher level
/// holds the aggregates of the runs of the level below, as long as that level consists of whole
/// blocks.
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
  // A scan without aggregates of parts applies the operator twice to each item. A serial loop
  // applies it once, but each application waits for the previous one, which takes longest for
  // floats.
  static constexpr bool pays_without_part_aggregates = W > 4 || std::is_floating_point_v<T>;

 public:
  static constexpr char const* name = "one run of items in each lane";
  static constexpr bool takes_reversed = false;  // reversing whole vectors would be slower
  using base::base;

  index_t granule() const { return block; }
  index_t piece_granule() const { return block; }
  index_t part_aggregates(index_t items) const {
    return 2 * items / run;
  }  // the sum over all levels

  void reduce(T const* items, index_t count, T* accumulator, T* part_aggregates) const {
    T const* level = items;
    index_t n = count;
    for (; n % block == 0; level = part_aggregates, n /= run, part_aggregates += n)
      for (index_t i = 0; i < n; i += block)
        reduce_block(level + i, part_aggregates + i / run);
    T sum = level[0];
    for (index_t i = 1; i < n; ++i)
      sum = policy_.op(sum, level[i]);
    *accumulator = sum;
  }

  void place(T* part_aggregates, index_t count, T* state, bool known) const {
    place_level(part_aggregates, count / run, state, known);
  }

  void scan(T const* items, T* out, index_t count, index_t at, T* state, bool known,
            T const* part_aggregates) const {
    index_t i = 0;
    if (!known && at == 0) {
      i = min_of(block, count);
      base::scan(items, out, i, 0, state, false, nullptr);
    }
    if (part_aggregates != nullptr)
      return scan_blocks(items + i, out + i, count - i, part_aggregates + (at + i) / run);
    if constexpr (pays_without_part_aggregates)
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

  // Calls f(0) ... f(N - 1). If there are few lanes, g++ generates better vector code when it
  // inlines the calls late.
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

  // Computes the aggregate of each run, in the order of the runs.
  void put_totals(columns const& c, T* totals) const {
    auto const op = policy_.op;
    spread<T, W> sums;
#ifdef __clang__  // if unrolled first, the loop is vectorized in parts at most
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
#ifdef __clang__  // if unrolled first, the loop is vectorized in parts at most
#pragma clang loop unroll(disable)
#endif
    for (int l = 0; l < W; ++l) {
      T sum = sums.get(l);
      down_run<run>([&](auto r) __attribute__((always_inline)) {
        c.put(r * W + l, engine::step<1, Kind>(op, &sum, c.get(r * W + l)));
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

}  // namespace sam::inline v0_1::host
