// SPDX-License-Identifier: MIT
// Runs the passes of a round of a stream: each level is combined to the groups of the next one,
// until few tiles are left, which one team scans in turn. Then the prefixes go down again, level by
// level.
#pragma once

#include <sam/context.hpp>
#include <sam/detail/stream/stream_tile.hpp>

#include <array>

namespace sam::inline v0_1::detail {

/// Combines the rows of each complete tile to a group of the next level.
template <class Round, class Rows>
struct combine_stream_tiles {
  Round in;
  Rows rows;
  typename Round::T* to;  // the first group of the next pass

  template <class Team>
  SAM_FUNCTION void operator()(Team const& team) const {
    constexpr int panels = Round::shape::panels;
    stream_tile<Round, Rows, Team> tile(in, rows, team, static_cast<int>(team.index() % panels));
    index_t const at = tile.tile_of(tile.all().lowest_row()) + team.index() / panels;
    if (at >= tile.tile_of(tile.all().highest_end()))
      return;
    tile.enter(at);
    tile.combine();
    tile.store_totals(to);
  }
};

/// Scans the rows of each tile from its prefix.
template <class Round, class Rows>
struct scan_stream_tiles {
  Round in;
  Rows rows;
  typename Round::T* prefixes;  // those of the tiles, as the next pass has left them

  template <class Team>
  SAM_FUNCTION void operator()(Team const& team) const {
    constexpr int panels = Round::shape::panels;
    stream_tile<Round, Rows, Team> tile(in, rows, team, static_cast<int>(team.index() % panels));
    index_t const at = tile.tile_of(tile.all().lowest_row()) + team.index() / panels;
    if (at > tile.tile_of(tile.all().highest_end()))
      return;
    tile.enter(at);
    if (!tile.is_wanted())
      return;
    tile.combine();
    tile.begin(prefixes);
    tile.finish();
  }
};

/// Scans the rows of all tiles of a panel, one tile after another.
template <class Round, class Rows>
struct scan_stream_in_turn {
  Round in;
  Rows rows;

  template <class Team>
  SAM_FUNCTION void operator()(Team const& team) const {
    stream_tile<Round, Rows, Team> tile(in, rows, team, static_cast<int>(team.index()));
    tile.take_state();
    index_t const last = tile.tile_of(tile.all().highest_end());
    for (index_t at = tile.tile_of(tile.all().lowest_row()); at <= last; ++at) {
      tile.enter(at);
      tile.combine();
      tile.begin_in_turn();
      if (tile.is_wanted())
        tile.finish();
      team.barrier();
    }
    tile.leave_state();
  }
};

/// The passes of a round: how many tiles each may have, and the memory of their groups.
template <class T, int S>
struct stream_plan {
  using shape = stream_shape<T, S>;
  /// The most tiles that one team scans in turn, unless there is one team only, or no higher level.
  static constexpr index_t most_in_turn = 4;

  int passes;  // the last one has its tiles in turn
  std::array<index_t, (stream_levels - 1) / shape::depth> tiles;
  index_t groups = 0;  // of all passes, in all components

  /// Plans the passes of n items behind `items`, or behind any number of items if that is negative,
  /// for so many teams.
  stream_plan(index_t n, index_t items, int teams) {
    index_t const rows = engine::div_up(n, S) + 1;
    for (passes = 0;;) {
      index_t const level = passes * shape::depth + shape::depth;
      auto const tile_of = [&](index_t row) { return row >> level * stream_group_bits; };
      index_t const count =
          items < 0 ? tile_of(rows) + 2 : tile_of((items + n + S - 1) / S) - tile_of(items / S) + 1;
      tiles[static_cast<std::size_t>(passes++)] = count;
      if (teams == 1 || count <= most_in_turn || passes == static_cast<int>(tiles.size()))
        return;
      groups += count * S;
    }
  }
};

/// Stands for the job in passes over groups, which only ask it for the number of items. So their
/// kernels are those of all jobs.
template <class Job>
struct no_stream_job {
  decltype(Job::number) number;
  SAM_FUNCTION index_t count() const { return number(); }
};

/// Runs a round. `memory` has the groups of all passes.
template <class Context, class Job, class Op, class Before, class State, class Plan, class T>
void run_stream_round(Context& context, stream_round<Job, Op, Before, State> const& in,
                      Plan const& plan, T* memory) {
  using shape = typename Plan::shape;
  using items = item_rows<stream_round<Job, Op, Before, State>>;
  using groups_round = stream_round<no_stream_job<Job>, Op, Before, State>;
  using groups = group_rows<groups_round>;
  groups_round const of_groups{{in.job.number}, in.op, in.before, in.after, in.round};
  constexpr int panels = shape::panels;
  auto const run = [&]<class Kernel>(index_t teams, Kernel const& kernel) {
    static_assert(engine::runs_teams<Context, Kernel>,
                  "sam: this context has no run_teams, which scans of streams need");
    context.run_teams(teams, shape::threads, shape::bytes, kernel);
  };
  int const last = plan.passes - 1;
  if (last == 0)
    return run(panels, scan_stream_in_turn{in, items{}});
  std::array<groups, std::tuple_size_v<decltype(plan.tiles)>> rows;  // of each pass but the first
  for (int p = 0; p < last; ++p) {
    auto const at = static_cast<std::size_t>(p);
    index_t const teams = (plan.tiles[at] - 1) * panels;
    if (p == 0)
      run(teams, combine_stream_tiles{in, items{}, memory});
    else
      run(teams, combine_stream_tiles{of_groups, rows[at], memory});
    rows[at + 1] = groups{memory, (p + 1) * shape::depth};
    memory += plan.tiles[at] * State::components;
  }
  run(panels, scan_stream_in_turn{of_groups, rows[static_cast<std::size_t>(last)]});
  for (int p = last - 1; p >= 0; --p) {
    auto const at = static_cast<std::size_t>(p);
    index_t const teams = plan.tiles[at] * panels;
    if (p > 0)
      run(teams, scan_stream_tiles{of_groups, rows[at], rows[at + 1].groups});
    else
      run(teams, scan_stream_tiles{in, items{}, rows[1].groups});
  }
}

}  // namespace sam::inline v0_1::detail
