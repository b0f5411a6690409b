// SPDX-License-Identifier: MIT
// Instantiates segmented reductions and reductions by key for the tool's item types.
#include "engine/segment_totals.hpp"

namespace sam::tool {

template index_t segment_totals(SAM_CONTEXT&, std::span<std::int8_t const>,
                                segments_in_reach const&, std::span<std::uint64_t>,
                                any_operator<std::uint64_t>, std::uint64_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::int16_t const>,
                                segments_in_reach const&, std::span<std::uint64_t>,
                                any_operator<std::uint64_t>, std::uint64_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::int32_t const>,
                                segments_in_reach const&, std::span<std::uint64_t>,
                                any_operator<std::uint64_t>, std::uint64_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::int64_t const>,
                                segments_in_reach const&, std::span<std::uint64_t>,
                                any_operator<std::uint64_t>, std::uint64_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::uint8_t const>,
                                segments_in_reach const&, std::span<std::uint64_t>,
                                any_operator<std::uint64_t>, std::uint64_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::uint16_t const>,
                                segments_in_reach const&, std::span<std::uint64_t>,
                                any_operator<std::uint64_t>, std::uint64_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::uint32_t const>,
                                segments_in_reach const&, std::span<std::uint64_t>,
                                any_operator<std::uint64_t>, std::uint64_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<std::uint64_t const>,
                                segments_in_reach const&, std::span<std::uint64_t>,
                                any_operator<std::uint64_t>, std::uint64_t);
template index_t segment_totals(SAM_CONTEXT&, std::span<float const>, segments_in_reach const&,
                                std::span<float>, any_operator<float>, float);
template index_t segment_totals(SAM_CONTEXT&, std::span<double const>, segments_in_reach const&,
                                std::span<double>, any_operator<double>, double);

template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<std::int8_t const>, std::span<std::uint32_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<std::int8_t const>, std::span<std::uint64_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<std::int16_t const>, std::span<std::uint32_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<std::int16_t const>, std::span<std::uint64_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<std::int32_t const>, std::span<std::uint32_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<std::int32_t const>, std::span<std::uint64_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<std::int64_t const>, std::span<std::uint32_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<std::int64_t const>, std::span<std::uint64_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<std::uint8_t const>, std::span<std::uint32_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<std::uint8_t const>, std::span<std::uint64_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<std::uint16_t const>, std::span<std::uint32_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<std::uint16_t const>, std::span<std::uint64_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<std::uint32_t const>, std::span<std::uint32_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<std::uint32_t const>, std::span<std::uint64_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<std::uint64_t const>, std::span<std::uint32_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<std::uint64_t const>, std::span<std::uint64_t>,
                            std::span<std::uint64_t>, any_operator<std::uint64_t>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<float const>, std::span<std::uint32_t>, std::span<float>,
                            any_operator<float>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<float const>, std::span<std::uint64_t>, std::span<float>,
                            any_operator<float>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint32_t> const&,
                            std::span<double const>, std::span<std::uint32_t>, std::span<double>,
                            any_operator<double>);
template index_t key_totals(SAM_CONTEXT&, keys_in_reach<std::uint64_t> const&,
                            std::span<double const>, std::span<std::uint64_t>, std::span<double>,
                            any_operator<double>);

}  // namespace sam::tool
