// SPDX-License-Identifier: MIT
// Sorts of short sequences by the lanes of a warp, in registers: one lane alone, or several
// together.
//
// A lane sorts what it holds by a network of comparisons, whatever the items are: lanes do the same
// at the same time. Those of lanes that sort together are then merged, by two, by four and so on,
// by networks whose longer steps go from lane to lane.
//
// Source: Batcher, "Sorting networks and their applications", AFIPS 1968: odd-even merge sort
// within a lane, bitonic merges from there on.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>
#include <cstdint>

namespace sam::gpu {

/// Sorts items by <, of which no two may be told apart that are equal. Of lanes that sort together
/// lane i gets the items from i * Slots on, in order. If it multiplies, it keeps some of them by
/// multiplications, for which Device says why; that takes registers.
template <class Device, class T, int Slots, bool Multiplies = false>
class sorting_network {
 public:
  static constexpr int fewest = 4;
  static_assert(Slots >= fewest && (Slots & (Slots - 1)) == 0 && sizeof(T) % 4 == 0);

  /// Brings item(s) into slot s, and `filler`, which nothing is less than, into other slots: all
  /// that have no item, and those from a power of 2 on, `slots`.
  template <class Item>
  SAM_DEVICE void fill(int slots, T const& filler, Item const& item) {
    fill_first<Slots>(slots, filler, item);
  }
  /// Sorts so many slots of each lane.
  SAM_DEVICE void sort_own(int slots) { sort_first<Slots>(slots); }
  /// Merges what lanes have sorted, all their slots, of so many that follow one another.
  SAM_DEVICE void merge_lanes(int lanes) {
    int const lane = Device::lane();
    for (int half = 1; half < lanes; half *= 2) {
      meet_backward(lane ^ (2 * half - 1), (lane & half) == 0);
      for (int apart = half / 2; apart > 0; apart /= 2)
        meet(lane ^ apart, (lane & apart) == 0);
      merge_own<Slots / 2>();
    }
  }
  /// Sorts the items of all the warp's lanes, which first rise and then fall. Item s * lanes + l is
  /// in slot s of lane l, before and then.
  SAM_DEVICE void merge_rows() {
    merge_own<Slots / 2>();
#pragma unroll
    for (int apart = Device::warp_size / 2; apart > 0; apart /= 2)
      meet(Device::lane() ^ apart, (Device::lane() & apart) == 0);
  }

  T at[Slots];

 private:
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
  template <int Begin, int End>
  SAM_DEVICE void sort() {
    if constexpr (End - Begin > 1) {
      constexpr int middle = (Begin + End) / 2;
      sort<Begin, middle>();
      sort<middle, End>();
      merge<Begin, End, 1>();
    }
  }
  /// Of every Step-th slot, those at even places and those at odd ones, and then neighbours.
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
  template <int Apart>
  SAM_DEVICE void merge_own() {
#pragma unroll
    for (int s = 0; s < Slots; ++s)
      if ((s & Apart) == 0)
        put_in_order(s, s + Apart);
    if constexpr (Apart > 1)
      merge_own<Apart / 2>();
  }
  SAM_DEVICE void put_in_order(int s, int t) {
    T const a = at[s], b = at[t];
    if constexpr (sizeof(T) == 4) {
      at[s] = b < a ? b : a;
      // By comparisons so many of them that multiplications take as long.
      if (Multiplies && s % 3 != 2)
        at[t] = Device::select_other(a, b, at[s]);
      else
        at[t] = b < a ? a : b;
    } else {
      // A compiler that sees that this is a minimum and a maximum compares twice.
      bool const falls = Multiplies ? Device::opaque(int(b < a)) != 0 : b < a;
      at[s] = falls ? b : a;
      if constexpr (Multiplies)
        predicated_assign(falls, at[t], a);
      else
        at[t] = falls ? a : b;
    }
  }

  /// Each slot with the same one of another lane: one keeps what is less. And with the slots of
  /// another in reverse.
  SAM_DEVICE void meet(int lane, bool keeps_less) {
#pragma unroll
    for (int s = 0; s < Slots; ++s)
      keep(s, of_lane(at[s], lane), keeps_less);
  }
  SAM_DEVICE void meet_backward(int lane, bool keeps_less) {
#pragma unroll
    for (int s = 0; s < Slots / 2; ++s) {
      T const first = of_lane(at[Slots - 1 - s], lane), second = of_lane(at[s], lane);
      keep(s, first, keeps_less);
      keep(Slots - 1 - s, second, keeps_less);
    }
  }
  SAM_DEVICE void keep(int s, T const& other, bool keeps_less) {
    bool const wanted = (other < at[s]) == keeps_less;
    if constexpr (Multiplies)
      predicated_assign(wanted, at[s], other);
    else if (wanted)
      at[s] = other;
  }
  struct words {
    std::uint32_t at[sizeof(T) / 4];
  };
  static SAM_DEVICE void predicated_assign(bool wanted, T& to, T const& from) {
    auto all = __builtin_bit_cast(words, to);
    auto const others = __builtin_bit_cast(words, from);
#pragma unroll
    for (std::size_t w = 0; w < sizeof(T) / 4; ++w)
      Device::predicated_assign(wanted, all.at[w], others.at[w]);
    to = __builtin_bit_cast(T, all);
  }
  static SAM_DEVICE T of_lane(T const& x, int lane) {
    auto all = __builtin_bit_cast(words, x);
#pragma unroll
    for (auto& word : all.at)
      word = Device::shuffle_from(word, lane);
    return __builtin_bit_cast(T, all);
  }
};

}  // namespace sam::gpu
