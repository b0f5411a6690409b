// SPDX-License-Identifier: MIT
// Groups the accesses of lanes into accesses of warps, and counts how the GPU would serve them.
#pragma once

#include "../warp_access.hpp"
#include "simt/machine.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace memory_trace {

enum class space { shared, global, copied };
enum class kind { load, store, atomic };

/// A call stack with the memory accessed there. The frames are return addresses, outermost first.
struct site {
  std::vector<std::uintptr_t> frames;
  space where;
  kind what;
  friend auto operator<=>(site const&, site const&) = default;
};

/// The accesses of a site. Units are wavefronts for shared memory and sectors for global memory.
/// Collisions are the further wavefronts of atomic operations if lanes with the same word are
/// served one after another.
struct counts {
  std::int64_t requests = 0, lanes = 0, units = 0, fewest = 0, collisions = 0;
  void operator+=(counts const& x) {
    requests += x.requests, lanes += x.lanes, units += x.units, fewest += x.fewest;
    collisions += x.collisions;
  }
};
using site_counts = std::map<site, counts>;

/// Copies of the copy engine, by the source line that starts them.
using copy_counts = std::map<std::pair<std::string, unsigned>, counts>;

/// Records the accesses of one block, which is one OS thread.
///
/// Lanes of a warp run one after another on fibers. Accesses of several lanes belong to the same
/// instruction of a warp if three things agree: their call stacks, how often the lanes have met
/// before, and how often the lane has executed this instruction since. At a meeting all lanes have
/// arrived, so everything before it is complete.
class recorder {
 public:
  void enter(std::uintptr_t call) { stack_of(simt::here).push(call); }
  void leave() { stack_of(simt::here).pop(); }

  void access(space where, kind what, std::uint64_t address, int bytes, std::uintptr_t at) {
    simt::place const& here = simt::here;
    warp& w = warps_.at(std::size_t(here.warp));
    if (w.meetings != here.meetings) {
      close(w);
      w.meetings = here.meetings;
    }
    call_stack const& calls = stack_of(here);
    std::uint64_t const key =
        mixed(calls.hash() ^ mixed(at * 16 + std::uint64_t(where) * 4 + std::uint64_t(what)));
    auto [found, is_new] = w.open.try_emplace(key);
    pending& p = found->second;
    if (is_new)
      p.where = number_of(key, calls, {{}, where, what}, at);
    std::size_t const occurrence = p.of_lane[std::size_t(here.lane)]++;
    if (p.groups.size() <= occurrence)
      p.groups.resize(occurrence + 1);
    p.groups[occurrence].push_back({here.lane, address, bytes});
  }

  site_counts finish() {
    for (warp& w : warps_)
      close(w);
    site_counts all;
    for (auto const& [where, found] : sites_)
      all[where] += found;
    return all;
  }

 private:
  class call_stack {
   public:
    void push(std::uintptr_t call) {
      if (depth_ < most)
        frames_[depth_] = call, hashes_[depth_ + 1] = mixed(hashes_[depth_] * 31 + call);
      ++depth_;
    }
    void pop() { --depth_; }
    std::uint64_t hash() const { return hashes_[std::min(depth_, most)]; }
    std::vector<std::uintptr_t> frames() const {
      return {frames_.begin(), frames_.begin() + std::ptrdiff_t(std::min(depth_, most))};
    }

   private:
    static constexpr std::size_t most = 48;
    std::size_t depth_ = 0;
    std::array<std::uintptr_t, most> frames_{};
    std::array<std::uint64_t, most + 1> hashes_{};
  };
  /// The accesses at one site since the last meeting of a warp.
  struct pending {
    std::size_t where = 0;
    std::array<std::uint32_t, 64> of_lane{};
    std::vector<std::vector<memory_model::lane_access>> groups{};
  };
  struct warp {
    std::uint32_t meetings = 0;
    std::unordered_map<std::uint64_t, pending> open{};
  };

  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
    return x ^ x >> 29;
  }
  call_stack& stack_of(simt::place const& here) {
    return stacks_.at(std::size_t(here.warp * 32 + here.lane));
  }
  std::size_t number_of(std::uint64_t key, call_stack const& calls, site what, std::uintptr_t at) {
    auto const [found, is_new] = numbers_.try_emplace(key, sites_.size());
    if (is_new) {
      what.frames = calls.frames();
      what.frames.push_back(at);
      sites_.emplace_back(what, counts{});
    }
    return found->second;
  }
  void close(warp& w) {
    for (auto const& [key, p] : w.open) {
      auto& [where, sum] = sites_[p.where];
      for (auto const& lanes : p.groups)
        sum += of_access(where, lanes);
    }
    w.open.clear();
  }
  static counts of_access(site const& where, std::vector<memory_model::lane_access> const& lanes) {
    using namespace memory_model;
    auto const count = std::int64_t(lanes.size());
    if (where.where != space::shared)
      return {1, count, sectors(lanes), fewest_sectors(lanes)};
    int const together = wavefronts(lanes);
    int const in_turn =
        where.what == kind::atomic ? wavefronts(lanes, same_word::in_turn) : together;
    return {1, count, together, fewest_wavefronts(lanes), in_turn - together};
  }

  std::vector<call_stack> stacks_ = std::vector<call_stack>(1024);
  std::vector<warp> warps_ = std::vector<warp>(32);
  std::unordered_map<std::uint64_t, std::size_t> numbers_{};
  std::vector<std::pair<site, counts>> sites_{};
};

}  // namespace memory_trace
