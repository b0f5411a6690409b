// SPDX-License-Identifier: MIT
// What may stand on the command line.
#include "commands.hpp"
#include <CLI/CLI.hpp>

#include <limits>
#include <map>

namespace sam::tool {

namespace {

// What a name stands for.
template <class Value>
using choices = std::map<std::string, Value>;

choices<scan_operator> const operators{
    {"plus", scan_operator::plus},   {"multiplies", scan_operator::multiplies},
    {"min", scan_operator::min},     {"max", scan_operator::max},
    {"and", scan_operator::bit_and}, {"or", scan_operator::bit_or},
    {"xor", scan_operator::bit_xor}, {"land", scan_operator::all},
    {"lor", scan_operator::any},
};
choices<carry_scheme> const schemes{
    {"decoupled", carry_scheme::decoupled},
    {"chained", carry_scheme::chained},
    {"lookback", carry_scheme::lookback},
    {"reduce_then_scan", carry_scheme::reduce_then_scan},
    {"scan_then_propagate", carry_scheme::scan_then_propagate},
};

/// An option that takes one of several names.
template <class Value>
void add_choice(CLI::App& command, std::string const& option, Value& value,
                choices<Value> const& all, std::string const& stands_for, std::string const& help) {
  command
      .add_option_function<std::string>(
          option, [&](std::string const& name) { value = all.at(name); }, help)
      ->check(CLI::IsMember(all).description(""))
      ->type_name(stands_for);
}

/// An option that takes a number from 1 to `most`.
template <class Number>
void add_number(CLI::App& command, std::string const& option, Number& number,
                std::string const& stands_for, std::string const& help,
                Number most = std::numeric_limits<Number>::max()) {
  command.add_option(option, number, help)
      ->check(CLI::Range(Number{1}, most).description(""))
      ->type_name(stands_for);
}

void add_order(CLI::App& command, int& order) {
  constexpr int most_rounds = 1'000'000;
  add_number(command, "--order", order, "Q", "How many times over (default: 1)", most_rounds);
}

void add_operator(CLI::App& command, scan_operator& op) {
  add_choice(command, "--op", op, operators, "OPERATOR",
             "plus, multiplies, min, max; and, or, xor of bits;\n"
             "land, lor of truth values, 0 or 1 (default: plus)");
}

void add_file(CLI::App& command, std::string const& name, std::string& path,
              std::string const& help) {
  command.add_option(name, path, help)->required()->type_name(" ");
}

void add_back_end(CLI::App& command, std::string& chosen) {
  std::vector<std::string> names;
  for (back_end const& known : back_ends())
    names.push_back(known.name);
  chosen = names.front();
  command
      .add_option("--backend", chosen,
                  "Where it runs: " + CLI::detail::join(names, ", ") + " (default: " + chosen + ")")
      ->check(CLI::IsMember(names).description(""))
      ->type_name("NAME");
}

void add_scan(CLI::App& app, scan_options& options) {
  CLI::App& command = *app.add_subcommand("scan", "Scan an array: out[i] combines in[0] to in[i]");
  scan_request& request = options.request;
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  add_operator(command, request.op);
  add_order(command, request.order);
  add_number(command, "--tuple", request.tuple_size, "S",
             "Scan every S-th item by itself (default: 1)");
  command.add_flag("--exclusive", request.exclusive, "Leave in[i] itself out of out[i]");
  command.add_flag("--backward", request.backward, "From the last item to the first");
  command.add_option("--init", request.init, "Start from this value instead of nothing")
      ->type_name("VALUE");
  add_choice(command, "--carry", request.carry, schemes, "SCHEME",
             "How totals travel between threads: decoupled, chained,\n"
             "lookback, reduce_then_scan, scan_then_propagate\n"
             "(default: decoupled)");
  add_back_end(command, options.back_end);
  command.footer("An array of several dimensions is scanned in C order and keeps its shape.\n\n"
                 "Examples:\n"
                 "  sam scan in.npy out.npy                   prefix sums\n"
                 "  sam scan --order 2 --tuple 3 in.npy out.npy\n"
                 "                                            second-order sums of 3-tuples\n"
                 "  sam scan --tuple 1920 image.npy out.npy   down the columns of an image\n"
                 "  sam scan --op max --exclusive --init 0 in.npy out.npy");
  command.callback([&] { run_scan(options); });
}

void add_sort(CLI::App& app, sort_options& options) {
  CLI::App& command = *app.add_subcommand("sort", "Sort an array; equal items stay in their order");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  command.add_flag("--descending", options.request.descending, "The largest items first");
  command.add_flag("--argsort", options.wants_order,
                   "Write where the items were instead: out[0] is the index\n"
                   "of the first, and so on, as int64");
  add_back_end(command, options.back_end);
  command.footer(
      "Floats are in IEEE 754's total order: negative NaNs, numbers, -0 before 0,\n"
      "positive NaNs. An array of several dimensions is sorted in C order and keeps its\n"
      "shape.\n\n"
      "Examples:\n"
      "  sam sort in.npy out.npy\n"
      "  sam sort --descending --argsort scores.npy ranking.npy");
  command.callback([&] { run_sort(options); });
}

void add_segmented_scan(CLI::App& app, segmented_options& options) {
  CLI::App& command =
      *app.add_subcommand("segmented-scan", "Scan each of many segments of an array by itself");
  segmented_request& request = options.request;
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  CLI::Option_group& segments = *command.add_option_group("Segments", "Where they lie; one of");
  segments
      .add_option("--heads", options.heads,
                  "A flag for each item: not 0 where one begins;\n"
                  "with --backward, where one ends")
      ->type_name("FILE");
  segments
      .add_option("--offsets", options.offsets,
                  "Where each begins, from 0, and the number of items")
      ->type_name("FILE");
  segments
      .add_option("--keys", options.keys, "A key for each item; one begins wherever it changes")
      ->type_name("FILE");
  segments.require_option(1);
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
  CLI::App& command = *app.add_subcommand("reduce", "Combine all items of an array into one");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  command.add_option("out", options.out, "The .npy file to write; without it, the item is printed")
      ->type_name(" ");
  add_operator(command, options.request.op);
  command.add_option("--init", options.request.init, "Start from this value instead of nothing")
      ->type_name("VALUE");
  add_back_end(command, options.back_end);
  command.footer("Examples:\n"
                 "  sam reduce in.npy                 the sum\n"
                 "  sam reduce --op max in.npy out.npy");
  command.callback([&] { run_reduce(options); });
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

/// An option that keeps items with a relation to its value.
CLI::Option* add_relation(CLI::App& command, std::string const& option, relation is,
                          keep_request& request, std::string const& help) {
  return command
      .add_option_function<std::string>(
          option,
          [&request, is, option](std::string const& value) {
            request = {is, value, option};
          },
          help)
      ->type_name("VALUE");
}

CLI::App& add_compact(CLI::App& app, std::string const& name, std::string const& help,
                      compact_options& options) {
  CLI::App& command = *app.add_subcommand(name, help);
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  CLI::Option_group& which = *command.add_option_group("Which items (one of)");
  add_relation(which, "--greater", relation::greater, options.request, "Those greater than VALUE");
  add_relation(which, "--less", relation::less, options.request, "Those less than VALUE");
  add_relation(which, "--equal", relation::equal, options.request, "Those equal to VALUE");
  which.add_option("--flags", options.flags, "Those whose integer in this .npy file is not 0")
      ->type_name("FILE");
  which.require_option(1);
  add_back_end(command, options.back_end);
  command.callback([&] { run_compact(options); });
  return command;
}

void add_compact(CLI::App& app, compact_options& compact, compact_options& partition) {
  partition.partition = true;
  std::string const shape =
      "An array of several dimensions is taken in C order, and out has one.\n\n";
  add_compact(app, "compact", "Keep some items of an array, in order", compact)
      .footer(shape + "Examples:\n"
                      "  sam compact --greater 5 in.npy out.npy\n"
                      "  sam compact --flags flags.npy in.npy out.npy");
  add_compact(app, "partition", "Put some items of an array before the others, both in order",
              partition)
      .footer(shape + "Examples:\n"
                      "  sam partition --less 0 in.npy out.npy  the negative ones first");
}

void add_unique(CLI::App& app, runs_options& options) {
  CLI::App& command = *app.add_subcommand("unique", "Keep one of each run of equal items");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  add_back_end(command, options.back_end);
  command.footer("Items are equal if all of their bits are.\n\n"
                 "Examples:\n"
                 "  sam unique in.npy out.npy");
  command.callback([&] { run_encode_runs(options); });
}

void add_run_lengths(CLI::App& app, runs_options& encode, runs_options& decode) {
  CLI::App& command = *app.add_subcommand("rle", "Run-length coding of an array");
  CLI::App& to = *command.add_subcommand("encode", "Runs of equal items as values and lengths");
  add_file(to, "in", encode.in, "A .npy file of integers or floats");
  add_file(to, "values", encode.out, "The .npy file to write: an item of each run");
  add_file(to, "lengths", encode.lengths, "The .npy file to write: how many there are, int64");
  add_back_end(to, encode.back_end);
  to.footer("Items are equal if all of their bits are, so that nothing is lost.\n\n"
            "Examples:\n"
            "  sam rle encode in.npy values.npy lengths.npy");
  to.callback([&] { run_encode_runs(encode); });
  CLI::App& from = *command.add_subcommand("decode", "Undo sam rle encode");
  add_file(from, "values", decode.in, "A .npy file of integers or floats");
  add_file(from, "lengths", decode.lengths, "A .npy file of as many int64: how often each stands");
  add_file(from, "out", decode.out, "The .npy file to write");
  add_back_end(from, decode.back_end);
  from.footer("Examples:\n"
              "  sam rle decode values.npy lengths.npy out.npy");
  from.callback([&] { run_decode_runs(decode); });
  command.require_subcommand(1);
  command.footer("Examples:\n"
                 "  sam rle encode in.npy values.npy lengths.npy\n"
                 "  sam rle decode values.npy lengths.npy out.npy");
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
  CLI::App app{"Scans of any order, tuple size and operator, segmented scans, difference codes, "
               "compaction and sorts, of whole files",
               "sam"};
  scan_options scan;
  segmented_options segmented;
  reduce_options reduce;
  sort_options sort;
  delta_options encode, decode;
  compact_options compact, partition;
  runs_options unique, encode_runs, decode_runs;
  demo_options demo;
  add_scan(app, scan);
  add_segmented_scan(app, segmented);
  add_reduce(app, reduce);
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
             "  sam demo                             what they are good for, measured\n"
             "sam COMMAND --help says more.");
  try {
    app.parse(argument_count, arguments);  // and runs the command
  } catch (CLI::ParseError const& error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);  // --help, --version
    complain(std::string(error.what()) + " (sam --help says what is possible)");
    return 2;
  }
  return 0;
}

}  // namespace sam::tool
