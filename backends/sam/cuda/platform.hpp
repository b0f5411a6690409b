// SPDX-License-Identifier: MIT
// This file includes all that the shared host side of the GPU back ends needs of CUDA, but the
// Device type.
#pragma once

#include <sam/cuda/device/nvtx.hpp>
#include <sam/cuda/runtime/load_tuning.hpp>
#include <sam/cuda/runtime/open_device.hpp>
#include <sam/cuda/runtime/platform.hpp>
