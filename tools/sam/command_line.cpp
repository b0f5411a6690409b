// SPDX-License-Identifier: MIT
// Defines the command line: the options of most commands, and the dispatch to all of them.
#include "options.hpp"
#include "primitives.hpp"

namespace sam::tool {

namespace {

choices<scan_operator> const operators{
    {"plus", scan_operator::plus},   {"multiplies", scan_operator::multiplies},
    {"min", scan_operator::min},     {"max", scan_operator::max},
    {"and", scan_operator::bit_and}, {"or", scan_operator::bit_or},
    {"xor", scan_operator::bit_xor}, {"land", scan_operator::all},
    {"lor", scan_operator::any},
};
choices<item_map> const maps{
    {"square", item_map::square},
    {"absolute", item_map::absolute},
    {"negate", item_map::negate},
    {"nonzero", item_map::nonzero},
};
choices<item_type> const result_types = [] {
  choices<item_type> all;
  for (item_type_names const& known : item_types)
    if (known.type != item_type::boolean)
      all.emplace(known.name, known.type);
  return all;
}();
choices<carry_scheme> const schemes{
    {"decoupled", carry_scheme::decoupled},
    {"chained", carry_scheme::chained},
    {"lookback", carry_scheme::lookback},
    {"reduce_then_scan", carry_scheme::reduce_then_scan},
    {"scan_then_propagate", carry_scheme::scan_then_propagate},
};

CLI::Option* add_order(CLI::App& command, int& order) {
  constexpr int most_rounds = 1'000'000;
  return add_number(command, "--order", order, "Q", "How many times to apply it (default: 1)",
                    most_rounds);
}

void add_operator(CLI::App& command, scan_operator& op) {
  add_choice(command, "--op", op, operators, "OPERATOR",
             "plus, multiplies, min, max; and, or, xor of bits;\n"
             "land, lor of truth values, 0 or 1 (default: plus)");
}

void add_result_type(CLI::App& command, std::optional<item_type>& type) {
  add_choice(command, "--as", type, result_types, "TYPE",
             "The type of the result, and to combine items in: int8 to\n"
             "int64, uint8 to uint64, float32, float64 (default: below)");
}
// Explanations of result types for the help texts.
std::string const result_type_rules =
    "Type of out: sums and products of bools and signed integers are int64, of unsigned ones\n"
    "uint64, so that they do not overflow early. Other results have in's type, bool\n"
    "included. With --as, integers are converted modulo 2^w, and floats stay floats.\n";
std::string const map_type_rules =
    "With --map, results of integers are int64 or uint64 with any operator. Results of\n"
    "--map negate are int64, as are those of --map nonzero for all types.\n";

CLI::Option* add_map(CLI::App& command, item_map& map) {
  return add_choice(command, "--map", map, maps, "MAP",
                    "Apply this to each item first: square, absolute, negate,\n"
                    "or nonzero, which gives 1 or 0");
}

void add_scan(CLI::App& app, scan_options& options) {
  CLI::App& command = *app.add_subcommand("scan", "Scan an array: out[i] combines in[0] to in[i]");
  scan_request& request = options.request;
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  add_operator(command, request.op);
  add_result_type(command, request.result);
  CLI::Option* const map = add_map(command, request.map);
  map->excludes(add_order(command, request.order));
  map->excludes(add_number(command, "--tuple", request.tuple_size, "S",
                           "Scan every S-th item by itself (default: 1)"));
  command.add_flag("--exclusive", request.exclusive, "Leave in[i] itself out of out[i]");
  map->excludes(
      command.add_flag("--backward", request.backward, "From the last item to the first"));
  command.add_option("--init", request.init, "Start from this value instead of nothing")
      ->type_name("VALUE");
  map->excludes(add_choice(command, "--carry", request.carry, schemes, "SCHEME",
                           "How totals travel between threads: decoupled, chained,\n"
                           "lookback, reduce_then_scan, scan_then_propagate\n"
                           "(default: decoupled)"));
  add_chunk(command, options.chunk);
  add_back_end(command, options.back_end);
  command.footer(result_type_rules + map_type_rules +
                 "An array of several dimensions is scanned in C order and keeps its shape.\n"
                 "A larger array than --chunk is read, scanned and written part by part, so that\n"
                 "files larger than memory and long pipes work. Integers get the same\n"
                 "result; floats may be rounded differently. A backward scan needs all items.\n\n"
                 "Examples:\n"
                 "  sam scan in.npy out.npy                   prefix sums\n"
                 "  sam scan --order 2 --tuple 3 in.npy out.npy\n"
                 "                                            second-order sums of 3-tuples\n"
                 "  sam scan --tuple 1920 image.npy out.npy   down the columns of an image\n"
                 "  sam scan --op max --exclusive --init 0 in.npy out.npy\n"
                 "  sam scan --map square in.npy out.npy      sums of squares\n"
                 "  sam scan --as int32 in.npy out.npy        sums modulo 2^32\n"
                 "  sam scan - - <in.npy >out.npy             from one pipe to another");
  command.callback([&] { run_scan(options); });
}

}  // namespace

CLI::Option_group& add_segments(CLI::App& command, segment_files& files, std::string const& heads) {
  CLI::Option_group& segments =
      *command.add_option_group("Segments", "Where segments begin; one of");
  CLI::Option* const flags = segments.add_option("--heads", files.heads, heads);
  flags->type_name("FILE");
  add_packed(command, files.are_packed, flags);
  segments
      .add_option("--offsets", files.offsets, "Where each begins, from 0, and the number of items")
      ->type_name("FILE");
  segments.add_option("--keys", files.keys, "A key for each item; one begins wherever it changes")
      ->type_name("FILE");
  return segments;
}

namespace {

void add_segmented_scan(CLI::App& app, segmented_options& options) {
  CLI::App& command =
      *app.add_subcommand("segmented-scan", "Scan each of many segments of an array by itself");
  segmented_request& request = options.request;
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  add_segments(command, options.segments,
               "A flag for each item: not 0 where one begins;\n"
               "with --backward, where one ends")
      .require_option(1);
  add_operator(command, request.op);
  add_result_type(command, request.result);
  command.add_flag("--exclusive", request.exclusive, "Leave in[i] itself out of out[i]");
  command.add_flag("--backward", request.backward, "Each from its last item to its first");
  command.add_option("--init", request.init, "Start each from this value instead of nothing")
      ->type_name("VALUE");
  add_back_end(command, options.back_end);
  command.footer(result_type_rules +
                 "\nExamples:\n"
                 "  sam segmented-scan --offsets rows.npy in.npy out.npy\n"
                 "  sam segmented-scan --keys users.npy --op max in.npy out.npy");
  command.callback([&] { run_segmented_scan(options); });
}

void add_reduce(CLI::App& app, reduce_options& options) {
  CLI::App& command = *app.add_subcommand(
      "reduce", "Combine all items of an array into one, or those of each segment");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  command
      .add_option("out", options.out, "The .npy file to write; without it, the result is printed")
      ->type_name(" ");
  CLI::Option_group& segments =
      add_segments(command, options.segments, "A flag for each item: not 0 where one begins");
  segments.description("Where segments begin; one of, or none");
  segments.require_option(0, 1);
  command
      .add_option("--unique-keys", options.unique_keys,
                  "Write the key of each segment to this .npy file")
      ->needs(segments.get_option("--keys"))
      ->type_name("FILE");
  add_operator(command, options.request.op);
  add_result_type(command, options.request.result);
  segments.excludes(add_map(command, options.request.map));
  command
      .add_option("--init", options.request.init,
                  "Start from this value instead of nothing, in each segment")
      ->type_name("VALUE");
  add_chunk(command, options.chunk);
  add_back_end(command, options.back_end);
  command.footer(
      result_type_rules + map_type_rules +
      "Keys keep their type. Without segments, a larger array than --chunk is read part\n"
      "by part. Integers get the same result; floats may be rounded differently.\n\n"
      "Examples:\n"
      "  sam reduce in.npy                 the sum\n"
      "  sam reduce --op max in.npy out.npy\n"
      "  sam reduce --map nonzero in.npy   how many are not 0\n"
      "  sam reduce --as float64 in.npy    the sum of float32, with fewer errors\n"
      "  sam reduce --offsets rows.npy in.npy out.npy\n"
      "  sam reduce --keys users.npy --unique-keys each.npy in.npy out.npy");
  command.callback([&] { run_reduce(options); });
}

CLI::App& add_delta(CLI::App& app, std::string const& name, std::string const& help,
                    delta_options& options) {
  CLI::App& command = *app.add_subcommand(name, help);
  add_file(command, "in", options.in, "A .npy file of integers, or audio of 16-bit samples");
  add_file(command, "out", options.out,
           "The file to write, in the format of its extension: .npy,\n"
           ".wav, .flac, .aiff, .au, .caf, .w64");
  add_order(command, options.order);
  add_number(command, "--tuple", options.tuple_size, "S",
             "Every S-th item is a sequence by itself\n"
             "(default: the number of channels where a file is audio, else 1)");
  add_number(command, "--rate", options.rate, "HZ", "Frames per second, to write a .npy as audio");
  add_number(command, "--channels", options.channels, "N",
             "Channels of that audio (default: the columns of the array)");
  add_chunk(command, options.chunk);
  add_back_end(command, options.back_end);
  return command;
}

void add_encode(CLI::App& app, delta_options& options) {
  CLI::App& command = add_delta(
      app, "encode", "Replace items by their differences: out[i] = in[i] - in[i - S]", options);
  command.footer("Nothing is lost: integers wrap around, and sam decode brings them back. out is\n"
                 "of in's type; bools are taken as uint8.\n"
                 "Audio becomes an array of frames by channels. From .npy to .npy, a larger array\n"
                 "than --chunk is read, encoded and written part by part.\n\n"
                 "Examples:\n"
                 "  sam encode --order 2 in.npy out.npy\n"
                 "  sam encode in.wav out.npy             first differences, channel by channel\n"
                 "  sam encode --order 2 in.flac out.wav  differences that keep the sample rate");
  command.callback([&] { run_encode(options); });
}

void add_decode(CLI::App& app, delta_options& options) {
  CLI::App& command = add_delta(
      app, "decode", "Undo sam encode, by a scan of the same order and tuple size", options);
  command.footer(
      "Integers are added modulo 2^w: out is of in's type; bools are taken as uint8.\n"
      "From .npy to .npy, a larger array than --chunk is read, decoded and written part\n"
      "by part.\n\n"
      "Examples:\n"
      "  sam decode --order 2 in.npy out.npy\n"
      "  sam decode --rate 48000 in.npy out.wav\n"
      "  sam decode --order 2 in.wav out.flac");
  command.callback([&] { run_decode(options); });
}

void add_info(CLI::App& app, info_options& options) {
  CLI::App& command =
      *app.add_subcommand("info", "Print the version, libraries and back ends of this tool");
  command.add_flag("--scan-plan", options.scan_plan,
                   "Print which algorithm scans what, with which tiles, for each back end");
  command.add_flag("--sort-plan", options.sort_plan,
                   "Print which algorithm sorts how many keys, for each back end");
  command.callback([&] { run_info(options); });
}

void add_demo(CLI::App& app, demo_options& options) {
  CLI::App& command =
      *app.add_subcommand("demo", "Encode and decode real audio, check it and measure the speed");
  command
      .add_option("--audio", options.files,
                  "Recordings (default: those of the Debian package alsa-utils)")
      ->type_name("FILE");
  add_back_end(command, options.back_end);
  command.footer("Examples:\n"
                 "  sam demo\n"
                 "  sam demo --audio music.flac speech.wav");
  command.callback([&] { run_demo(options); });
}

/// Puts the commands under headings in the help text.
void group_commands(CLI::App& app) {
  auto const group = [&](std::string const& title, std::initializer_list<char const*> names) {
    for (char const* const name : names)
      app.get_subcommand(name)->group(title);
  };
  group("Scans, sums and differences",
        {"scan", "segmented-scan", "reduce", "inner-product", "adjacent-difference", "encode",
         "decode", "summed-area-table", "linear-recurrence", "linear-filter", "histogram"});
  group("Order", {"sort", "merge", "search", "top", "extremes"});
  group("Choice and moves", {"find", "compact", "partition", "unique", "rle", "gather", "scatter"});
  group("This tool and this machine", {"info", "predict", "tune", "demo"});
}

}  // namespace

int run_command_line(int argument_count, char** arguments) {
  CLI::App app{"Scans of any order, tuple size and operator, segmented scans and reductions, "
               "recurrences, difference codes, compaction, histograms, sorts, merges and searches, "
               "of whole files",
               "sam"};
  scan_options scan;
  segmented_options segmented;
  reduce_options reduce;
  areas_options areas;
  recurrence_options recurrence;
  filter_options filter;
  histogram_options histogram;
  sort_options sort;
  top_options top;
  merge_options merge;
  search_options search;
  gather_options gather;
  scatter_options scatter;
  find_options find;
  extremes_options extremes;
  difference_options difference;
  product_options product;
  delta_options encode, decode;
  compact_options compact, partition;
  runs_options unique, encode_runs, decode_runs, find_runs;
  demo_options demo;
  info_options info;
  predict_options predict;
  tune_options tune;
  add_scan(app, scan);
  add_segmented_scan(app, segmented);
  add_reduce(app, reduce);
  add_inner_product(app, product);
  add_adjacent_difference(app, difference);
  add_encode(app, encode);
  add_decode(app, decode);
  add_summed_area_table(app, areas);
  add_linear_recurrence(app, recurrence);
  add_linear_filter(app, filter);
  add_histogram(app, histogram);
  add_sort(app, sort);
  add_merge(app, merge);
  add_search(app, search);
  add_top(app, top);
  add_extremes(app, extremes);
  add_find(app, find);
  add_compact(app, compact, partition);
  add_unique(app, unique);
  add_run_lengths(app, encode_runs, decode_runs, find_runs);
  add_gather(app, gather);
  add_scatter(app, scatter);
  add_info(app, info);
  add_predict(app, predict);
  add_tune(app, tune);
  add_demo(app, demo);
  group_commands(app);
  app.set_version_flag("--version", "sam " + version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.get_formatter()->label("REQUIRED", "");  // required arguments show in the usage line
  app.footer(std::string("Examples:\n") +
             "  sam scan in.npy out.npy              prefix sums of an array\n"
             "  sam encode --order 2 in.wav out.npy  second differences of a recording\n"
             "  sam compact --greater 5 in.npy out.npy  the items above 5\n"
             "  sam histogram --bins 10 --from 0 --to 100 in.npy out.npy\n"
             "                                       how many lie in each of ten bins\n"
             "  sam demo                             their use, measured on audio\n"
             "  sam scan - - <in.npy | sam reduce --op max -\n"
             "                                       from and to pipes\n"
             "sam COMMAND --help says more.\n\n" +
             commands_of_primitives +
             "In place of any .npy file, - is standard input or output. Pipes, devices and\n"
             "descriptors, such as /dev/stdout and /dev/fd/3, are written to as they are. A file\n"
             "is replaced, without asking, when its successor is complete and on the disk;\n"
             "otherwise it stays as it was, and nothing is left beside it.\n\n"
             "Exit status: 0 success, 1 failure, 2 invalid command line. Signals end sam as\n"
             "usual, including SIGPIPE for a closed pipe: 141 in a shell, without a message.");
  try {
    app.parse(argument_count, arguments);  // also runs the command
  } catch (CLI::ParseError const& error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);  // --help, --version
    bool const names_none = app.get_subcommands().empty() && argument_count > 1;
    std::string const problem = names_none && *arguments[1] != '-'
                                    ? "there is no command " + std::string(arguments[1])
                                    : error.what();
    complain(problem + " (sam --help says what is possible)");
    return 2;
  }
  return 0;
}

}  // namespace sam::tool
