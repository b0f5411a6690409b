// SPDX-License-Identifier: MIT
// Includes scans and reductions for the serial back end.
#pragma once

#include <sam/host/jobs/elementwise.hpp>
#include <sam/host/jobs/generate.hpp>
#include <sam/host/jobs/reduce_blocks.hpp>
#include <sam/host/jobs/teams.hpp>
#include <sam/host/scan/plan_text.hpp>
#include <sam/host/scan/run.hpp>
#include <sam/serial/context.hpp>
