// SPDX-License-Identifier: MIT
// Instantiates linear recurrences and filters for the tool's accumulators.
#include "engine/recurrences.hpp"

namespace sam::tool {

template void recur(SAM_CONTEXT&, std::span<std::uint64_t const>, std::span<std::uint64_t>,
                    std::uint64_t);
template void recur(SAM_CONTEXT&, std::span<double const>, std::span<double>, double);
template void filter(SAM_CONTEXT&, std::span<std::uint64_t>, std::span<std::uint64_t const>,
                     std::span<std::uint64_t const>);
template void filter(SAM_CONTEXT&, std::span<double>, std::span<double const>,
                     std::span<double const>);

}  // namespace sam::tool
