// SPDX-License-Identifier: MIT
// Includes recurrences and filters for the serial back end.
#pragma once

#include <sam/host/jobs/filter.hpp>
#include <sam/serial/scan.hpp>
