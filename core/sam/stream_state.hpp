// SPDX-License-Identifier: MIT
// Defines stream_state, with which arrays are scanned one after another to the bits of one scan,
// floats included.
//
// A result depends on how items are grouped, if the operator rounds. So a scan with a stream_state
// groups the items of a component by their places in the whole stream: 16 neighbours form a group
// of level 1, 16 of these one of level 2, and so on up to level 12. The places of groups are
// multiples of their sizes. Each group is combined from left to right. What lies before an item is
// the combination, from left to right, of the complete groups before it, the largest first. A state
// holds these groups, those of each level combined, and so a scan can go on from it at any item.
#pragma once

#include <sam/algebra/segmented.hpp>
#include <sam/scan_state.hpp>

namespace sam::inline v0_1::engine {

/// The number of groups that form a group of the next level, and its logarithm.
inline constexpr int stream_group = 16;
inline constexpr int stream_group_bits = 4;
/// The number of levels, from single items at level 0. Groups of the last level form no larger
/// ones.
inline constexpr int stream_levels = 13;

/// Returns how many groups of a level lie before a row and in no larger group that is complete
/// there. They are what a state holds at that level.
SAM_FUNCTION constexpr index_t groups_before(index_t row, int level) {
  index_t const groups = row >> stream_group_bits * level;
  return level == stream_levels - 1 ? groups : groups % stream_group;
}

}  // namespace sam::inline v0_1::engine

namespace sam::inline v0_1 {

/// Holds the state of a stream: all that a scan of one array after another knows between two items.
/// However the stream is cut into arrays, its scan has the same bits as one call with stream_states
/// for all items; on all back ends alike for operators that round at most once. It takes the place
/// of a scan_state in calls with states. A default state has no items before it.
///
/// A stream_state is larger than a scan_state (14 values for each round and component), and its
/// scans read the items once more. For integers a scan_state does the same. States of streams do
/// not combine.
///
/// Scans of a stream reduce, then scan, as the scheme reduce_then_scan does.
///
/// T        the item type of the scan's output, or that of accumulate_in
/// Policy   the scan_policy; its tuple size must be known at compile time. Its carry scheme has no
///          effect
/// Bound    the scan's bound. It matters only for orders above 1
template <class T, any_scan_policy Policy = scan_policy<>,
          engine::bound Bound = engine::bound::inclusive>
struct stream_state {
  static_assert(Policy::tuple_size != run_time_tuple,
                "sam::stream_state: the policy's tuple size must be known at compile time");
  static_assert(
      alignof(T) <= 16 && sizeof(T) <= 1024,
      "sam::stream_state: items of streams may have at most 1024 bytes, and may be aligned "
      "to at most 16");
  using value_type = T;
  using policy_type = Policy;
  /// The type of what groups are combined to.
  using group_type = T;
  static constexpr int order = Policy::order;
  static constexpr int components = Policy::tuple_size;
  static constexpr engine::bound kind = Bound;
  static constexpr int levels = engine::stream_levels;

  /// The number of items before. A state made by starting_from counts one for each component.
  index_t items = 0;
  /// For each round, the groups of each level and then the last results, for each component. That
  /// of the next item comes first. Values of levels and components that have none are not
  /// initialised.
  engine::uninitialized_array<T, Policy::order*(levels + 1) * Policy::tuple_size> values;

  /// Returns a state behind one item `init` of each component, in every round.
  static SAM_FUNCTION stream_state starting_from(T const& init) {
    stream_state state;
    state.items = components;
    for (int round = 0; round < order; ++round)
      for (int k = 0; k < components; ++k)
        state.group(round, 0, k) = state.result(round, k) = init;
    return state;
  }

