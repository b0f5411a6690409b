// SPDX-License-Identifier: MIT
// Instantiates summed-area tables for the tool's item types.
#include "engine/areas.hpp"

namespace sam::tool {

template void sum_areas(SAM_CONTEXT&, std::span<std::uint64_t>, index_t, bool);
template void sum_areas(SAM_CONTEXT&, std::span<double>, index_t, bool);

}  // namespace sam::tool
