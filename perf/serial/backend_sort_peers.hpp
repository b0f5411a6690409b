// SPDX-License-Identifier: MIT
// The serial back end adds no peers of sorts.
#pragma once

namespace perf {

template <class Use>
void for_each_sort_peer_of_backend(Use) {}

}  // namespace perf
