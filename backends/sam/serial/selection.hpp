// SPDX-License-Identifier: MIT
// Includes compaction, partitions and the like for the serial back end.
#pragma once

#include <sam/host/jobs/multi_partition.hpp>
#include <sam/host/jobs/select.hpp>
#include <sam/serial/scan.hpp>
