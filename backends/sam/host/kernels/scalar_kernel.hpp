// SPDX-License-Identifier: MIT
// Scans a tile of any item type under any operator, one item at a time; also documents the
// interface of all kernels.
//
// Every kernel of the engine (simd_kernel.hpp, row_kernel.hpp, ...) provides:
//
// rounds          scan rounds per call: 1, or the order if the operator has no algebra
// takes_reversed  true if reduce and scan take reversed arrays
// width()         values per state: order x components; the order-1 values come first
// granule()       tile sizes are multiples of it; itself a multiple of the tuple size
// piece_granule() piece sizes are multiples of it
// notes(n)        number of values (notes) that the reduction of n items saves for their scan
// tile_is(n)      sets the number of items in a whole tile
// start           sets the state before item 0; false if there is no identity or initial value
// start_apart     sets the state of a run that is scanned without its exclusive prefix
// reduce          computes the aggregate of a whole tile
// place           replaces the notes of some items by the exclusive prefixes of their parts, given
//                 the state before all items, and advances the state past them; there is no state
//                 before the items if not `known`
// append          combines a state with the aggregate of the tile after it
// scan            scans a piece that begins at item `at` of its run; may work in place; `known` is
//                 true if there is a state before the run; placed notes, if given, replace the
//                 state
// propagate       combines the state before a tile with outputs that were scanned without it
#pragma once

#include <sam/backend/job.hpp>
#include <sam/host/kernels/state.hpp>

namespace sam::host {

/// A kernel for tuples of compile-time size. It handles order q if the operator has an algebra,
/// otherwise order 1, which the engine iterates.
///
/// A plain scan is one chain of dependent operations. So a tile is cut into streams of consecutive
/// items, several of which are processed side by side. The reduction saves each stream's aggregate
/// as a note, from which the scan computes the start of every stream.
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
  static constexpr bool takes_notes = Q == 1 && streams > 1;

 public:
  static constexpr int rounds = algebra ? 1 : Policy::order;
  static constexpr bool takes_reversed = true;

  explicit scalar_kernel(Policy const& policy) : policy_(policy) {}

  index_t width() const { return Q * S; }
  index_t piece_granule() const { return granule(); }
  index_t granule() const { return group; }
  index_t notes(index_t items) const { return takes_notes ? items / stream_items * S : 0; }
  void tile_is(index_t items) {
    if constexpr (algebra)
      power_ = sam::zero_items<power_of<op_type, T, Q>>(kind, items / S);
  }

  bool start(T* state) const { return host::start_state<algebra>(policy_, state, width()); }
  bool start_apart(T* state) const {
    return host::start_state_apart<algebra>(policy_, state, width());
  }

  template <class Items>
  void reduce(Items items, index_t count, T* accumulator, T* notes) const {
    if constexpr (takes_notes) {
      for (index_t i = 0; i < count; i += group, notes += streams * S) {
        reduce_group(items + i, notes);
        for (int k = 0; k < streams * S; ++k)
          accumulator[k % S] =
              i == 0 && k < S ? notes[k] : policy_.op(accumulator[k % S], notes[k]);
      }
    } else if constexpr (algebra) {
      start_apart(accumulator);
      for (index_t i = 0; i < count; i += S)
        for (int c = 0; c < S; ++c)
          sam::step<Q, kind>(policy_.op, accumulator + c, items[i + c], S);
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

  void place(T* notes, index_t count, T* state, bool known) const {
    if constexpr (takes_notes)
      place_serially(notes, this->notes(count), state, known);
  }

  void append(T* state, T const* tile) const {
    for (int c = 0; c < S; ++c) {
      if constexpr (algebra)
        sam::append<Q>(policy_.op, state + c, tile + c, power_, S);
      else
        state[c] = policy_.op(state[c], tile[c]);
    }
  }

  template <class Items, class Out>
  void scan(Items items, Out out, index_t count, index_t at, T* state, bool known,
            T const* notes) const {
    known = known || at > 0;
    index_t i = 0;
    if constexpr (takes_notes) {
      if (notes != nullptr && known) {
        notes += this->notes(at);
        for (; i < count; i += group, notes += streams * S)
          scan_group(items + i, out + i, notes);
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
          out[i + c] = sam::step<Q, kind>(policy_.op, state + c, items[i + c], S);
      for (int c = 0; i < count; ++i, ++c)
        out[i] = sam::step<Q, kind>(policy_.op, state + c, items[i], S);
    }
  }

  void propagate(T* out, index_t count, T* state) const {
    for (index_t i = 0; i < count; ++i) {
      if constexpr (algebra)
        out[i] = policy_.op(
            sam::step<Q, kind>(policy_.op, state + i % S, sam::identity_of<T>(policy_.op), S),
            out[i]);
      else
        out[i] = kind == bound::exclusive && i < S ? state[i] : policy_.op(state[i % S], out[i]);
    }
  }

 protected:
  void place_serially(T* notes, index_t count, T* state, bool known) const {
    index_t i = 0;
    if (!known)
      for (; i < S; ++i)
        state[i] = notes[i];
    uninitialized_array<T, S> sum;
    for (int c = 0; c < S; ++c)
      sum.at[c] = state[c];
    for (; i < count; i += S)
      for (int c = 0; c < S; ++c) {
        T const item = notes[i + c];
        notes[i + c] = sum.at[c];
        sum.at[c] = policy_.op(sum.at[c], item);
      }
    for (int c = 0; c < S; ++c)
      state[c] = sum.at[c];
  }

  Policy policy_;
  power_of<op_type, T, Q> power_;

 private:
  // Scans with the state in registers. A state in memory might alias the next output, so each item
  // would wait for a store and a load.
  template <class Items, class Out>
  void scan_serially(Items items, Out out, index_t count, T* state) const {
    auto const op = policy_.op;
    uninitialized_array<T, S> sum;
    for (int c = 0; c < S; ++c)
      sum.at[c] = state[c];
    index_t i = 0;
    for (; i + S <= count; i += S)
      host::unrolled<S>(
          [&](auto c) { out[i + c] = sam::step<1, kind>(op, sum.at + c, items[i + c]); });
    for (int c = 0; c < S - 1 && i < count; ++i, ++c)
      out[i] = sam::step<1, kind>(op, sum.at + c, items[i]);
    for (int c = 0; c < S; ++c)
      state[c] = sum.at[c];
  }

  template <class Items>
  void reduce_group(Items items, T* notes) const {
    auto const op = policy_.op;
    uninitialized_array<T, streams * S> sum;
    for (int k = 0; k < streams * S; ++k)
      sum.at[k] = items[k / S * stream_items + k % S];
    for (int i = S; i < stream_items; i += S)
      host::unrolled<streams * S>(
          [&](auto k) { sum.at[k] = op(sum.at[k], items[k / S * stream_items + i + k % S]); });
    for (int k = 0; k < streams * S; ++k)
      notes[k] = sum.at[k];
  }

  template <class Items, class Out>
  void scan_group(Items items, Out out, T const* notes) const {
    auto const op = policy_.op;
    uninitialized_array<T, streams * S> before;
    for (int k = 0; k < streams * S; ++k)
      before.at[k] = notes[k];
    for (int i = 0; i < stream_items; i += S)
      host::unrolled<streams * S>([&](auto k) {
        index_t const at = k / S * stream_items + i + k % S;
        out[at] = sam::step<1, kind>(op, before.at + k, items[at]);
      });
  }
};

}  // namespace sam::host
