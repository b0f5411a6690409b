// SPDX-License-Identifier: MIT
// States that lie across the lanes of a warp: one lane holds the values of one component of one run
// of rows, and runs follow one another `S` lanes apart. The same few operations serve the runs of
// threads, of warps and of tiles.
//
// A Device is what differs between GPUs, all of it static: see sam/cuda/device.hpp.
#pragma once

#include <sam/job.hpp>

#include <cstring>

namespace sam::gpu {

/// How many 32-bit words a T takes; the last may hold less.
template <class T>
inline constexpr int words_of = int((sizeof(T) + 3) / 4);

/// The value whose words are f(0), f(1), ...
template <class T, class F>
SAM_DEVICE T from_words(F f) {
  std::uint32_t word[words_of<T>];
#pragma unroll
  for (int w = 0; w < words_of<T>; ++w)
    word[w] = f(w);
  room<T, 1> x;
  memcpy(static_cast<void*>(x.at), word, sizeof(T));
  return x.at[0];
}
/// f(w, word) for every word of x.
template <class T, class F>
SAM_DEVICE void to_words(T const& x, F f) {
  std::uint32_t word[words_of<T>];
  word[words_of<T> - 1] = 0;
  memcpy(word, &x, sizeof(T));
#pragma unroll
  for (int w = 0; w < words_of<T>; ++w)
    f(w, word[w]);
}

template <class T, class F>
SAM_DEVICE T by_words(T const& x, F f) {
  std::uint32_t word[words_of<T>];
  to_words(x, [&](int w, std::uint32_t bits) { word[w] = f(bits); });
  return from_words<T>([&](int w) { return word[w]; });
}
template <class Device, class T>
SAM_DEVICE T shuffle_up(T const& x, int lanes) {
  return by_words(x, [=](std::uint32_t word) { return Device::shuffle_up(word, lanes); });
}
template <class Device, class T>
SAM_DEVICE T shuffle_from(T const& x, int lane) {
  return by_words(x, [=](std::uint32_t word) { return Device::shuffle_from(word, lane); });
}

/// What every kernel of a pass over items of T knows when it is compiled.
template <class Device, class T, class Pass>
struct pass_traits {
  using op_type = typename Pass::op_type;
  static constexpr bool algebra = Pass::order > 1 && module_operator<op_type, T>;
  static constexpr int Q = algebra ? Pass::order : 1;
  static constexpr int S = Pass::tuple_size;
  static constexpr bound kind = Pass::kind;
  static constexpr int runs = Device::warp_size / S;  // of one component, across a warp
  /// Whether there is a state before the first item.
  static constexpr bool starts_known = Pass::starts_known || has_identity<op_type, T>;
  using power = power_of<op_type, T, Q>;
  using state = room<T, Q>;
};

/// What a lane's state holds, and what it does with those of other lanes.
template <class Device, class T, class Pass>
struct lane_states {
  using traits = pass_traits<Device, T, Pass>;
  using state = typename traits::state;
  using power = typename traits::power;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;

  Pass const& pass;
  int run;        // which of the warp's runs; `runs` in lanes that are left over
  int component;  // which component

  SAM_DEVICE lane_states(Pass const& p, int lane)
      : pass(p), run(lane / S), component(lane % S) {}

  static SAM_DEVICE void copy(state const& from, state& to) {
    for (int q = 0; q < Q; ++q)
      to.at[q] = from.at[q];
  }
  /// earlier := earlier and, behind it, later, which is as many rows long as `rows` is of.
  SAM_DEVICE void append(state& earlier, state const& later, power const& rows) const {
    if constexpr (traits::algebra)
      sam::append<Q>(pass.op, earlier.at, later.at, rows);
    else
      earlier.at[0] = pass.op(earlier.at[0], later.at[0]);
  }
  /// The state of the same component `up` runs before.
  static SAM_DEVICE void from_below(state const& mine, int up, state& theirs) {
    for (int q = 0; q < Q; ++q)
      theirs.at[q] = shuffle_up<Device>(mine.at[q], up * S);
  }
  /// The state of the same component of some run.
  SAM_DEVICE void from_run(state const& mine, int of_run, state& theirs) const {
    for (int q = 0; q < Q; ++q)
      theirs.at[q] = shuffle_from<Device>(mine.at[q], of_run * S + component);
  }
  /// Inclusive scan over the runs of each component, all of one length; powers(d) is of d runs. Only
  /// valid states are combined, and all that lie before a valid one must be valid.
  template <class Powers>
  SAM_DEVICE void scan_runs(state& mine, bool valid, Powers powers) const {
#pragma unroll
    for (int d = 1; d < traits::runs; d *= 2) {
      state before;
      from_below(mine, d, before);
      if (valid && run >= d) {
        append(before, mine, powers(d));
        copy(before, mine);
      }
    }
  }
};

/// The powers that states are scaled by: of so many runs, warps, and tiles.
template <class Power, int Runs, int Warps, bool Needed>
class power_tables {
 public:
  static power_tables make(bound kind, index_t rows_of_run) {
    power_tables t;
    if constexpr (Needed)
      for (int d = 0; d < entries; ++d) {
        t.runs_[d] = zero_items<Power>(kind, d * rows_of_run);
        t.warps_[d] = zero_items<Power>(kind, d * rows_of_run * Runs);
        t.tiles_[d] = zero_items<Power>(kind, d * rows_of_run * Runs * Warps);
      }
    return t;
  }
  SAM_FUNCTION Power const& runs(int d) const { return runs_[Needed ? d : 0]; }
  SAM_FUNCTION Power const& warps(int d) const { return warps_[Needed ? d : 0]; }
  SAM_FUNCTION Power const& tiles(int d) const { return tiles_[Needed ? d : 0]; }

 private:
  static constexpr int entries = !Needed ? 1 : (Warps > Runs ? Warps : Runs) + 1;
  Power runs_[entries];
  Power warps_[entries];
  Power tiles_[entries];
};

}  // namespace sam::gpu
