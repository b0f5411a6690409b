// SPDX-License-Identifier: MIT
// This header defines the kernel for segmented scans of numbers under any operator. It keeps the
// values separate from the head flags, one bit per value.
#pragma once

#include <sam/backend/tiling.hpp>
#include <sam/host/kernels/simd_kernel.hpp>
#include <sam/host/kernels/transposed_kernel.hpp>
#include <sam/host/simd/flag_bits.hpp>
#include <sam/host/simd/reversed_arrays.hpp>
#include <sam/host/simd/truth_word.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace sam::inline v0_1::host {

/// True if segmented_kernel can scan values of type V, which are numbers of up to 8 bytes.
template <class Policy, class V>
concept fits_segments =
    is_spread<V> && std::is_arithmetic_v<V> && !std::is_same_v<V, bool> && Policy::tuple_size == 1;

/// Combines values, a pointer or a reversed array, with their head flags. Bit i % 8 of heads[i / 8]
/// is set if value i begins a segment. A whole vector must be readable behind the last byte of the
/// flags.
template <class Values>
struct headed_values {
  Values values;
  std::uint8_t const* heads;

  bool begins(index_t i) const { return (heads[i / 8] >> i % 8 & 1) != 0; }
  /// Returns the values and flags from item i on. i is a multiple of 8.
  headed_values operator+(index_t i) const { return {values + i, heads + i / 8}; }
};
template <class Values>
headed_values(Values, std::uint8_t const*) -> headed_values<Values>;

/// Scans segmented values, of order 1. The items are headed_values, the very first of which begins
/// a segment. The states are of type segmented_value. scalar_kernel.hpp describes the kernel
/// interface.
///
/// Each lane holds one run of consecutive items of a block, as in transposed_kernel.hpp. A run has
/// 8 items, whose head flags are one byte, or 16 items of one byte each, whose flags are two bytes.
/// The aggregates of the runs, and whether each run has a head, are values and bits again. A piece
/// has as many blocks as a run has items, so the aggregates of its runs form one block. Only the
/// aggregates of 64 items each, or 256 of one byte, form a dependent chain.
///
/// The head flags only control what a lane selects, so the time does not depend on where segments
/// begin. The aggregate of a tile is a plain reduction of its items from the last head on.
template <class T, class Policy>
class segmented_kernel {
  using V = typename T::value_type;
  using op_type = decltype(Policy::op_type::op);
  static constexpr bound kind = Policy::kind;
  static constexpr bool from_start = Policy::starts_known;
  static constexpr bool by_vectors = lanewise_operator<op_type, V>;
  static constexpr int W = lanes<V>;
  static constexpr int run = max_of(8, chunk<V>);
  static constexpr int block = run * W;
  static constexpr int piece = run * block;
  // Fewer items than these behind the last whole piece are scanned one by one.
  static constexpr int fewest = run == 8 ? block : 256;

  static auto plain_pass(op_type op) {
    return engine::resolve_policy<bound::inclusive>(scan_policy<op_type>{op}, from_nothing{});
  }
  using plain_type = decltype(plain_pass(std::declval<op_type>()));
  using plain_kernel =
      std::conditional_t<by_vectors, simd_kernel<V, plain_type>, transposed_kernel<V, plain_type>>;

 public:
  static constexpr int rounds = 1;
  static constexpr bool whole_tiles = true;

  explicit segmented_kernel(Policy const& policy)
      : both_(policy.op), op_(policy.op.op), plain_(plain_pass(policy.op.op)) {
    if constexpr (from_start)
      start_ = policy.start.value.value;
  }

  index_t width() const { return 1; }
  index_t piece_granule() const { return 2 * piece; }
  index_t granule() const { return engine::least_common_multiple(piece, plain_.granule()); }
  index_t part_aggregates(index_t items) const {
    return plain_.part_aggregates(items);  // only reduce uses them
  }
  void set_tile_items(index_t) {}

  bool start(T* state) const {
    *state = {start_, 0};
    return true;
  }

  template <class Values>
  void reduce(headed_values<Values> items, index_t count, T* accumulator,
              V* part_aggregates) const {
    reduction known;
    for (index_t i = 0; i < count; i += granule())
      reduce_on(known, items, i, granule(), part_aggregates);
    reduce(known, items, count, accumulator, part_aggregates);
  }

