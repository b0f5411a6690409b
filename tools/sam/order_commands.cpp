// SPDX-License-Identifier: MIT
// Defines the options of the commands that merge, search, move and ask items, and of those for
// neighbours and products.
#include "options.hpp"

namespace sam::tool {

namespace {

choices<set_kind> const sets{
    {"union", set_kind::in_any},
    {"intersection", set_kind::in_both},
    {"difference", set_kind::in_first},
    {"symmetric-difference", set_kind::in_one},
};
choices<neighbour_operator> const neighbour_operators{
    {"minus", neighbour_operator::minus},
    {"plus", neighbour_operator::plus},
    {"multiplies", neighbour_operator::multiplies},
    {"min", neighbour_operator::min},
    {"max", neighbour_operator::max},
    {"and", neighbour_operator::bit_and},
    {"or", neighbour_operator::bit_or},
    {"xor", neighbour_operator::bit_xor},
};
/// Refuses segments without an output file for them, or the file without segments.
void expect_both(segment_files const& segments, std::string const& out) {
  bool const in_segments = !(segments.heads + segments.offsets + segments.keys).empty();
  if (in_segments == out.empty())
    throw CLI::ValidationError("out and segments", "need each other");
}

std::string const float_order = "-0 equals 0, and NaNs are larger than all numbers.";

}  // namespace

void add_merge(CLI::App& app, merge_options& options) {
  CLI::App& command =
      *app.add_subcommand("merge", "Merge two sorted arrays, or keep a set of their items");
  add_file(command, "a", options.a, "A sorted .npy file of integers or floats");
  add_file(command, "b", options.b, "Another one, of the same type");
  add_file(command, "out", options.out, "The .npy file to write; may be one of them");
  add_choice(command, "--set", options.kind, sets, "SET",
             "Keep the union, intersection, difference or\n"
             "symmetric-difference instead of all items");
  command
      .add_option("--values", options.values,
                  "Values that go with the items of a and of b, and the\n"
                  ".npy file to write those of out to")
      ->type_name("A B OUT");
  add_back_end(command, options.back_end);
  command.footer(
      "Of equal items, those of a come first. Sets may hold an item several times: of m in\n"
      "a and n in b, the union keeps the larger number, the intersection the smaller one,\n"
      "and a difference what one has more than the other. " +
      float_order +
      "\n"
      "out is of the type of a, bool included; values keep theirs.\n\n"
      "Examples:\n"
      "  sam merge a.npy b.npy out.npy\n"
      "  sam merge --set intersection a.npy b.npy out.npy\n"
      "  sam merge --values ids_a.npy ids_b.npy ids.npy a.npy b.npy out.npy");
  command.callback([&] { run_merge(options); });
}

void add_search(CLI::App& app, search_options& options) {
  CLI::App& command = *app.add_subcommand("search", "Find where values belong in a sorted array");
  add_file(command, "sorted", options.sorted, "A sorted .npy file of integers or floats");
  add_file(command, "values", options.values, "Values of the same type, in any order");
  add_file(command, "out", options.out, "The .npy file to write: an index for each value");
  CLI::Option* const upper = command.add_flag(
      "--upper", options.upper, "The first item above the value, not the first one not below");
  command
      .add_option("--ends", options.ends,
                  "Write the first item above the value to this .npy file,\n"
                  "so that both enclose the items equal to it")
      ->type_name("FILE")
      ->excludes(upper);
  add_back_end(command, options.back_end);
  command.footer("Indices are int64. An index is the number of items if there is no such item.\n" +
                 float_order +
                 "\n\n"
                 "Examples:\n"
                 "  sam search sorted.npy values.npy out.npy\n"
                 "  sam search --ends ends.npy sorted.npy values.npy begins.npy");
  command.callback([&] { run_search(options); });
}

void add_gather(CLI::App& app, gather_options& options) {
  CLI::App& command =
      *app.add_subcommand("gather", "Copy the items at given indices: out[i] = in[indices[i]]");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "indices", options.indices, "A .npy file of integers, from 0 on");
  add_file(command, "out", options.out, "The .npy file to write; may be the same as in");
  add_values(command, options.values,
             "Another array of as many items as in, to bring into the\n"
             "same order; there is an index for each item then");
  add_back_end(command, options.back_end);
  command.footer(
      "out is of in's type, bool included, and has an item for each index.\n\n"
      "Examples:\n"
      "  sam gather in.npy indices.npy out.npy\n"
      "  sam sort --argsort scores.npy order.npy\n"
      "  sam gather --values names.npy sorted_names.npy ids.npy order.npy sorted_ids.npy");
  command.callback([&] { run_gather(options); });
}

