// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>

#include "engine/sum.hpp"

namespace sam::tool {

template int sum(default_context&, std::span<std::uint32_t const>, std::span<std::uint32_t>, int,
                 index_t, std::uint32_t);
template int exclusive_sum(default_context&, std::span<std::uint32_t>, index_t, std::uint32_t);

}  // namespace sam::tool