  /// Returns the aggregate of values without heads. `count` is a multiple of the granule.
  V reduce_headless(V const* values, index_t count, V* part_aggregates) const {
    V sum;
    plain_.reduce(values, count, &sum, part_aggregates);
    return sum;
  }
  /// Returns the aggregate of reversed values without heads. A lanewise operator may combine them
  /// in any order. Any other operator needs them in their order, so they are copied first.
  V reduce_headless(reversed_array<V const> values, index_t count, V* part_aggregates) const {
    if constexpr (by_vectors) {
      return reduce_headless(host::lowest(values, count), count, part_aggregates);
    } else {
      index_t const some = piece / plain_.granule() * plain_.granule();
      V sum{};
      for (index_t i = 0; i < count; i += some) {
        alignas(vector_bytes) V in_order[std::size_t{piece}];
        index_t const m = min_of(some, count - i);
        for (index_t k = 0; k < m; k += W)
          host::store(in_order + k, host::load<lane>(values + (i + k)));
        V const next = reduce_headless(in_order, m, part_aggregates);
        sum = i == 0 ? next : static_cast<V>(op_(sum, next));
      }
      return sum;
    }
  }

  /// Holds the aggregate of the first items of a tile, as long as none of them is a head.
  struct reduction {
    index_t items = 0;
    V sum{};
  };
  /// Adds items [from, from + count) to the aggregate of the items before them. `count` is a
  /// multiple of the granule. Does nothing behind a head, since the last head determines the
  /// aggregate.
  template <class Values>
  void reduce_on(reduction& known, headed_values<Values> items, index_t from, index_t count,
                 V* part_aggregates) const {
    if (known.items < from || host::any_head(items.heads + from / 8, count))
      return;
    V const sum = reduce_headless(items.values + from, count, part_aggregates);
    known.sum = from == 0 ? sum : static_cast<V>(op_(known.sum, sum));
    known.items += count;
  }
  /// Computes the aggregate of a tile, given the reduction of its first items by reduce_on.
  template <class Values>
  void reduce(reduction const& known, headed_values<Values> items, index_t count, T* accumulator,
              V* part_aggregates) const {
    if (known.items == count)
      *accumulator = {known.sum, 0};
    else
      reduce_last(items, count, accumulator, part_aggregates);
  }

  void place(V*, index_t, T*, bool) const {}

  void append(T* state, T const* tile) const { *state = both_(*state, *tile); }

  /// Scans whole tiles, see scan_tile. While it computes, it calls meanwhile(i, count) for one part
  /// of the items after another. At the call for item i, all outputs more than half a piece before
  /// item i are stored.
  template <class Values, class Out, class Meanwhile>
  void scan(headed_values<Values> items, Out out, index_t count, T* state,
            Meanwhile meanwhile) const {
    V sum = state->value;
    index_t i = count / piece * piece;
    scan_pieces(items, out, i, sum, meanwhile);
    meanwhile(i, count - i);
    if (i + fewest <= count)
      scan_part(items + i, out + i, count - i, sum);
    else
      for (; i < count; ++i)
        out[i] = step_alone(sum, items.values[i], items.begins(i));
    state->value = sum;
  }

 private:
  using lane = typename lane_type<V, op_type>::type;
  using bits = std::make_unsigned_t<bits_of<V>>;
  using vector = vec<lane>;
  // The head flags of the runs in the lanes, 8 of each run in one vector.
  static constexpr int flag_bytes_of_run = run / 8;
  struct flags {
    vec<bits> of[std::size_t{flag_bytes_of_run}];
  };
  // The aggregates of runs and the columns are in the form in which vectors are combined.
  using form = lane_form<V, op_type>;

  struct reversed_lanes {
    vector operator()(vector v) const { return form::turn(v); }
  };

  auto op_of_lanes() const {
    if constexpr (std::is_same_v<typename form::op_type, op_type>)
      return op_;
    else
      return typename form::op_type{};
  }

  struct alignas(vector_bytes) columns {
    V at[std::size_t{block}];
  };
  struct alignas(vector_bytes) one_for_each_lane {
    V at[std::size_t{W}];
  };

