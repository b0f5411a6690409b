// SPDX-License-Identifier: MIT
// Lists the contexts that tests run on: each engine of each execution space.
#pragma once

#include <sam/kokkos/backend.hpp>

#include <tuple>

namespace test {

template <class Space>
using fallback = sam::kokkos::basic_context<Space, sam::kokkos::engine_kind::fallback>;

/// The fallback with teams of two threads, where a host space has them. Elsewhere it is as usual.
template <class Space>
struct fallback_in_teams : fallback<Space> {
  fallback_in_teams() { sam::kokkos::most_host_team_threads = 2; }
  fallback_in_teams(fallback_in_teams const&) = delete;
  fallback_in_teams& operator=(fallback_in_teams const&) = delete;
  ~fallback_in_teams() { sam::kokkos::most_host_team_threads = 1; }
};

using default_space = Kokkos::DefaultExecutionSpace;

template <class Spaces>
struct contexts_of;
template <class... Space>
struct contexts_of<std::tuple<Space...>> {
  using type = std::tuple<fallback_in_teams<default_space>, sam::kokkos::basic_context<Space>...,
                          fallback<Space>...>;
};
/// All contexts, in a form that Catch2 takes.
using contexts = contexts_of<sam::kokkos::execution_spaces>::type;

}  // namespace test
