// SPDX-License-Identifier: MIT
// Combines the groups of a tile of a stream, by a team of threads. A stream is reduced, then
// scanned: tiles do not wait for one another within a kernel.
#pragma once

#include <sam/detail/stream/stream_round.hpp>

namespace sam::inline v0_1::detail {

/// Combines one tile of a pass in the memory of a team. All of its threads call the functions:
///
/// - to reduce it: combine, store_totals;
/// - to scan it: combine, begin, finish;
/// - to scan several tiles in turn: take_state; for each tile combine, begin_in_turn, finish, and a
///   barrier; leave_state.
///
/// The state before the array is only read (held), that behind it only written (to_leave).
template <class Round, class Rows, class Team>
class stream_tile {
  using T = typename Round::T;
  using shape = typename Round::shape;
  static constexpr index_t S = Round::s;
  static constexpr int W = shape::width;
  static constexpr int depth = shape::depth;
  static constexpr bool has_one_thread = requires { requires Team::is_one_thread; };
  /// True if results are inclusive. Those of passes over groups are prefixes.
  static constexpr bool is_inclusive = [] {
    if constexpr (Rows::are_items)
      return Round::job_type::kind == engine::bound::inclusive;
    else
      return false;
  }();
  static constexpr int group = stream_group;
  static constexpr int group_bits = stream_group_bits;

 public:
  SAM_FUNCTION stream_tile(Round const& in, Rows const& rows, Team const& team, int panel)
      : in_(in), rows_(rows), team_(team), all_(in.extent()), panel_(panel) {}

  /// Returns the tile of a row of level 0.
  SAM_FUNCTION index_t tile_of(index_t row) const { return row >> level_of_tile() * group_bits; }
  SAM_FUNCTION stream_extent<S> const& all() const { return all_; }
  /// Begins with another tile.
  SAM_FUNCTION void enter(index_t tile) { tile_ = tile; }

  /// Computes the total of a tile, and of its groups what lies before each in the next larger one.
  SAM_FUNCTION void combine() const {
    if (has_one_thread && is_full()) {
      load_and_combine_runs();
    } else {
      load();
      team_.barrier();
      combine_runs();
      team_.barrier();
    }
    for (int k = 1; k < depth; ++k) {
      combine_groups(k);
      team_.barrier();
    }
  }
  /// Stores the totals of the tile, if it is complete, as groups of the next pass.
  SAM_FUNCTION void store_totals(T* to) const {
    team_.for_each(W, [&](int w) {
      if (is_component(w) && tile_ >= tile_of(first(w)) && tile_ < tile_of(end(w)))
        to[(tile_ - tile_of(all_.lowest_row())) * S + component(w)] = *total(w);
    });
  }
  /// Takes the prefixes of the tile from the groups of the next pass, and leaves its levels of the
  /// state.
  SAM_FUNCTION void begin(T const* prefixes) const {
    team_.for_each(W, [&](int w) {
      if (!is_touched(w))
        return;
      leave(w);
      if (tile_ != 0)
        *prefix(w) = prefixes[(tile_ - tile_of(all_.lowest_row())) * S + component(w)];
    });
    team_.barrier();
  }
  /// True if results of the tile are wanted. Of a reduction, that is the array's last row of each
  /// component.
  SAM_FUNCTION bool is_wanted() const {
    if constexpr (Rows::are_items)
      return Round::job_type::stores_each || tile_ >= tile_of(all_.lowest_end() - 1);
    else
      return true;
  }
  /// Stores the results of the tile's rows.
  SAM_FUNCTION void finish() const {
    place_runs();
    team_.barrier();
    store();
  }

  // --- Tiles in turn ----------------------------------------------------------------------------

  /// Takes the higher levels of the state before the first tile.
  SAM_FUNCTION void take_state() const {
    team_.for_each(W, [&](int w) {
      if (!is_component(w))
        return;
      for (int level = level_of_tile(); level < stream_levels; ++level)
        if (engine::groups_before(first(w), level) != 0)
          *higher(level, w) = held(level, w);
    });
    team_.barrier();
  }
  /// Computes the prefixes of the tile, leaves its levels of the state, and combines its total with
  /// the higher levels.
  SAM_FUNCTION void begin_in_turn() const {
    team_.for_each(W, [&](int w) {
      if (!is_touched(w))
        return;
      leave(w);
      index_t const row = tile_ << level_of_tile() * group_bits;
      bool known = false;
      for (int level = stream_levels - 1; level >= level_of_tile(); --level)
        if (engine::groups_before(row, level) != 0) {
          append(*prefix(w), known, *higher(level, w));
          known = true;
        }
      if (tile_ >= tile_of(end(w)))
        return;
      T sum = *total(w);
      for (int level = level_of_tile();; ++level) {
        index_t const before = engine::groups_before(row, level);
        append(*higher(level, w), before != 0, sum);
        if (level == stream_levels - 1 || before != group - 1)
          return;
        sum = *higher(level, w);
      }
    });
    team_.barrier();
  }
  /// Leaves the higher levels of the state behind the last tile.
  SAM_FUNCTION void leave_state() const {
    team_.for_each(W, [&](int w) {
      if (!is_component(w))
        return;
      for (int level = level_of_tile(); level < stream_levels; ++level)
        if (engine::groups_before(end(w), level) != 0)
          to_leave(level, w) = *higher(level, w);
    });
  }

