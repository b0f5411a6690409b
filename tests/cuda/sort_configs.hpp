// SPDX-License-Identifier: MIT
// Defines the capacities of the small sorts, so that tests cover their edges.
#pragma once

#include <sam/cuda/sort/tuning.hpp>

namespace test {

using sam::index_t;

/// The threads of a single-block sort by digits, comparisons or counts, or of a cluster whose
/// blocks all merge.
template <class Config>
constexpr index_t threads_of = [] {
  if constexpr (requires { Config::slots, Config::blocks; })
    return index_t{Config::blocks} * Config::warps * 32;
  else
    return index_t{Config::warps} * 32;
}();
/// The most keys of a small sort, or the size of the runs that clusters sort.
template <class Config, class Key>
constexpr index_t buffer_of = [] {
  if constexpr (requires { Config::runs; })
    return Config::runs * buffer_of<typename Config::cluster, Key>;
  else if constexpr (requires { Config::slots; })
    return threads_of<Config> * Config::slots;
  else if constexpr (!requires { Config::shared; })
    return threads_of<Config> * Config::items;
  else if constexpr (Config::shared != 0)
    return index_t{Config::shared};
  else
    return threads_of<Config> * Config::vectors * index_t(16 / sizeof(Key));
}();

}  // namespace test
