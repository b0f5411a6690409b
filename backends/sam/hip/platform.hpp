// SPDX-License-Identifier: MIT
// This file includes all that the shared host side of the GPU back ends needs of HIP, but the
// Device type.
#pragma once

#include <sam/hip/runtime/load_tuning.hpp>
#include <sam/hip/runtime/open_device.hpp>
#include <sam/hip/runtime/platform.hpp>
#include <sam/hip/runtime/range.hpp>
