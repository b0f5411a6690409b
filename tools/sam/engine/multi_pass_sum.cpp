// SPDX-License-Identifier: MIT
// Instantiates multi-pass sums for the tool's item types.
#include "engine/multi_pass_sum.hpp"

namespace sam::tool {

template int multi_pass_sum(SAM_CONTEXT&, std::span<std::uint64_t>, index_t, std::uint64_t,
                            carry_scheme);
template int multi_pass_sum(SAM_CONTEXT&, std::span<float>, index_t, float, carry_scheme);
template int multi_pass_sum(SAM_CONTEXT&, std::span<double>, index_t, double, carry_scheme);

}  // namespace sam::tool
