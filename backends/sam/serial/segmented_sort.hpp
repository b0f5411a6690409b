// SPDX-License-Identifier: MIT
// Includes sorts of many segments for the serial back end.
#pragma once

#include <sam/host/jobs/select_in_segments.hpp>
#include <sam/host/sort/segmented_sort.hpp>
#include <sam/serial/context.hpp>
