// SPDX-License-Identifier: MIT
// Segments by offsets, and runs on the caller's thread.
#pragma once

#include <sam/host/jobs/offsets_to_bits.hpp>
#include <sam/serial/context.hpp>
