// SPDX-License-Identifier: MIT
// Defines what the team kernels of the fallback share: the shape of a tile, its layout in a team's
// memory, and the scan of the aggregates of a tile's runs.
//
// A tile lies in a team's memory as a matrix. Items are loaded and stored across its rows, so that
// neighbouring threads access neighbouring items. Each thread then scans a run: consecutive rows of
// one component. The length of a run is odd, so that the threads of a warp access different banks.
// Source: Dotsenko et al., "Fast scan algorithms on graphics processors", ICS 2008 (matrix scan);
// Nakano, "An optimal parallel prefix-sums algorithm on the memory machine models for GPUs",
// ICA3PP 2012.
//
// A team is an object with these members:
//
// index()            returns the number of the team
// memory()           returns the team's memory, aligned to 16 bytes
// for_each(n, f)     calls f(0) to f(n - 1), each on some thread of the team
// count(p)           adds 1 to the int at p, in the team's memory, atomically
// add(p, x)          adds x to *p, which other teams may change, atomically
// barrier()          orders all accesses to the team's memory before it before those after it
//
// A kernel keeps nothing in registers from one for_each to the next, so the number of threads of a
// team changes no result.
#pragma once

#include <sam/gpu/fallback/reduce_then_scan.hpp>

namespace sam::inline v0_1::gpu {

/// The size of tiles for items of T under a policy, within the team's memory that all execution
/// spaces of Kokkos have.
template <class T, class Policy>
struct tile_size {
  static constexpr int Q = chunking<T, Policy>::Q;
  static constexpr int most_components = 31;
  static constexpr int group = 16;  // runs whose aggregates one thread combines
  static constexpr int most_bytes = 30 << 10, bytes_of_items = 16 << 10;

  /// Returns the rows per run for a number of runs.
  static constexpr int run_of(int runs) {
    int const fit = bytes_of_items / runs / static_cast<int>(sizeof(T));
    return fit < 2 ? 1 : fit > 16 ? 15 : (fit - 1) / 2 * 2 + 1;
  }
  /// Returns the states that a team holds: of each run, of each group, and of each component.
  static constexpr int states_of(int runs) {
    return (runs + runs / group + 3 * most_components) * Q;
  }
  static constexpr std::size_t bytes_of(int runs) {
    return (static_cast<std::size_t>(runs * run_of(runs)) +
            static_cast<std::size_t>(states_of(runs))) *
           sizeof(T);
  }
  static constexpr int runs = [] {
    int k = 256;
    while (k > 32 && bytes_of(k) > most_bytes)
      k /= 2;
    return k;
  }();
  static constexpr int run = run_of(runs);
  static constexpr std::size_t bytes = bytes_of(runs);
  static constexpr bool fits =
      bytes <= most_bytes && alignof(T) <= 16 && Policy::tuple_size <= most_components;
};

/// The shape of the tiles of a call. It is constant if the number of components is.
template <class T, class Policy>
class tile_shape {
 public:
  using size = tile_size<T, Policy>;
  static constexpr bool is_constant = Policy::tuple_size != run_time_tuple;

  explicit tile_shape(index_t components)
      : components_(static_cast<int>(components)), runs_(size::runs / components_) {}

  SAM_FUNCTION int components() const {
    if constexpr (is_constant)
      return Policy::tuple_size;
    else
      return components_;
  }
  /// Returns the number of runs of each component.
  SAM_FUNCTION int runs() const {
    if constexpr (is_constant)
      return size::runs / Policy::tuple_size;
    else
      return runs_;
  }
  /// Returns the number of runs of all components.
  SAM_FUNCTION int all_runs() const { return runs() * components(); }
  SAM_FUNCTION int items() const { return all_runs() * size::run; }
  /// Returns the number of rows of component c among the first `count` items of a tile.
  SAM_FUNCTION int rows(int c, int count) const {
    return count > c ? (count - c - 1) / components() + 1 : 0;
  }

