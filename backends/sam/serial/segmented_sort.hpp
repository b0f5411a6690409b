// SPDX-License-Identifier: MIT
// Includes sorts of many segments for the serial back end.
#pragma once

#include <sam/host/sort/segmented_sort.hpp>
#include <sam/serial/context.hpp>
