// SPDX-License-Identifier: MIT
// Includes histograms for the serial back end.
#pragma once

#include <sam/host/jobs/histogram.hpp>
#include <sam/host/jobs/weighted_histogram.hpp>
#include <sam/serial/context.hpp>
