// SPDX-License-Identifier: MIT
// Includes segments by offsets and runs for the serial back end.
#pragma once

#include <sam/host/jobs/offsets_to_bits.hpp>
#include <sam/serial/context.hpp>
