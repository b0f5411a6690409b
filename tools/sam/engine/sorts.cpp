// SPDX-License-Identifier: MIT
// Instantiates sorts for the tool's item types.
#include "engine/sorts.hpp"

namespace sam::tool {

template void sort_numbers(SAM_CONTEXT&, std::span<std::uint8_t>, number_bits<std::uint8_t>,
                           sort_request const&);
template void sort_numbers(SAM_CONTEXT&, std::span<std::uint16_t>, number_bits<std::uint16_t>,
                           sort_request const&);
template void sort_numbers(SAM_CONTEXT&, std::span<std::uint32_t>, number_bits<std::uint32_t>,
                           sort_request const&);
template void sort_numbers(SAM_CONTEXT&, std::span<std::uint64_t>, number_bits<std::uint64_t>,
                           sort_request const&);
template void argsort_numbers(SAM_CONTEXT&, std::span<std::uint8_t const>, std::span<std::int64_t>,
                              number_bits<std::uint8_t>, sort_request const&);
template void argsort_numbers(SAM_CONTEXT&, std::span<std::uint16_t const>, std::span<std::int64_t>,
                              number_bits<std::uint16_t>, sort_request const&);
template void argsort_numbers(SAM_CONTEXT&, std::span<std::uint32_t const>, std::span<std::int64_t>,
                              number_bits<std::uint32_t>, sort_request const&);
template void argsort_numbers(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::int64_t>,
                              number_bits<std::uint64_t>, sort_request const&);

template void sort_pairs(SAM_CONTEXT&, std::span<std::uint8_t>, std::span<std::uint32_t const>,
                         std::span<std::uint32_t>, number_bits<std::uint8_t>, sort_request const&);
template void sort_pairs(SAM_CONTEXT&, std::span<std::uint8_t>, std::span<std::uint64_t const>,
                         std::span<std::uint64_t>, number_bits<std::uint8_t>, sort_request const&);
template void sort_pairs(SAM_CONTEXT&, std::span<std::uint16_t>, std::span<std::uint32_t const>,
                         std::span<std::uint32_t>, number_bits<std::uint16_t>, sort_request const&);
template void sort_pairs(SAM_CONTEXT&, std::span<std::uint16_t>, std::span<std::uint64_t const>,
                         std::span<std::uint64_t>, number_bits<std::uint16_t>, sort_request const&);
template void sort_pairs(SAM_CONTEXT&, std::span<std::uint32_t>, std::span<std::uint32_t const>,
                         std::span<std::uint32_t>, number_bits<std::uint32_t>, sort_request const&);
template void sort_pairs(SAM_CONTEXT&, std::span<std::uint32_t>, std::span<std::uint64_t const>,
                         std::span<std::uint64_t>, number_bits<std::uint32_t>, sort_request const&);
template void sort_pairs(SAM_CONTEXT&, std::span<std::uint64_t>, std::span<std::uint32_t const>,
                         std::span<std::uint32_t>, number_bits<std::uint64_t>, sort_request const&);
template void sort_pairs(SAM_CONTEXT&, std::span<std::uint64_t>, std::span<std::uint64_t const>,
                         std::span<std::uint64_t>, number_bits<std::uint64_t>, sort_request const&);

}  // namespace sam::tool
