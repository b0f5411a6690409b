// SPDX-License-Identifier: MIT
// Instantiates sums of floats.
#include "engine/sum.hpp"

namespace sam::tool {

template int sum(SAM_CONTEXT&, std::span<float const>, std::span<float>, int, index_t, float);
template int sum(SAM_CONTEXT&, std::span<double const>, std::span<double>, int, index_t, double);
template int exclusive_sum(SAM_CONTEXT&, std::span<float>, index_t, float);
template int exclusive_sum(SAM_CONTEXT&, std::span<double>, index_t, double);

}  // namespace sam::tool