 private:
  // --- Places -----------------------------------------------------------------------------------

  SAM_FUNCTION int level_of_tile() const { return rows_.level + depth; }
  SAM_FUNCTION index_t component(int w) const { return index_t{panel_} * W + w; }
  SAM_FUNCTION bool is_component(int w) const { return S % W == 0 || component(w) < S; }
  // Rows of level 0.
  SAM_FUNCTION index_t first(int w) const { return all_.first_row(component(w)); }
  SAM_FUNCTION index_t end(int w) const { return all_.end_row(component(w)); }
  // Rows of this pass: groups that are complete before the array and at its end.
  SAM_FUNCTION index_t first_here(int w) const { return first(w) >> rows_.level * group_bits; }
  SAM_FUNCTION index_t end_here(int w) const { return end(w) >> rows_.level * group_bits; }
  /// True if the tile has rows of the component, or the place behind its last one.
  SAM_FUNCTION bool is_touched(int w) const {
    return is_component(w) && tile_ >= tile_of(first(w)) && tile_ <= tile_of(end(w));
  }

  SAM_FUNCTION T* values() const { return reinterpret_cast<T*>(team_.memory()); }
  /// Points at row r of the tile: first the row itself, later what the rows of its run up to it are
  /// combined to. Runs are padded, so that threads access different banks.
  SAM_FUNCTION T* cell(int r, int w) const { return values() + (r + r / group) * W + w; }
  /// Points at group g of level k of the tile, from 1 on: first its total, later what lies before
  /// it in the group of the next level.
  SAM_FUNCTION T* group_at(int k, int g, int w) const {
    int at = shape::rows + shape::runs;
    for (int below = 1; below < k; ++below)
      at += shape::rows >> below * group_bits;
    return values() + (at + g) * W + w;
  }
  // The prefix and the higher levels of the state lie behind the tile's total.
  SAM_FUNCTION T* total(int w) const { return group_at(depth, 0, w); }
  SAM_FUNCTION T* prefix(int w) const { return group_at(depth, 1, w); }
  SAM_FUNCTION T* higher(int level, int w) const { return group_at(depth, 2 + level, w); }

  SAM_FUNCTION T const& held(int level, int w) const {
    return (*in_.before).group(in_.round, level, all_.place_before(component(w)));
  }
  SAM_FUNCTION T& to_leave(int level, int w) const {
    return in_.after->group(in_.round, level, all_.place_after(component(w)));
  }

  SAM_FUNCTION void append(T& to, bool known, T const& x) const {
    to = known ? in_.combined(to, x) : x;
  }

  // --- Steps ------------------------------------------------------------------------------------

