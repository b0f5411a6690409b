// SPDX-License-Identifier: MIT
// Applies operators to vectors: directly or, for floats without NaN, with fewer instructions.
#pragma once

#include <sam/host/simd/reversed_arrays.hpp>
#include <sam/host/simd/simd.hpp>

#include <cstdint>

namespace sam::host {

/// Combines vectors by the operator itself.
template <class T, class Op>
struct exact_lanes {
  using lane = typename lane_type<T, Op>::type;
  using V = vec<lane>;
  Op op;

  V operator()(V a, V b) const { return op(a, b); }
  V nothing() const { return host::all_lanes(static_cast<lane>(sam::identity_of<T>(op))); }
  template <std::size_t N>
  static void meet(V const (&)[N]) {}
};

/// Selects the form in which an operator is applied: `op_type` applied to values after `turn`,
/// which also converts results back. For floats x86 needs three instructions for IEEE 754's minimum
/// but five for its maximum. So the maximum is computed as the minimum of negated values.
template <class T, class Op>
struct lane_form {
  using op_type = Op;
  template <class V>
  static V turn(V v) {
    return v;
  }
};
template <class Op>
struct negated_lanes {
  using op_type = Op;
  template <class V>
  static V turn(V v) {
    return -v;
  }
};
template <std::floating_point T>
struct lane_form<T, maximum> : negated_lanes<minimum> {};
template <std::floating_point T>
struct lane_form<T, maximum_number> : negated_lanes<minimum_number> {};

/// True for an operator that needs fewer instructions on floats without NaN.
template <class Op, class T>
concept has_quick_lanes = std::is_floating_point_v<T> && requires(T x) {
  { Op::quick(x, x) } -> std::same_as<T>;
};

/// Bytes of items that are combined before they are checked for NaN.
inline constexpr index_t looked_at_bytes = 4096;

/// Returns true if any bit is set.
template <class V>
bool any_bit(V v) {
  constexpr int words = int(sizeof(V)) / 8;
  std::uint64_t at[std::size_t{words}], any = 0;
  std::memcpy(at, &v, sizeof v);
  for (int k = 0; k < words; ++k)
    any |= at[k];
  return any != 0;
}

/// Combines vectors of floats as Op does, in one instruction each, and records if that was wrong.
/// x86 has an instruction for `a < b ? b : a` but none for IEEE 754's maximum. That takes five,
/// which makes a scan in cache two to four times as slow.
template <class T, class Op>
struct quick_lanes {
  using V = vec<T>;
  using bits = decltype(V{} < V{});
  bits nan{};

  V operator()(V a, V b) const { return Op::quick(a, b); }
  V nothing() const { return host::all_lanes(Op::template quick_identity<T>()); }

  /// Checks items for NaN and records the outcome.
  template <std::size_t N>
  [[gnu::always_inline]] void meet(V const (&items)[N]) {
#pragma GCC unroll 16
    for (std::size_t k = 0; k < N; k += 2)
      nan |= unordered(items[k], items[k + 1 < N ? k + 1 : k]);
  }
  /// Returns true if any item checked so far was a NaN.
  bool is_special() const { return host::any_bit(nan); }

  /// Returns true if the quick operation correctly combines `before`, the aggregate of all earlier
  /// items, with numbers. It does not if `before` is a NaN.
  static bool can_start(V before) {
    constexpr T identity = sam::identity_of<T>(Op{});
    if constexpr (identity != identity)
      return !host::any_bit(unordered(before, before));
    else
      return true;
  }
  /// Returns true if a zero that follows x does not change it.
  static bool is_settled(Op const& op, T x) {
    T const with_zero = op(x, Op::template stronger_zero<T>());
    return std::memcmp(&with_zero, &x, sizeof x) == 0;
  }
  /// Returns true if no output is a zero of the wrong sign, given the aggregates before and after
  /// the items, one for each component.
  template <int Components, class Items>
  static bool is_settled(Op const& op, V before, V after, Items items, index_t count) {
    bool settled = true;
    for (int k = 0; k < Components; ++k)
      settled &= is_settled(op, before[k]) || (after[k] != T(0) && !is_settled(op, after[k]));
    return settled || !has_stronger_zero(items, count);
  }
  /// Corrects the signs of aggregates that are zeros. Returns false if it cannot determine them.
  template <int Components, class Items>
  static bool settle(Op const& op, T* totals, Items items, index_t count) {
    bool settled = true;
    for (int k = 0; k < Components; ++k)
      settled &= totals[k] != T(0) || is_settled(op, totals[k]);
    if (settled || !has_stronger_zero(items, count))
      return true;
    if constexpr (Components == 1)
      totals[0] = Op::template stronger_zero<T>();
    return Components == 1;
  }
  /// Returns true if the items, whole vectors, include the zero that other zeros do not change.
  template <class Items>
  static bool has_stronger_zero(Items items, index_t count) {
    bits any{};
    auto const zero = __builtin_bit_cast(bits, host::all_lanes(Op::template stronger_zero<T>()));
    for (index_t i = 0; i < count; i += lanes<T>)
      any |= __builtin_bit_cast(bits, host::load<T>(items + i)) == zero;
    return host::any_bit(any);
  }

 private:
  // Compilers make one instruction of this loop; g++ makes three of the vector expression.
  [[gnu::always_inline]] static bits unordered(V a, V b) {
    bits u{};
    for (int l = 0; l < lanes<T>; ++l)
      u[l] = __builtin_isunordered(a[l], b[l]) ? -1 : 0;
    return u;
  }
};

/// Combines items that are known to have no NaN, and does not check for any.
template <class T, class Op>
struct plain_lanes : quick_lanes<T, Op> {
  template <std::size_t N>
  static void meet(vec<T> const (&)[N]) {}
  static bool is_special() { return false; }
};

/// Returns true if the outputs overwrite the items, so that storing them loses the items.
template <class Items, class Out>
bool lie_in_place(Items items, Out out) {
  auto const begin = [](auto const& x) -> void const* {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(x)>>)
      return x;
    else
      return &x[0];
  };
  return begin(items) == begin(out);
}

}  // namespace sam::host
