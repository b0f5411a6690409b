// SPDX-License-Identifier: MIT
// Declares sorts that another source file of a test compiles.
#pragma once

#include <sam/cuda/backend.hpp>

#include <cstdint>
#include <vector>

namespace test {

std::vector<std::uint32_t> sorted_in_another_file(sam::cuda::context&,
                                                  std::vector<std::uint32_t> const& keys);
std::vector<float> sorted_in_another_file(sam::cuda::context&, std::vector<float> const& keys);
std::vector<std::uint64_t> sorted_in_another_file(sam::cuda::context&,
                                                  std::vector<std::uint64_t> const& keys);

}  // namespace test
