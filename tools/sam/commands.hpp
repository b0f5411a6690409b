// SPDX-License-Identifier: MIT
// The tool's commands, and the choices that each leaves to the command line. They throw a failure
// if they cannot do what is asked.
#pragma once

#include "engine.hpp"

#include <string>
#include <vector>

namespace sam::tool {

struct scan_options {
  std::string in, out, back_end;
  scan_request request;
};
void run_scan(scan_options const& options);

struct sort_options {
  std::string in, out, back_end;
  bool wants_order = false;  // the indices of the items instead of the items
  sort_request request;
};
void run_sort(sort_options const& options);

struct segmented_options {
  std::string in, out, back_end;
  std::string heads, offsets, keys;  // one of them is given
  segmented_request request;
};
void run_segmented_scan(segmented_options const& options);

struct reduce_options {
  std::string in, out, back_end;  // out is empty if the result is to be printed
  reduce_request request;
};
void run_reduce(reduce_options const& options);

struct compact_options {
  std::string in, out, flags, back_end;  // either flags or a request
  keep_request request;
  bool partition = false;
};
void run_compact(compact_options const& options);

struct runs_options {
  std::string in, lengths, out, back_end;  // lengths: empty for unique
};
void run_encode_runs(runs_options const& options);
void run_decode_runs(runs_options const& options);

struct delta_options {
  std::string in, out, back_end;
  int order = 1;
  index_t tuple_size = 0;      // 0: as many as there are channels
  int rate = 0, channels = 0;  // 0: as the input says
};
void run_encode(delta_options const& options);
void run_decode(delta_options const& options);

void run_info();

struct demo_options {
  std::vector<std::string> files;  // none: those of a package
  std::string back_end;
};
void run_demo(demo_options const& options);

/// Does what the command line says. Returns 0, or 2 if it is not understood.
int run_command_line(int argument_count, char** arguments);

/// major.minor.patch of this library.
std::string version();

/// Says on standard error what went wrong.
void complain(std::string const& problem);

}  // namespace sam::tool