void add_scatter(CLI::App& app, scatter_options& options) {
  CLI::App& command =
      *app.add_subcommand("scatter", "Copy items to given indices: out[indices[i]] = in[i]");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "indices", options.indices, "A .npy file of as many distinct integers");
  add_file(command, "out", options.out, "The .npy file to write");
  command
      .add_option("--into", options.into,
                  "The items of out, of in's type, before any are copied\n"
                  "(default: as many zeros as in has items)")
      ->type_name("FILE");
  add_back_end(command, options.back_end);
  command.footer("out is of in's type, bool included.\n\n"
                 "Examples:\n"
                 "  sam scatter in.npy indices.npy out.npy\n"
                 "  sam scatter --into out.npy few.npy indices.npy out.npy");
  command.callback([&] { run_scatter(options); });
}

void add_find(CLI::App& app, find_options& options) {
  CLI::App& command = *app.add_subcommand(
      "find", "Print the index of the first item of a kind, or how many there are");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  command
      .add_option("out", options.out,
                  "The .npy file to write: an answer for each segment; without\n"
                  "segments, the answer is printed")
      ->type_name(" ");
  CLI::Option_group& which = *command.add_option_group("Which items (one of)");
  add_relations(which, "--", options.request, "Those");
  CLI::Option* const sorted = which.add_flag("--sorted", options.are_sorted,
                                             "None: tell whether no item is less than the one\n"
                                             "before it");
  which.require_option(1);
  CLI::Option_group& segments =
      add_segments(command, options.segments, "A flag for each item: not 0 where one begins");
  segments.description("Where segments begin, to search each; one of, or none");
  segments.require_option(0, 1);
  CLI::Option_group& what =
      *command.add_option_group("What", "What to print instead of an index; one of, or none");
  auto const add = [&](std::string const& name, question asked, std::string const& help) {
    what.add_flag_callback(
            name, [&options, asked] { options.what = asked; }, help)
        ->excludes(sorted);
  };
  add("--count", question::how_many, "How many there are");
  add("--any", question::any, "Whether there is one: true or false");
  add("--all", question::all, "Whether all items are of this kind");
  add("--none", question::none, "Whether there is none");
  what.require_option(0, 1);
  add_back_end(command, options.back_end);
  command.footer(
      "The index of no item is none, or in out the number of items. out is of int64, or of\n"
      "bool for true and false. " +
      float_order +
      "\n"
      "NaNs are not greater than, less than or equal to a value.\n\n"
      "Examples:\n"
      "  sam find --greater 100 in.npy\n"
      "  sam find --equal 0 --count in.npy\n"
      "  sam find --sorted in.npy\n"
      "  sam find --greater 100 --count --keys users.npy in.npy out.npy");
  command.callback([&] {
    expect_both(options.segments, options.out);
    run_find(options);
  });
}

