// SPDX-License-Identifier: MIT
// Implements `sam find` and `sam extremes`.
#include "arrays.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "npy.hpp"
#include "words.hpp"

#include <cstdio>

namespace sam::tool {

namespace {

/// Answers the question for each segment: an int64, or a bool.
buffer answers_of_segments(find_options const& options, buffer const& in, rank_calls& ranks) {
  auto const matches =
      options.are_sorted ? key_range<std::uint64_t>() : keys_of(options.request, in.type());
  buffer const limits = read_offsets_of(options.segments, in.count(), "search");
  buffer const keys = ordered_keys(in);
  buffer numbers(item_type::int64, limits.count() - 1);
  auto const all = keys.as<std::uint64_t>();
  auto const offsets = limits.as<std::int64_t>(), found = numbers.as<std::int64_t>();
  if (options.are_sorted)
    ranks.are_sorted_in_segments(all, offsets, found);
  else if (options.what == question::first)
    ranks.find_in_segments(all, offsets, matches, found);
  else
    ranks.count_in_segments(all, offsets, matches, found);
  if (!options.are_sorted &&
      (options.what == question::first || options.what == question::how_many))
    return numbers;
  buffer truths(item_type::boolean, numbers.count());
  for (std::size_t s = 0; s < found.size(); ++s) {
    std::int64_t const wanted = options.what == question::all ? offsets[s + 1] - offsets[s] : 0;
    bool const are_as_many = found[s] == wanted;
    bool const is_inverted = options.are_sorted || options.what == question::any;
    truths.as<std::uint8_t>()[s] = is_inverted != are_as_many ? 1 : 0;
  }
  return truths;
}

}  // namespace

void run_find(find_options const& options) {
  auto const& [heads, offsets, by_keys, are_packed] = options.segments;
  check_files({options.in, heads, offsets, by_keys}, {options.out});
  buffer const in = read_npy(options.in).items;
  if (!options.out.empty()) {
    buffer answers = answers_of_segments(options, in, *start_back_end(options.back_end)->ranks());
    index_t const segments = answers.count();
    return write_npy(options.out, {{segments}, std::move(answers)});
  }
  auto const matches =
      options.are_sorted ? key_range<std::uint64_t>() : keys_of(options.request, in.type());
  buffer const keys = ordered_keys(in);
  auto const engine = start_back_end(options.back_end);  // has the context of the calls
  auto const ranks = engine->ranks();
  auto const all = keys.as<std::uint64_t>();
  auto const truth = [](bool holds) { std::puts(holds ? "true" : "false"); };
  if (options.are_sorted)
    return truth(ranks->are_sorted(all));
  index_t const answer = ranks->ask(options.what, all, matches);
  if (options.what != question::first && options.what != question::how_many)
    truth(answer != 0);
  else if (options.what == question::first && answer == in.count())
    std::puts("none");
  else
    std::printf("%lld\n", static_cast<long long>(answer));
}

namespace {

void print_extremes(extremes_options const& options, buffer const& in, rank_calls& ranks) {
  if (in.count() == 0)
    throw failure(options.in, "holds no items");
  buffer const keys = ordered_keys(in);
  auto const print_wanted = [&](auto const& both, auto const& print) {
    auto const [least, greatest] = both;
    if (!options.largest)
      print(least);
    if (!options.smallest)
      print(greatest);
  };
  if (options.items_alone)
    print_wanted(ranks.extreme_keys(keys.as<std::uint64_t>()),
                 [&](std::uint64_t key) { std::puts(text_of_key(key, in.type()).c_str()); });
  else
    print_wanted(ranks.extremes(keys.as<std::uint64_t>()), [&](index_t index) {
      std::printf("%lld %s\n", static_cast<long long>(index), text_of(in, index).c_str());
    });
}

}  // namespace

void run_extremes(extremes_options const& options) {
  auto const& [heads, offsets, keys, are_packed] = options.segments;
  check_files({options.in, heads, offsets, keys}, {options.out});
  buffer const in = read_npy(options.in).items;
  if (options.rank) {
    if (*options.rank < 0 || *options.rank >= in.count())
      throw failure("--rank " + std::to_string(*options.rank) + " must lie from 0 to " +
                    std::to_string(in.count() - 1) + ", for the items of " + options.in);
    buffer const all = ordered_keys(in);
    auto const key = start_back_end(options.back_end)
                         ->ranks()
                         ->key_of_rank(all.as<std::uint64_t>(), *options.rank);
    std::puts(text_of_key(key, in.type()).c_str());
    return;
  }
  if (options.out.empty())
    return print_extremes(options, in, *start_back_end(options.back_end)->ranks());
  buffer const limits = read_offsets_of(options.segments, in.count(), "search");
  index_t const segments = limits.count() - 1;
  buffer const all = ordered_keys(in);
  if (!options.smallest && !options.largest) {
    npy_array const both{{segments, 2}, {item_type::int64, 2 * segments}};
    buffer const smallest(item_type::int64, segments), largest(item_type::int64, segments);
    auto const least = smallest.as<std::int64_t>(), greatest = largest.as<std::int64_t>();
    start_back_end(options.back_end)
        ->ranks()
        ->both_extremes(all.as<std::uint64_t>(), limits.as<std::int64_t>(), least, greatest);
    for (std::size_t s = 0; s < least.size(); ++s) {
      both.items.as<std::int64_t>()[2 * s] = least[s];
      both.items.as<std::int64_t>()[2 * s + 1] = greatest[s];
    }
    return write_npy(options.out, both);
  }
  npy_array const found{{segments}, {item_type::int64, segments}};
  start_back_end(options.back_end)
      ->ranks()
      ->extremes(all.as<std::uint64_t>(), limits.as<std::int64_t>(), options.smallest,
                 found.items.as<std::int64_t>());
  write_npy(options.out, found);
}

}  // namespace sam::tool
