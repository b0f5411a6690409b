// SPDX-License-Identifier: MIT
// This header defines the kernel that scans items of any type under any operator, one item at a
// time.
//
// Every kernel in this folder offers the following interface to the scan engine:
//
// - rounds: the number of carry exchanges of one scan. It is 1, or the order if the operator has no
//   algebra.
// - takes_reversed: true if reduce and scan accept reversed items, and scan reversed outputs.
// - width(): the number of values in a state, order x components. The order-1 aggregates come
//   first.
// - granule(): the size of a tile is a multiple of this many items, and thus of the tuple size.
// - piece_granule(): the size of a piece of a tile is a multiple of this many items.
// - part_aggregates(n): the number of aggregates of parts that reduce leaves for the scan of the
//   same n items. Here n is a multiple of granule().
// - set_tile_items(n): sets the number of items of a whole tile.
// - start: writes the state before item 0. Returns false if there is none, for lack of an identity
//   and an initial value.
// - start_apart: writes the state from which a run is scanned independently of the items before it.
//   Returns false if there is none.
// - reduce: computes the aggregates of a whole tile and of its parts.
// - place: turns the aggregates of the parts, in place, into their exclusive prefixes. It takes
//   the state before the tile, if `known`, and leaves the state behind the tile.
// - append: combines a state with the aggregate of the tile behind it.
// - append_items, optional: combines a state with items behind it, whose number is a multiple of
//   appended_granule. This is faster than scanning them.
// - put_groups, append_groups, optional: reduce groups of items before the state is known, and
//   append them to it as a scan would.
// - scan: scans a piece that begins at item `at` of its run. The outputs may overwrite the items.
//   `known` says that a state before the run exists. Prefixes of parts that `place` has
//   computed, if any, replace the state.
// - propagate: combines the state before a run with outputs that were scanned without it.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/host/kernels/state.hpp>

namespace sam::inline v0_1::host {

/// Scans tuples of compile-time size, of order q if the operator has an algebra (a module).
/// Otherwise the order is 1, and the engine iterates the scan.
///
/// A scan by itself is one chain of dependent operations. The kernel therefore cuts a tile into
/// streams of consecutive items, and processes several streams side by side. The reduction stores
/// the aggregate of each stream in part_aggregates, from which `place` derives the exclusive
/// prefix of every stream.
template <class T, class Policy>
class scalar_kernel {
  using op_type = typename Policy::op_type;
  static constexpr bool algebra = has_algebra<T, Policy>;
  static constexpr int Q = algebra ? Policy::order : 1;
  static constexpr int S = Policy::tuple_size;
  static constexpr bound kind = Policy::kind;
  static constexpr int streams = S * sizeof(T) <= 8 ? 8 : S * sizeof(T) <= 32 ? 4 : 1;
  static constexpr int stream_items = 64 * S;
  static constexpr int group = streams * stream_items;
  static constexpr bool keeps_part_aggregates = Q == 1 && streams > 1;

 public:
  static constexpr char const* name = "several streams, item by item";
  static constexpr int rounds = algebra ? 1 : Policy::order;
  static constexpr bool takes_reversed = true;
  /// Says that few items take long enough to be shared by several workers.
  static constexpr bool shares_few_items = true;

  explicit scalar_kernel(Policy const& policy) : policy_(policy) {}

  index_t width() const { return Q * S; }
  index_t piece_granule() const { return granule(); }
  index_t granule() const { return group; }
  index_t part_aggregates(index_t items) const {
    return keeps_part_aggregates ? items / stream_items * S : 0;
  }
  void set_tile_items(index_t items) {
    if constexpr (algebra)
      power_ = engine::zero_items<power_of<op_type, T, Q>>(kind, items / S);
  }

  bool start(T* state) const { return host::start_state<algebra>(policy_, state, width()); }
  bool start_apart(T* state) const {
    return host::start_state_apart<algebra>(policy_, state, width());
  }

  template <class Items>
  void reduce(Items items, index_t count, T* accumulator, T* part_aggregates) const {
    if constexpr (keeps_part_aggregates) {
      for (index_t i = 0; i < count; i += group, part_aggregates += streams * S) {
        reduce_group(items + i, part_aggregates);
        for (int k = 0; k < streams * S; ++k)
          accumulator[k % S] = i == 0 && k < S ? part_aggregates[k]
                                               : policy_.op(accumulator[k % S], part_aggregates[k]);
      }
    } else if constexpr (algebra) {
      start_apart(accumulator);
      for (index_t i = 0; i < count; i += S)
        for (int c = 0; c < S; ++c)
          engine::step<Q, kind>(policy_.op, accumulator + c, items[i + c], S);
    } else {
      auto const op = policy_.op;
      uninitialized_array<T, S> sum;
      for (int c = 0; c < S; ++c)
        sum.at[c] = items[c];
      for (index_t i = S; i < count; i += S)
        for (int c = 0; c < S; ++c)
          sum.at[c] = op(sum.at[c], items[i + c]);
      for (int c = 0; c < S; ++c)
        accumulator[c] = sum.at[c];
    }
  }

