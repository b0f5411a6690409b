// SPDX-License-Identifier: MIT
// Instantiates histograms for the tool's item types.
#include "engine/histograms.hpp"

namespace sam::tool {

template void count(SAM_CONTEXT&, std::span<std::int8_t const>, std::span<std::int64_t>,
                    bins_of<std::int8_t> const&);
template void count(SAM_CONTEXT&, std::span<std::int16_t const>, std::span<std::int64_t>,
                    bins_of<std::int16_t> const&);
template void count(SAM_CONTEXT&, std::span<std::int32_t const>, std::span<std::int64_t>,
                    bins_of<std::int32_t> const&);
template void count(SAM_CONTEXT&, std::span<std::int64_t const>, std::span<std::int64_t>,
                    bins_of<std::int64_t> const&);
template void count(SAM_CONTEXT&, std::span<std::uint8_t const>, std::span<std::int64_t>,
                    bins_of<std::uint8_t> const&);
template void count(SAM_CONTEXT&, std::span<std::uint16_t const>, std::span<std::int64_t>,
                    bins_of<std::uint16_t> const&);
template void count(SAM_CONTEXT&, std::span<std::uint32_t const>, std::span<std::int64_t>,
                    bins_of<std::uint32_t> const&);
template void count(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::int64_t>,
                    bins_of<std::uint64_t> const&);
template void count(SAM_CONTEXT&, std::span<float const>, std::span<std::int64_t>,
                    bins_of<float> const&);
template void count(SAM_CONTEXT&, std::span<double const>, std::span<std::int64_t>,
                    bins_of<double> const&);

}  // namespace sam::tool
