// SPDX-License-Identifier: MIT
// Instantiates sums of 32-bit integers.
#include "engine/sum.hpp"

namespace sam::tool {

template int sum(SAM_CONTEXT&, std::span<std::uint32_t const>, std::span<std::uint32_t>, int,
                 index_t, std::uint32_t);

}  // namespace sam::tool
