// SPDX-License-Identifier: MIT
// A GPU simulator that runs the source of the real kernels on a CPU. A block is an OS thread and a
// GPU thread is a fiber on it. It does not model speed, only order: fibers take turns at random and
// are delayed at random, by a seed. It distinguishes a launch without progress from a slow one.
//
// Under the thread sanitizer each fiber counts as a thread, and only operations that order memory
// on a GPU order it here. Barriers do; shuffles, votes and relaxed accesses do not.
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

/// The source location of a barrier in a kernel.
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

/// The configuration of a launch and its test conditions.
struct grid {
  int blocks;
  int warps;
  int warp_size;
  int shared_bytes;
  std::uint64_t seed;
  double patience = 10;               // a launch fails after this many seconds without progress
  int of_cluster = 0;                 // blocks per cluster; 0: all blocks
  std::set<site>* visited = nullptr;  // if set, collects the barriers that the launch reaches
  site const* unordered = nullptr;    // this barrier waits but orders no memory
  site const* skipped = nullptr;      // this barrier (sync_block, sync_warp) is left out
  std::atomic<bool> const* stop = nullptr;  // the launch fails once this is true
  bool has_delays = true;                   // if false, no fiber is delayed
};

/// Thrown if no fiber can run, or if fibers do something that hangs or faults on a GPU.
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

// --- Functions for kernel threads ----------------------------------------------------------------

using location = std::source_location;

/// The indices of the running fiber in the grid.
struct place {
  int block, blocks, of_cluster, warp, lane;
  std::byte* shared;
  std::uint32_t meetings;  // how often the warp's lanes have met: at barriers, shuffles, votes
};
extern constinit thread_local place here;

void sync_block(location const& at);
void sync_warp(location const& at);
/// Returns the value of another lane. All lanes of the warp must call it.
std::uint32_t shuffle(std::uint32_t mine, int from_lane);
/// Returns a mask with one bit for each lane.
std::uint64_t vote(bool mine);
/// Waits until all lanes of the warp have called it. On a GPU the lanes would not meet here, so it
/// does not count as a meeting.
void take_turns();
/// Lets other fibers run. Called in loops that wait.
void pause();
/// Lets other fibers run now and then. Called before accesses to memory that other blocks use.
void hesitate();
/// Records that the launch has made progress.
void progress();
void fence();
/// Ends the launch with an error.
[[noreturn]] void fail(std::string const& why);

void arrive_at_cluster(location const& at);
/// Waits until all threads of the cluster have arrived at the barrier as often as this one.
void await_cluster(location const& at);
/// Returns the address in another block's shared memory that corresponds to `mine` in this block's.
void const* in_shared_memory_of(int block, void const* mine);

/// A barrier that counts arrivals in phases, like CUDA's mbarrier.
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

/// Orders this thread's earlier accesses to shared memory before copies that are issued later.
void fence_proxy_async(location const& at);
/// Called for each copy between global and shared memory that lanes do not perform themselves. Null
/// unless the program defines it.
[[gnu::weak]] void observe_copy(void const* to, void const* from, int bytes, location const& at);

/// Makes the copy engine copy bytes at some later time and then arrive at `full`.
void copy_then_arrive(std::byte* to, std::byte const* from, int bytes, phases& full,
                      location const& at);

}  // namespace simt
