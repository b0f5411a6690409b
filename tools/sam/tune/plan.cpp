// SPDX-License-Identifier: MIT
// Implements plan.hpp.
#include "tune/plan.hpp"

#include <sam/cuda/runtime/tuning.hpp>

#include <cstdlib>
#include <fstream>

namespace sam::tune {

namespace {

constexpr index_t kib = 1024, mib = 1024 * 1024;

/// Returns a workload at each power of two from 2^low to 2^high items, `step` exponents apart.
std::vector<workload_id> at_sizes(std::vector<std::string> const& names, int low, int high,
                                  int step = 1) {
  std::vector<workload_id> all;
  for (std::string const& name : names)
    for (int bits = low; bits <= high; bits += step)
      all.push_back({name, index_t{1} << bits});
  return all;
}

std::vector<search> host_searches() {
  return {
      {"exact_tile_bytes",
       {64 * kib, 128 * kib, 256 * kib, 512 * kib, mib, 2 * mib},
       at_sizes({"scan", "compact", "partition"}, 20, 24, 4)},
      {"sorted_bytes",
       {64 * kib, 128 * kib, 256 * kib, 512 * kib, mib},
       at_sizes({"sort", "sort pairs"}, 16, 22, 2)},
      {"streaming_bytes",
       {2 * mib, 4 * mib, 8 * mib, 16 * mib, 32 * mib, 64 * mib},
       at_sizes({"scan", "compact"}, 19, 24)},
      {"sorted_streaming_bytes",
       {256 * kib, mib, 4 * mib, 16 * mib, 64 * mib},
       at_sizes({"sort"}, 17, 23, 2)},
      {"usual_split_bits", {9, 10, 11, 12}, at_sizes({"sort"}, 22, 24, 2)},
      {"fewest_split_bits", {4, 6, 8, 10}, at_sizes({"sort"}, 17, 20)},
      {"parallel_bytes",
       {16 * kib, 32 * kib, 64 * kib, 128 * kib, 256 * kib, 512 * kib},
       at_sizes({"scan", "compact", "sort"}, 12, 17)},
      {"piece_bytes", {256, 512, kib, 2 * kib, 4 * kib, 8 * kib}, at_sizes({"scan"}, 23, 24)},
      {"ahead_bytes",
       {kib, 2 * kib, 4 * kib, 8 * kib},
       at_sizes({"compact", "partition"}, 20, 24, 2),
       true},
      {"gathered_bytes",
       {2 * kib, 4 * kib, 8 * kib, 16 * kib},
       at_sizes({"partition"}, 20, 24, 2),
       true},
  };
}

std::vector<search> cuda_searches() {
  return {
      {"sort_tiles_per_sm", {4, 8, 16, 32}, at_sizes({"sort", "sort pairs"}, 20, 26)},
      {"counting_small_keys", {0, mib / 4, mib, 4 * mib}, at_sizes({"sort uint16"}, 19, 22)},
      {"counting_pair_keys",
       {8 * kib, 16 * kib, 32 * kib, 64 * kib},
       at_sizes({"sort uint16"}, 19, 24)},
      {"paired_below_bytes",
       {0, 48 * mib, 96 * mib, 192 * mib, 384 * mib},
       at_sizes({"partition"}, 20, 26)},
      {"scan_blocks", {1, 2, 3, 4}, at_sizes({"scan"}, 18, 28, 2)},
      {"sort_narrow_registers", {36, 48, 60}, at_sizes({"sort"}, 22, 28, 2), true},
      {"sort_narrow_warps", {8, 12, 16}, at_sizes({"sort"}, 22, 28, 2), true},
      {"sort_wide_registers", {52, 60, 70, 84}, at_sizes({"sort uint64"}, 22, 26, 2), true},
      {"sort_packed_registers", {60, 70, 80}, at_sizes({"sort pairs"}, 22, 26, 2), true},
      {"sort_pair_registers", {36, 48, 60}, at_sizes({"sort pairs apart"}, 22, 26, 2), true},
      {"exact_scan_warps", {6, 8, 10, 12}, at_sizes({"scan"}, 22, 28, 2), true},
      {"exact_scan_stages", {3, 4, 5}, at_sizes({"scan"}, 22, 28, 2), true},
  };
}

/// Returns the size of the data cache of CPU 0 of some level; 0 if it is unknown.
index_t cache_bytes(char const* level) {
  for (int k = 0; k < 8; ++k) {
    std::string const folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(k) + "/";
    std::string of, type, size;
    std::ifstream(folder + "level") >> of;
    std::ifstream(folder + "type") >> type;
    std::ifstream(folder + "size") >> size;
    if (of == level && type != "Instruction" && !size.empty())
      return std::atoll(size.c_str()) * (size.back() == 'M' ? mib : kib);
  }
  return 0;
}

}  // namespace

std::vector<search> searches_for(std::string const& engine) {
  return engine == "host" ? host_searches() : cuda_searches();
}

model model_of(machine const& of) {
  model by;
  for (auto const& [name, value] : of.facts())
    if (name == "threads")
      by.threads = std::atoll(value.c_str());
    else if (name == "shared memory")
      by.shared_bytes = std::atoll(value.c_str()) * kib;
  if (of.engine() == "host") {
    by.first_level_bytes = cache_bytes("1");
    by.second_level_bytes = cache_bytes("2");
  }
  return by;
}

std::string rejected_by(model const& by, std::string const& name, index_t value) {
  auto const needs = [](index_t bytes, index_t most, std::string const& what,
                        std::string const& where) {
    return most > 0 && bytes > most ? what + " take " + std::to_string(bytes / kib) + " KiB, and " +
                                          where + " has " + std::to_string(most / kib)
                                    : std::string();
  };
  auto const exceeds = [&](index_t bytes, index_t cache, char const* what, char const* level) {
    return needs(bytes, cache, what, std::string("the ") + level + "-level cache");
  };
  if (name == "exact_tile_bytes")  // it is read twice, the second time from that cache
    return exceeds(value, by.second_level_bytes, "the items of a tile", "second");
  if (name == "piece_bytes")  // read, written, and the next one prefetched
    return exceeds(3 * value, by.first_level_bytes, "two pieces and the output of one", "first");
  if (name == "sorted_bytes")  // two buffers and the streamed result
    return exceeds(2 * value, by.second_level_bytes, "the two buffers of a sort", "second");
  if (name == "parallel_bytes" && by.threads == 1)
    return "there is only one thread";

  // Other tiles run where large ones do not fit, so that such a candidate changes nothing.
  using released = cuda::released_tuning;
  auto const fits = [&](index_t bytes, char const* what) {
    return needs(bytes, by.shared_bytes, what, "a block");
  };
  // Three stages are the fewest. Up to a third of each stays empty to avoid bank conflicts.
  auto const staged = [&](index_t stages) {
    return fits(cuda::scan_memory::large_bytes / stages * 2, "the fewest stages of a large tile");
  };
  if (name == "exact_scan_stages")
    return staged(value);
  if (name == "exact_scan_warps")
    return staged(released::exact_scan_stages);
  // The keys of a large tile, or keys with values that are packed. Each has half a register more.
  auto const sorted = [&](index_t warps, index_t registers, index_t words) {
    return fits(warps * 32 * (registers * 2 / (2 * words + 1)) * 4 * words,
                "the items of a large tile");
  };
  if (name == "sort_narrow_warps")
    return sorted(value, released::sort_narrow_registers, 1);
  if (name == "sort_narrow_registers")
    return sorted(released::sort_narrow_warps, value, 1);
  if (name == "sort_pair_registers")
    return sorted(released::sort_wide_warps, value, 1);
  if (name == "sort_wide_registers" || name == "sort_packed_registers")
    return sorted(released::sort_wide_warps, value, 2);
  return "";
}

}  // namespace sam::tune
