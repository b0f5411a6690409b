// SPDX-License-Identifier: MIT
// Implements `sam predict`.
#include "model/prediction.hpp"
#include "options.hpp"

#include <cstdio>

namespace sam::tool {

namespace {

using memory_model::access_pattern;

choices<access_pattern> const patterns{
    {"blocked", access_pattern::blocked},
    {"striped", access_pattern::striped},
    {"random", access_pattern::random},
};

std::string counted(index_t n, std::string const& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// Prints how often a memory works for a warp, and how often it would have to at least.
void print(char const* what, index_t count, index_t fewest, memory_model::prediction const& of) {
  std::printf("%s per item %.4g, per access %.4g: %.4g times the fewest\n", what,
              double(count) / double(of.items), double(count) / double(of.requests),
              double(count) / double(fewest));
}

void print_strides(memory_model::warp_pattern const& by) {
  auto const good = memory_model::good_strides_near(by);
  // Runs that are closer together than they are long would overlap.
  bool const may_shrink = by.how == access_pattern::striped || by.stride == by.items;
  bool const has_below = good.below > 0 && (may_shrink || good.below >= by.items);
  std::string strides = std::to_string(good.above);
  if (has_below && good.below != good.above)
    strides = std::to_string(good.below) + " and " + strides;
  std::printf("               strides next to %lld %s: %s\n", static_cast<long long>(by.stride),
              good.are_conflict_free ? "without conflicts" : "with the fewest conflicts",
              strides.c_str());
}

}  // namespace

void run_predict(predict_options const& options) {
  memory_model::warp_pattern by = options.pattern;
  by.stride = options.stride != 0                 ? options.stride
              : by.how == access_pattern::blocked ? by.items
                                                  : 1;
  index_t const accesses = by.item_bytes / by.bytes_at_once();
  std::printf("A warp of 32 lanes, %s of %s for each lane", counted(by.items, "item").c_str(),
              counted(by.item_bytes, "byte").c_str());
  if (accesses > 1)
    std::printf(", each by %lld accesses", static_cast<long long>(accesses));
  std::printf("\n");
  auto const found = memory_model::predict(by);
  print("shared memory: wavefronts", found.wavefronts, found.fewest_wavefronts, found);
  if (by.how != access_pattern::random)
    print_strides(by);
  print("global memory: sectors", found.sectors, found.fewest_sectors, found);
}

void add_predict(CLI::App& app, predict_options& options) {
  CLI::App& command = *app.add_subcommand(
      "predict", "Predict bank conflicts and sectors of a memory access on a GPU");
  constexpr index_t most_bytes = 1024, most_items = 4096, most_stride = 1 << 20;
  add_number(command, "--item-bytes", options.pattern.item_bytes, "B",
             "Bytes of an item (default: 4)", most_bytes);
  add_number(command, "--items", options.pattern.items, "N",
             "Items that each thread accesses, one after another\n(default: 1)", most_items);
  add_choice(command, "--pattern", options.pattern.how, patterns, "PATTERN",
             "blocked: thread i accesses items i * S, i * S + 1, and so on;\n"
             "striped: it accesses items i * S, (i + 32) * S, and so on;\n"
             "random: it accesses items anywhere (default: blocked)");
  add_number(command, "--stride", options.stride, "S",
             "S in these patterns (default: N if blocked, 1 if striped)", most_stride);
  command.footer(
      "A wavefront is the work of shared memory in a cycle: 32 banks of 4 bytes each. Lanes with\n"
      "different words in one bank take further wavefronts, which is a bank conflict. Items of\n"
      "8 bytes are served by half warps, of 16 bytes by quarter warps. A sector is 32 bytes of\n"
      "global memory. The fewest are as many as the items' bytes need.\n\n"
      "Examples:\n"
      "  sam predict --items 48                  16-fold conflicts; 47 or 49 items have none\n"
      "  sam predict --items 48 --stride 49      the same items, with padding\n"
      "  sam predict --item-bytes 12 --pattern striped\n"
      "  sam predict --item-bytes 8 --pattern random --items 1000");
  command.callback([&] { run_predict(options); });
}

}  // namespace sam::tool
