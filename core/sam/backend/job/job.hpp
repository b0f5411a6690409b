// SPDX-License-Identifier: MIT
// Defines the concept that every job satisfies. Other headers of this folder define kinds of jobs.
#pragma once

#include <sam/portable.hpp>

#include <concepts>

namespace sam::inline v0_1::engine {

/// Describes one primitive to a back end: how to load an item, convert it and store the result. A
/// back end calls these members in any order and from any thread. `load` must not depend on the
/// stores of other items.
///
/// load(i)            returns item i
/// to_accumulator(x)  converts item x to its aggregate, the value that is scanned
/// store(i, x, y)     stores the result of item i, given its scan value y: the inclusive or the
///                    exclusive prefix, as the policy has it
///
/// A job of a more special kind has further members, with which a back end does less work. Each
/// kind is a concept in a header of its own, and refines this one. A back end runs every kind as
/// any job, or has an overload of its run function for it. So `store` does all that a job is for,
/// and further members do parts of it in other ways.
template <class J>
concept job = std::copy_constructible<J> &&
    requires(J const j, index_t i, typename J::item x, typename J::accumulator y) {
  { j.load(i) } -> std::same_as<typename J::item>;
  { j.to_accumulator(x) } -> std::same_as<typename J::accumulator>;
  j.store(i, x, y);
};

}  // namespace sam::inline v0_1::engine
