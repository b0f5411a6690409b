// SPDX-License-Identifier: MIT
// Instantiates scans with bitwise operators for the tool's item types.
#include "engine/combine.hpp"

namespace sam::tool {

template void combine(SAM_CONTEXT&, std::span<std::uint8_t>, index_t, bits<std::uint8_t>,
                      std::uint8_t);
template void combine(SAM_CONTEXT&, std::span<std::uint16_t>, index_t, bits<std::uint16_t>,
                      std::uint16_t);
template void combine(SAM_CONTEXT&, std::span<std::uint32_t>, index_t, bits<std::uint32_t>,
                      std::uint32_t);
template void combine(SAM_CONTEXT&, std::span<std::uint64_t>, index_t, bits<std::uint64_t>,
                      std::uint64_t);

}  // namespace sam::tool
