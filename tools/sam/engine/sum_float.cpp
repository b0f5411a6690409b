// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>

#include "engine/sum.hpp"

namespace sam::tool {

template int sum(default_context&, std::span<float const>, std::span<float>, int, index_t, float);
template int sum(default_context&, std::span<double const>, std::span<double>, int, index_t,
                 double);
template int exclusive_sum(default_context&, std::span<float>, index_t, float);
template int exclusive_sum(default_context&, std::span<double>, index_t, double);

}  // namespace sam::tool
