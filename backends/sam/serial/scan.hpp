// SPDX-License-Identifier: MIT
// Scans, reductions, selections and segmented scans on the caller's thread.
#pragma once

#include <sam/host/jobs/multi_partition.hpp>
#include <sam/host/run.hpp>
#include <sam/serial/context.hpp>
