// SPDX-License-Identifier: MIT
// Names host code for profilers. HIP programs have no ranges yet.
#pragma once

#include <sam/base/requirements.hpp>

namespace sam::inline v0_1::hip {

/// Takes the name of a range, or a function that makes the name, and does nothing.
class range {
 public:
  template <class NameOrMakeName>
  explicit constexpr range(NameOrMakeName const&) {}
  ~range() {}  // so that compilers do not take ranges for unused variables
  range(range const&) = delete;
  range& operator=(range const&) = delete;
};

}  // namespace sam::inline v0_1::hip
