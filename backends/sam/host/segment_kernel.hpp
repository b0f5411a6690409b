// SPDX-License-Identifier: MIT
// A tile of numbers in segments, under any operator: values apart from the bits that say where
// segments begin.
#pragma once

#include <sam/host/column_kernel.hpp>
#include <sam/host/flag_bits.hpp>
#include <sam/host/lane_kernel.hpp>

#include <bit>

namespace sam::host {

/// Numbers of 2 to 8 bytes.
template <class Pass, class V>
concept fits_segments = is_spread<V> && Pass::tuple_size == 1;

/// Values, and in bit i % 8 of heads[i / 8] whether value i begins a segment.
template <class V>
struct headed_values {
  V const* values;
  std::uint8_t const* heads;
  bool begins(index_t i) const { return (heads[i / 8] >> i % 8 & 1) != 0; }
  friend headed_values operator+(headed_values all, index_t i) {  // whole bytes
    return {all.values + i, all.heads + i / 8};
  }
};

/// See item_kernel.hpp for what a kernel offers, here to items that are headed_values, of which the
/// first begins a segment, with states that are segmented_value. Order 1.
///
/// A block's runs of 8 consecutive items lie in one lane each, as in column_kernel.hpp, and so do
/// the bits of a run, which are a byte. Runs' totals, and whether the runs have heads, are values
/// and bits again. So a piece is 8 blocks, of which there is one block of totals: only the totals
/// of its runs, one for every 64 items, are a chain. Which items begin segments decides nothing but
/// what a lane selects, so it does not matter to the time that a scan takes.
///
/// What a tile comes to is what the items from its last head on come to, without any flags.
template <class T, class Pass>
class segment_kernel {
  using V = typename T::value_type;
  using op_type = decltype(Pass::op_type::op);
  static constexpr bound kind = Pass::kind;
  static constexpr bool from_start = Pass::starts_known;
  static constexpr bool by_vectors = lanewise_operator<op_type, V>;
  using lane = typename lane_type<V, op_type>::type;
  using bits = std::make_unsigned_t<bits_of<V>>;
  using vector = vec<lane>;
  using flags = vec<bits>;  // of a lane's run
  static constexpr int W = lanes<lane>;
  static constexpr int run = 8;
  static constexpr int block = run * W;
  static constexpr int piece = run * block;

  using plain_pass = decltype(make_pass<bound::inclusive>(scan_policy<op_type>{}, from_nothing{}));
  using plain_kernel = std::conditional_t<fits_lanes<plain_pass, V>, lane_kernel<V, plain_pass>,
                                          column_kernel<V, plain_pass>>;

 public:
  static constexpr int rounds = 1;

  explicit segment_kernel(Pass const& pass)
      : op_(pass.op.op), pass_op_(pass.op), start_{},
        plain_(make_pass<bound::inclusive>(scan_policy<op_type>{pass.op.op}, from_nothing{})) {
    if constexpr (from_start)
      start_ = pass.start.value.value;
  }

  index_t width() const { return 1; }
  index_t piece_granule() const { return piece; }
  index_t granule() const { return max_of(index_t{piece}, plain_.granule()); }
  index_t notes(index_t items) const { return plain_.notes(items); }
  void tile_is(index_t) {}

  bool start(T* state) const {
    *state = {start_, 0};
    return true;
  }

  void reduce(headed_values<V> items, index_t count, T* summary, V* notes) const {
    index_t bytes = count / 8;
    while (bytes > 0 && items.heads[bytes - 1] == 0)
      --bytes;
    index_t first = 0;
    V sum = items.values[0];
    if (bytes > 0) {
      first = bytes * 8 - 8 + std::bit_width(items.heads[bytes - 1]) - 1;
      sum = begin(items.values[first]);
    }
    index_t i = first + 1;
    index_t const rest = (count - i) % plain_.granule();
    for (index_t const end = i + rest; i < end; ++i)
      sum = op_(sum, items.values[i]);
    if (i < count) {
      V others;
      plain_.reduce(items.values + i, count - i, &others, notes);
      sum = op_(sum, others);
    }
    using heads = decltype(summary->heads);
    *summary = {sum, static_cast<heads>(bytes > 0)};
  }

  void place(V*, index_t, T*, bool) const {}

  void append(T* state, T const* tile) const { *state = pass_op_(*state, *tile); }

  void scan(headed_values<V> items, V* out, index_t count, index_t, T* state, bool,
            V const*) const {
    index_t i = 0;
    V sum = state->value;
    for (; i + piece <= count; i += piece)
      scan_piece(items + i, out + i, sum);
    for (; i < count; ++i)
      out[i] = step<kind, from_start>(op_, sum, items.values[i], items.begins(i), start_);
    state->value = sum;
  }

 private:
  // An item, or a vector of them.
  template <bound Kind, bool FromStart, class X, class Begins>
  [[gnu::always_inline]] static X step(op_type const& op, X& sum, X const& x, Begins const& begins,
                                       [[maybe_unused]] X const& start) {
    X before = sum;
    if constexpr (FromStart) {
      before = begins ? start : sum;
      sum = static_cast<X>(op(before, x));
    } else {
      sum = begins ? x : static_cast<X>(op(sum, x));
    }
    return Kind == bound::inclusive ? sum : before;
  }
  V begin(V x) const {
    if constexpr (from_start)
      return op_(start_, x);
    else
      return x;
  }

