// SPDX-License-Identifier: MIT
// This header combines vectors by an operator itself or, for floats without NaN, by a cheaper
// operation.
#pragma once

#include <sam/host/simd/reversed_arrays.hpp>
#include <sam/host/simd/simd.hpp>

#include <cstdint>
#include <limits>

namespace sam::inline v0_1::host {

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

/// Defines the form in which an operator combines vectors of T: `op_type` combines values that
/// `turn` has converted, and `turn` also converts the results back. x86 needs three instructions
/// for the IEEE 754 minimum of floats but five for the maximum, so the maximum is the minimum of
/// negated values.
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

/// True if the operator needs fewer instructions on floats without NaN.
template <class Op, class T>
concept has_quick_lanes = std::is_floating_point_v<T> && requires(T x) {
  { Op::quick(x, x) } -> std::same_as<T>;
};

/// The scan combines this many bytes of items between two checks for a NaN.
inline constexpr index_t looked_at_bytes = 4096;

/// True if any bit of a vector is set.
template <class V>
bool any_bit(V v) {
  constexpr int words = int(sizeof(V)) / 8;
  std::uint64_t at[std::size_t{words}], any = 0;
  std::memcpy(at, &v, sizeof v);
  for (int k = 0; k < words; ++k)
    any |= at[k];
  return any != 0;
}

/// Combines vectors of floats by one instruction that agrees with Op except on NaN and zeros, and
/// records whether the result can be wrong. x86 has an instruction for `a < b ? b : a`. The IEEE
/// 754 maximum takes five, which makes a scan in cache two to four times slower.
template <class T, class Op>
struct quick_lanes {
  using V = vec<T>;
  using bits = decltype(V{} < V{});
  bits nan{};

  V operator()(V a, V b) const { return Op::quick(a, b); }
  V nothing() const { return host::all_lanes(Op::template quick_identity<T>()); }

  /// Records whether any of the items is a NaN.
  template <std::size_t N>
  [[gnu::always_inline]] void meet(V const (&items)[N]) {
    if constexpr (vector_bytes == 64) {  // g++ 12 would compare lane by lane
#pragma GCC unroll 16
      for (std::size_t k = 0; k < N; ++k) {
        bits const magnitude = magnitudes(items[k]);
        nan = nan < magnitude ? magnitude : nan;
      }
    } else {
#pragma GCC unroll 16
      for (std::size_t k = 0; k < N; k += 2)
        nan |= unordered(items[k], items[k + 1 < N ? k + 1 : k]);
    }
  }
  /// True if any recorded item was a NaN.
  bool is_special() const {
    if constexpr (vector_bytes == 64)
      return host::any_bit(nan > magnitudes(host::all_lanes(std::numeric_limits<T>::infinity())));
    else
      return host::any_bit(nan);
  }

  /// True if the quick operation combines `before`, the aggregate of all items before, correctly
  /// with numbers. It does not if `before` is a NaN.
  static bool can_start(V before) {
    constexpr T identity = sam::identity_of<T>(Op{});
    if constexpr (identity != identity)
      return !host::any_bit(unordered(before, before));
    else
      return true;
  }
  /// True if x does not change when a zero follows it.
  static bool is_settled(Op const& op, T x) {
    T const with_zero = op(x, Op::template stronger_zero<T>());
    return std::memcmp(&with_zero, &x, sizeof x) == 0;
  }
  /// True if no output is a zero of the wrong sign. `before` and `after` hold the aggregates before
  /// and after the items, one for each component.
  template <int Components, class Items>
  static bool is_settled(Op const& op, V before, V after, Items items, index_t count) {
    bool settled = true;
    for (int k = 0; k < Components; ++k)
      settled &= is_settled(op, before[k]) || (after[k] != T(0) && !is_settled(op, after[k]));
    return settled || !has_stronger_zero(items, count);
  }
  /// Corrects the sign of aggregates that are zeros. Returns false if the sign cannot be
  /// determined.
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
  /// True if the items, whole vectors, contain the zero that dominates the other zero.
  template <class Items>
  static bool has_stronger_zero(Items items, index_t count) {
    bits any{};
    auto const zero = __builtin_bit_cast(bits, host::all_lanes(Op::template stronger_zero<T>()));
    for (index_t i = 0; i < count; i += lanes<T>)
      any |= __builtin_bit_cast(bits, host::load<T>(items + i)) == zero;
    return host::any_bit(any);
  }

 private:
  // Returns the bits of the absolute values. Those of a NaN are larger than those of infinity.
  static bits magnitudes(V v) {
    return __builtin_bit_cast(bits, v) & std::numeric_limits<bits_of<T>>::max();
  }
  // Compilers translate this loop to one instruction. g++ translates the equivalent vector
  // expression to three.
  [[gnu::always_inline]] static bits unordered(V a, V b) {
    bits u{};
    for (int l = 0; l < lanes<T>; ++l)
      u[l] = __builtin_isunordered(a[l], b[l]) ? -1 : 0;
    return u;
  }
};

/// Combines vectors of floats that are known to contain no NaN, without a check.
template <class T, class Op>
struct plain_lanes : quick_lanes<T, Op> {
  template <std::size_t N>
  static void meet(vec<T> const (&)[N]) {}
  static bool is_special() { return false; }
};

/// True if outputs overwrite the items.
template <class Items, class Out>
bool lie_in_place(Items items, Out out) {
  auto const begin = [](auto const& x) -> void const* {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(x)>>)
      return x;
    else if constexpr (std::is_lvalue_reference_v<decltype(x[0])>)
      return &x[0];
    else
      return nullptr;  // computed items, and results that are not stored
  };
  return begin(items) != nullptr && begin(items) == begin(out);
}

}  // namespace sam::inline v0_1::host
