// SPDX-License-Identifier: MIT
#include "engine/sum.hpp"

namespace sam::tool {

template int sum(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::uint64_t>, int,
                 index_t, std::uint64_t);
template int exclusive_sum(SAM_CONTEXT&, std::span<std::uint64_t>, index_t, std::uint64_t);

}  // namespace sam::tool
