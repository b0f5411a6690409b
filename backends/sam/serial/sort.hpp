// SPDX-License-Identifier: MIT
// Radix sorts on the caller's thread.
#pragma once

#include <sam/host/sort/msd_radix_sort.hpp>
#include <sam/host/sort/plan_text.hpp>
#include <sam/serial/context.hpp>