  // Reduces the items from the last head on, or all items if there is no head.
  template <class Values>
  void reduce_last(headed_values<Values> items, index_t count, T* accumulator,
                   V* part_aggregates) const {
    index_t bytes = count / 8;
    while (bytes > 0 && items.heads[bytes - 1] == 0)
      --bytes;
    bool const any = bytes > 0;
    index_t const first = any ? 8 * bytes - 8 + std::bit_width(items.heads[bytes - 1]) - 1 : 0;
    V sum = items.values[first];
    if constexpr (from_start)
      sum = any ? static_cast<V>(op_(start_, sum)) : sum;
    index_t i = first + 1;
    for (index_t const whole = i + (count - i) % plain_.granule(); i < whole; ++i)
      sum = op_(sum, items.values[i]);
    if (i < count)
      sum = op_(sum, reduce_headless(items.values + i, count - i, part_aggregates));
    *accumulator = {sum, any};
  }

  // Calls f(0) ... f(N - 1). g++ does not inline the calls for a run of 16 items by itself.
  template <int N, class F>
  [[gnu::always_inline]] static void down_run(F const& f) {
    if constexpr (run > 8)
      host::unrolled_inline<N>(f);
    else
      host::unrolled<N>(f);
  }

  // Returns x where a segment begins, else y. Scalar integers use a mask under g++, which may turn
  // two selections in a row, this one and the operator's, into a branch.
  template <class Begins, class X>
  [[gnu::always_inline]] static X select(Begins begins, X const& x, X const& y) {
#if defined(__GNUC__) && !defined(__clang__)
    if constexpr (std::is_integral_v<X>) {
      auto const mask = static_cast<bits>(begins != 0 ? -1 : 0);
      return static_cast<X>((static_cast<bits>(x) & mask) | (static_cast<bits>(y) & ~mask));
    }
#endif
    return begins ? x : y;
  }

  // Returns the output for an item, or for one item in each lane, and updates `sum`.
  template <bound Kind, bool FromStart, class LaneOp, class X, class Begins>
  [[gnu::always_inline]] static X step(LaneOp const& op, X& sum, X const& x, Begins begins,
                                       [[maybe_unused]] X const& start) {
    X before = sum;
    if constexpr (FromStart) {
      before = select(begins, start, sum);
      sum = static_cast<X>(op(before, x));
    } else {
      sum = select(begins, x, static_cast<X>(op(sum, x)));
    }
    return Kind == bound::inclusive ? sum : before;
  }

  // Does the same for one item outside of a loop over lanes, without the mask of select, which
  // takes longer in a dependent chain.
  V step_alone(V& sum, V x, bool begins) const {
    V before = sum;
    if constexpr (from_start) {
      before = begins ? start_ : sum;
      sum = static_cast<V>(op_(before, x));
    } else {
      sum = sam::detail::combine_in_segment(op_, sum, x, begins);
    }
    return kind == bound::inclusive ? sum : before;
  }

  struct reduced_piece {
    columns of_blocks[std::size_t{run}];
    columns totals;
  };

  // Scans whole pieces. While it scans one piece, it reduces the next one block by block, so that
  // memory reads and writes stay balanced.
  template <class Values, class Out, class Meanwhile>
  void scan_pieces(headed_values<Values> items, Out out, index_t count, V& sum,
                   Meanwhile meanwhile) const {
    reduced_piece pieces[2];
    auto const reduce = [&](index_t i, reduced_piece& to) {
      int const b = static_cast<int>(i / block % run);
      reduce_block<from_start>(items + i, reversed_lanes{}, to.of_blocks[b], to.totals.at + b * W);
    };
    index_t part = 0;
    auto const next_part = [&] {
      meanwhile(part, block / 2);
      part += block / 2;
    };
    for (index_t i = 0; i < min_of(piece, count); i += block) {
      next_part();
      reduce(i, pieces[0]);
    }
    for (index_t i = 0; i < count; i += piece) {
      reduced_piece& now = pieces[i / piece % 2];
      reduced_piece& next = pieces[1 - i / piece % 2];
      place_totals_of((items + i).heads, now, sum);
      for (int b = 0; b < run; ++b) {
        index_t const k = i + b * block;
        if (i > 0)
          next_part();
        if (k + piece < count)
          reduce(k + piece, next);
        next_part();
        scan_block<kind, from_start>(now.of_blocks[b], (items + k).heads, now.totals.at + b * W,
                                     reversed_lanes{}, out + k);
      }
    }
  }

