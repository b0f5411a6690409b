// SPDX-License-Identifier: MIT
// Sorts short sequences in the registers of one lane, or of several lanes of a warp together.
//
// Each lane sorts its own items by a sorting network, whose comparisons do not depend on the items,
// so lanes do not diverge. Where several lanes sort together, networks then merge the sequences of
// two lanes, of four, and so on. The longer steps of these exchange items between lanes by
// shuffles.
//
// Source: Batcher, "Sorting networks and their applications", AFIPS 1968: odd-even merge sort
// within a lane, bitonic merges between lanes.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>
#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Sorts items by operator<. The sort is not stable, so equal items must be indistinguishable.
///
/// Where several lanes sort together, lane i gets `Slots` sorted items, from number i * Slots on.
/// If `Multiplies` is set, some selections are multiplications (see Device::predicated_assign).
/// That takes more registers.
template <class Device, class T, int Slots, bool Multiplies = false>
class sorting_network {
 public:
  static constexpr int fewest = 4;
  static_assert(Slots >= fewest && (Slots & (Slots - 1)) == 0 && sizeof(T) % 4 == 0);

  /// Fills all slots with `filler`, which no item exceeds, and then calls item(s, slot) for each
  /// slot s below `slots`. item() may leave the filler there. `slots` is a power of two; at least
  /// `fewest` slots are used.
  template <class Item>
  SAM_DEVICE void fill(int slots, T const& filler, Item const& item) {
    fill_first<Slots>(slots, filler, item);
  }
  /// Sorts the first `slots` slots of each lane, a power of two as in fill().
  SAM_DEVICE void sort_own(int slots) { sort_first<Slots>(slots); }
  /// Merges the sorted slots of each `lanes` consecutive lanes, a power of two.
  SAM_DEVICE void merge_lanes(int lanes) {
    int const lane = Device::lane();
    for (int half = 1; half < lanes; half *= 2) {
      meet_backward(lane ^ (2 * half - 1), (lane & half) == 0);
      for (int apart = half / 2; apart > 0; apart /= 2)
        meet(lane ^ apart, (lane & apart) == 0);
      merge_own<Slots / 2>();
    }
  }
  /// Sorts a bitonic sequence of the items of the whole warp. Item s * warp_size + l is in slot s
  /// of lane l, before and after.
  SAM_DEVICE void merge_rows() {
    merge_own<Slots / 2>();
#pragma unroll
    for (int apart = Device::warp_size / 2; apart > 0; apart /= 2)
      meet(Device::lane() ^ apart, (Device::lane() & apart) == 0);
  }

  T at[Slots];

