// SPDX-License-Identifier: MIT
// Instantiates sums of 8-bit integers.
#include "engine/sum.hpp"

namespace sam::tool {

template int sum(SAM_CONTEXT&, std::span<std::uint8_t const>, std::span<std::uint8_t>, int, index_t,
                 std::uint8_t);

}  // namespace sam::tool
