// SPDX-License-Identifier: MIT
// How many keys what sorts few of them alone has room for, so that tests find its edges.
#pragma once

#include <sam/cuda/sort/tuning.hpp>

namespace test {

using sam::index_t;

/// Threads of a block that sorts alone, by digits, comparisons or counts, or of a cluster of those
/// that all compare.
template <class Shape>
constexpr index_t threads_of = [] {
  if constexpr (requires { Shape::slots, Shape::blocks; })
    return index_t{Shape::blocks} * Shape::warps * 32;
  else
    return index_t{Shape::warps} * 32;
}();
/// How many keys it has room for, or runs that clusters sort have.
template <class Shape, class Key>
constexpr index_t room_of = [] {
  if constexpr (requires { Shape::runs; })
    return Shape::runs * room_of<typename Shape::cluster, Key>;
  else if constexpr (requires { Shape::slots; })
    return threads_of<Shape> * Shape::slots;
  else if constexpr (!requires { Shape::shared; })
    return threads_of<Shape> * Shape::items;
  else if constexpr (Shape::shared != 0)
    return index_t{Shape::shared};
  else
    return threads_of<Shape> * Shape::vectors * index_t(16 / sizeof(Key));
}();

}  // namespace test
