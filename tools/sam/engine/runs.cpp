// SPDX-License-Identifier: MIT
// Instantiates run-length coding for the tool's item types.
#include "engine/runs.hpp"

namespace sam::tool {

template index_t encode_runs(SAM_CONTEXT&, std::span<std::uint8_t const>, std::span<std::uint8_t>,
                             std::span<std::int64_t>);
template index_t encode_runs(SAM_CONTEXT&, std::span<std::uint16_t const>, std::span<std::uint16_t>,
                             std::span<std::int64_t>);
template index_t encode_runs(SAM_CONTEXT&, std::span<std::uint32_t const>, std::span<std::uint32_t>,
                             std::span<std::int64_t>);
template index_t encode_runs(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::uint64_t>,
                             std::span<std::int64_t>);

template index_t decode_runs(SAM_CONTEXT&, std::span<std::uint8_t const>,
                             std::span<std::int64_t const>, std::span<std::uint8_t>);
template index_t decode_runs(SAM_CONTEXT&, std::span<std::uint16_t const>,
                             std::span<std::int64_t const>, std::span<std::uint16_t>);
template index_t decode_runs(SAM_CONTEXT&, std::span<std::uint32_t const>,
                             std::span<std::int64_t const>, std::span<std::uint32_t>);
template index_t decode_runs(SAM_CONTEXT&, std::span<std::uint64_t const>,
                             std::span<std::int64_t const>, std::span<std::uint64_t>);

template index_t unique_keys(SAM_CONTEXT&, std::span<std::uint8_t const>,
                             std::span<std::uint32_t const>, std::span<std::uint8_t>,
                             std::span<std::uint32_t>);
template index_t unique_keys(SAM_CONTEXT&, std::span<std::uint8_t const>,
                             std::span<std::uint64_t const>, std::span<std::uint8_t>,
                             std::span<std::uint64_t>);
template index_t unique_keys(SAM_CONTEXT&, std::span<std::uint16_t const>,
                             std::span<std::uint32_t const>, std::span<std::uint16_t>,
                             std::span<std::uint32_t>);
template index_t unique_keys(SAM_CONTEXT&, std::span<std::uint16_t const>,
                             std::span<std::uint64_t const>, std::span<std::uint16_t>,
                             std::span<std::uint64_t>);
template index_t unique_keys(SAM_CONTEXT&, std::span<std::uint32_t const>,
                             std::span<std::uint32_t const>, std::span<std::uint32_t>,
                             std::span<std::uint32_t>);
template index_t unique_keys(SAM_CONTEXT&, std::span<std::uint32_t const>,
                             std::span<std::uint64_t const>, std::span<std::uint32_t>,
                             std::span<std::uint64_t>);
template index_t unique_keys(SAM_CONTEXT&, std::span<std::uint64_t const>,
                             std::span<std::uint32_t const>, std::span<std::uint64_t>,
                             std::span<std::uint32_t>);
template index_t unique_keys(SAM_CONTEXT&, std::span<std::uint64_t const>,
                             std::span<std::uint64_t const>, std::span<std::uint64_t>,
                             std::span<std::uint64_t>);

}  // namespace sam::tool
