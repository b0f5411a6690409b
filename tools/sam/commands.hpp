// SPDX-License-Identifier: MIT
// The tool's commands and the options of each. A command throws a failure if it cannot do its work.
#pragma once

#include "engine.hpp"
#include "model/prediction.hpp"
#include "parts.hpp"
#include "tune/tuner.hpp"
#include "word_calls.hpp"

#include <string>
#include <vector>

namespace sam::tool {

struct scan_options {
  std::string in, out, back_end;
  scan_request request;
  index_t chunk = usual_chunk;  // a forward scan of more items takes this many at a time
};
void run_scan(scan_options const& options);

/// The input and output file of values that accompany items. Both are empty if there are no values.
using value_files = std::pair<std::string, std::string>;

/// The file that describes the segments. At most one of the names is not empty.
struct segment_files {
  std::string heads, offsets, keys;
  bool are_packed = false;  // heads are packed as bits
};

struct sort_options {
  std::string in, out, back_end;
  value_files values;
  segment_files segments;
  bool wants_order = false;  // write the original indices instead of the items
  bool by_comparisons = false;
  bool descending = false;
  bool in_total_order = false;             // order floats by IEEE 754's total order
  std::optional<std::array<int, 2>> bits;  // the range of bits to sort by
};
void run_sort(sort_options const& options);

struct top_options {
  std::string in, out, back_end;
  segment_files segments;
  index_t count = 1;   // of each segment
  std::string counts;  // file of a count for each segment; may be empty
  bool smallest = false;
  bool wants_indices = false;  // write the indices instead of the items
};
void run_top(top_options const& options);

struct merge_options {
  std::string a, b, out, back_end;
  set_kind kind = set_kind::all;
  std::array<std::string, 3> values;  // of a, of b, and the output; all are empty without values
};
void run_merge(merge_options const& options);

struct search_options {
  std::string sorted, values, out, back_end;
  std::string ends;  // output file of upper bounds beside lower ones; may be empty
  bool upper = false;
};
void run_search(search_options const& options);

struct gather_options {
  std::string in, indices, out, back_end;
  value_files values;  // another array, which takes the same order
};
void run_gather(gather_options const& options);

struct scatter_options {
  std::string in, indices, out, back_end;
  std::string into;  // file of the items of out that no index names; if empty, they are 0
};
void run_scatter(scatter_options const& options);

struct find_options {
  std::string in, out, back_end;  // out: if empty, the answer for all items is printed
  segment_files segments;
  keep_request request;
  question what = question::first;
  bool are_sorted = false;  // asks whether the items are sorted, instead
};
void run_find(find_options const& options);

struct extremes_options {
  std::string in, out, back_end;  // out: if empty, the extremes of all items are printed
  segment_files segments;
  bool smallest = false, largest = false;  // without both, both are printed
  bool items_alone = false;                // prints no indices
  std::optional<index_t> rank;             // asks for the item of this rank, instead
};
void run_extremes(extremes_options const& options);

struct difference_options {
  std::string in, out, back_end;
  neighbour_operator op = neighbour_operator::minus;
  bool with_next = false;
};
void run_adjacent_difference(difference_options const& options);

struct product_options {
  std::string a, b, out, back_end;  // out: if empty, the sum of all products is printed
  segment_files segments;
};
void run_inner_product(product_options const& options);

struct segmented_options {
  std::string in, out, back_end;
  segment_files segments;
  segmented_request request;
};
void run_segmented_scan(segmented_options const& options);

struct reduce_options {
  std::string in, out, back_end;  // out: if empty, the result is printed
  std::string unique_keys;        // output file of one key per segment; may be empty
  segment_files segments;
  reduce_request request;
  index_t chunk = usual_chunk;  // a reduction of more items, without segments, likewise
};
void run_reduce(reduce_options const& options);

/// The top, left, bottom and right side of a box of rows and columns. Bottom and right are
/// exclusive.
using box_sides = std::array<index_t, 4>;

struct areas_options {
  std::string in, out, back_end;  // out: empty if only the sum of the box is wanted
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
  std::string boundaries;  // file of bin boundaries; empty for even bins
  std::string weights;     // file of weights to sum instead of counts; may be empty
  index_t bins = 0;
  int channels = 1;
  histogram_request request;
  index_t chunk = usual_chunk;  // counts of more items, without channels and weights, likewise
};
void run_histogram(histogram_options const& options);

struct compact_options {
  std::string in, out, flags, back_end;  // flags: used if request is empty
  std::string stencil;  // file of items to ask instead of those of in; may be empty
  keep_request request;
  std::optional<keep_request> then;  // the second part of a three-way partition
  bool are_packed = false;           // flags are packed as bits
  bool partition = false;
  bool wants_indices = false;  // write indices instead of items
};
void run_compact(compact_options const& options);

struct runs_options {
  std::string in, lengths, out, back_end;  // lengths: empty for `unique`
  value_files values;                      // for `unique` only
};
void run_encode_runs(runs_options const& options);
void run_decode_runs(runs_options const& options);
void run_find_runs(runs_options const& options);  // `out` is for the indices

struct delta_options {
  std::string in, out, back_end;
  int order = 1;
  index_t tuple_size = 0;       // 0: the number of channels
  int rate = 0, channels = 0;   // 0: taken from the input
  index_t chunk = usual_chunk;  // arrays of more items likewise
};
void run_encode(delta_options const& options);
void run_decode(delta_options const& options);

struct info_options {
  bool scan_plan = false, sort_plan = false;
};
void run_info(info_options const& options);

struct predict_options {
  memory_model::warp_pattern pattern;
  index_t stride = 0;  // 0: the default of the pattern
};
void run_predict(predict_options const& options);

struct tune_options {
  tune::tuner_options tuning;
  std::string back_end;
  std::string compared;  // a table to compare with the defaults; if empty, a new one is made
  bool no_report = false;
};
void run_tune(tune_options const& options);

struct demo_options {
  std::vector<std::string> files;  // if empty, the recordings of a Debian package
  std::string back_end;
};
void run_demo(demo_options const& options);

/// Parses the command line and runs its command. Returns the exit status: 0, or 2 if the command
/// line is invalid.
int run_command_line(int argument_count, char** arguments);

/// Returns the version of this library as major.minor.patch.
std::string version();

/// Prints an error message on standard error.
void complain(std::string const& problem);

/// Prints a status line for the user. The line goes to standard output, or to standard error if
/// standard output receives a result.
void say(std::string const& line);

}  // namespace sam::tool
