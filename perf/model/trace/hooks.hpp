// SPDX-License-Identifier: MIT
// The functions by which instrumented code reports to the tracer.
#pragma once

#include "recorder.hpp"

#include <cstddef>

namespace memory_trace {

/// Records an access. Large ones are recorded as accesses of at most 16 bytes each. `at` is the
/// return address of the report. Polling loads of global memory are not recorded.
void note(void const* p, std::size_t bytes, kind what, void* at, bool is_polled = false);

/// Records that a function begins, which was called from this address, or that it ends.
void enter(void* call);
void leave();

}  // namespace memory_trace
