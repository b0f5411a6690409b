// SPDX-License-Identifier: MIT
// Changes how the calls of a CUDA context run, for tests and benchmarks: see the header that this
// one includes, and the limits of devices below.
#pragma once

#include <sam/cuda/platform.hpp>
#include <sam/launch/runtime/testing.hpp>