  // Scans fewer items than a piece. Segments of one item, a copy of the last item, fill the rest of
  // the last block.
  template <class Values, class Out>
  void scan_part(headed_values<Values> items, Out out, index_t count, V& sum) const {
    alignas(vector_bytes) V values[std::size_t{piece}];
    alignas(vector_bytes) V scanned[std::size_t{piece}];
    std::uint8_t heads[std::size_t{piece / 8 + vector_bytes}];
    V const last = items.values[count - 1];
    index_t const blocks = div_up(count, index_t{block});
    for (index_t k = 0; k < count; ++k)
      values[k] = items.values[k];
    std::fill(values + count, values + blocks * block, last);
    index_t const whole = count / 8;
    std::fill(std::copy_n(items.heads, whole, heads), heads + piece / 8, std::uint8_t{255});
    if (count % 8 != 0)
      heads[whole] = static_cast<std::uint8_t>(items.heads[whole] | 255 << count % 8);
    scan_blocks(headed_values{values, heads}, scanned, static_cast<int>(blocks), sum);
    for (index_t k = 0; k < count; ++k)
      out[k] = scanned[k];
    sum = scanned[count - 1];
    if constexpr (kind == bound::exclusive)
      sum = op_(sum, last);
  }
  // Scans the first blocks of a piece. The head flags of the other blocks are set, so that any item
  // will do for the aggregates of their runs.
  void scan_blocks(headed_values<V*> items, V* out, int blocks, V& sum) const {
    reduced_piece all;
    for (int b = 0; b < blocks; ++b)
      reduce_block<from_start>(items + b * block, reversed_lanes{}, all.of_blocks[b],
                               all.totals.at + b * W);
    std::fill(all.totals.at + blocks * W, all.totals.at + block, items.values[0]);
    place_totals_of(items.heads, all, sum);
    for (int b = 0; b < blocks; ++b)
      scan_block<kind, from_start>(all.of_blocks[b], (items + b * block).heads,
                                   all.totals.at + b * W, reversed_lanes{}, out + b * block);
  }

  // Converts the aggregates of the runs of a piece to the exclusive prefix of each run, given the
  // head flags of the piece.
  void place_totals_of(std::uint8_t const* heads, reduced_piece& of, V& sum) const {
    alignas(vector_bytes) std::uint8_t any[std::size_t{vector_bytes * flag_bytes_of_run}];
    pack_heads_of_runs(heads, any);
    place_totals(of.totals.at, any, sum);
  }
  void place_totals(V* totals, std::uint8_t const* heads, V& sum) const {
    columns c;
    one_for_each_lane of_runs;
    constexpr auto as_they_are = [](vector v) { return v; };
    reduce_block<false>(headed_values{totals, heads}, as_they_are, c, of_runs.at);
    if constexpr (by_vectors) {
      host::store(of_runs.at, scan_runs(load_by_run(of_runs.at), load_flags(heads), sum));
    } else {
      for (int k = 0; k < W; ++k) {
        V const total = of_runs.at[k];
        of_runs.at[k] = sum;
        sum = has_head(heads, k) ? total : static_cast<V>(op_(sum, total));
      }
    }
    scan_block<bound::exclusive, false>(c, heads, of_runs.at, as_they_are, totals);
  }
  // Returns the exclusive prefix of each run of a block, by the log-step method of Kogge and Stone.
  vector scan_runs(vector x, flags heads, V& sum) const {
    auto const op = op_of_lanes();
    vector const before = form::turn(host::all_lanes(static_cast<lane>(sum)));
    auto begins = has_any(heads);
    vector const first = begins ? x : op(before, x);
    x = host::shuffle<lane, [](int l) { return host::run_of<lane>(l) == 0 ? l : W + l; }>(first, x);
    begins[host::lane_of<lane>(0)] = -1;
    host::unrolled<std::bit_width(unsigned{W}) - 1>([&](auto k) {
      constexpr int far = 1 << k;
      x = begins ? x : op(host::move_up_runs<far, lane>(x, x), x);
      begins |= host::move_up_runs<far, bits_of<V>>(begins, begins);
    });
    sum = static_cast<V>(form::turn(x[host::lane_of<lane>(W - 1)]));
    vector const upto = host::move_up_runs<1, lane>(before, x);
    return host::shuffle<lane, lane_of<lane>>(upto, upto);
  }

