// SPDX-License-Identifier: MIT
// This header defines the kernel that scans arithmetic items under an operator that applies to
// whole vectors. It handles any order over a module, and tuples of up to one vector.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/host/kernels/state.hpp>
#include <sam/host/simd/high_order_reduce.hpp>
#include <sam/host/simd/simd.hpp>
#include <sam/host/simd/vector_operator.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace sam::inline v0_1::host {

/// True if simd_kernel can scan values of T under this policy.
template <class Policy, class T>
concept fits_lanes = lanewise_operator<typename Policy::op_type, T> && Policy::tuple_size >= 1 &&
                     Policy::tuple_size <= lanes<T> &&
                     (Policy::order == 1 || has_algebra<T, Policy>);

/// True if a class computes its items in groups of vectors of T.
template <class Items, class T>
concept makes_vectors_in_groups = requires(Items const& items, vec<T>* to) {
  items.template make_vectors<1, T>(to);
};

/// Scans arithmetic items with whole vectors. scalar_kernel.hpp describes the kernel interface.
template <class T, class Policy>
class simd_kernel {
  using op_type = typename Policy::op_type;
  using lane = typename lane_type<T, op_type>::type;
  using V = vec<lane>;
  static constexpr int W = lanes<lane>;
  static constexpr int Q = Policy::order;
  static constexpr int S = Policy::tuple_size;
  static constexpr bound kind = Policy::kind;
  static constexpr int period = S / std::gcd(S, W);  // vectors after which the components repeat
  // The vectors of a column group share the log-steps. That pays where moving lanes is cheap.
  static constexpr bool in_columns = S == 1 && (Q > 1 || vector_bytes == 64);
  static constexpr int R = in_columns ? chunk<lane> : 4;
  static constexpr int groups = !in_columns          ? 1
                                : vector_bytes == 64 ? 16 / R
                                : 8 / R > 1          ? 8 / R
                                                     : 1;
  static constexpr int block = R * groups;  // vectors scanned side by side, to hide latency
  static constexpr int sums = max_of(8 / period, 1) * period;  // independent sums hide latency
  static constexpr bool is_noted = has_quick_lanes<op_type, lane>;
  using exact = exact_lanes<T, op_type>;
  using quick = quick_lanes<T, op_type>;

 public:
  static constexpr char const* name = "vectors of lanes";
  static constexpr int rounds = 1;
  static constexpr bool takes_reversed = true;

  explicit simd_kernel(Policy const& policy) : policy_(policy), op_(policy.op) {}

  index_t width() const { return Q * S; }
  index_t piece_granule() const { return granule(); }
  index_t granule() const { return index_t{W} * period * block; }
  /// True, because the note is optional. It records whether a tile of floats contains a NaN, so
  /// that the scan need not check again. A scan without this value checks for NaN itself.
  static constexpr bool scans_without_part_aggregates = true;
  index_t part_aggregates(index_t) const { return is_noted ? 1 : 0; }
  void set_tile_items(index_t items) {
    if constexpr (Q > 1)
      power_ = engine::zero_items<power_of<op_type, T, Q>>(kind, items / S);
  }

  bool start(T* state) const { return host::start_state<true>(policy_, state, width()); }
  bool start_apart(T* state) const {
    return host::start_state_apart<true>(policy_, state, width());
  }

  template <class Items>
  void reduce(Items items, index_t count, T* accumulator,
              [[maybe_unused]] T* part_aggregates) const {
    if constexpr (Q == 1)
      reduce_columns(items, count, accumulator, part_aggregates);
    else
      high_order_aggregate<lane, Policy>{op_}.reduce(items, count, accumulator);
  }

  static constexpr index_t appended_granule = index_t{W} * period;
  template <class Items>
  void append_items(Items items, index_t count, T* state) const requires(Q == 1) {
    T total[std::size_t{S}];
    reduce(items, count, total, nullptr);
    append(state, total);
  }

  /// True if items that are computed are scanned faster as they are made than from memory.
  template <class Items>
  static constexpr bool scans_as_made = makes_vectors_in_groups<Items, lane>;

