// SPDX-License-Identifier: MIT
#pragma once

#include <sam/cuda/run.hpp>
