// SPDX-License-Identifier: MIT
// Instantiates sums of 64-bit integers.
#include "engine/sum.hpp"

namespace sam::tool {

template int sum(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::uint64_t>, int,
                 index_t, std::uint64_t);
template int exclusive_sum(SAM_CONTEXT&, std::span<std::uint64_t>, index_t, std::uint64_t);

}  // namespace sam::tool
