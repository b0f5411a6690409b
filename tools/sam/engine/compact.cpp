// SPDX-License-Identifier: MIT
// Instantiates compactions and partitions for the tool's item types.
#include "engine/compact.hpp"

namespace sam::tool {

template index_t keep_range(SAM_CONTEXT&, std::span<std::uint8_t const>, std::span<std::uint8_t>,
                            key_range<std::uint8_t>);
template index_t keep_range(SAM_CONTEXT&, std::span<std::uint16_t const>, std::span<std::uint16_t>,
                            key_range<std::uint16_t>);
template index_t keep_range(SAM_CONTEXT&, std::span<std::uint32_t const>, std::span<std::uint32_t>,
                            key_range<std::uint32_t>);
template index_t keep_range(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::uint64_t>,
                            key_range<std::uint64_t>);

template index_t keep_flagged(SAM_CONTEXT&, std::span<std::uint8_t const>, flag_bits const&,
                              std::span<std::uint8_t>);
template index_t keep_flagged(SAM_CONTEXT&, std::span<std::uint16_t const>, flag_bits const&,
                              std::span<std::uint16_t>);
template index_t keep_flagged(SAM_CONTEXT&, std::span<std::uint32_t const>, flag_bits const&,
                              std::span<std::uint32_t>);
template index_t keep_flagged(SAM_CONTEXT&, std::span<std::uint64_t const>, flag_bits const&,
                              std::span<std::uint64_t>);

template index_t indices_in_range(SAM_CONTEXT&, std::span<std::uint8_t const>,
                                  std::span<std::int64_t>, key_range<std::uint8_t>);
template index_t indices_in_range(SAM_CONTEXT&, std::span<std::uint16_t const>,
                                  std::span<std::int64_t>, key_range<std::uint16_t>);
template index_t indices_in_range(SAM_CONTEXT&, std::span<std::uint32_t const>,
                                  std::span<std::int64_t>, key_range<std::uint32_t>);
template index_t indices_in_range(SAM_CONTEXT&, std::span<std::uint64_t const>,
                                  std::span<std::int64_t>, key_range<std::uint64_t>);
template index_t indices_flagged(SAM_CONTEXT&, flag_bits const&, std::span<std::int64_t>);

template std::array<index_t, 2> part_in_three(SAM_CONTEXT&, std::span<std::uint8_t const>,
                                              std::span<std::uint8_t>, key_range<std::uint8_t>,
                                              key_range<std::uint8_t>);
template std::array<index_t, 2> part_in_three(SAM_CONTEXT&, std::span<std::uint16_t const>,
                                              std::span<std::uint16_t>, key_range<std::uint16_t>,
                                              key_range<std::uint16_t>);
template std::array<index_t, 2> part_in_three(SAM_CONTEXT&, std::span<std::uint32_t const>,
                                              std::span<std::uint32_t>, key_range<std::uint32_t>,
                                              key_range<std::uint32_t>);
template std::array<index_t, 2> part_in_three(SAM_CONTEXT&, std::span<std::uint64_t const>,
                                              std::span<std::uint64_t>, key_range<std::uint64_t>,
                                              key_range<std::uint64_t>);

}  // namespace sam::tool
