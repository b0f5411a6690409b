// SPDX-License-Identifier: MIT
// Declares a machine that runs the source of GPU kernels on fibers of a CPU. A block is an OS
// thread, and a GPU thread is a fiber on it.
//
// The machine does not model speed. Fibers take turns in random order and are delayed at random,
// from a seed. A launch that makes no progress is distinguished from a slow one.
//
// Under the thread sanitizer each fiber is a thread. Only what orders memory on a GPU orders it
// here: barriers do; shuffles, ballots and relaxed words do not.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <source_location>
#include <stdexcept>
#include <string>

namespace simt {

inline constexpr int shared_alignment = 1024;

/// Identifies a barrier in a kernel's source.
struct site {
  enum class what {
    sync_block,
    sync_warp,
    arrive,
    wait,
    fence_proxy_async,
    arrive_at_cluster,
    await_cluster
  } kind;
  std::string file;
  unsigned line;
  friend auto operator<=>(site const&, site const&) = default;
  friend bool operator==(site const&, site const&) = default;
};
std::string to_string(site const& s);

/// Configures a launch: its grid, delays and planted faults.
struct grid {
  int blocks;
  int warps;
  int warp_size;
  int shared_bytes;
  std::uint64_t seed;
  double patience = 10;               // seconds without any progress that make a launch a failure
  int of_cluster = 0;                 // blocks of a cluster; 0: all blocks
  std::set<site>* visited = nullptr;  // collects the barriers that the launch reaches
  site const* unordered = nullptr;    // this barrier synchronises but does not order memory
  site const* skipped = nullptr;      // this barrier is left out: sync_block, sync_warp
  std::atomic<bool> const* stop = nullptr;  // ends the launch as a failure once it is true
};

/// Reports that no fiber can make progress, or that fibers do what hangs or faults on a GPU.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs kernel(arguments) in every thread of a grid. Throws simt::failure.
void launch(grid const& config, void (*kernel)(void const*), void const* arguments);

template <class Kernel>
void launch(grid const& config, Kernel const& kernel) {
  launch(
      config, [](void const* k) { (*static_cast<Kernel const*>(k))(); }, &kernel);
}

// --- For the threads of a grid -------------------------------------------------------------------

using location = std::source_location;

/// Holds the indices of the running fiber.
struct place {
  int block, blocks, of_cluster, warp, lane;
  std::byte* shared;
};
extern constinit thread_local place here;

void sync_block(location const& at);
void sync_warp(location const& at);
/// Returns the value of another lane. All lanes of the warp must call it.
std::uint32_t shuffle(std::uint32_t mine, int from_lane);
/// Returns a bit for every lane, set if that lane's argument is true.
std::uint64_t vote(bool mine);
/// Yields to other fibers while the caller waits.
void pause();
/// Yields now and then, before an access to memory that other blocks use.
void hesitate();
/// Records that the launch has made progress.
void progress();
void fence();
/// Ends the launch with a failure.
[[noreturn]] void fail(std::string const& why);

void arrive_at_cluster(location const& at);
/// Waits until all threads of the cluster have arrived as often as this one.
void await_cluster(location const& at);
/// Returns the address in another block's shared memory that corresponds to `mine` in this block's.
void const* in_shared_memory_of(int block, void const* mine);

/// Counts arrivals in phases, as CUDA's mbarrier does.
class phases {
 public:
  void init(int arrivals);
  void arrive(location const& at);
  void wait(int parity, location const& at);

 private:
  friend class block;
  void complete_one();
  std::uint32_t wanted_, missing_, phase_;
};

/// Orders the thread's accesses to shared memory before copies that are issued later.
void fence_proxy_async(location const& at);
/// Copies bytes some time later, as a bulk copy does, and then arrives at `full`.
void copy_then_arrive(std::byte* to, std::byte const* from, int bytes, phases& full,
                      location const& at);

}  // namespace simt