  struct alignas(vector_bytes) columns {
    V at[block];
  };
  struct alignas(vector_bytes) lane_flags {
    bits at[W];
  };

  static flags load_flags(std::uint8_t const* heads) {
    typedef std::uint8_t bytes __attribute__((vector_size(W)));
    bytes b;
    std::memcpy(&b, heads, sizeof b);
    flags const f = __builtin_convertvector(b, flags);
    return shuffle<bits, run_of<bits>>(f, f);
  }
  static auto bit(flags f, int r) { return (f & static_cast<bits>(1 << r)) != 0; }

  void scan_piece(headed_values<V> items, V* out, V& sum) const {
    columns c[run];
    columns totals;
    for (int b = 0; b < run; ++b)
      reduce_block<from_start>(items + b * block, c[b], totals.at + b * W);
    alignas(vector_bytes) std::uint8_t total_heads[block / 8];
    pack_flags<block>(items.heads, total_heads);
    columns before;
    place_totals({totals.at, total_heads}, before.at, sum);
    for (int b = 0; b < run; ++b)
      scan_block<kind, from_start>(c[b], (items + b * block).heads, before.at + b * W,
                                   out + b * block);
  }

  // Exclusive, from the totals of a piece's runs to what lies before each.
  void place_totals(headed_values<V> totals, V* out, V& sum) const {
    columns c;
    alignas(vector_bytes) V level[W];
    alignas(vector_bytes) V before[W];
    reduce_block<false>(totals, c, level);
    for (int k = 0; k < W; ++k) {
      before[k] = sum;
      V const both = static_cast<V>(op_(sum, level[k]));
      sum = totals.heads[k] != 0 ? level[k] : both;
    }
    scan_block<bound::exclusive, false>(c, totals.heads, before, out);
  }

  template <bool FromStart>
  void reduce_block(headed_values<V> items, columns& c, V* totals) const {
    auto const op = op_;
    V const first = start_;
    vector v[run];
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      v[r] = load<lane>(items.values + r * W);
    to_columns<run, lane>(v);
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      store(c.at + r * W, v[r]);
    flags const f = load_flags(items.heads);
    vector sum;
    if constexpr (by_vectors) {
      if constexpr (FromStart) {
        vector const start = all_lanes(static_cast<lane>(first));
        sum = bit(f, 0) ? static_cast<vector>(op(start, v[0])) : v[0];
#pragma GCC unroll 16
        for (int r = 1; r < run; ++r)
          step<bound::inclusive, true>(op, sum, v[r], bit(f, r), start);
      } else {
        sum = v[0];
#pragma GCC unroll 16
        for (int r = 1; r < run; ++r)
          step<bound::inclusive, false>(op, sum, v[r], bit(f, r), sum);
      }
    } else {
      lane_flags of_lane;
      columns sums;
      store(of_lane.at, f);
      for (int l = 0; l < W; ++l) {
        V one = c.at[l];
        if constexpr (FromStart)
          one = (of_lane.at[l] & 1) != 0 ? static_cast<V>(op(first, one)) : one;
        unrolled<run - 1>([&](auto r) {
          step<bound::inclusive, FromStart>(op, one, c.at[(r + 1) * W + l],
                                            (of_lane.at[l] >> (r + 1) & 1) != 0, first);
        });
        sums.at[l] = one;
      }
      sum = load<lane>(sums.at);
    }
    store(totals, shuffle<lane, lane_of<lane>>(sum, sum));
  }

  template <bound Kind, bool FromStart>
  void scan_block(columns& c, std::uint8_t const* heads, V const* before, V* out) const {
    auto const op = op_;
    V const start = start_;
    flags const f = load_flags(heads);
    vector first = load<lane>(before);
    first = shuffle<lane, run_of<lane>>(first, first);
    vector v[run];
    if constexpr (by_vectors) {
      vector const starts = all_lanes(static_cast<lane>(start));
#pragma GCC unroll 16
      for (int r = 0; r < run; ++r)
        v[r] = step<Kind, FromStart>(op, first, load<lane>(c.at + r * W), bit(f, r), starts);
    } else {
      lane_flags of_lane;
      columns sums;
      store(of_lane.at, f);
      store(sums.at, first);
      for (int l = 0; l < W; ++l) {
        V sum = sums.at[l];
        unrolled<run>([&](auto r) {
          c.at[r * W + l] = step<Kind, FromStart>(op, sum, c.at[r * W + l],
                                                  (of_lane.at[l] >> r & 1) != 0, start);
        });
      }
#pragma GCC unroll 16
      for (int r = 0; r < run; ++r)
        v[r] = load<lane>(c.at + r * W);
    }
    to_rows<run, lane>(v);
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      store(out + r * W, v[r]);
  }

  op_type op_;
  typename Pass::op_type pass_op_;
  V start_;
  plain_kernel plain_;
};

}  // namespace sam::host
