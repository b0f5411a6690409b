// SPDX-License-Identifier: MIT
// Defines scan_state, which holds all that a scan knows of the items before the next one, so that
// one scan can continue another.
#pragma once

#include <sam/algebra/carry_algebra.hpp>
#include <sam/backend/resolved_policy.hpp>
#include <sam/scan_policy.hpp>

namespace sam::inline v0_1 {

/// Holds the state of a scan between two items: one value for each round and component, and the
/// number of items before. A default state has no items before it. States of consecutive runs of
/// items form a monoid, with `combined` as its operation.
///
/// A state is trivially copyable, so it may lie in the host's memory or a device's.
///
/// T        the item type of the scan's output, or that of accumulate_in
/// Policy   the scan_policy; its tuple size must be known at compile time. States of policies that
///          differ only in their carry schemes have the same meaning
/// Bound    the scan's bound. It matters only for orders above 1: states of order 1 serve both
///          kinds of scans. See exclusive_scan_state
template <class T, any_scan_policy Policy = scan_policy<>,
          engine::bound Bound = engine::bound::inclusive>
struct scan_state {
  static_assert(Policy::tuple_size != run_time_tuple,
                "sam::scan_state: the policy's tuple size must be known at compile time");
  using value_type = T;
  using policy_type = Policy;
  static constexpr int order = Policy::order;
  static constexpr int components = Policy::tuple_size;
  static constexpr engine::bound kind = Bound;

  /// The number of items before. A state made by starting_from counts one for each component.
  index_t items = 0;
  /// The values of all rounds. Those of round r begin at r * components, with that of the next
  /// item's component first. Values of components without items are not initialised.
  engine::uninitialized_array<T, Policy::order * Policy::tuple_size> values;

  /// Returns a state whose values are all `init`, as an initial value sets them.
  static SAM_FUNCTION scan_state starting_from(T const& init) {
    scan_state state;
    state.items = components;
    for (int k = 0; k < order * components; ++k)
      state.values.at[k] = init;
    return state;
  }

  /// True if there are items in the component to which the k-th next item belongs, for k from 0 to
  /// components - 1.
  SAM_FUNCTION bool has(index_t k) const { return items >= components - k; }
  /// Returns the value of that component in the last round, if `has(k)`. For an inclusive scan, it
  /// is the last output of the component; for one of order 1, also the total of its items.
  SAM_FUNCTION T const& value(index_t k = 0) const {
    return values.at[(order - 1) * components + k];
  }
  /// Returns the component of the next item, counted from the first item of all.
  SAM_FUNCTION index_t phase() const { return items % components; }

  /// Returns the state behind a run of items, given the state `before` the run and the state `run`
  /// that a scan of the run alone leaves, from a default state. It is associative, and a default
  /// state is its identity. Orders above 1 need an operator with the carry algebra, such as a sum.
  static SAM_FUNCTION scan_state combined(Policy const& policy, scan_state const& before,
                                          scan_state const& run) {
    constexpr bool has_algebra = module_operator<typename Policy::op_type, T>;
    static_assert(order == 1 || has_algebra,
                  "sam::scan_state: states of an order above 1 combine only if the operator has "
                  "the carry algebra, as plus has");
    scan_state both = run;
    both.items = before.items + run.items;
    for (index_t k = 0; k < components; ++k) {
      index_t const first = (run.items + k) % components;  // the component's first item in the run
      if (!before.has(first))
        continue;
      if (!run.has(k))
        both.copy_component(before, first, k);
      else if constexpr (order > 1)
        both.append_component(policy, before, first, run, k);
      else if constexpr (Policy::heading == direction::forward)
        both.values.at[k] = policy.op(before.values.at[first], run.values.at[k]);
      else
        both.values.at[k] = policy.op(run.values.at[k], before.values.at[first]);
    }
    return both;
  }

 private:
  SAM_FUNCTION void copy_component(scan_state const& from, index_t k, index_t to) {
    for (int r = 0; r < order; ++r)
      values.at[r * components + to] = from.values.at[r * components + k];
  }
  // Sets component k to that of `before`, followed by the rows of `run`.
  SAM_FUNCTION void append_component(Policy const& policy, scan_state const& before, index_t first,
                                     scan_state const& run, index_t k) {
    using power = engine::power_of<typename Policy::op_type, T, order>;
    index_t const rows = (run.items - first + components - 1) / components;
    copy_component(before, first, k);
    engine::append<order>(policy.op, values.at + k, run.values.at + k,
                          engine::zero_items<power>(Bound, rows), components);
  }
};

/// The state of an exclusive scan. For order 1 it means what scan_state means, and both are
/// accepted.
template <class T, any_scan_policy Policy = scan_policy<>>
using exclusive_scan_state = scan_state<T, Policy, engine::bound::exclusive>;

/// The state of a scan of segments by keys: that of its last segment, and the last key. It is the
/// scan_state in all else.
template <class T, class Key, any_scan_policy Policy = scan_policy<>>
struct keyed_scan_state : scan_state<T, Policy> {
  using key_type = Key;
  /// The key of the last item, if there are items.
  engine::uninitialized_array<Key, 1> last_key;

  SAM_FUNCTION Key const& key() const { return last_key.at[0]; }
};

namespace detail {
template <class X>
inline constexpr bool is_keyed_state = false;
template <class T, class Key, class Policy>
inline constexpr bool is_keyed_state<keyed_scan_state<T, Key, Policy>> = true;

/// True if a state serves scans of segments by head flags or by length only.
template <class X>
inline constexpr bool is_segmented_state = false;

template <class X>
inline constexpr bool is_scan_state = is_keyed_state<X>;
template <class T, class Policy, engine::bound Bound>
inline constexpr bool is_scan_state<scan_state<T, Policy, Bound>> = true;

/// True if a state of type State is one of T by Policy and Bound.
template <class State, class T, class Policy, engine::bound Bound>
inline constexpr bool holds_values_of = [] {
  using other = typename State::policy_type;
  return std::is_same_v<typename State::value_type, T> &&
         std::is_same_v<typename other::op_type, typename Policy::op_type> &&
         other::order == Policy::order && other::tuple_size == Policy::tuple_size &&
         other::heading == Policy::heading && (Policy::order == 1 || State::kind == Bound);
}();
/// True if it serves scans, which have no segments.
template <class State, class T, class Policy, engine::bound Bound>
inline constexpr bool is_state_of = !is_keyed_state<State> && !is_segmented_state<State> &&
                                    holds_values_of<State, T, Policy, Bound>;
}  // namespace detail

}  // namespace sam::inline v0_1
