// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>

#include "engine/combine.hpp"

namespace sam::tool {

template void combine(default_context&, std::span<std::uint8_t>, index_t, extreme<std::uint8_t>,
                      std::uint8_t);
template void combine(default_context&, std::span<std::uint16_t>, index_t, extreme<std::uint16_t>,
                      std::uint16_t);
template void combine(default_context&, std::span<std::uint32_t>, index_t, extreme<std::uint32_t>,
                      std::uint32_t);
template void combine(default_context&, std::span<std::uint64_t>, index_t, extreme<std::uint64_t>,
                      std::uint64_t);
template void combine(default_context&, std::span<float>, index_t, extreme<float>, float);
template void combine(default_context&, std::span<double>, index_t, extreme<double>, double);

}  // namespace sam::tool