  /// True if there are items in the component to which the k-th next item belongs, for k from 0 to
  /// components - 1.
  SAM_FUNCTION bool has(index_t k) const { return items >= components - k; }
  /// Returns the result of the component's last item in the last round, if `has(k)`: the last
  /// output of an inclusive scan, and of order 1 the total of the component.
  SAM_FUNCTION T const& value(index_t k = 0) const {
    return values.at[((order - 1) * (levels + 1) + levels) * components + k];
  }
  /// Returns the component of the next item, counted from the first item of all.
  SAM_FUNCTION index_t phase() const { return items % components; }

  /// Returns what the state holds at a level of a round. It is initialised if groups_before(r,
  /// level) > 0, for the number r of items before in that component.
  SAM_FUNCTION T& group(int round, int level, index_t k) {
    return values.at[(round * (levels + 1) + level) * components + k];
  }
  SAM_FUNCTION T const& group(int round, int level, index_t k) const {
    return values.at[(round * (levels + 1) + level) * components + k];
  }
  SAM_FUNCTION T& result(int round, index_t k) { return group(round, levels, k); }
  SAM_FUNCTION T const& result(int round, index_t k) const { return group(round, levels, k); }
};

/// The state of an exclusive scan of a stream. For order 1 it means what stream_state means, and
/// both are accepted.
template <class T, any_scan_policy Policy = scan_policy<>>
using exclusive_stream_state = stream_state<T, Policy, engine::bound::exclusive>;

/// The state of a scan of a stream's segments by head flags or by length: of each group, what its
/// last segment is combined to, and whether a segment begins in it.
template <class T, any_scan_policy Policy = scan_policy<>>
struct segmented_stream_state
    : stream_state<engine::segmented_value<T, detail::heads_beside<T>>,
                   scan_policy<engine::segmented<typename Policy::op_type>>> {
  using value_type = T;
  using policy_type = Policy;

  /// Returns a state in whose open segment `init` precedes the next item. Where segments go by
  /// length, it counts as an item.
  static SAM_FUNCTION segmented_stream_state starting_from(T const& init) {
    segmented_stream_state state;
    state.items = 1;
    state.group(0, 0, 0) = state.result(0, 0) = {init, 1};
    return state;
  }

  /// Returns the total of the last segment so far, if there are items.
  SAM_FUNCTION T const& value() const { return this->result(0, 0).value; }
};

/// The state of a scan of a stream's segments by keys: also the last key.
template <class T, class Key, any_scan_policy Policy = scan_policy<>>
struct keyed_stream_state : segmented_stream_state<T, Policy> {
  using key_type = Key;
  /// The key of the last item, if there are items.
  engine::uninitialized_array<Key, 1> last_key;

  SAM_FUNCTION Key const& key() const { return last_key.at[0]; }

  /// Returns a state behind an item `init` whose key is `key`.
  static SAM_FUNCTION keyed_stream_state starting_from(T const& init, Key const& key) {
    keyed_stream_state state;
    static_cast<segmented_stream_state<T, Policy>&>(state) =
        segmented_stream_state<T, Policy>::starting_from(init);
    state.last_key.at[0] = key;
    return state;
  }
};

namespace detail {
template <class X>
inline constexpr bool is_stream_state = false;
template <class T, class Policy, engine::bound Bound>
inline constexpr bool is_stream_state<stream_state<T, Policy, Bound>> = true;
template <class T, class Policy>
inline constexpr bool is_stream_state<segmented_stream_state<T, Policy>> = true;
template <class T, class Key, class Policy>
inline constexpr bool is_stream_state<keyed_stream_state<T, Key, Policy>> = true;

template <class T, class Policy, engine::bound Bound>
inline constexpr bool is_scan_state<stream_state<T, Policy, Bound>> = true;
template <class T, class Policy>
inline constexpr bool is_scan_state<segmented_stream_state<T, Policy>> = true;
template <class T, class Policy>
inline constexpr bool is_segmented_state<segmented_stream_state<T, Policy>> = true;
template <class T, class Key, class Policy>
inline constexpr bool is_keyed_state<keyed_stream_state<T, Key, Policy>> = true;
}  // namespace detail

}  // namespace sam::inline v0_1
