// SPDX-License-Identifier: MIT
// This file defines scan states that are distributed over the lanes of a warp, and operations on
// them. A lane holds the values of one component of one run of consecutive rows. Neighbouring runs
// are `width` lanes apart. The runs are those of threads, of warps or of tiles.
//
// The Device parameter holds everything that differs between GPUs, as static members; see
// sam/cuda/device/device.hpp.
#pragma once

#include <sam/gpu/warp/column_panels.hpp>

#include <cstring>

namespace sam::gpu {

/// Number of 32-bit words that hold a T. The last may be partly used.
template <class T>
inline constexpr int words_of = int((sizeof(T) + 3) / 4);

/// Width in bytes of the accesses to a T with natural alignment: a power of two, at most 16.
template <class T>
inline constexpr int access_bytes = int((sizeof(T) & -sizeof(T)) < 16 ? sizeof(T) & -sizeof(T)
                                                                      : 16);

/// Returns the value whose words are f(0), f(1), ...
template <class T, class F>
SAM_DEVICE T from_words(F f) {
  std::uint32_t word[words_of<T>];
#pragma unroll
  for (int w = 0; w < words_of<T>; ++w)
    word[w] = f(w);
  uninitialized_array<T, 1> x;
  memcpy(static_cast<void*>(x.at), word, sizeof(T));
  return x.at[0];
}
/// Calls f(w, word) for every word of x.
template <class T, class F>
SAM_DEVICE void to_words(T const& x, F f) {
  std::uint32_t word[words_of<T>];
  word[words_of<T> - 1] = 0;
  memcpy(word, __builtin_addressof(x), sizeof(T));
#pragma unroll
  for (int w = 0; w < words_of<T>; ++w)
    f(w, word[w]);
}

/// Returns x with f applied to each of its words.
template <class T, class F>
SAM_DEVICE T by_words(T const& x, F f) {
  std::uint32_t word[words_of<T>];
  gpu::to_words(x, [&](int w, std::uint32_t bits) { word[w] = f(bits); });
  return gpu::from_words<T>([&](int w) { return word[w]; });
}
/// Returns the x of the lane `lanes` below.
template <class Device, class T>
SAM_DEVICE T shuffle_up(T const& x, int lanes) {
  return gpu::by_words(x, [=](std::uint32_t word) { return Device::shuffle_up(word, lanes); });
}
/// Returns the x of the lane `lane`.
template <class Device, class T>
SAM_DEVICE T shuffle_from(T const& x, int lane) {
  return gpu::by_words(x, [=](std::uint32_t word) { return Device::shuffle_from(word, lane); });
}

/// Holds the compile-time properties of a kernel over items of T. If the tuple size is known only
/// at run time, S and `runs` are upper bounds: those of a full panel and of tuples of two.
template <class Device, class T, class Policy>
struct policy_traits {
  using op_type = typename Policy::op_type;
  static constexpr bool algebra = has_algebra<T, Policy>;
  static constexpr int Q = algebra ? Policy::order : 1;
  static constexpr bool fixed = Policy::tuple_size != run_time_tuple;
  static constexpr int S = fixed ? Policy::tuple_size : Device::warp_size;
  static constexpr bound kind = Policy::kind;
  static constexpr int runs = Device::warp_size / (fixed ? S : 2);  // runs per component in a warp
  /// True if a state before the first item exists.
  static constexpr bool starts_known = Policy::starts_known || has_identity<op_type, T>;
  using power = power_of<op_type, T, Q>;
  using state = uninitialized_array<T, Q>;
  /// Typical number of tiles in flight: one per multiprocessor of a large device.
  static constexpr int tiles_under_way = 132;
  /// Number of warps that share the look-back. Grows with the number and size of the values that
  /// each lane would have to read.
  static constexpr int lookback_warps = [] {
    int warps = 1;
    constexpr int lanes = Device::warp_size / S;  // lanes per component
    while (warps < 8 && 2 * warps * lanes <= 128 &&
           Q * words_of<T> * tiles_under_way > warps * lanes * (S == 1 ? 11 : 7))
      warps *= 2;
    return warps;
  }();
};

/// Operates on states distributed over the lanes of a warp.
template <class Device, class T, class Policy>
struct warp_state : lane_layout<Device::warp_size, Policy::tuple_size> {
  using traits = policy_traits<Device, T, Policy>;
  using state = typename traits::state;
  using power = typename traits::power;
  using layout = lane_layout<Device::warp_size, Policy::tuple_size>;
  using layout::runs;
  using layout::width;
  static constexpr int Q = traits::Q;

  Policy const& policy;
  int run;        // index of this lane's run; `runs` in unused lanes
  int component;  // index of this lane's component

  SAM_DEVICE warp_state(Policy const& p, int lane, layout const& l = {})
      : layout(l), policy(p), run(lane / width), component(lane % width) {
    if constexpr (!traits::fixed)
      run = run < runs ? run : runs;
  }
  /// Switches to a panel of another width.
  SAM_DEVICE void widen(int to) {
    width = to;
    run = sam::min_of(Device::lane() / to, runs);
    component = Device::lane() % to;
  }

