// SPDX-License-Identifier: MIT
// Runs the GPU kernels on fibers and prints the memory accesses of each source line as JSON. An
// argument selects kernels by a part of their names. tools/ci/check_conflicts makes tables of it.
#include "trace.hpp"

int main(int argument_count, char** arguments) {
  if (argument_count > 1)
    memory_trace::select(arguments[1]);
  memory_trace::trace_known();
  memory_trace::trace_scans();
  memory_trace::trace_orders_and_tuples();
  memory_trace::trace_schemes_and_panels();
  memory_trace::trace_selections();
  memory_trace::trace_few_items();
  memory_trace::trace_counts();
  memory_trace::trace_segments();
  memory_trace::trace_each_segment();
  memory_trace::trace_radix_sorts();
  memory_trace::trace_other_sorts();
  memory_trace::trace_segment_groups();
  memory_trace::trace_comparisons();
  memory_trace::trace_fallback();
  memory_trace::print(stdout);
}
