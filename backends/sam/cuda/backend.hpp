// SPDX-License-Identifier: MIT
#pragma once

#include <sam/cuda/about.hpp>
#include <sam/cuda/run.hpp>
#include <sam/cuda/staging.hpp>
