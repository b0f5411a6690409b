// SPDX-License-Identifier: MIT
// Instantiates segmented scans for the tool's item types.
#include "engine/segmented.hpp"

namespace sam::tool {

template void segmented(SAM_CONTEXT&, std::span<std::uint8_t>, segments_in_reach const&,
                        any_operator<std::uint8_t>, std::uint8_t);
template void segmented(SAM_CONTEXT&, std::span<std::uint16_t>, segments_in_reach const&,
                        any_operator<std::uint16_t>, std::uint16_t);
template void segmented(SAM_CONTEXT&, std::span<std::uint32_t>, segments_in_reach const&,
                        any_operator<std::uint32_t>, std::uint32_t);
template void segmented(SAM_CONTEXT&, std::span<std::uint64_t>, segments_in_reach const&,
                        any_operator<std::uint64_t>, std::uint64_t);
template void segmented(SAM_CONTEXT&, std::span<float>, segments_in_reach const&,
                        any_operator<float>, float);
template void segmented(SAM_CONTEXT&, std::span<double>, segments_in_reach const&,
                        any_operator<double>, double);

}  // namespace sam::tool
