// SPDX-License-Identifier: MIT
// Combines scan states that are distributed over the lanes of a warp. Each lane holds the state of
// one component of one run of rows; consecutive runs are `width` lanes apart. Runs of threads, of
// warps and of tiles all use these operations.
//
// Kernels are templates over a Device, whose static functions wrap the instructions of a GPU:
// sam/cuda/device/device.hpp.
#pragma once

#include <sam/gpu/warp/column_panels.hpp>

#include <cstring>

namespace sam::inline v0_1::gpu {

/// The number of 32-bit words of a T. The last one may be used in part.
template <class T>
inline constexpr int words_of = int((sizeof(T) + 3) / 4);

/// The size of the memory accesses by which a T is copied: the largest power of two up to 16 that
/// divides its size. A T must be aligned to it.
template <class T>
inline constexpr int access_bytes = int((sizeof(T) & -sizeof(T)) < 16 ? sizeof(T) & -sizeof(T)
                                                                      : 16);

/// Returns the T whose words are f(0), f(1), and so on.
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
/// Calls f(w, word) for each word w of x.
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
/// Returns the x of the lane `lanes` below this one, or this lane's own x if there is none.
template <class Device, class T>
SAM_DEVICE T shuffle_up(T const& x, int lanes) {
  return gpu::by_words(x, [=](std::uint32_t word) { return Device::shuffle_up(word, lanes); });
}
/// Returns the x of a lane.
template <class Device, class T>
SAM_DEVICE T shuffle_from(T const& x, int lane) {
  return gpu::by_words(x, [=](std::uint32_t word) { return Device::shuffle_from(word, lane); });
}

/// Computes compile-time properties of a scan of T by a resolved policy. If the tuple size is known
/// only at run time, S is the greatest width of a panel, and `runs` the number of runs for tuples
/// of two.
template <class Device, class T, class Policy>
struct policy_traits {
  using op_type = typename Policy::op_type;
  static constexpr bool algebra = has_algebra<T, Policy>;
  static constexpr int Q = algebra ? Policy::order : 1;
  static constexpr bool fixed = Policy::tuple_size != run_time_tuple;
  static constexpr int S = fixed ? Policy::tuple_size : Device::warp_size;
  static constexpr bound kind = Policy::kind;
  static constexpr int sector_bytes = Device::sector_bytes;
  static constexpr int runs = Device::warp_size / (fixed ? S : 2);  // runs in a warp
  /// True if there is an initial state, before the first item.
  static constexpr bool starts_known = Policy::starts_known || has_identity<op_type, T>;
  using power = power_of<op_type, T, Q>;
  using state = uninitialized_array<T, Q>;
  /// The typical number of tiles in flight on a large device: one for each multiprocessor.
  static constexpr int tiles_under_way = 132;
  /// The most look-back warps: those of 256 lanes.
  static constexpr int most_lookback_warps = 256 / Device::warp_size;
  /// The number of look-back warps of strided_lookback. It grows with the number of words that a
  /// lane has to read for a tile in flight. States of up to 8 words whose grouping changes no bit
  /// are left to one warp: the shared memory of more warps takes the place of stages.
  static constexpr int lookback_warps = [] {
    int warps = 1;
    constexpr int lanes = Device::warp_size / S;  // lanes of each component
    constexpr bool is_left_to_one = S == 1 && is_exact<T> && Q * words_of<T> <= 8;
    constexpr int most = is_left_to_one ? 1 : most_lookback_warps;
    while (warps < most && 2 * warps * lanes <= 128 &&
           Q * words_of<T> * tiles_under_way > warps * lanes * (S == 1 ? 11 : 7))
      warps *= 2;
    return warps;
  }();
};

/// Provides operations on the states of a warp's lanes. Each lane passes its own state.
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
  int run;        // this lane's run; `runs` in lanes that have none
  int component;  // this lane's component

  SAM_DEVICE warp_state(Policy const& p, int lane, layout const& l = {})
      : layout(l), policy(p), run(lane / width), component(lane % width) {
    if constexpr (!traits::fixed)
      run = run < runs ? run : runs;
  }
  /// Continues with a panel of another width.
  SAM_DEVICE void widen(int to) {
    width = to;
    run = engine::min_of(Device::lane() / to, runs);
    component = Device::lane() % to;
  }

