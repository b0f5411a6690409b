// SPDX-License-Identifier: MIT
// Includes comparison sorts and merges for the serial back end, which are elementwise jobs, and the
// radix sorts that sort integers in their place.
#pragma once

#include <sam/serial/scan.hpp>
#include <sam/serial/sort.hpp>
