// SPDX-License-Identifier: MIT
// Includes scans, reductions, selections and segmented scans for the serial back end.
#pragma once

#include <sam/host/jobs/multi_partition.hpp>
#include <sam/host/run.hpp>
#include <sam/serial/context.hpp>