  /// Sets the state before item 0. Valid only if `traits::starts_known`.
  SAM_DEVICE void start(state& to) const {
    if constexpr (Policy::starts_known)
      for (int q = 0; q < Q; ++q)
        to.at[q] = policy.start.value;
    else
      start_from_identity(to);
  }
  /// Sets all values to the identity.
  SAM_DEVICE void start_from_identity(state& to) const {
    for (int q = 0; q < Q; ++q)
      to.at[q] = sam::identity_of<T>(policy.op);
  }
  static SAM_DEVICE void copy(state const& from, state& to) {
    for (int q = 0; q < Q; ++q)
      to.at[q] = from.at[q];
  }
  /// Appends the aggregate `later` to the state `earlier`. `rows` is the power for the number of
  /// rows of `later`.
  SAM_DEVICE void append(state& earlier, state const& later, power const& rows) const {
    if constexpr (traits::algebra)
      engine::append<Q>(policy.op, earlier.at, later.at, rows);
    else
      earlier.at[0] = policy.op(earlier.at[0], later.at[0]);
  }
  /// Appends rows of zeros to a state; `rows` is the power for their number. Does nothing for an
  /// operator without the carry algebra.
  SAM_DEVICE void move_on(state& on, power const& rows) const {
    if constexpr (traits::algebra) {
      state none;
      start_from_identity(none);
      append(on, none, rows);
    }
  }
  /// Gets the state of the same component from the lane `up` runs before.
  SAM_DEVICE void from_below(state const& mine, int up, state& theirs) const {
    for (int q = 0; q < Q; ++q)
      theirs.at[q] = gpu::shuffle_up<Device>(mine.at[q], up * width);
  }
  /// Gets the state of the same component from the lane of run `of_run`.
  SAM_DEVICE void from_run(state const& mine, int of_run, state& theirs) const {
    for (int q = 0; q < Q; ++q)
      theirs.at[q] = gpu::shuffle_from<Device>(mine.at[q], of_run * width + component);
  }
  /// Replaces each state by the sum of the states of its component in all runs. The operator must
  /// commute. All states must be for the same row, so that their values add up one by one.
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
  /// Computes an inclusive scan over the runs of each component. All runs have the same length, and
  /// powers(d) is the power for d runs. Only valid states are combined: at most `Most`, and each
  /// run before a valid one must be valid.
  template <int Most = traits::runs, class Powers>
  SAM_DEVICE void scan_runs(state& mine, bool valid, Powers powers) const {
    // Hidden from compilers, which would else have lanes without a state, whose value they may
    // choose, take another path. Shuffles then run once for the lanes of each path.
    int const place = Device::opaque_if_divergent(valid ? run : 0);
#pragma unroll
    for (int d = 1; d < engine::min_of(runs, Most); d *= 2) {
      state before;
      from_below(mine, d, before);
      if (place >= d) {
        append(before, mine, powers(d));
        copy(before, mine);
      }
    }
  }
};

/// Holds tables of the powers by which states are scaled when runs, warps or tiles are appended to
/// them (core/sam/algebra/carry_algebra.hpp). The host computes them.
template <class Traits>
class power_tables {
  using power = typename Traits::power;

 public:
  /// Returns the tables for runs of `rows_of_run` rows.
  static power_tables make(index_t rows_of_run, int warps, int runs = Traits::runs) {
    power_tables t;
    if constexpr (Traits::algebra) {
      fill(t.runs_, rows_of_run);
      fill(t.warps_, rows_of_run * runs);
      fill(t.tiles_, rows_of_run * runs * warps);
    }
    return t;
  }
  // The powers for d runs, d warps and d tiles.
  SAM_FUNCTION power const& runs(int d) const { return runs_[Traits::algebra ? d : 0]; }
  SAM_FUNCTION power const& warps(int d) const { return warps_[Traits::algebra ? d : 0]; }
  SAM_FUNCTION power const& tiles(int d) const { return tiles_[Traits::algebra ? d : 0]; }

 private:
  template <int N>
  static void fill(power (&table)[N], index_t rows) {
    for (int d = 0; d < N; ++d)
      table[d] = engine::zero_items<power>(Traits::kind, d * rows);
  }
  power runs_[Traits::algebra ? Traits::runs + 1 : 1];
  power warps_[Traits::algebra ? (Traits::runs > 16 ? Traits::runs : 16) + 1 : 1];
  power tiles_[Traits::algebra ? Traits::lookback_warps * Traits::runs + 1 : 1];
};

/// Refers to a copy in shared memory of the powers for 0, 1, 2, ... tiles. Each lane may read
/// another entry of it.
template <class Traits>
struct tile_powers {
  using power = typename Traits::power;
  using ring = typename power::ring;
  static constexpr int stride = Traits::Q | 1;  // odd, so that lanes read different banks
  static constexpr int entries = Traits::algebra ? Traits::lookback_warps * Traits::runs + 1 : 0;
  static constexpr int values = entries * stride + 1;
  ring const* at;

  /// Returns the power for a number of tiles.
  SAM_DEVICE power operator()(int tiles) const {
    power p;
    if constexpr (Traits::algebra)
      for (int q = 0; q < Traits::Q; ++q)
        p.at[q] = at[tiles * stride + q];
    return p;
  }
  /// Copies the part of thread i of `threads` threads to shared memory.
  static SAM_DEVICE void copy(power_tables<Traits> const& from, ring* to, int i, int threads) {
    for (int k = i; k < entries * Traits::Q; k += threads)
      to[k / Traits::Q * stride + k % Traits::Q] = from.tiles(k / Traits::Q).at[k % Traits::Q];
  }
};

}  // namespace sam::inline v0_1::gpu
