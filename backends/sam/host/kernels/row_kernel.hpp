// SPDX-License-Identifier: MIT
// This header defines the kernel for tuples whose size is known only at run time. It processes one
// tuple at a time, so the loop over the components has no dependent operations.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/host/kernels/state.hpp>

namespace sam::inline v0_1::host {

/// Scans tuples of run-time size, one tuple (row) after another. scalar_kernel.hpp describes the
/// kernel interface. The order is q if the operator has an algebra (a module), otherwise 1.
template <class T, class Policy>
class row_kernel {
  using op_type = typename Policy::op_type;
  static constexpr bool algebra = has_algebra<T, Policy>;
  static constexpr int Q = algebra ? Policy::order : 1;
  static constexpr bound kind = Policy::kind;

 public:
  static constexpr char const* name = "row by row";
  static constexpr int rounds = algebra ? 1 : Policy::order;
  static constexpr bool takes_reversed = true;

  explicit row_kernel(Policy const& policy) : policy_(policy), s_(policy.components) {}

  index_t width() const { return Q * s_; }
  index_t granule() const { return s_; }
  index_t piece_granule() const { return 1; }
  index_t part_aggregates(index_t) const { return 0; }
  void set_tile_items(index_t items) {
    if constexpr (algebra)
      power_ = engine::zero_items<power_of<op_type, T, Q>>(kind, items / s_);
  }

  bool start(T* state) const { return host::start_state<algebra>(policy_, state, width()); }
  bool start_apart(T* state) const {
    return host::start_state_apart<algebra>(policy_, state, width());
  }

  template <class Items>
  void reduce(Items items, index_t count, T* accumulator, T*) const {
    index_t i = 0;
    if (!start_apart(accumulator))
      for (; i < s_; ++i)
        accumulator[i] = items[i];
    for (; i < count; i += s_)
      for (index_t c = 0; c < s_; ++c)
        engine::step<Q, kind>(policy_.op, accumulator + c, items[i + c], s_);
  }

  void place(T*, index_t, T*, bool) const {}

  void append(T* state, T const* tile) const {
    for (index_t c = 0; c < s_; ++c) {
      if constexpr (algebra)
        engine::append<Q>(policy_.op, state + c, tile + c, power_, s_);
      else
        state[c] = policy_.op(state[c], tile[c]);
    }
  }

  template <class Items, class Out>
  void scan(Items items, Out out, index_t count, index_t at, T* state, bool known, T const*) const {
    index_t first = at % s_;  // the component of the first item
    for (index_t i = 0; i < count; first = 0) {
      index_t const m = min_of(s_ - first, count - i);
      scan_row(items + i, out + i, m, state + first, known || at + i >= s_);
      i += m;
    }
  }

  template <class Items, class Out>
  void scan_row(Items items, Out out, index_t m, T* state, bool known) const {
    if (known) {
      for (index_t c = 0; c < m; ++c)
        out[c] = engine::step<Q, kind>(policy_.op, state + c, items[c], s_);
    } else {
      for (index_t c = 0; c < m; ++c) {
        state[c] = items[c];
        if constexpr (kind == bound::inclusive)
          out[c] = items[c];
      }
    }
  }

  void propagate(T* out, index_t count, T* state) const {
    for (index_t i = 0; i < count; i += s_)
      for (index_t c = 0; c < min_of(s_, count - i); ++c) {
        if constexpr (algebra)
          out[i + c] = policy_.op(
              engine::step<Q, kind>(policy_.op, state + c, sam::identity_of<T>(policy_.op), s_),
              out[i + c]);
        else
          out[i + c] =
              kind == bound::exclusive && i == 0 ? state[c] : policy_.op(state[c], out[i + c]);
      }
  }

 private:
  Policy policy_;
  index_t s_;
  power_of<op_type, T, Q> power_;
};

}  // namespace sam::inline v0_1::host
