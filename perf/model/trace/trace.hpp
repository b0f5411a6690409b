// SPDX-License-Identifier: MIT
// Records the memory accesses of GPU kernels that run on fibers. Programs that use it are compiled
// with -fsanitize=thread, which makes the compiler report every load and store to a function
// __tsan_*. callbacks.cpp defines these functions in place of the sanitizer's runtime.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

namespace memory_trace {

/// Runs `work` and records the accesses of the kernels that it launches as those of one kernel.
/// `items` divides the counts, and `tile` describes the kernel's tile, if it has one. Does nothing
/// if the user has not selected this name.
void record(std::string const& name, std::int64_t items, std::function<void()> const& work,
            std::string const& tile = "");

/// Selects the kernels whose names contain this text; initially all.
void select(std::string const& part_of_name);

/// Prints all recorded kernels as JSON. Call stacks are addresses in this program.
void print(std::FILE* to);

// The kernels, by file.
void trace_known();
void trace_scans();
void trace_orders_and_tuples();
void trace_schemes_and_panels();
void trace_selections();
void trace_few_items();
void trace_counts();
void trace_segments();
void trace_each_segment();
void trace_radix_sorts();
void trace_other_sorts();
void trace_segment_groups();
void trace_comparisons();
void trace_fallback();

}  // namespace memory_trace
