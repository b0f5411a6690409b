// SPDX-License-Identifier: MIT
// All primitives in one include.
#pragma once

#include <sam/compact.hpp>
#include <sam/delta.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>