  /// Gives the size of the groups whose aggregates a scan appends to its state, one after another.
  /// It is 0 if a scan does not.
  static constexpr index_t items_of_group = Q > 1 || S > 1 || is_noted
                                                ? 0
                                                : index_t{W} * (in_columns ? R : block);
  /// Writes the aggregates of so many groups, of whole granules. append_groups then gives a state
  /// the bits that a scan of the items leaves.
  template <class Items>
  void put_groups(Items items, index_t some, T* to) const requires(items_of_group > 0) {
    exact const op{op_};
    for (T* const end = to + some; to < end; items = items + W * block) {
      V v[std::size_t{block}];
      load_block(v, items);
      if constexpr (in_columns) {
#pragma GCC unroll 8
        for (int b = 0; b < block; b += R) {
          host::to_columns<R, lane>(v + b);
          V total = v[b];
#pragma GCC unroll 16
          for (int r = 1; r < R; ++r)
            total = op(total, v[b + r]);
          *to++ = scan_runs(op, total)[W - 1];
        }
      } else {
        V total = scan_vector(op, v[0]);
#pragma GCC unroll 16
        for (int b = 1; b < block; ++b)
          total = op(total, scan_vector(op, v[b]));
        *to++ = total[W - 1];
      }
    }
  }
  void append_groups(T const* totals, index_t some, T* state) const {
    T total = *state;
    for (index_t k = 0; k < some; ++k)
      total = op_(total, totals[k]);
    *state = total;
  }

  void place(T*, index_t, T*, bool) const {}

  void append(T* state, T const* tile) const {
    for (int c = 0; c < S; ++c) {
      if constexpr (Q > 1)
        engine::append<Q>(op_, state + c, tile + c, power_, S);
      else
        state[c] = op_(state[c], tile[c]);
    }
  }

  template <class Items, class Out>
  void scan(Items items, Out out, index_t count, index_t, T* state, bool,
            [[maybe_unused]] T const* part_aggregates) const {
    index_t i = 0;
    if (count >= W * block) {
      V carry[std::size_t{Q}];
      for (int q = 0; q < Q; ++q)
        carry[q] = to_lanes(state + q * S);
      bool is_plain = false;
      if constexpr (is_noted)
        is_plain = part_aggregates != nullptr && *part_aggregates == T(0);
      scan_blocks(items, out, i = count / (W * block) * (W * block), carry, is_plain);
      for (int q = 0; q < Q; ++q)
        for (int k = 0; k < S; ++k)
          state[q * S + int((i + k) % S)] = static_cast<T>(carry[q][k]);
    }
    if constexpr (S == 1) {
      T last[std::size_t{Q}];  // registers, as no output can alias it
      std::copy_n(state, Q, last);
      for (; i < count; ++i)
        out[i] = engine::step<Q, kind>(op_, last, items[i], S);
      std::copy_n(last, Q, state);
    } else {
      for (; i < count; ++i)
        out[i] = engine::step<Q, kind>(op_, state + i % S, items[i], S);
    }
  }

  void propagate(T* out, index_t count, T* state) const {
    for (index_t i = 0; i < count; ++i) {
      if constexpr (Q > 1)
        out[i] =
            op_(engine::step<Q, kind>(op_, state + i % S, sam::identity_of<T>(op_), S), out[i]);
      else
        out[i] = op_(state[i % S], out[i]);
    }
  }

 private:
  // Converts a state to a carry, which holds the aggregates before a vector, each in all lanes of
  // its component.
  V to_lanes(T const* state) const {
    V v{};
    for (int l = 0; l < W; ++l)
      v[l] = static_cast<lane>(state[l % S]);
    return v;
  }

  template <class Items>
  void reduce_columns(Items items, index_t count, T* accumulator,
                      [[maybe_unused]] T* part_aggregates) const {
    if constexpr (is_noted) {
      quick op;
      reduce_columns(op, items, count, accumulator);
      bool const special = op.is_special();
      if (part_aggregates != nullptr)
        *part_aggregates = special ? T(1) : T(0);
      if (!special && quick::template settle<S>(op_, accumulator, items, count))
        return;
    }
    exact op{op_};
    reduce_columns(op, items, count, accumulator);
  }

  template <class Lanes, class Items>
  void reduce_columns(Lanes& op, Items items, index_t count, T* accumulator) const {
    V sum[std::size_t{sums}];
    for (V& v : sum)
      v = op.nothing();
    index_t i = 0;
    if constexpr (makes_vectors_in_groups<Items, lane> && sums <= 16)
      i = accumulate_groups(op, items, count, sum);
    for (; i + sums * W <= count; i += sums * W)
#pragma GCC unroll 16
      for (int k = 0; k < sums; k += 2) {  // two vectors at a time keep within the registers
        V const x = host::load<lane>(items + i + k * W);
        sum[k] = op(sum[k], x);
        if (k + 1 == sums) {
          op.meet({x});
        } else {
          V const y = host::load<lane>(items + i + (k + 1) * W);
          sum[k + 1] = op(sum[k + 1], y);
          op.meet({x, y});
        }
      }
    for (int k = 0; i < count; i += W, ++k) {
      V const x = host::load<lane>(items + i);
      sum[k] = op(sum[k], x);
      op.meet({x});
    }
    for (int k = period; k < sums; ++k)
      sum[k % period] = op(sum[k % period], sum[k]);
    T totals[std::size_t{S}];
    for (T& total : totals)
      total = sam::identity_of<T>(op_);
    for (int k = 0; k < period; ++k)
      for (int l = 0; l < W; ++l)
        totals[(k * W + l) % S] = op_(totals[(k * W + l) % S], static_cast<T>(sum[k][l]));
    std::copy_n(totals, S, accumulator);
  }

