// SPDX-License-Identifier: MIT
// Instantiates sums of 16-bit integers.
#include "engine/sum.hpp"

namespace sam::tool {

template int sum(SAM_CONTEXT&, std::span<std::uint16_t const>, std::span<std::uint16_t>, int,
                 index_t, std::uint16_t);

}  // namespace sam::tool