void add_extremes(CLI::App& app, extremes_options& options) {
  CLI::App& command = *app.add_subcommand(
      "extremes", "Find the smallest and the largest item, of all or of each segment");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  CLI::Option* const out =
      command
          .add_option("out", options.out,
                      "The .npy file to write: an index for each segment, or one of\n"
                      "the smallest and one of the largest item; without segments,\n"
                      "indices and items are printed")
          ->type_name(" ");
  CLI::Option* const smallest =
      command.add_flag("--smallest", options.smallest, "The smallest item alone");
  CLI::Option* const largest =
      command.add_flag("--largest", options.largest, "The largest item alone")->excludes(smallest);
  CLI::Option_group& segments =
      add_segments(command, options.segments, "A flag for each item: not 0 where one begins");
  segments.description("Where segments begin, to search each; one of, or none");
  segments.require_option(0, 1);
  CLI::Option* const rank =
      command
          .add_option("--rank", options.rank,
                      "Print the item that has K items before it in sorted order,\n"
                      "instead; the smallest item has rank 0")
          ->type_name("K")
          ->excludes(smallest)
          ->excludes(largest)
          ->excludes(out);
  segments.excludes(rank);
  CLI::Option* const items =
      command
          .add_flag("--items", options.items_alone, "Print the items alone, without their indices")
          ->excludes(rank)
          ->excludes(out);
  segments.excludes(items);
  add_back_end(command, options.back_end);
  command.footer(
      "Of equal items, the first one is found. " + float_order +
      "\n"
      "Indices count from the first item of the array, and are int64. That of a segment\n"
      "without items is the number of items.\n\n"
      "Examples:\n"
      "  sam extremes in.npy               their indices, and the items\n"
      "  sam extremes --items in.npy       the items\n"
      "  sam extremes --rank 500 in.npy    the median of 1001 items\n"
      "  sam extremes --largest --keys users.npy scores.npy best.npy");
  command.callback([&] {
    expect_both(options.segments, options.out);
    run_extremes(options);
  });
}

void add_adjacent_difference(CLI::App& app, difference_options& options) {
  CLI::App& command = *app.add_subcommand(
      "adjacent-difference", "Combine each item with the one before it: in[i] - in[i - 1]");
  add_file(command, "in", options.in, "A .npy file of integers or floats");
  add_file(command, "out", options.out, "The .npy file to write; may be the same");
  add_choice(command, "--op", options.op, neighbour_operators, "OPERATOR",
             "minus, plus, multiplies, min, max; and, or, xor of bits\n"
             "(default: minus)");
  command.add_flag("--right", options.with_next, "With the one behind it instead");
  add_back_end(command, options.back_end);
  command.footer(
      "The item at the end, which has no such neighbour, stays as it is. out is of in's\n"
      "type; integers wrap around, and bools are taken as uint8.\n\n"
      "Examples:\n"
      "  sam adjacent-difference in.npy out.npy\n"
      "  sam adjacent-difference --op max --right in.npy out.npy");
  command.callback([&] { run_adjacent_difference(options); });
}

void add_inner_product(CLI::App& app, product_options& options) {
  CLI::App& command = *app.add_subcommand(
      "inner-product", "Add up the products of two arrays' items, of all or of each segment");
  add_file(command, "a", options.a, "A .npy file of integers or floats");
  add_file(command, "b", options.b, "A .npy file of as many");
  command
      .add_option("out", options.out,
                  "The .npy file to write: a sum for each segment; without\n"
                  "segments, the sum is printed")
      ->type_name(" ");
  CLI::Option_group& segments =
      add_segments(command, options.segments, "A flag for each item: not 0 where one begins");
  segments.description("Where segments begin; one of, or none");
  segments.require_option(0, 1);
  add_back_end(command, options.back_end);
  command.footer("Integers are multiplied and added modulo 2^64, as int64 unless both arrays are\n"
                 "unsigned; with a float array, all are taken as float64.\n\n"
                 "Examples:\n"
                 "  sam inner-product prices.npy counts.npy\n"
                 "  sam inner-product --keys users.npy prices.npy counts.npy sums.npy");
  command.callback([&] {
    expect_both(options.segments, options.out);
    run_inner_product(options);
  });
}

}  // namespace sam::tool
