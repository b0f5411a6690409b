// SPDX-License-Identifier: MIT
// Unqualified calls with a caller's types, like those that test_hijackers must detect. None
// compiles.
#include "../support/hijacked.hpp"

void call(hijacked::view<int> view, hijacked::item<1>* items) {
#if CASE == 1
  size_of(view);
#elif CASE == 2
  load<int, 3>(items);
#elif CASE == 3
  view, items;
#elif CASE == 4
  &view;
#endif
}
