// SPDX-License-Identifier: MIT
// Instantiates segmented sorts for words of 4 and 8 bytes.
#include "engine/segmented_sorts.hpp"

namespace sam::tool {

template void sort_segments(SAM_CONTEXT&, std::span<std::uint32_t const>, segments_in_reach const&,
                            std::span<std::uint32_t>, number_bits<std::uint32_t>,
                            sort_request const&);
template void argsort_segments(SAM_CONTEXT&, std::span<std::uint32_t const>,
                               segments_in_reach const&, std::span<std::int64_t>,
                               number_bits<std::uint32_t>, sort_request const&);
template void sort_segments_of_pairs(SAM_CONTEXT&, std::span<std::uint32_t const>,
                                     std::span<std::uint32_t const>, segments_in_reach const&,
                                     std::span<std::uint32_t>, std::span<std::uint32_t>,
                                     number_bits<std::uint32_t>, sort_request const&);
template void sort_segments_of_pairs(SAM_CONTEXT&, std::span<std::uint32_t const>,
                                     std::span<std::uint64_t const>, segments_in_reach const&,
                                     std::span<std::uint32_t>, std::span<std::uint64_t>,
                                     number_bits<std::uint32_t>, sort_request const&);

template void sort_segments(SAM_CONTEXT&, std::span<std::uint64_t const>, segments_in_reach const&,
                            std::span<std::uint64_t>, number_bits<std::uint64_t>,
                            sort_request const&);
template void argsort_segments(SAM_CONTEXT&, std::span<std::uint64_t const>,
                               segments_in_reach const&, std::span<std::int64_t>,
                               number_bits<std::uint64_t>, sort_request const&);
template void sort_segments_of_pairs(SAM_CONTEXT&, std::span<std::uint64_t const>,
                                     std::span<std::uint32_t const>, segments_in_reach const&,
                                     std::span<std::uint64_t>, std::span<std::uint32_t>,
                                     number_bits<std::uint64_t>, sort_request const&);
template void sort_segments_of_pairs(SAM_CONTEXT&, std::span<std::uint64_t const>,
                                     std::span<std::uint64_t const>, segments_in_reach const&,
                                     std::span<std::uint64_t>, std::span<std::uint64_t>,
                                     number_bits<std::uint64_t>, sort_request const&);

}  // namespace sam::tool