  /// True if all rows of the tile are of this array.
  SAM_FUNCTION bool is_full() const {
    index_t const row = tile_ * shape::rows;
    return is_component(W - 1) && row >= first_here(0) && row + shape::rows <= end_here(W - 1);
  }
  SAM_FUNCTION void load() const {
    index_t const row = tile_ * shape::rows;
    if (is_full()) {
      // A thread loads several rows before it stores any, so that their loads overlap.
      constexpr int each = shape::rows * W / shape::loaders;
      team_.for_each(shape::loaders, [&](int i) {
        engine::uninitialized_array<T, each> x;
        for (int k = 0; k < each; ++k) {
          int const at = k * shape::loaders + i;
          x.at[k] = rows_.load(in_, all_, row + at / W, component(at % W));
        }
        for (int k = 0; k < each; ++k) {
          int const at = k * shape::loaders + i;
          *cell(at / W, at % W) = x.at[k];
        }
      });
    } else {
      team_.for_each(shape::rows * W, [&](int i) {
        int const w = i % W;
        if (is_component(w) && row + i / W >= first_here(w) && row + i / W < end_here(w))
          *cell(i / W, w) = rows_.load(in_, all_, row + i / W, component(w));
      });
    }
  }
  /// Combines each value with those before it. Loops over whole groups are unrolled, with the
  /// values in registers.
  SAM_FUNCTION void combine_all(engine::uninitialized_array<T, group>& x) const {
    for (int k = 1; k < group; ++k)
      x.at[k] = in_.combined(x.at[k - 1], x.at[k]);
  }
  /// Loads the runs and combines their rows for one thread, which has the rows of a run in
  /// registers.
  SAM_FUNCTION void load_and_combine_runs() const {
    index_t const row = tile_ * shape::rows;
    for (int run = 0; run < shape::runs; ++run)
      for (int w = 0; w < W; ++w) {
        engine::uninitialized_array<T, group> x;
        for (int k = 0; k < group; ++k)
          x.at[k] = rows_.load(in_, all_, row + run * group + k, component(w));
        combine_all(x);
        for (int k = 0; k < group; ++k)
          *cell(run * group + k, w) = x.at[k];
        *group_at(1, run, w) = x.at[group - 1];
      }
  }
  /// Combines the rows of each run.
  SAM_FUNCTION void combine_runs() const {
    team_.for_each(shape::runs * W, [&](int i) {
      int const run = i / W, w = i % W;
      if (!is_component(w))
        return;
      index_t const row = tile_ * shape::rows + run * group;
      index_t const from = first_here(w), to = end_here(w);
      if (row >= from && row + group <= to) {
        engine::uninitialized_array<T, group> x;
        for (int k = 0; k < group; ++k)
          x.at[k] = *cell(run * group + k, w);
        combine_all(x);
        for (int k = 1; k < group; ++k)
          *cell(run * group + k, w) = x.at[k];
        *group_at(1, run, w) = x.at[group - 1];
        return;
      }
      if (row + group <= from || row > to)
        return;
      int k = 0;
      if (from > row) {
        k = static_cast<int>(from - row);
        *cell(run * group + k - 1, w) = held(rows_.level, w);
      } else if (row < to) {
        k = 1;
      }
      for (; row + k < to && k < group; ++k)
        *cell(run * group + k, w) =
            in_.combined(*cell(run * group + k - 1, w), *cell(run * group + k, w));
      if (k == group)
        *group_at(1, run, w) = *cell(run * group + k - 1, w);
    });
  }
  /// Combines the groups of level k of each group of the next level.
  SAM_FUNCTION void combine_groups(int k) const {
    int const larger = shape::rows >> (k + 1) * group_bits;
    team_.for_each(larger * W, [&](int i) {
      int const g = i / W, w = i % W;
      if (!is_component(w))
        return;
      index_t const row = (tile_ * larger + g) * group;
      index_t const from = first_here(w) >> k * group_bits, to = end_here(w) >> k * group_bits;
      if (row >= from && row + group <= to) {
        engine::uninitialized_array<T, group> x;
        for (int at = 0; at < group; ++at)
          x.at[at] = *group_at(k, g * group + at, w);
        combine_all(x);
        for (int at = 1; at < group; ++at)
          *group_at(k, g * group + at, w) = x.at[at - 1];
        *group_at(k + 1, g, w) = x.at[group - 1];
        return;
      }
      if (row + group <= from || row > to)
        return;
      engine::uninitialized_array<T, 1> sum;
      bool known = from > row;
      int at = 0;
      if (known) {
        at = static_cast<int>(from - row);
        sum.at[0] = held(rows_.level + k, w);
      }
      for (; at < group && row + at < to; ++at) {
        T* const place = group_at(k, g * group + at, w);
        T const total = *place;
        if (known)
          *place = sum.at[0];
        append(sum.at[0], known, total);
        known = true;
      }
      if (at == group)
        *group_at(k + 1, g, w) = sum.at[0];
      else if (known)
        *group_at(k, g * group + at, w) = sum.at[0];
    });
  }
  /// Leaves the levels of the state that a tile adds, if the array's end lies in it.
  SAM_FUNCTION void leave(int w) const {
    index_t const to = end_here(w);
    if (tile_ != tile_of(end(w)))
      return;
    auto const at = static_cast<int>(to - tile_ * shape::rows);
    if (to % group != 0)
      to_leave(rows_.level, w) = *cell(at - 1, w);
    for (int k = 1; k < depth; ++k)
      if ((to >> k * group_bits) % group != 0)
        to_leave(rows_.level + k, w) = *group_at(k, at >> k * group_bits, w);
    if constexpr (Rows::are_items) {
      if (first(w) == end(w) && end(w) > 0)
        to_leave(stream_levels, w) = held(stream_levels, w);
      if (component(w) == 0 && in_.round == 0) {
        in_.after->items = all_.items + all_.n;
        if constexpr (requires { in_.job.leave(*in_.before, *in_.after); })
          in_.job.leave(*in_.before, *in_.after);
      }
    }
  }
  /// Replaces the first groups by all that lies before them.
  SAM_FUNCTION void place_runs() const {
    team_.for_each(shape::runs * W, [&](int i) {
      int const run = i / W, w = i % W;
      if (!is_component(w))
        return;
      index_t const row = tile_ * shape::rows + run * group;
      if (row + group <= first_here(w) || row > end_here(w))
        return;
      engine::uninitialized_array<T, 1> before;
      bool known = tile_ != 0;
      if (known)
        before.at[0] = *prefix(w);
      for (int k = depth - 1; k > 0; --k)
        if ((row >> k * group_bits) % group != 0) {
          append(before.at[0], known, *group_at(k, run >> (k - 1) * group_bits, w));
          known = true;
        }
      if (known)
        *group_at(1, run, w) = before.at[0];
    });
  }
  SAM_FUNCTION void store() const {
    if (is_full())
      return store_full();
    // A pass over groups also stores the prefix of the group that is not complete.
    constexpr int more = Rows::are_items ? 0 : 1;
    team_.for_each(shape::rows * W, [&](int i) {
      int const r = i / W, w = i % W;
      index_t const row = tile_ * shape::rows + r;
      if (!is_component(w) || row < first_here(w) || row >= end_here(w) + more)
        return;
      store_row(r, w, *group_at(1, r / group, w));
      if (Rows::are_items && row == end_here(w) - 1)
        leave_result(r, w);
    });
  }
  /// Stores a tile that has all of its rows. A single thread stores the rows of a run one after
  /// another, with what lies before the run in registers.
  SAM_FUNCTION void store_full() const {
    if constexpr (has_one_thread) {
      for (int run = 0; run < shape::runs; ++run)
        store_run(run);
    } else {
      team_.for_each(shape::rows * W,
                     [&](int i) { store_row(i / W, i % W, *group_at(1, i / W / group, i % W)); });
    }
    if constexpr (Rows::are_items)
      team_.for_each(W, [&](int w) {
        if (tile_ * shape::rows + shape::rows == end_here(w))
          leave_result(shape::rows - 1, w);
      });
  }
  /// Stores the results of a run that has all of its rows.
  SAM_FUNCTION void store_run(int run) const {
    engine::uninitialized_array<T, W> before;
    for (int w = 0; w < W; ++w)
      before.at[w] = *group_at(1, run, w);
    if (W > 1 || tile_ * shape::rows + run * group < group) {
      for (int k = 0; k < group; ++k)
        for (int w = 0; w < W; ++w)
          store_row(run * group + k, w, before.at[w]);
    } else {
      // All results are computed before one is stored: compilers need not expect a store to change
      // an operand, and use vectors.
      engine::uninitialized_array<T, group> y;
      for (int k = 0; k < group; ++k)
        y.at[k] = result_behind(run * group + k, 0, before.at[0]);
      for (int k = 0; k < group; ++k)
        put(run * group + k, 0, y.at[k]);
    }
  }
  /// Returns what is stored for row r of the tile, given what lies before its run: its result, or
  /// its prefix in a pass over groups.
  SAM_FUNCTION T result_behind(int r, int w, T const& before_run) const {
    if (is_inclusive)
      return in_.combined(before_run, *cell(r, w));
    return r % group == 0 ? before_run : in_.combined(before_run, *cell(r - 1, w));
  }
  SAM_FUNCTION void put(int r, int w, T const& y) const {
    index_t const row = tile_ * shape::rows + r;
    if constexpr (!Rows::are_items)
      rows_.at(all_, row, component(w)) = y;
    else if constexpr (Round::job_type::stores_each)
      in_.job.store(row * S + component(w) - all_.items,
                    Round::job_type::computes ? detail::opaque(y) : y);
  }
  SAM_FUNCTION void store_row(int r, int w, T const& before_run) const {
    if (tile_ * shape::rows + r >= group)
      put(r, w, result_behind(r, w, before_run));
    else if (is_inclusive)
      put(r, w, *cell(r, w));
    else if (r > 0)
      put(r, w, *cell(r - 1, w));
    else if constexpr (Rows::are_items)
      if constexpr (!is_inclusive)
        in_.job.store_empty(component(w) - all_.items);
  }
  /// Leaves the inclusive result of the array's last row, row r of the tile.
  SAM_FUNCTION void leave_result(int r, int w) const {
    bool const known = tile_ * shape::rows + r >= group;
    to_leave(stream_levels, w) =
        known ? in_.combined(*group_at(1, r / group, w), *cell(r, w)) : *cell(r, w);
  }

  Round const& in_;
  Rows const& rows_;
  Team const& team_;
  stream_extent<S> const all_;
  int const panel_;
  index_t tile_ = 0;
};

}  // namespace sam::inline v0_1::detail
