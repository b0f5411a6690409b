// SPDX-License-Identifier: MIT
// Instantiates product scans for the tool's accumulators.
#include "engine/combine.hpp"

namespace sam::tool {

template void combine(SAM_CONTEXT&, std::span<std::uint64_t>, index_t, multiplies, std::uint64_t);
template void combine(SAM_CONTEXT&, std::span<float>, index_t, multiplies, float);
template void combine(SAM_CONTEXT&, std::span<double>, index_t, multiplies, double);

}  // namespace sam::tool
