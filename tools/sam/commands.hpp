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

/// Values beside items: the file of the values that go in, and that of those that come out. Empty
/// if there are none.
using value_files = std::pair<std::string, std::string>;

/// The file that says where segments lie: one of them is given, or none where there are none.
struct segment_files {
  std::string heads, offsets, keys;
  bool are_packed = false;  // heads are bits
};

struct sort_options {
  std::string in, out, back_end;
  value_files values;
  segment_files segments;
  bool wants_order = false;  // the indices of the items instead of the items
  bool descending = false;
  bool in_total_order = false;             // of floats
  std::optional<std::array<int, 2>> bits;  // to sort by alone
};
void run_sort(sort_options const& options);

struct segmented_options {
  std::string in, out, back_end;
  segment_files segments;
  segmented_request request;
};
void run_segmented_scan(segmented_options const& options);

struct reduce_options {
  std::string in, out, back_end;  // out is empty if the result is to be printed
  std::string unique_keys;        // the file to write a key of each segment to, if any
  segment_files segments;
  reduce_request request;
};
void run_reduce(reduce_options const& options);

/// Top, left, bottom, right: a box of rows and columns, of which the last two lie behind it.
using box_sides = std::array<index_t, 4>;

struct areas_options {
  std::string in, out, back_end;  // out is empty if only the sum of the box is wanted
  std::optional<box_sides> box;
  bool exclusive = false;
};
void run_summed_area_table(areas_options const& options);

struct recurrence_options {
  std::string a, b, out, back_end;
  std::optional<std::string> init;
};
void run_linear_recurrence(recurrence_options const& options);

struct filter_options {
  std::string in, out, back_end;
  filter_request request;
};
void run_linear_filter(filter_options const& options);

struct histogram_options {
  std::string in, out, back_end;
  std::string boundaries;  // the file of them; empty if bins are even
  index_t bins = 0;
  histogram_request request;
};
void run_histogram(histogram_options const& options);

struct compact_options {
  std::string in, out, flags, back_end;  // either flags or a request
  keep_request request;
  std::optional<keep_request> then;  // of a partition into three
  bool are_packed = false;           // flags are bits
  bool partition = false;
  bool wants_indices = false;  // instead of the items
};
void run_compact(compact_options const& options);

struct runs_options {
  std::string in, lengths, out, back_end;  // lengths: empty for unique
  value_files values;                      // for unique alone
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

/// Prints a line for people beside the result: to standard output, or to standard error where
/// standard output takes a result.
void say(std::string const& line);

}  // namespace sam::tool
