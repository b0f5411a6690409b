// SPDX-License-Identifier: MIT
// Instantiates minimum and maximum scans for the tool's item types.
#include "engine/combine.hpp"

namespace sam::tool {

template void combine(SAM_CONTEXT&, std::span<std::uint8_t>, index_t, extreme<std::uint8_t>,
                      std::uint8_t);
template void combine(SAM_CONTEXT&, std::span<std::uint16_t>, index_t, extreme<std::uint16_t>,
                      std::uint16_t);
template void combine(SAM_CONTEXT&, std::span<std::uint32_t>, index_t, extreme<std::uint32_t>,
                      std::uint32_t);
template void combine(SAM_CONTEXT&, std::span<std::uint64_t>, index_t, extreme<std::uint64_t>,
                      std::uint64_t);
template void combine(SAM_CONTEXT&, std::span<float>, index_t, extreme<float>, float);
template void combine(SAM_CONTEXT&, std::span<double>, index_t, extreme<double>, double);

}  // namespace sam::tool
