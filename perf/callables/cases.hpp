// SPDX-License-Identifier: MIT
// Arrays that all programs of this folder use. SAM_ITEM is the type of their items.
#pragma once

#include "harness.hpp"

namespace callables {

using sam::serial::context;

template <class T = item>
T const* input(index_t n) {
  return random_items<T>(n).data();
}
template <class T = item>
T* output() {
  return shared_array<T, as_output>().data();
}
template <class T = item>
T* wanted() {
  return shared_array<T, as_wanted>().data();
}

/// The number of items that a call wrote, and the number that it should write.
struct counts {
  index_t ours = 0, wanted = 0;
};

}  // namespace callables
