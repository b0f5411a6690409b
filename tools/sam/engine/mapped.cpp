// SPDX-License-Identifier: MIT
// Instantiates scans and reductions of mapped items for the tool's item types.
#include "engine/mapped.hpp"

namespace sam::tool {

template void mapped_scan(SAM_CONTEXT&, std::span<std::uint8_t const>, std::span<std::uint64_t>,
                          any_map<std::uint8_t, std::uint64_t>, any_operator<std::uint64_t>,
                          std::uint64_t, bool);
template void mapped_total(SAM_CONTEXT&, std::span<std::uint8_t const>, std::span<std::uint64_t>,
                           any_map<std::uint8_t, std::uint64_t>, any_operator<std::uint64_t>,
                           std::uint64_t);
template void mapped_scan(SAM_CONTEXT&, std::span<std::uint16_t const>, std::span<std::uint64_t>,
                          any_map<std::uint16_t, std::uint64_t>, any_operator<std::uint64_t>,
                          std::uint64_t, bool);
template void mapped_total(SAM_CONTEXT&, std::span<std::uint16_t const>, std::span<std::uint64_t>,
                           any_map<std::uint16_t, std::uint64_t>, any_operator<std::uint64_t>,
                           std::uint64_t);
template void mapped_scan(SAM_CONTEXT&, std::span<std::uint32_t const>, std::span<std::uint64_t>,
                          any_map<std::uint32_t, std::uint64_t>, any_operator<std::uint64_t>,
                          std::uint64_t, bool);
template void mapped_total(SAM_CONTEXT&, std::span<std::uint32_t const>, std::span<std::uint64_t>,
                           any_map<std::uint32_t, std::uint64_t>, any_operator<std::uint64_t>,
                           std::uint64_t);
template void mapped_scan(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::uint64_t>,
                          any_map<std::uint64_t, std::uint64_t>, any_operator<std::uint64_t>,
                          std::uint64_t, bool);
template void mapped_total(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::uint64_t>,
                           any_map<std::uint64_t, std::uint64_t>, any_operator<std::uint64_t>,
                           std::uint64_t);
template void mapped_scan(SAM_CONTEXT&, std::span<float const>, std::span<float>,
                          any_map<float, float>, any_operator<float>, float, bool);
template void mapped_total(SAM_CONTEXT&, std::span<float const>, std::span<float>,
                           any_map<float, float>, any_operator<float>, float);
template void mapped_scan(SAM_CONTEXT&, std::span<double const>, std::span<double>,
                          any_map<double, double>, any_operator<double>, double, bool);
template void mapped_total(SAM_CONTEXT&, std::span<double const>, std::span<double>,
                           any_map<double, double>, any_operator<double>, double);

}  // namespace sam::tool
