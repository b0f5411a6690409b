// SPDX-License-Identifier: MIT
// The serial back end adds no peers of scans.
#pragma once

namespace perf {

template <class Use>
void for_each_peer_of_backend(Use) {}

}  // namespace perf
