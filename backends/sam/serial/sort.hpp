// SPDX-License-Identifier: MIT
// Includes radix sorts for the serial back end.
#pragma once

#include <sam/host/sort/msd_radix_sort.hpp>
#include <sam/host/sort/plan_text.hpp>
#include <sam/serial/context.hpp>
