// SPDX-License-Identifier: MIT
// Instantiates exclusive-or scans for the tool's item types.
#include "engine/combine.hpp"

namespace sam::tool {

template void combine(SAM_CONTEXT&, std::span<std::uint8_t>, index_t, bit_xor, std::uint8_t);
template void combine(SAM_CONTEXT&, std::span<std::uint16_t>, index_t, bit_xor, std::uint16_t);
template void combine(SAM_CONTEXT&, std::span<std::uint32_t>, index_t, bit_xor, std::uint32_t);
template void combine(SAM_CONTEXT&, std::span<std::uint64_t>, index_t, bit_xor, std::uint64_t);

}  // namespace sam::tool