  template <bool FromStart, class Values, class Turn>
  void reduce_block(headed_values<Values> items, Turn turn, columns& c, V* totals) const {
    V const start = start_;
    flags const heads = load_flags(items.heads);
    vector v[std::size_t{run}];
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      v[r] = turn(host::load<lane>(items.values + r * W));
    host::to_columns<run, lane>(v);
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      host::store(c.at + r * W, v[r]);
    vector total;
    if constexpr (by_vectors) {
      auto const op = op_of_lanes();
      vector const starts = form::turn(host::all_lanes(static_cast<lane>(start)));
      total = v[0];
      if constexpr (FromStart)
        total = has_head_at(heads, 0) ? op(starts, total) : total;
#pragma GCC unroll 16
      for (int r = 1; r < run; ++r)
        step<bound::inclusive, FromStart>(op, total, v[r], has_head_at(heads, r), starts);
    } else {
      auto const op = op_;
      one_for_each_lane sums;
      heads_of_lanes const begins(heads);
      V const zero = unknown_zero();
#ifdef __clang__  // if unrolled first, the loop is vectorized in parts at most
#pragma clang loop unroll(disable)
#endif
      for (int l = 0; l < W; ++l) {
        V sum = moved(c.at[l], zero);
        if constexpr (FromStart)
          sum = begins(l, 0) != 0 ? static_cast<V>(op(start, sum)) : sum;
        down_run<run - 1>([&](auto r) __attribute__((always_inline)) {
          step<bound::inclusive, FromStart>(op, sum, c.at[(r + 1) * W + l], begins(l, r + 1),
                                            start);
        });
        sums.at[l] = sum;
      }
      total = host::load<lane>(sums.at);
    }
    host::store(totals, host::shuffle<lane, lane_of<lane>>(total, total));
  }

  template <bound Kind, bool FromStart, class Turn, class Out>
  void scan_block(columns& c, std::uint8_t const* heads_of_runs, V const* before, Turn turn,
                  Out out) const {
    V const start = start_;
    flags const heads = load_flags(heads_of_runs);
    vector sums = load_by_run(before);
    vector v[std::size_t{run}];
    if constexpr (by_vectors) {
      auto const op = op_of_lanes();
      vector const starts = form::turn(host::all_lanes(static_cast<lane>(start)));
#pragma GCC unroll 16
      for (int r = 0; r < run; ++r)
        v[r] = step<Kind, FromStart>(op, sums, host::load<lane>(c.at + r * W),
                                     has_head_at(heads, r), starts);
    } else {
      auto const op = op_;
      one_for_each_lane first;
      host::store(first.at, sums);
      heads_of_lanes const begins(heads);
      V const zero = unknown_zero();
#ifdef __clang__  // if unrolled first, the loop is vectorized in parts at most
#pragma clang loop unroll(disable)
#endif
      for (int l = 0; l < W; ++l) {
        V sum = moved(first.at[l], zero);
        down_run<run>([&](auto r) __attribute__((always_inline)) {
          V const x = c.at[r * W + l];
          c.at[r * W + l] = step<Kind, FromStart>(op, sum, x, begins(l, r), start);
        });
      }
#pragma GCC unroll 16
      for (int r = 0; r < run; ++r)
        v[r] = host::load<lane>(c.at + r * W);
    }
    host::to_rows<run, lane>(v);
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      host::store(out + r * W, turn(v[r]));
  }

