// SPDX-License-Identifier: MIT
// The serial back end adds no peers of compaction.
#pragma once

namespace perf {

template <class Use>
void for_each_select_peer_of_backend(Use) {}

}  // namespace perf
