// SPDX-License-Identifier: MIT
// Bytes in the memory of a HIP device.
#pragma once

#include <sam/hip/scan.hpp>

#include "../cuda/device_bytes.hpp"

#include <tuple>

namespace test {

class backend_bytes : public device_bytes {
 public:
  using own_floats =
      std::tuple<__half, hip_bfloat16>;  // floating-point types of this back end only
  using device_bytes::device_bytes;
};

}  // namespace test
