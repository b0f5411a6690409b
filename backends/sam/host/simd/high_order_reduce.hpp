// SPDX-License-Identifier: MIT
// This header computes the aggregate of a tile for an order-q scan, without a scan across lanes.
//
// The age a of an item is the number of rows of its component behind it in the tile. The item adds
// its product with P_j(a) to c_j, where P_j is a polynomial of degree j - 1.
//
// The items of one lane position have the ages w u + b, for u = 0, 1, ... and a fixed b. Running
// sums along one position yield A_i, the sum of its items times C(u + i - 1, i - 1), for i <= q.
// These binomials are a basis of the polynomials P_j.
//
// The reduction thus takes q additions per vector, and one small matrix product per position at the
// end of the tile. The matrices come from Newton's backward differences of P_j(w u + b) at u = -1.
// All entries are integers, so the method holds in every module.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/host/simd/simd.hpp>

#include <array>
#include <cstddef>
#include <numeric>

namespace sam::inline v0_1::host {

/// Computes the aggregate of a tile for a scan of order q by running sums of vectors.
template <class Lane, class Policy>
class high_order_aggregate {
  using op_type = typename Policy::op_type;
  using V = vec<Lane>;
  static constexpr int W = lanes<Lane>;
  static constexpr int Q = Policy::order;
  static constexpr int S = Policy::tuple_size;
  static constexpr int period = S / std::gcd(S, W);
  static constexpr int rows = period * W / S;  // w: the rows of a component in one period
  // The binomials for floats are computed in double, which represents those of one period exactly.
  using coefficient = typename op_type::template coefficient<Lane>;
  using counted = std::conditional_t<std::is_floating_point_v<coefficient>, double, coefficient>;
  using matrix = std::array<std::array<coefficient, std::size_t{Q}>, std::size_t{Q}>;

 public:
  explicit high_order_aggregate(op_type op) : op_(op) {}

  /// Computes the aggregate of `count` items, a multiple of period * W. accumulator[(j - 1) S + c]
  /// is c_j of component c.
  template <class Items, class T>
  void reduce(Items items, index_t count, T* accumulator) const {
    V sum[std::size_t{Q}][std::size_t{period}];
    for (auto& row : sum)
      for (V& v : row)
        v = host::all_lanes(zero());
    for (index_t i = 0; i < count; i += period * W)
#pragma GCC unroll 16
      for (int k = 0; k < period; ++k) {
        V x = host::load<Lane>(items + i + k * W);
#pragma GCC unroll 8
        for (int q = 0; q < Q; ++q)
          x = sum[q][k] = op_(sum[q][k], x);
      }
    static std::array<matrix, std::size_t{rows}> const table = make_table();
    for (int j = 0; j < Q; ++j)
      for (int c = 0; c < S; ++c)
        accumulator[j * S + c] = static_cast<T>(gather(sum, table, j, c));
    // Matrix entries of both signs turn an infinite item into a NaN, which a reduction item by item
    // does not. A NaN therefore causes a reduction item by item.
    if constexpr (std::is_floating_point_v<T>)
      for (int k = 0; k < Q * S; ++k)
        if (accumulator[k] != accumulator[k])
          return step_through(items, count, accumulator);
  }

 private:
  template <class Items, class T>
  void step_through(Items items, index_t count, T* accumulator) const {
    for (int k = 0; k < Q * S; ++k)
      accumulator[k] = zero();
    for (index_t i = 0; i < count; ++i)
      engine::step<Q, Policy::kind>(op_, accumulator + i % S, items[i], S);
  }

  static Lane zero() { return sam::identity_of<Lane>(op_type{}); }

  Lane gather(V const (&sum)[std::size_t{Q}][std::size_t{period}],
              std::array<matrix, std::size_t{rows}> const& table, int j, int c) const {
    Lane total = zero();
    for (int r = 0; r < rows; ++r) {
      int const position = r * S + c;
      matrix const& m = table[static_cast<std::size_t>(r)];
      for (int i = 0; i <= j; ++i)
        total =
            op_(total, op_type::scale(sum[i][position / W][position % W],
                                      m[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]));
    }
    return total;
  }

  static std::array<matrix, std::size_t{rows}> make_table() {
    std::array<matrix, std::size_t{rows}> table{};
    for (int r = 0; r < rows; ++r) {
      std::array<series<counted, Q>, std::size_t{Q}>
          at;  // P_1 ... P_Q at u = -1, -2, ..., then differences
      int const own =
          Policy::kind == bound::inclusive ? 1 : 0;  // an inclusive output includes its own item
      for (int e = 0; e < Q; ++e)
        at[static_cast<std::size_t>(e)] = engine::zero_items<series<counted, Q>>(
            Policy::kind, -rows * (e + 1) + (rows - 1 - r) + own);
      for (std::size_t i = 0; i < Q; ++i) {
        for (std::size_t j = 0; j < Q; ++j)
          table[static_cast<std::size_t>(r)][j][i] = static_cast<coefficient>(at[0].at[j]);
        for (std::size_t e = 0; e + 1 < Q - i; ++e)
          for (std::size_t j = 0; j < Q; ++j)
            at[e].at[j] = static_cast<counted>(at[e].at[j] - at[e + 1].at[j]);
      }
    }
    return table;
  }

  op_type op_;
};

}  // namespace sam::inline v0_1::host
