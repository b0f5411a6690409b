// SPDX-License-Identifier: MIT
// Instantiates selections by rank for keys of 4 and of 8 bytes.
#include "engine/top.hpp"

namespace sam::tool {

template void choose_top(SAM_CONTEXT&, std::span<std::uint32_t const>, std::span<std::int64_t>,
                         bool);
template void choose_top(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::int64_t>,
                         bool);

}  // namespace sam::tool
