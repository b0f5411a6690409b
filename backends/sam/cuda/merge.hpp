// SPDX-License-Identifier: MIT
// This file includes comparison sorts and merges on CUDA devices.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/scan.hpp>
#include <sam/cuda/sort.hpp>
#include <sam/launch/calls/merge.hpp>