  // Combines whole groups of vectors, of 64 items or more, with the sums. Returns the number of
  // these items. In a smaller group, a scalar transform would wait for its stores more often.
  template <class Lanes, class Items>
  [[gnu::always_inline]] static index_t accumulate_groups(Lanes& op, Items items, index_t count,
                                                          V (&sum)[std::size_t{sums}]) {
    constexpr int group = max_of(64 / (sums * W), 1) * sums;
    index_t i = 0;
    for (; i + group * W <= count; i += group * W) {
      V v[std::size_t{group}];
      (items + i).template make_vectors<group, lane>(v);
#pragma GCC unroll 32
      for (int k = 0; k < group; ++k)
        sum[k % sums] = op(sum[k % sums], v[k]);
      op.meet(v);
    }
    return i;
  }

  // Returns the inclusive scan of the components of one vector, by the log-step method of Kogge and
  // Stone.
  template <int K = S, class Lanes>
  static V scan_vector(Lanes const& op, V x) {
    if constexpr (K < W)
      return scan_vector<2 * K>(op, op(host::move_up<K, lane>(op.nothing(), x), x));
    else
      return x;
  }

  // Returns the inclusive scan of the aggregates of runs, by the log-step method.
  template <int K = 1, class Lanes>
  static V scan_runs(Lanes const& op, V x) {
    if constexpr (K < W)
      return scan_runs<2 * K>(op, op(host::move_up_runs<K, lane>(op.nothing(), x), x));
    else
      return x;
  }

  // Scans whole blocks, by the quick operation where its result is exact.
  template <class Items, class Out>
  void scan_blocks(Items items, Out out, index_t count, V (&carry)[std::size_t{Q}],
                   [[maybe_unused]] bool is_plain) const {
    constexpr index_t step = index_t{W} * block;
    constexpr index_t some = max_of(looked_at_bytes / (step * index_t{sizeof(lane)}), 1) * step;
    if constexpr (is_noted) {
      bool const in_place = host::lie_in_place(items, out);
      for (index_t i = 0; i < count;) {
        index_t const m = in_place ? step : min_of(some, count - i);
        if (!(is_plain
                  ? scan_quickly<plain_lanes<T, op_type>>(items + i, out + i, m, carry, in_place)
                  : scan_quickly<quick>(items + i, out + i, m, carry, in_place)))
          scan_exactly(items + i, out + i, m, carry);
        i += m;
      }
    } else {
      scan_exactly(items, out, count, carry);
    }
  }

  template <class Items, class Out>
  void scan_exactly(Items items, Out out, index_t count, V (&carry)[std::size_t{Q}]) const {
    for (index_t i = 0; i < count; i += W * block)
      scan_block(exact{op_}, items + i, out + i, carry, [] { return true; });
  }
  // Scans whole blocks by the quick operation. Returns false if the result would be wrong, and
  // leaves the items and the carry unchanged. In place, the range must therefore be one block.
  template <class Lanes, class Items, class Out>
  bool scan_quickly(Items items, Out out, index_t count, V (&carry)[std::size_t{Q}],
                    bool in_place) const {
    V const before = carry[0];
    if (!quick::can_start(before))
      return false;
    Lanes op;
    auto const is_right = [&] {
      return !op.is_special() && quick::template is_settled<S>(op_, before, carry[0], items, count);
    };
    bool right = true;
    for (index_t i = 0; i < count; i += W * block)
      scan_block(op, items + i, out + i, carry, [&] { return !in_place || (right = is_right()); });
    if (in_place ? right : is_right())
      return true;
    carry[0] = before;
    return false;
  }

  template <class Items>
  [[gnu::always_inline]] static void load_block(V (&v)[std::size_t{block}], Items items) {
    if constexpr (makes_vectors_in_groups<Items, lane>) {
      items.template make_vectors<block, lane>(v);
    } else if constexpr (in_columns) {
      host::load_in_order<block, lane>(v, items);
    } else {
#pragma GCC unroll 16
      for (int b = 0; b < block; ++b)
        v[b] = host::load<lane>(items + b * W);
    }
  }