  void place(T* part_aggregates, index_t count, T* state, bool known) const {
    if constexpr (keeps_part_aggregates)
      place_serially(part_aggregates, this->part_aggregates(count), state, known);
  }

  void append(T* state, T const* tile) const {
    for (int c = 0; c < S; ++c) {
      if constexpr (algebra)
        engine::append<Q>(policy_.op, state + c, tile + c, power_, S);
      else
        state[c] = policy_.op(state[c], tile[c]);
    }
  }

  template <class Items, class Out>
  void scan(Items items, Out out, index_t count, index_t at, T* state, bool known,
            T const* part_aggregates) const {
    known = known || at > 0;
    index_t i = 0;
    if constexpr (keeps_part_aggregates) {
      if (part_aggregates != nullptr && known) {
        part_aggregates += this->part_aggregates(at);
        for (; i < count; i += group, part_aggregates += streams * S)
          scan_group(items + i, out + i, part_aggregates);
        return;
      }
    }
    if (!known) {
      for (; i < min_of(S, count); ++i) {
        state[i] = items[i];
        if constexpr (kind == bound::inclusive)
          out[i] = items[i];
      }
    }
    if constexpr (Q == 1) {
      scan_serially(items + i, out + i, count - i, state);
    } else {
      for (; i + S <= count; i += S)
        for (int c = 0; c < S; ++c)
          out[i + c] = engine::step<Q, kind>(policy_.op, state + c, items[i + c], S);
      for (int c = 0; i < count; ++i, ++c)
        out[i] = engine::step<Q, kind>(policy_.op, state + c, items[i], S);
    }
  }

  void propagate(T* out, index_t count, T* state) const {
    for (index_t i = 0; i < count; ++i) {
      if constexpr (algebra)
        out[i] = policy_.op(
            engine::step<Q, kind>(policy_.op, state + i % S, sam::identity_of<T>(policy_.op), S),
            out[i]);
      else
        out[i] = kind == bound::exclusive && i < S ? state[i] : policy_.op(state[i % S], out[i]);
    }
  }

 protected:
  void place_serially(T* part_aggregates, index_t count, T* state, bool known) const {
    index_t i = 0;
    if (!known)
      for (; i < S; ++i)
        state[i] = part_aggregates[i];
    uninitialized_array<T, S> sum;
    for (int c = 0; c < S; ++c)
      sum.at[c] = state[c];
    for (; i < count; i += S)
      for (int c = 0; c < S; ++c) {
        T const item = part_aggregates[i + c];
        part_aggregates[i + c] = sum.at[c];
        sum.at[c] = policy_.op(sum.at[c], item);
      }
    for (int c = 0; c < S; ++c)
      state[c] = sum.at[c];
  }

  Policy policy_;
  power_of<op_type, T, Q> power_;

 private:
  // Scans items with the state in registers. A state in memory could alias the next output, so each
  // item would wait for a store and a load.
  template <class Items, class Out>
  void scan_serially(Items items, Out out, index_t count, T* state) const {
    auto const op = policy_.op;
    uninitialized_array<T, S> sum;
    for (int c = 0; c < S; ++c)
      sum.at[c] = state[c];
    index_t i = 0;
    for (; i + S <= count; i += S)
      host::unrolled<S>(
          [&](auto c) { out[i + c] = engine::step<1, kind>(op, sum.at + c, items[i + c]); });
    for (int c = 0; c < S - 1 && i < count; ++i, ++c)
      out[i] = engine::step<1, kind>(op, sum.at + c, items[i]);
    for (int c = 0; c < S; ++c)
      state[c] = sum.at[c];
  }

  template <class Items>
  void reduce_group(Items items, T* part_aggregates) const {
    auto const op = policy_.op;
    uninitialized_array<T, streams * S> sum;
    for (int k = 0; k < streams * S; ++k)
      sum.at[k] = items[k / S * stream_items + k % S];
    for (int i = S; i < stream_items; i += S)
      host::unrolled<streams * S>(
          [&](auto k) { sum.at[k] = op(sum.at[k], items[k / S * stream_items + i + k % S]); });
    for (int k = 0; k < streams * S; ++k)
      part_aggregates[k] = sum.at[k];
  }

  template <class Items, class Out>
  void scan_group(Items items, Out out, T const* part_aggregates) const {
    auto const op = policy_.op;
    uninitialized_array<T, streams * S> before;
    for (int k = 0; k < streams * S; ++k)
      before.at[k] = part_aggregates[k];
    for (int i = 0; i < stream_items; i += S)
      host::unrolled<streams * S>([&](auto k) {
        index_t const at = k / S * stream_items + i + k % S;
        out[at] = engine::step<1, kind>(op, before.at + k, items[at]);
      });
  }
};

}  // namespace sam::inline v0_1::host
