// SPDX-License-Identifier: MIT
#include "engine/segmented.hpp"

namespace sam::tool {

template void segmented(SAM_CONTEXT&, std::span<std::uint8_t>, std::span<std::uint8_t const>,
                        any_operator<std::uint8_t>, std::uint8_t);
template void segmented(SAM_CONTEXT&, std::span<std::uint16_t>, std::span<std::uint8_t const>,
                        any_operator<std::uint16_t>, std::uint16_t);
template void segmented(SAM_CONTEXT&, std::span<std::uint32_t>, std::span<std::uint8_t const>,
                        any_operator<std::uint32_t>, std::uint32_t);
template void segmented(SAM_CONTEXT&, std::span<std::uint64_t>, std::span<std::uint8_t const>,
                        any_operator<std::uint64_t>, std::uint64_t);
template void segmented(SAM_CONTEXT&, std::span<float>, std::span<std::uint8_t const>,
                        any_operator<float>, float);
template void segmented(SAM_CONTEXT&, std::span<double>, std::span<std::uint8_t const>,
                        any_operator<double>, double);

template index_t segment_totals(SAM_CONTEXT&, std::span<std::uint8_t const>,
                                std::span<std::uint8_t const>, std::span<std::uint8_t>,
                                any_operator<std::uint8_t>, std::uint8_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::uint16_t const>,
                                std::span<std::uint8_t const>, std::span<std::uint16_t>,
                                any_operator<std::uint16_t>, std::uint16_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::uint32_t const>,
                                std::span<std::uint8_t const>, std::span<std::uint32_t>,
                                any_operator<std::uint32_t>, std::uint32_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::uint64_t const>,
                                std::span<std::uint8_t const>, std::span<std::uint64_t>,
                                any_operator<std::uint64_t>, std::uint64_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<float const>, std::span<std::uint8_t const>,
                                std::span<float>, any_operator<float>, float);
template index_t segment_totals(SAM_CONTEXT&, std::span<double const>,
                                std::span<std::uint8_t const>, std::span<double>,
                                any_operator<double>, double);

}  // namespace sam::tool
