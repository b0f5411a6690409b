// SPDX-License-Identifier: MIT
// How many keys what sorts few of them alone has room for, so that tests find its edges.
#pragma once

#include <sam/cuda/sort/tuning.hpp>

namespace test {

using sam::index_t;

/// Threads of a block that sorts alone, by digits, comparisons or counts, or of a cluster of those
/// that all compare.
template <class Config>
constexpr index_t threads_of = [] {
  if constexpr (requires { Config::slots, Config::blocks; })
    return index_t{Config::blocks} * Config::warps * 32;
  else
    return index_t{Config::warps} * 32;
}();
/// How many keys it has room for, or runs that clusters sort have.
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
