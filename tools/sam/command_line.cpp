// SPDX-License-Identifier: MIT
// What may stand on the command line.
#include "options.hpp"

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
choices<carry_scheme> const schemes{
    {"decoupled", carry_scheme::decoupled},
    {"chained", carry_scheme::chained},
    {"lookback", carry_scheme::lookback},
    {"reduce_then_scan", carry_scheme::reduce_then_scan},
    {"scan_then_propagate", carry_scheme::scan_then_propagate},
};

CLI::Option* add_order(CLI::App& command, int& order) {
  constexpr int most_rounds = 1'000'000;
  return add_number(command, "--order", order, "Q", "How many times over (default: 1)",
                    most_rounds);
}

void add_operator(CLI::App& command, scan_operator& op) {
  add_choice(command, "--op", op, operators, "OPERATOR",
             "plus, multiplies, min, max; and, or, xor of bits;\n"
             "land, lor of truth values, 0 or 1 (default: plus)");
}

CLI::Option* add_map(CLI::App& command, item_map& map) {
  return add_choice(command, "--map", map, maps, "MAP",
                    "What becomes of an item before it is combined: square,\n"
                    "absolute, negate, or nonzero, which is 1 or 0");
}

void add_scan(CLI::App& app, scan_options& options) {
  CLI::App& command = *app.add_subcommand("scan", "Scan an array: out[i] combines in[0] to in[i]");
  scan_request& request = options.request;
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  add_operator(command, request.op);
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
  add_back_end(command, options.back_end);
  command.footer("An array of several dimensions is scanned in C order and keeps its shape.\n\n"
                 "Examples:\n"
                 "  sam scan in.npy out.npy                   prefix sums\n"
                 "  sam scan --order 2 --tuple 3 in.npy out.npy\n"
                 "                                            second-order sums of 3-tuples\n"
                 "  sam scan --tuple 1920 image.npy out.npy   down the columns of an image\n"
                 "  sam scan --op max --exclusive --init 0 in.npy out.npy\n"
                 "  sam scan --map square in.npy out.npy      sums of squares");
  command.callback([&] { run_scan(options); });
}

}  // namespace