 private:
  int components_, runs_;
};

/// The factors by which states are multiplied when the aggregate of a run, or of a group of runs,
/// is appended. The last group of a tile may have fewer runs.
template <class Power>
struct run_powers {
  Power run, group, last_group;
};

/// An item in a team's memory. It is aligned to its size where that is a power of two, so that
/// pairs of numbers are moved by one instruction.
template <class T>
struct alignas(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0 ? sizeof(T)
                                                                     : alignof(T)) tile_item {
  T value;
};

/// Divides a team's memory. Run g of component c has aggregate g * s + c.
template <class T, class Policy>
struct tile_memory {
  using size = tile_size<T, Policy>;
  tile_item<T>* items;
  T* runs;    // aggregates; then exclusive prefixes
  T* groups;  // aggregates; then exclusive prefixes
  T* carry;   // the exclusive prefix of the tile, by component

  SAM_FUNCTION tile_memory(std::byte* memory, tile_shape<T, Policy> const& shape)
      : items(reinterpret_cast<tile_item<T>*>(memory)),
        runs(reinterpret_cast<T*>(items + size::runs * size::run)),
        groups(runs + size::runs * size::Q),
        carry(groups + ((shape.runs() + size::group - 1) / size::group + 1) * shape.components() *
                           size::Q) {}
};

/// Scans the aggregates of a tile's runs, for a team.
template <class T, class Policy>
struct run_scan {
  using by_type = chunking<T, Policy>;
  using size = tile_size<T, Policy>;
  using power = power_of<typename Policy::op_type, T, by_type::Q>;
  static constexpr int Q = by_type::Q, group = size::group;

  by_type by;
  run_powers<power> powers;

  SAM_FUNCTION static void copy(T* to, T const* from) {
    for (int q = 0; q < Q; ++q)
      to[q] = from[q];
  }
  /// Combines the first `runs` aggregates of each component by groups, and the groups with the
  /// carry. Then groups hold exclusive prefixes, and the carry those of the next tile, if the tile
  /// is full. `known` is true if there is a carry.
  template <class Team>
  SAM_FUNCTION void combine(Team const& team, tile_memory<T, Policy> const& memory, int s, int runs,
                            bool known) const {
    int const groups = (runs + group - 1) / group;
    team.for_each(groups * s, [&](int i) {
      int const c = i % s, end = static_cast<int>(min_of((i / s + 1) * group, runs));
      uninitialized_array<T, Q> state;
      copy(state.at, memory.runs + (i / s * group * s + c) * Q);
      for (int g = i / s * group + 1; g < end; ++g)
        by.append(state.at, memory.runs + (g * s + c) * Q, powers.run);
      copy(memory.groups + i * Q, state.at);
    });
    team.barrier();
    team.for_each(s, [&](int c) {
      T* const carry = memory.carry + c * Q;
      if (!known && groups == 0)
        return;
      uninitialized_array<T, Q> state;
      copy(state.at, known ? carry : memory.groups + c * Q);
      for (int j = known ? 0 : 1; j < groups; ++j) {
        T* const place = memory.groups + (j * s + c) * Q;
        uninitialized_array<T, Q> aggregate;
        copy(aggregate.at, place);
        copy(place, state.at);
        by.append(state.at, aggregate.at,
                  (j + 1) * group <= runs ? powers.group : powers.last_group);
      }
      copy(carry, state.at);
      copy(memory.groups + (groups * s + c) * Q, state.at);  // one more run may follow
    });
    team.barrier();
  }

  /// Replaces the aggregates of the first `runs` runs of each component by their exclusive
  /// prefixes, after `combine` of all that have a successor. The first has one if `known` is true.
  template <class Team>
  SAM_FUNCTION void spread(Team const& team, tile_memory<T, Policy> const& memory, int s, int runs,
                           bool known) const {
    team.for_each((runs + group - 1) / group * s, [&](int i) {
      int const c = i % s, begin = i / s * group;
      int const end = static_cast<int>(min_of(begin + group, runs));
      bool const begun = known || begin > 0;
      if (!begun && end == 1)  // its aggregate may not be known
        return;
      uninitialized_array<T, Q> state;
      copy(state.at, begun ? memory.groups + i * Q : memory.runs + c * Q);
      for (int g = begun ? begin : 1; g < end; ++g) {
        T* const place = memory.runs + (g * s + c) * Q;
        if (g + 1 == end)  // likewise
          return copy(place, state.at);
        uninitialized_array<T, Q> aggregate;
        copy(aggregate.at, place);
        copy(place, state.at);
        by.append(state.at, aggregate.at, powers.run);
      }
    });
    team.barrier();
  }
};

}  // namespace sam::inline v0_1::gpu
