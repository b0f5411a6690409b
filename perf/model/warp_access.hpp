// SPDX-License-Identifier: MIT
// Counts how a GPU serves one memory access of a warp: wavefronts of shared memory, and sectors of
// global memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace memory_model {

inline constexpr int banks = 32;
inline constexpr int bank_bytes = 4;
inline constexpr int sector_bytes = 32;
inline constexpr int warp_lanes = 32;

/// The bytes that one lane of a warp accesses.
struct lane_access {
  int lane;
  std::uint64_t address;
  int bytes;
};

/// Lanes that access the same word are served together, as for loads and stores, or one after
/// another, as a read-modify-write operation may be.
enum class same_word { together, in_turn };

/// Returns how many lanes shared memory serves at a time. All banks together deliver 128 bytes, so
/// accesses of 8 bytes are served by half warps and accesses of 16 bytes by quarter warps.
constexpr int lanes_at_once(int bytes) {
  return std::min(warp_lanes, banks * bank_bytes / std::max(bytes, bank_bytes));
}

/// Returns the number of wavefronts of one access of a warp to shared memory: for each group of
/// lanes served at once, the largest number of different words in one bank.
inline int wavefronts(std::span<lane_access const> lanes, same_word rule = same_word::together) {
  if (lanes.empty())
    return 0;
  int const group = lanes_at_once(lanes.front().bytes);
  int all = 0;
  std::vector<std::uint64_t> words;
  for (int first = 0; first < warp_lanes; first += group) {
    words.clear();
    for (lane_access const& x : lanes)
      if (x.lane >= first && x.lane < first + group) {
        std::uint64_t const last = (x.address + std::uint64_t(x.bytes) - 1) / bank_bytes;
        for (std::uint64_t word = x.address / bank_bytes; word <= last; ++word)
          words.push_back(word);
      }
    if (rule == same_word::together) {
      std::ranges::sort(words);
      words.erase(std::ranges::unique(words).begin(), words.end());
    }
    std::array<int, banks> of_bank{};
    int most = 0;
    for (std::uint64_t const word : words)
      most = std::max(most, ++of_bank[word % banks]);
    all += most;
  }
  return all;
}

/// Returns the number of wavefronts of the same access if no bank conflicts occurred: one for each
/// group of lanes that has an active lane.
inline int fewest_wavefronts(std::span<lane_access const> lanes) {
  if (lanes.empty())
    return 0;
  int const group = lanes_at_once(lanes.front().bytes);
  std::uint32_t groups = 0;
  for (lane_access const& x : lanes)
    groups |= std::uint32_t{1} << x.lane / group;
  return __builtin_popcount(groups);
}

/// Returns the number of different sectors of 32 bytes that one access of a warp to global memory
/// touches.
inline int sectors(std::span<lane_access const> lanes) {
  std::vector<std::uint64_t> all;
  for (lane_access const& x : lanes) {
    std::uint64_t const last = (x.address + std::uint64_t(x.bytes) - 1) / sector_bytes;
    for (std::uint64_t sector = x.address / sector_bytes; sector <= last; ++sector)
      all.push_back(sector);
  }
  std::ranges::sort(all);
  return int(std::ranges::unique(all).begin() - all.begin());
}

/// Returns the number of sectors that hold as many bytes as the access has different ones.
inline int fewest_sectors(std::span<lane_access const> lanes) {
  std::vector<lane_access> sorted(lanes.begin(), lanes.end());
  std::ranges::sort(sorted, {}, &lane_access::address);
  std::uint64_t bytes = 0, end = 0;
  for (lane_access const& x : sorted) {
    std::uint64_t const last = x.address + std::uint64_t(x.bytes);
    bytes += last > std::max(end, x.address) ? last - std::max(end, x.address) : 0;
    end = std::max(end, last);
  }
  return int((bytes + sector_bytes - 1) / sector_bytes);
}

}  // namespace memory_model