  // Scans a block. Stores the outputs only if may_store() returns true.
  template <class Lanes, class Items, class Out, class May>
  void scan_block(Lanes&& op, Items items, Out out, V (&carry)[std::size_t{Q}],
                  May may_store) const {
    V v[std::size_t{block}];
    if constexpr (in_columns) {
      load_block(v, items);
      op.meet(v);
#pragma GCC unroll 8
      for (int b = 0; b < block; b += R)
        host::to_columns<R, lane>(v + b);
#pragma GCC unroll 8
      for (int q = 0; q < Q; ++q)
        scan_round_in_columns(op, v, carry[q]);
#pragma GCC unroll 8
      for (int b = 0; b < block; b += R)
        host::to_rows<R, lane>(v + b);
    } else {
      load_block(v, items);
      op.meet(v);
#pragma GCC unroll 8
      for (int q = 0; q < Q; ++q)
        scan_round(op, v, carry[q]);
    }
    if (!may_store())
      return;
#pragma GCC unroll 16
    for (int b = 0; b < block; ++b)
      host::store(out + b * W, v[b]);
  }

  // Scans a block of vectors across lanes. Each vector takes the exclusive prefix of the block by
  // one operation. The dependent chain from block to block is one operation long, and all other
  // work overlaps.
  template <class Lanes>
  static void scan_round(Lanes const& op, V (&v)[std::size_t{block}], V& carry) {
    V upto[std::size_t{block}];
#pragma GCC unroll 16
    for (int b = 0; b < block; ++b) {
      v[b] = scan_vector(op, v[b]);
      upto[b] = host::repeat_last<S, lane>(v[b]);
    }
#pragma GCC unroll 16
    for (int b = 1; b < block; ++b)
      upto[b] = op(advance<1>(upto[b - 1]), upto[b]);
    v[0] = op(carry, own_part(op, v[0]));
    [&]<int... B>(std::integer_sequence<int, B...>) {
      ((v[B + 1] = op(op(advance<B + 1>(carry), upto[B]), own_part(op, v[B + 1]))), ...);
    }
    (std::make_integer_sequence<int, block - 1>{});
    carry = op(advance<block>(carry), upto[block - 1]);
  }

  // Returns the aggregates rotated for a vector that lies `Vectors` vectors later, where each lane
  // holds another component.
  template <int Vectors>
  static V advance(V totals) {
    if constexpr (Vectors * W % S == 0)
      return totals;
    else
      return host::shuffle<lane, [](int l) { return (Vectors * W + l) % S; }>(totals, totals);
  }

  // Scans groups of columns, where each lane holds consecutive items. It scans down the columns,
  // scans the column aggregates across lanes, and combines each lane with its exclusive prefix.
  // Inlining keeps the vectors in registers under clang.
  template <class Lanes>
  [[gnu::always_inline]] static void scan_round_in_columns(Lanes const& op,
                                                           V (&v)[std::size_t{block}], V& carry) {
    V across[std::size_t{groups}];
#pragma GCC unroll 8
    for (int g = 0; g < groups; ++g) {
      V* const down = v + R * g;
#pragma GCC unroll 16
      for (int r = 1; r < R; ++r)
        down[r] = op(down[r - 1], down[r]);
      across[g] = scan_runs(op, down[R - 1]);
    }
#pragma GCC unroll 8
    for (int g = 0; g < groups; ++g) {
      V* const down = v + R * g;
      V const before = op(carry, host::move_up_runs<1, lane>(op.nothing(), across[g]));
      if constexpr (kind == bound::inclusive) {
#pragma GCC unroll 16
        for (int r = 0; r < R - 1; ++r)
          down[r] = op(before, down[r]);
        down[R - 1] = op(carry, across[g]);
      } else {
#pragma GCC unroll 16
        for (int r = R - 1; r > 0; --r)
          down[r] = op(before, down[r - 1]);
        down[0] = before;
      }
      carry = op(carry, host::repeat_last<1, lane>(across[g]));
    }
  }

  // Returns what each output takes from its own scanned vector. An exclusive scan leaves out the
  // item of the output itself.
  template <class Lanes>
  static V own_part(Lanes const& op, V scanned) {
    return kind == bound::inclusive ? scanned : host::move_up<S, lane>(op.nothing(), scanned);
  }

  Policy policy_;
  op_type op_;
  power_of<op_type, T, Q> power_;
};

}  // namespace sam::inline v0_1::host