  /// Sets `to` to the state before item 0. Only called if `traits::starts_known`.
  SAM_DEVICE void start(state& to) const {
    if constexpr (Policy::starts_known)
      for (int q = 0; q < Q; ++q)
        to.at[q] = policy.start.value;
    else
      start_from_identity(to);
  }
  SAM_DEVICE void start_from_identity(state& to) const {
    for (int q = 0; q < Q; ++q)
      to.at[q] = sam::identity_of<T>(policy.op);
  }
  static SAM_DEVICE void copy(state const& from, state& to) {
    for (int q = 0; q < Q; ++q)
      to.at[q] = from.at[q];
  }
  /// Sets `earlier` to the combination of `earlier` and the state `later` that follows it. `rows`
  /// is the power for the number of rows that `later` covers.
  SAM_DEVICE void append(state& earlier, state const& later, power const& rows) const {
    if constexpr (traits::algebra)
      sam::append<Q>(policy.op, earlier.at, later.at, rows);
    else
      earlier.at[0] = policy.op(earlier.at[0], later.at[0]);
  }
  /// Advances a state over rows of zeros. Without an algebra it does not change.
  SAM_DEVICE void move_on(state& on, power const& rows) const {
    if constexpr (traits::algebra) {
      state none;
      start_from_identity(none);
      append(on, none, rows);
    }
  }
  /// Sets `theirs` to the state of the same component `up` runs before.
  SAM_DEVICE void from_below(state const& mine, int up, state& theirs) const {
    for (int q = 0; q < Q; ++q)
      theirs.at[q] = gpu::shuffle_up<Device>(mine.at[q], up * width);
  }
  /// Sets `theirs` to the state of the same component of a given run.
  SAM_DEVICE void from_run(state const& mine, int of_run, state& theirs) const {
    for (int q = 0; q < Q; ++q)
      theirs.at[q] = gpu::shuffle_from<Device>(mine.at[q], of_run * width + component);
  }
  /// Sums the runs of each component and leaves the result in all its lanes. All states must be
  /// relative to the same position, so that they are added value by value. The operator must be
  /// commutative.
  SAM_DEVICE void sum_runs(state& mine) const {
#pragma unroll
    for (int d = 1; d < runs; d *= 2) {
      state theirs;
      from_below(mine, d, theirs);
      if (run >= d && run < runs)
        for (int q = 0; q < Q; ++q)
          mine.at[q] = policy.op(theirs.at[q], mine.at[q]);
    }
    state all;
    from_run(mine, runs - 1, all);
    copy(all, mine);
  }
  /// Computes an inclusive scan over the runs of each component, which all have the same length.
  /// powers(d) is the power of d runs. Combines only valid states, at most `Most` of them. Every
  /// run before a valid one must be valid.
  template <int Most = traits::runs, class Powers>
  SAM_DEVICE void scan_runs(state& mine, bool valid, Powers powers) const {
#pragma unroll
    for (int d = 1; d < sam::min_of(runs, Most); d *= 2) {
      state before;
      from_below(mine, d, before);
      if (valid && run >= d) {
        append(before, mine, powers(d));
        copy(before, mine);
      }
    }
  }
};

/// Holds the powers that advance states over a number of runs, warps or tiles.
template <class Traits>
class power_tables {
  using power = typename Traits::power;

 public:
  static power_tables make(index_t rows_of_run, int warps, int runs = Traits::runs) {
    power_tables t;
    if constexpr (Traits::algebra) {
      fill(t.runs_, rows_of_run);
      fill(t.warps_, rows_of_run * runs);
      fill(t.tiles_, rows_of_run * runs * warps);
    }
    return t;
  }
  SAM_FUNCTION power const& runs(int d) const { return runs_[Traits::algebra ? d : 0]; }
  SAM_FUNCTION power const& warps(int d) const { return warps_[Traits::algebra ? d : 0]; }
  SAM_FUNCTION power const& tiles(int d) const { return tiles_[Traits::algebra ? d : 0]; }

 private:
  template <int N>
  static void fill(power (&table)[N], index_t rows) {
    for (int d = 0; d < N; ++d)
      table[d] = sam::zero_items<power>(Traits::kind, d * rows);
  }
  power runs_[Traits::algebra ? Traits::runs + 1 : 1];
  power warps_[Traits::algebra ? (Traits::runs > 16 ? Traits::runs : 16) + 1 : 1];
  power tiles_[Traits::algebra ? Traits::lookback_warps * Traits::runs + 1 : 1];
};

/// Looks up powers of a number of tiles in shared memory, where every lane may use a different
/// index.
template <class Traits>
struct tile_powers {
  using power = typename Traits::power;
  using ring = typename power::ring;
  static constexpr int stride = Traits::Q | 1;  // odd, to avoid bank conflicts
  static constexpr int entries = Traits::algebra ? Traits::lookback_warps * Traits::runs + 1 : 0;
  static constexpr int values = entries * stride + 1;
  ring const* at;

  SAM_DEVICE power operator()(int tiles) const {
    power p;
    if constexpr (Traits::algebra)
      for (int q = 0; q < Traits::Q; ++q)
        p.at[q] = at[tiles * stride + q];
    return p;
  }
  /// Copies a share of the table to shared memory, as thread i of `threads`.
  static SAM_DEVICE void copy(power_tables<Traits> const& from, ring* to, int i, int threads) {
    for (int k = i; k < entries * Traits::Q; k += threads)
      to[k / Traits::Q * stride + k % Traits::Q] = from.tiles(k / Traits::Q).at[k % Traits::Q];
  }
};

}  // namespace sam::gpu
