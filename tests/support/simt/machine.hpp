// SPDX-License-Identifier: MIT
// A GPU of fibers, to run the very text of kernels on a CPU: a block is an OS thread, a GPU thread
// is a fiber on it. Nothing is faster or slower than on a GPU, only later or earlier: fibers take
// turns at random, and are held up at random, by a seed. A launch that gets nowhere is told apart
// from a slow one.
//
// Under the thread sanitizer each fiber is a thread of its own, and only what orders memory on a
// GPU orders it here: barriers do; shuffles, votes, and relaxed words do not.
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

/// A barrier somewhere in a kernel.
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

/// A launch, and what befalls it.
struct grid {
  int blocks;
  int warps;
  int warp_size;
  int shared_bytes;
  std::uint64_t seed;
  double patience = 10;               // seconds without any progress that make a launch a failure
  int of_cluster = 0;                 // blocks of a cluster; 0: all
  std::set<site>* visited = nullptr;  // collects the barriers that the launch comes by
  site const* unordered = nullptr;    // this one keeps time, but orders no memory
  site const* skipped = nullptr;      // this one is not there: sync_block, sync_warp
  std::atomic<bool> const* stop = nullptr;  // ends the launch as a failure once it is true
};

/// No fiber can move, or fibers do what hangs or faults on a GPU.
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

/// Where the running fiber is.
struct place {
  int block, blocks, of_cluster, warp, lane;
  std::byte* shared;
};
extern constinit thread_local place here;

void sync_block(location const& at);
void sync_warp(location const& at);
/// What another lane brings; all lanes of the warp must come.
std::uint32_t shuffle(std::uint32_t mine, int from_lane);
/// A bit for every lane.
std::uint64_t vote(bool mine);
/// Lets others go on, since there is nothing to do but wait.
void pause();
/// Lets others go on, now and then: before an access to what other blocks use.
void hesitate();
/// The launch has got on.
void progress();
void fence();
/// Ends the launch.
[[noreturn]] void fail(std::string const& why);

void arrive_at_cluster(location const& at);
/// All threads of the cluster have arrived as often as this one.
void await_cluster(location const& at);
/// What lies in the shared memory of another block of the cluster where `mine` lies in this one's.
void const* in_shared_memory_of(int block, void const* mine);

/// Counts arrivals in phases, like CUDA's mbarrier.
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

/// What the thread has done to shared memory is ordered before copies that are asked for later.
void fence_proxy_async(location const& at);
/// The copy engine brings bytes some time later, and then arrives.
void copy_then_arrive(std::byte* to, std::byte const* from, int bytes, phases& full,
                      location const& at);

}  // namespace simt
