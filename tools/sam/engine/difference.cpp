// SPDX-License-Identifier: MIT
// Instantiates differences for the tool's item types.
#include "engine/difference.hpp"

namespace sam::tool {

template void difference(SAM_CONTEXT&, std::span<std::uint8_t const>, std::span<std::uint8_t>,
                         index_t);
template void difference(SAM_CONTEXT&, std::span<std::uint16_t const>, std::span<std::uint16_t>,
                         index_t);
template void difference(SAM_CONTEXT&, std::span<std::uint32_t const>, std::span<std::uint32_t>,
                         index_t);
template void difference(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::uint64_t>,
                         index_t);

}  // namespace sam::tool
