// SPDX-License-Identifier: MIT
// Sorts of many segments on the caller's thread.
#pragma once

#include <sam/host/sort/segmented_sort.hpp>
#include <sam/serial/context.hpp>