  // With AVX-512, g++ 12.2 -O3 crashes ("unrecognizable insn") on a masked maximum or minimum of
  // 16-bit lanes whose first operand is in memory. An exclusive or with a zero that is opaque to
  // the compiler moves the operand to a register.
  static constexpr bool must_be_moved =
      std::is_integral_v<V> && sizeof(V) == 2 && vector_bytes == 64;
  static V unknown_zero() {
    if constexpr (must_be_moved) {
      V zero = 0;
      host::forget_value(zero);
      return zero;
    } else {
      return V{};
    }
  }
  static V moved(V x, [[maybe_unused]] V zero) {
    if constexpr (must_be_moved)
      return static_cast<V>(x ^ zero);
    else
      return x;
  }

  // Loads one value per run, in the order of the runs, into the lanes of those runs.
  static vector load_by_run(V const* from) {
    vector const v = host::load<lane>(from);
    return host::shuffle<lane, run_of<lane>>(v, v);
  }

  // Sets bit k % 8 of to[k / 8] if run k of a piece has a head.
  static void pack_heads_of_runs(std::uint8_t const* heads, std::uint8_t* to) {
    if constexpr (flag_bytes_of_run == 1) {
      host::pack_flags<block>(heads, to);
    } else {
      alignas(vector_bytes) std::uint8_t any[std::size_t{block}];
      for (int k = 0; k < block; ++k)
        any[k] = static_cast<std::uint8_t>(heads[2 * k] | heads[2 * k + 1]);
      host::pack_flags<block>(any, to);
    }
  }
  // True if run k has a head.
  static bool has_head(std::uint8_t const* heads, int k) {
    if constexpr (flag_bytes_of_run == 1)
      return heads[k] != 0;
    else
      return (heads[2 * k] | heads[2 * k + 1]) != 0;
  }

  // Loads the head flags so that the word in each lane contains the byte of its run, not
  // necessarily as the lowest byte.
  static flags load_flags(std::uint8_t const* heads) {
    vec<bits> const f = host::load<bits>(heads);
    if constexpr (flag_bytes_of_run == 1) {
      constexpr auto word = [](int l) { return host::run_of<bits>(l) / int(sizeof(bits)); };
      return {{host::shuffle<bits, word>(f, f)}};
    } else {
      vec<bits> const g = host::load<bits>(heads + W);
      return {{host::shuffle<bits, [](int l) { return 2 * host::run_of<bits>(l); }>(f, g),
               host::shuffle<bits, [](int l) { return 2 * host::run_of<bits>(l) + 1; }>(f, g)}};
    }
  }
  static constexpr int byte_in_word(int lane) {
    constexpr int bytes = sizeof(bits);
    int const byte = host::run_of<bits>(lane) % bytes;
    return std::endian::native == std::endian::little ? byte : bytes - 1 - byte;
  }
  // Returns the distance of each lane's byte from the lowest bit of its word.
  static vec<bits> places() {
    return []<int... L>(std::integer_sequence<int, L...>) {
      return vec<bits>{static_cast<bits>(8 * byte_in_word(L))...};
    }
    (std::make_integer_sequence<int, W>{});
  }
  // Returns a mask of the lanes in which item r of the run is a head. It shifts a vector as a
  // whole. g++ 12.2 crashes in SLP vectorization if lanes are shifted one by one, by a number that
  // the address sanitizer keeps in memory.
  static auto has_head_at(flags const& heads, int r) {
    return (heads.of[r / 8] & host::all_lanes(static_cast<bits>(1 << r % 8)) << places()) != 0;
  }
  // Returns a mask of the lanes whose run has a head.
  static auto has_any(flags const& heads) {
    vec<bits> any = heads.of[0];
    for (int k = 1; k < flag_bytes_of_run; ++k)
      any |= heads.of[k];
    return (any & host::all_lanes(static_cast<bits>(255)) << places()) != 0;
  }
  struct heads_of_lanes {
    alignas(vector_bytes) bits at[std::size_t{flag_bytes_of_run}][std::size_t{W}];
    explicit heads_of_lanes(flags const& heads) {
      for (int k = 0; k < flag_bytes_of_run; ++k)
        host::store(at[k], heads.of[k] >> places());
    }
    // Returns an integer because g++ does not vectorize loops over bools.
    bits operator()(int lane, int r) const {
      return at[r / 8][lane] & static_cast<bits>(1 << r % 8);
    }
  };

  typename Policy::op_type both_;
  op_type op_;
  V start_{};
  plain_kernel plain_;
};

}  // namespace sam::inline v0_1::host