CLI::Option_group& add_segments(CLI::App& command, segment_files& files, std::string const& heads) {
  CLI::Option_group& segments = *command.add_option_group("Segments", "Where they lie; one of");
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
  command.add_flag("--exclusive", request.exclusive, "Leave in[i] itself out of out[i]");
  command.add_flag("--backward", request.backward, "Each from its last item to its first");
  command.add_option("--init", request.init, "Start each from this value instead of nothing")
      ->type_name("VALUE");
  add_back_end(command, options.back_end);
  command.footer("Examples:\n"
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
  segments.description("Where they lie; one of, or none");
  segments.require_option(0, 1);
  command
      .add_option("--unique-keys", options.unique_keys,
                  "Write the key of each segment to this .npy file")
      ->needs(segments.get_option("--keys"))
      ->type_name("FILE");
  add_operator(command, options.request.op);
  segments.excludes(add_map(command, options.request.map));
  command
      .add_option("--init", options.request.init,
                  "Start from this value instead of nothing, in each segment")
      ->type_name("VALUE");
  add_back_end(command, options.back_end);
  command.footer("Examples:\n"
                 "  sam reduce in.npy                 the sum\n"
                 "  sam reduce --op max in.npy out.npy\n"
                 "  sam reduce --map nonzero in.npy   how many are not 0\n"
                 "  sam reduce --offsets rows.npy in.npy out.npy\n"
                 "  sam reduce --keys users.npy --unique-keys each.npy in.npy out.npy");
  command.callback([&] { run_reduce(options); });
}

void add_summed_area_table(CLI::App& app, areas_options& options) {
  CLI::App& command = *app.add_subcommand(
      "summed-area-table", "Sum up all above and to the left of each item of an image");
  add_file(command, "in", options.in, "A .npy file of integers or floats, of 2 dimensions");
  CLI::Option& out = *command.add_option("out", options.out, "The .npy file to write");
  out.type_name(" ");
  command.add_flag("--exclusive", options.exclusive,
                   "Leave the item's own row and column out of its sum");
  command
      .add_option_function<box_sides>(
          "--box", [&](box_sides const& box) { options.box = box; },
          "Print the sum of rows TOP to before BOTTOM and columns\n"
          "LEFT to before RIGHT, from the table; out may be left out")
      ->type_name("TOP LEFT BOTTOM RIGHT");
  add_back_end(command, options.back_end);
  command.footer(
      "Integers are added as int64 or uint64 and wrap around, floats as float64; out is\n"
      "of that type.\n\n"
      "Examples:\n"
      "  sam summed-area-table image.npy table.npy\n"
      "  sam summed-area-table --box 10 0 20 64 image.npy");
  command.callback([&] {
    if (!options.box && options.out.empty())
      throw CLI::RequiredError(out.get_name());
    run_summed_area_table(options);
  });
}

void add_linear_recurrence(CLI::App& app, recurrence_options& options) {
  CLI::App& command = *app.add_subcommand("linear-recurrence",
                                          "Solve out[i] = a[i] * out[i - 1] + b[i] for two arrays");
  add_file(command, "a", options.a, "A .npy file of integers or floats");
  add_file(command, "b", options.b, "A .npy file of as many items of the same type");
  add_file(command, "out", options.out, "The .npy file to write; may be one of them");
  command.add_option("--init", options.init, "What stands before out[0], which else is b[0]")
      ->type_name("VALUE");
  add_back_end(command, options.back_end);
  command.footer("Integers wrap around; floats are worked on as float64. out has b's shape.\n\n"
                 "Examples:\n"
                 "  sam linear-recurrence decay.npy in.npy out.npy\n"
                 "  sam linear-recurrence --init 100 rates.npy payments.npy balance.npy");
  command.callback([&] { run_linear_recurrence(options); });
}

void add_linear_filter(CLI::App& app, filter_options& options) {
  CLI::App& command = *app.add_subcommand(
      "linear-filter", "Filter an array: out[i] = in[i] + C1 * out[i - 1] + ... + CQ * out[i - Q]");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  auto const add_list = [&](std::string const& name, std::vector<std::string>& numbers,
                            std::string const& stands_for, std::string const& help) {
    return command
        .add_option_function<std::string>(
            name, [&](std::string const& text) { numbers = CLI::detail::split(text, ','); }, help)
        ->type_name(stands_for);
  };
  add_list("--coefficients", options.request.coefficients, "C1,...,CQ", "1 to 4 numbers")
      ->required();
  add_list("--before", options.request.before, "X1,...,XQ",
           "What stands before out[0]: X1, before it X2, ...\n(default: 0)");
  add_back_end(command, options.back_end);
  command.footer("Integers wrap around; floats are worked on as float64.\n\n"
                 "Examples:\n"
                 "  sam linear-filter --coefficients 0.9 in.npy out.npy     a decaying sum\n"
                 "  sam linear-filter --coefficients 1.8,-0.9 in.npy out.npy  a resonance\n"
                 "  sam linear-filter --coefficients 1,1 --before 1,0 zeros.npy fibonacci.npy");
  command.callback([&] { run_linear_filter(options); });
}

CLI::App& add_delta(CLI::App& app, std::string const& name, std::string const& help,
                    delta_options& options) {
  CLI::App& command = *app.add_subcommand(name, help);
  add_file(command, "in", options.in, "A .npy file of integers, or audio of 16-bit samples");
  add_file(command, "out", options.out,
           "The file to write; its ending says what: .npy, .wav, .flac,\n"
           ".aiff, .au, .caf, .w64");
  add_order(command, options.order);
  add_number(command, "--tuple", options.tuple_size, "S",
             "Every S-th item is a sequence by itself\n"
             "(default: the number of channels where a file is audio, else 1)");
  add_number(command, "--rate", options.rate, "HZ", "Frames per second, to write a .npy as audio");
  add_number(command, "--channels", options.channels, "N",
             "Channels, likewise (default: the columns of the array)");
  add_back_end(command, options.back_end);
  return command;
}

void add_encode(CLI::App& app, delta_options& options) {
  CLI::App& command = add_delta(
      app, "encode", "Replace items by their differences: out[i] = in[i] - in[i - S]", options);
  command.footer("Nothing is lost: integers wrap around, and sam decode brings them back.\n"
                 "Audio becomes an array of frames by channels.\n\n"
                 "Examples:\n"
                 "  sam encode --order 2 in.npy out.npy\n"
                 "  sam encode in.wav out.npy             first differences, channel by channel\n"
                 "  sam encode --order 2 in.flac out.wav  differences that keep the sample rate");
  command.callback([&] { run_encode(options); });
}

void add_decode(CLI::App& app, delta_options& options) {
  CLI::App& command = add_delta(
      app, "decode", "Undo sam encode, by a scan of the same order and tuple size", options);
  command.footer("Examples:\n"
                 "  sam decode --order 2 in.npy out.npy\n"
                 "  sam decode --rate 48000 in.npy out.wav\n"
                 "  sam decode --order 2 in.wav out.flac");
  command.callback([&] { run_decode(options); });
}

void add_info(CLI::App& app) {
  app.add_subcommand("info", "Say what this tool is made of and runs on")->callback(run_info);
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

}  // namespace

int run_command_line(int argument_count, char** arguments) {
  CLI::App app{"Scans of any order, tuple size and operator, segmented scans and reductions, "
               "recurrences, difference codes, compaction, histograms and sorts, of whole files",
               "sam"};
  scan_options scan;
  segmented_options segmented;
  reduce_options reduce;
  areas_options areas;
  recurrence_options recurrence;
  filter_options filter;
  histogram_options histogram;
  sort_options sort;
  delta_options encode, decode;
  compact_options compact, partition;
  runs_options unique, encode_runs, decode_runs;
  demo_options demo;
  add_scan(app, scan);
  add_segmented_scan(app, segmented);
  add_reduce(app, reduce);
  add_summed_area_table(app, areas);
  add_linear_recurrence(app, recurrence);
  add_linear_filter(app, filter);
  add_histogram(app, histogram);
  add_sort(app, sort);
  add_encode(app, encode);
  add_decode(app, decode);
  add_compact(app, compact, partition);
  add_unique(app, unique);
  add_run_lengths(app, encode_runs, decode_runs);
  add_info(app);
  add_demo(app, demo);
  app.set_version_flag("--version", "sam " + version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.get_formatter()->label("REQUIRED", "");  // the usage line says so
  app.footer("Examples:\n"
             "  sam scan in.npy out.npy              prefix sums of an array\n"
             "  sam encode --order 2 in.wav out.npy  second differences of a recording\n"
             "  sam compact --greater 5 in.npy out.npy  the items above 5\n"
             "  sam histogram --bins 10 --from 0 --to 100 in.npy out.npy\n"
             "                                       how many lie in each of ten bins\n"
             "  sam demo                             what they are good for, measured\n"
             "sam COMMAND --help says more.");
  try {
    app.parse(argument_count, arguments);  // and runs the command
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
