// SPDX-License-Identifier: MIT
// Histograms on the caller's thread.
#pragma once

#include <sam/host/jobs/histogram.hpp>
#include <sam/serial/context.hpp>
