// SPDX-License-Identifier: MIT
// Defines the options of the commands that sort, select and count items, and of those for images,
// recurrences and filters.
#include "options.hpp"

namespace sam::tool {

void add_sort(CLI::App& app, sort_options& options) {
  CLI::App& command = *app.add_subcommand(
      "sort", "Sort an array, or each segment of it; equal items stay in their order");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  command.add_flag("--descending", options.descending, "The largest items first");
  command.add_flag("--total-order", options.in_total_order,
                   "Sort floats in IEEE 754's total order: negative NaNs, numbers,\n"
                   "-0 before 0, positive NaNs");
  command
      .add_option_function<std::array<int, 2>>(
          "--bits", [&](std::array<int, 2> const& bits) { options.bits = bits; },
          "Sort by bits BEGIN to END - 1 only; bit 0 is the lowest.\n"
          "Items that agree in these bits count as equal")
      ->type_name("BEGIN END");
  command.add_flag("--argsort", options.wants_order,
                   "Write the original indices of the items instead, as int64:\n"
                   "out[0] is the index of the first item");
  command
      .add_flag("--by-comparisons", options.by_comparisons,
                "Sort by comparisons instead of by digits, with the same\n"
                "result")
      ->excludes(command.get_option("--bits"));
  CLI::Option& order = *command.get_option("--argsort");
  add_values(command, options.values,
             "Values that move with the items, and the .npy file to\n"
             "write them to")
      ->excludes(&order);
  CLI::Option_group& segments =
      add_segments(command, options.segments, "A flag for each item: not 0 where one begins");
  segments.description("Where segments begin, to sort each by itself; one of, or none");
  segments.require_option(0, 1);
  add_back_end(command, options.back_end);
  command.footer(
      "Floats are sorted by value: -0 equals 0, and all NaNs are equal and come last, or\n"
      "first with --descending. Bits are those of unsigned keys in the items' order: the\n"
      "sign bit of signed items is flipped, and all other bits of negative floats too.\n"
      "-0 has the bits of 0, and a NaN those of the positive quiet NaN without payload,\n"
      "unless --total-order tells them apart. An array of several dimensions is sorted\n"
      "in C order and keeps its shape. out is of in's type, bool included; so are values.\n\n"
      "Examples:\n"
      "  sam sort in.npy out.npy\n"
      "  sam sort --values ids.npy sorted_ids.npy scores.npy sorted_scores.npy\n"
      "  sam sort --descending --argsort scores.npy ranking.npy\n"
      "  sam sort --bits 8 16 colours.npy by_green.npy\n"
      "  sam sort --offsets rows.npy in.npy out.npy");
  command.callback([&] { run_sort(options); });
}

void add_top(CLI::App& app, top_options& options) {
  CLI::App& command = *app.add_subcommand("top", "Find the largest or smallest items of an array");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  command.add_option("--count", options.count, "How many items; 1 by default")->type_name("N");
  command
      .add_option("--counts", options.counts,
                  "How many of each segment: a .npy file of an integer for each")
      ->type_name("FILE")
      ->excludes(command.get_option("--count"));
  command.add_flag("--smallest", options.smallest, "The smallest items, the smallest first");
  command.add_flag("--indices", options.wants_indices,
                   "Write the indices of the items instead, as int64");
  CLI::Option_group& segments =
      add_segments(command, options.segments, "A flag for each item: not 0 where one begins");
  segments.description("Where segments begin, to choose from each; one of, or none");
  segments.require_option(0, 1);
  add_back_end(command, options.back_end);
  command.footer(
      "The largest item comes first. Of equal items, those with the lowest indices are\n"
      "chosen, and come first. -0 equals 0, and NaNs are larger than all numbers. out is\n"
      "of in's type, bool included. The items of all segments follow one another, as many\n"
      "of each as asked for, or all of a shorter one.\n\n"
      "Examples:\n"
      "  sam top --count 10 scores.npy best.npy\n"
      "  sam top --smallest --indices distances.npy nearest.npy\n"
      "  sam top --count 3 --keys users.npy scores.npy best.npy\n"
      "  sam top --counts seats.npy --offsets districts.npy votes.npy winners.npy");
  command.callback([&] { run_top(options); });
}

namespace {

CLI::App& add_compact(CLI::App& app, std::string const& name, std::string const& help,
                      compact_options& options) {
  CLI::App& command = *app.add_subcommand(name, help);
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  CLI::Option_group& which = *command.add_option_group("Which items (one of)");
  add_relations(which, "--", options.request, "Those");
  CLI::Option* const flags =
      which.add_option("--flags", options.flags, "Those whose integer in this .npy file is not 0");
  flags->type_name("FILE");
  add_packed(command, options.are_packed, flags);
  which.require_option(1);
  add_back_end(command, options.back_end);
  command.callback([&] { run_compact(options); });
  return command;
}

}  // namespace

void add_compact(CLI::App& app, compact_options& compact, compact_options& partition) {
  partition.partition = true;
  std::string const shape =
      "An array of several dimensions is taken in C order, and out has one. out is of in's\n"
      "type, bool included; indices are int64.\n\n";
  CLI::App& kept = add_compact(app, "compact", "Keep some items of an array, in order", compact);
  kept.add_flag("--indices", compact.wants_indices,
                "Write the indices of the items instead, as int64");
  kept.get_option("--flags")->excludes(
      kept.add_option("--stencil", compact.stencil,
                      "Ask the items of this .npy file instead of those of in")
          ->type_name("FILE")
          ->excludes(kept.get_option("--indices")));
  kept.footer(shape + "Examples:\n"
                      "  sam compact --greater 5 in.npy out.npy\n"
                      "  sam compact --flags flags.npy in.npy out.npy\n"
                      "  sam compact --flags bits.npy --packed in.npy out.npy\n"
                      "  sam compact --greater 5 --stencil scores.npy ids.npy out.npy\n"
                      "  sam compact --equal 0 --indices in.npy zeros.npy");
  CLI::App& parted = add_compact(
      app, "partition", "Put some items of an array before the others, all in order", partition);
  CLI::Option_group& then = *parted.add_option_group(
      "Then", "Which of the others come next, before the rest; one of, or none");
  add_relations(then, "--then-", partition.then, "Those");
  then.require_option(0, 1);
  for (CLI::Option* const option : then.get_options())
    option->excludes(parted.get_option("--flags"));
  parted.footer(shape + "Examples:\n"
                        "  sam partition --less 0 in.npy out.npy  the negative ones first\n"
                        "  sam partition --less 0 --then-equal 0 in.npy out.npy\n"
                        "                                         then zeros, then the others");
}

void add_unique(CLI::App& app, runs_options& options) {
  CLI::App& command = *app.add_subcommand("unique", "Keep one of each run of equal items");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  add_values(command, options.values,
             "Values that go with the items, and the .npy file to write\n"
             "the values of the kept items to");
  add_back_end(command, options.back_end);
  command.footer(
      "Items are equal if all of their bits are; the first one of each run is kept. out\n"
      "is of in's type, bool included; so are values.\n\n"
      "Examples:\n"
      "  sam unique in.npy out.npy\n"
      "  sam unique --values times.npy first_times.npy users.npy out.npy");
  command.callback([&] { run_encode_runs(options); });
}

void add_run_lengths(CLI::App& app, runs_options& encode, runs_options& decode,
                     runs_options& find) {
  CLI::App& command = *app.add_subcommand("rle", "Run-length coding of an array");
  CLI::App& to = *command.add_subcommand("encode", "Runs of equal items as values and lengths");
  add_file(to, "in", encode.in, "A .npy file of integers or floats");
  add_file(to, "values", encode.out, "The .npy file to write: an item of each run");
  add_file(to, "lengths", encode.lengths, "The .npy file to write: the length of each run, int64");
  add_back_end(to, encode.back_end);
  to.footer("Items are equal if all of their bits are, so that nothing is lost. values are of\n"
            "in's type, bool included, and lengths int64.\n\n"
            "Examples:\n"
            "  sam rle encode in.npy values.npy lengths.npy");
  to.callback([&] { run_encode_runs(encode); });
  CLI::App& from = *command.add_subcommand("decode", "Undo sam rle encode");
  add_file(from, "values", decode.in, "A .npy file of integers or floats");
  add_file(from, "lengths", decode.lengths, "A .npy file of as many int64: the length of each run");
  add_file(from, "out", decode.out, "The .npy file to write");
  add_back_end(from, decode.back_end);
  from.footer("out is of the type of values, bool included.\n\n"
              "Examples:\n"
              "  sam rle decode values.npy lengths.npy out.npy");
  from.callback([&] { run_decode_runs(decode); });
  CLI::App& longer = *command.add_subcommand("find", "Runs of more than one item");
  add_file(longer, "in", find.in, "A .npy file of integers or floats");
  add_file(longer, "indices", find.out, "The .npy file to write: where each begins, int64");
  add_file(longer, "lengths", find.lengths, "The .npy file to write: the length of each, int64");
  add_back_end(longer, find.back_end);
  longer.footer("Items are equal if all of their bits are.\n\n"
                "Examples:\n"
                "  sam rle find in.npy indices.npy lengths.npy");
  longer.callback([&] { run_find_runs(find); });
  command.require_subcommand(1);
  command.footer("Examples:\n"
                 "  sam rle encode in.npy values.npy lengths.npy\n"
                 "  sam rle decode values.npy lengths.npy out.npy");
}

void add_histogram(CLI::App& app, histogram_options& options) {
  CLI::App& command =
      *app.add_subcommand("histogram", "Count how many items of an array lie in each bin");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write: a count for each bin, int64");
  CLI::Option_group& bins = *command.add_option_group("Bins (one of)");
  constexpr index_t most_bins = index_t{1} << 32;
  add_number(bins, "--bins", options.bins, "N", "N bins of equal width, between the limits below",
             most_bins);
  bins.add_option("--boundaries", options.boundaries,
                  "Bins between neighbours in this .npy file, of in's type")
      ->type_name("FILE");
  bins.require_option(1);
  CLI::Option& even = *bins.get_option("--bins");
  auto const add_limit = [&](std::string const& name, std::string& limit, std::string const& help) {
    return command.add_option(name, limit, help)->needs(&even)->type_name("VALUE");
  };
  even.needs(add_limit("--from", options.request.lower, "The lower limit of the first bin"));
  even.needs(add_limit("--to", options.request.upper, "The upper limit of the last bin"));
  CLI::Option& cumulative =
      *command.add_flag("--cumulative", options.request.cumulative,
                        "Count the items in all bins before each bin; a last\n"
                        "count, one more than there are bins, is the total");
  CLI::Option& weights = *command
                              .add_option("--weights", options.weights,
                                          "Sum these weights of the items in each bin instead")
                              ->type_name("FILE")
                              ->excludes(&cumulative);
  constexpr int most_channels = 4;
  add_number(command, "--channels", options.channels, "C",
             "Count each of up to 4 interleaved channels by itself, as\n"
             "of an image's colours",
             most_channels)
      ->excludes(&cumulative)
      ->excludes(&weights);
  add_chunk(command, options.chunk);
  add_back_end(command, options.back_end);
  command.footer(
      "A bin holds its lower limit and not its upper one. Items outside, and NaN, lie in\n"
      "none. Counts are int64 for items of any type, and those of channels have a row for\n"
      "each. Sums of weights are int64, uint64 or float64. Without weights and channels, a\n"
      "larger array than --chunk is read part by part.\n\n"
      "Examples:\n"
      "  sam histogram --bins 256 --from 0 --to 256 image.npy counts.npy\n"
      "  sam histogram --boundaries edges.npy --cumulative in.npy below.npy\n"
      "  sam histogram --bins 16 --from 0 --to 256 --channels 3 image.npy counts.npy");
  command.callback([&] { run_histogram(options); });
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
          "Print the sum of rows TOP to BOTTOM - 1 and columns LEFT\n"
          "to RIGHT - 1, from the table; out may be left out")
      ->type_name("TOP LEFT BOTTOM RIGHT");
  add_back_end(command, options.back_end);
  command.footer("Bools and signed integers are added as int64, unsigned ones as uint64, and wrap\n"
                 "around; floats are added as float64. out is of that type.\n\n"
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
  command.add_option("--init", options.init, "The value before out[0]; without it, out[0] is b[0]")
      ->type_name("VALUE");
  add_back_end(command, options.back_end);
  command.footer("Integers wrap around; floats are computed as float64. out is of the type of a\n"
                 "and b, bools as uint8, and has b's shape.\n\n"
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
           "The values before out[0]: X1, before it X2, ...\n(default: 0)");
  add_back_end(command, options.back_end);
  command.footer("Integers wrap around; floats are computed as float64. out is of in's type,\n"
                 "bools as uint8.\n\n"
                 "Examples:\n"
                 "  sam linear-filter --coefficients 0.9 in.npy out.npy     a decaying sum\n"
                 "  sam linear-filter --coefficients 1.8,-0.9 in.npy out.npy  a resonance\n"
                 "  sam linear-filter --coefficients 1,1 --before 1,0 zeros.npy fibonacci.npy");
  command.callback([&] { run_linear_filter(options); });
}

}  // namespace sam::tool
