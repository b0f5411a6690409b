// SPDX-License-Identifier: MIT
#pragma once

namespace perf {

template <class Use>
void for_each_select_peer_of_backend(Use) {}

}  // namespace perf
