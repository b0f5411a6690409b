// SPDX-License-Identifier: MIT
// Lists the contexts that tests run on: each engine of each execution space.
#pragma once

#include <sam/kokkos/backend.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

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

template <class Space>
using contexts_of = std::tuple<sam::kokkos::basic_context<Space>, fallback<Space>>;
using default_space = Kokkos::DefaultExecutionSpace;
using contexts_of_default =
    decltype(std::tuple_cat(std::declval<contexts_of<default_space>>(),
                            std::declval<std::tuple<fallback_in_teams<default_space>>>()));

#ifdef KOKKOS_ENABLE_SERIAL
using other_contexts = std::conditional_t<std::is_same_v<default_space, Kokkos::Serial>,
                                          std::tuple<>, contexts_of<Kokkos::Serial>>;
#else
using other_contexts = std::tuple<>;
#endif

/// All contexts, in a form that Catch2 takes.
using contexts =
    decltype(std::tuple_cat(std::declval<contexts_of_default>(), std::declval<other_contexts>()));

}  // namespace test