 private:
  /// Implements fill() for the first N slots.
  template <int N, class Item>
  SAM_DEVICE void fill_first(int slots, T const& filler, Item const& item) {
    constexpr int from = N > fewest ? N / 2 : 0;
    if constexpr (N > fewest)
      fill_first<N / 2>(slots, filler, item);
#pragma unroll
    for (int s = from; s < N; ++s)
      at[s] = filler;
    if (N == fewest || slots >= N)
#pragma unroll
      for (int s = from; s < N; ++s)
        item(s, at[s]);
  }
  /// Sorts the first min(N, slots) slots.
  template <int N>
  SAM_DEVICE void sort_first(int slots) {
    if constexpr (N > fewest) {
      sort_first<N / 2>(slots);
      if (slots >= N) {
        sort<N / 2, N>();
        merge<0, N, 1>();
      }
    } else {
      sort<0, N>();
    }
  }
  /// Sorts slots [Begin, End) by odd-even merge sort.
  template <int Begin, int End>
  SAM_DEVICE void sort() {
    if constexpr (End - Begin > 1) {
      constexpr int middle = (Begin + End) / 2;
      sort<Begin, middle>();
      sort<middle, End>();
      merge<Begin, End, 1>();
    }
  }
  /// Merges the two sorted halves of every Step-th slot of [Begin, End). It merges the slots at
  /// even and at odd positions, then compares neighbours.
  template <int Begin, int End, int Step>
  SAM_DEVICE void merge() {
    if constexpr (2 * Step < End - 1 - Begin) {
      merge<Begin, End, 2 * Step>();
      merge<Begin + Step, End, 2 * Step>();
#pragma unroll
      for (int s = Begin + Step; s < End - 1 - Step; s += 2 * Step)
        put_in_order(s, s + Step);
    } else {
      put_in_order(Begin, Begin + Step);
    }
  }
  /// Sorts bitonic sequences of 2 * Apart adjacent slots of one lane.
  template <int Apart>
  SAM_DEVICE void merge_own() {
#pragma unroll
    for (int s = 0; s < Slots; ++s)
      if ((s & Apart) == 0)
        put_in_order(s, s + Apart);
    if constexpr (Apart > 1)
      merge_own<Apart / 2>();
  }
  /// Swaps slots s and t if the item in t is less.
  SAM_DEVICE void put_in_order(int s, int t) {
    T const a = at[s], b = at[t];
    if constexpr (sizeof(T) == 4) {
      at[s] = b < a ? b : a;
      // One in three uses a comparison, so that both pipes take about as long.
      if (Multiplies && s % 3 != 2)
        at[t] = Device::select_other(a, b, at[s]);
      else
        at[t] = b < a ? a : b;
    } else {
      // The optimisation barrier hides a minimum and a maximum, for which nvcc compares twice.
      bool const falls = Multiplies ? Device::opaque(int(b < a)) != 0 : b < a;
      at[s] = falls ? b : a;
      if constexpr (Multiplies)
        predicated_assign(falls, at[t], a);
      else
        at[t] = falls ? a : b;
    }
  }

  /// Compares each slot with the same slot of another lane. One lane keeps the lesser items, the
  /// other the greater ones.
  SAM_DEVICE void meet(int lane, bool keeps_less) {
#pragma unroll
    for (int s = 0; s < Slots; ++s)
      keep(s, of_lane(at[s], lane), keeps_less);
  }
  /// Compares each slot with the slot of another lane in reverse order, as the first step of a
  /// bitonic merge does.
  SAM_DEVICE void meet_backward(int lane, bool keeps_less) {
#pragma unroll
    for (int s = 0; s < Slots / 2; ++s) {
      T const first = of_lane(at[Slots - 1 - s], lane), second = of_lane(at[s], lane);
      keep(s, first, keeps_less);
      keep(Slots - 1 - s, second, keeps_less);
    }
  }
  /// Keeps the lesser or the greater of slot s and another lane's item.
  SAM_DEVICE void keep(int s, T const& other, bool keeps_less) {
    bool const wanted = (other < at[s]) == keeps_less;
    if constexpr (Multiplies)
      predicated_assign(wanted, at[s], other);
    else if (wanted)
      at[s] = other;
  }
  /// Holds an item as 32-bit words.
  struct words {
    std::uint32_t at[sizeof(T) / 4];
  };
  /// Assigns `from` to `to` if `wanted` holds, word by word.
  static SAM_DEVICE void predicated_assign(bool wanted, T& to, T const& from) {
    auto all = __builtin_bit_cast(words, to);
    auto const others = __builtin_bit_cast(words, from);
#pragma unroll
    for (std::size_t w = 0; w < sizeof(T) / 4; ++w)
      Device::predicated_assign(wanted, all.at[w], others.at[w]);
    to = __builtin_bit_cast(T, all);
  }
  /// Returns the x of another lane.
  static SAM_DEVICE T of_lane(T const& x, int lane) {
    auto all = __builtin_bit_cast(words, x);
#pragma unroll
    for (auto& word : all.at)
      word = Device::shuffle_from(word, lane);
    return __builtin_bit_cast(T, all);
  }
};

}  // namespace sam::inline v0_1::gpu
