// SPDX-License-Identifier: MIT
// Runs blocks of fibers on OS threads. This file is compiled without sanitizers: the thread
// sanitizer is told about fibers and barriers. It must not see how fibers are created, nor the
// order in which an OS thread runs them.
#include "machine.hpp"

#include "stacks.hpp"
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace simt {

constinit thread_local place here{};

namespace {

// --- A launch ------------------------------------------------------------------------------------

struct cluster {
  std::atomic<int> arrived{0};  // at the cluster barrier
  std::atomic<std::uint32_t> phase{0};
  char order[2]{};  // addresses for the sanitizer, of cluster barriers
};

struct shared_state {
  grid const& config;
  void (*kernel)(void const*);
  void const* arguments;
  std::atomic<std::uint64_t> events{0};
  std::atomic<bool> stopped{false};
  std::mutex mutex{};
  std::string why{};
  std::vector<std::byte*> shared = std::vector<std::byte*>(std::size_t(config.blocks));
  int of_cluster = config.of_cluster > 0 ? config.of_cluster : config.blocks;
  std::vector<cluster> clusters = std::vector<cluster>(std::size_t(config.blocks / of_cluster));

  void stop(std::string const& reason) {
    std::scoped_lock const lock(mutex);
    if (!stopped)
      why = reason;
    stopped = true;
  }
};

struct fiber {
  int warp, lane;
  void* sanitizer;
  std::uint32_t const* word = nullptr;  // the fiber waits while (*word & mask) == value
  std::uint32_t mask = 0, value = 0;
  std::uint64_t held_until = 0;             // a round number
  std::uint32_t arrivals = 0, awaited = 0;  // at the cluster barrier
  std::uint32_t meetings = 0;               // with all lanes of its warp
  bool done = false;
};

enum class doing { nothing, sync, shuffle, vote, turns };

struct warp {
  std::uint32_t generation = 0;
  int arrived = 0;
  doing what = doing::nothing;
  std::uint32_t slots[2][64];
  char order[2];  // addresses for the sanitizer, of warp barriers
};

struct copy {
  std::byte* to;
  std::byte const* from;
  int bytes;
  phases* full;
};

}  // namespace

/// Holds the fibers of a block, runs them in turn, and knows the running one.
class block {
 public:
  block(shared_state& launch, int index)
      : launch_(launch), config_(launch.config), index_(index),
        cluster_(launch.clusters[std::size_t(index / launch.of_cluster)]),
        random_(config_.seed * 0x9e3779b97f4a7c15 + std::uint64_t(index)),
        stacks_(store().take(config_.warps * config_.warp_size)),
        warps_(std::size_t(config_.warps)),
        shared_(static_cast<std::byte*>(std::aligned_alloc(
            shared_alignment,
            std::size_t((config_.shared_bytes + shared_alignment - 1) / shared_alignment) *
                shared_alignment))) {
    std::memset(shared_, 0xcd, std::size_t(config_.shared_bytes));
    std::atomic_ref(launch_.shared[std::size_t(index_)]) = shared_;
    for (int w = 0; w < config_.warps; ++w)
      for (int l = 0; l < config_.warp_size; ++l)
        fibers_.push_back({.warp = w, .lane = l, .sanitizer = stacks_->sanitizer[fibers_.size()]});
    home_sanitizer_ = sanitizer_now();
    engine_sanitizer_ = stacks_->sanitizer.back();
    left_ = int(fibers_.size());
    // The capacity is reserved so that it never grows in a fiber: the sanitizer tracks operator new
    // and delete.
    copies_.reserve(fibers_.size());
    // One block in four has no delays; the others have rare to frequent ones.
    temper_ = config_.has_delays ? int(draw() % 4) : 0;
    stalls_left_ = temper_ > 1 ? 4 : 0;
  }
  ~block() {
    std::atomic_ref(launch_.shared[std::size_t(index_)]) = nullptr;
    std::free(shared_);
    if (left_ > 0)
      stacks_->abandon();
    store().give(std::move(stacks_));
  }
  block(block const&) = delete;

  void run() {
    now = this;
    release(&start_);
    auto const clock = [] { return std::chrono::steady_clock::now(); };
    auto since = clock();
    std::uint64_t seen = launch_.events, told = 0, idle = 0;
    for (; left_ > 0 && !launch_.stopped; ++round_) {
      bool const any = step();
      if (left_ == 0 || launch_.stopped)
        break;
      if (!any)
        launch_.stop(describe("no fiber can move"));
      if (events_ != told) {
        launch_.events += events_ - told;
        told = events_;
      } else if (++idle % 4 == 0) {  // rarely, since a system call takes as long as some rounds
        sched_yield();
      }
      if (launch_.events != seen) {
        seen = launch_.events;
        since = clock();
      } else if (stalled_ != nullptr) {
        if (clock() - since > std::chrono::milliseconds(2))
          stalled_ = nullptr;
      } else if (round_ % 256 == 0 &&
                 clock() - since > std::chrono::duration<double>(config_.patience)) {
        launch_.stop(describe("no progress"));
      }
      if (temper_ > 1 && draw() % 1024 == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(draw() % 300));
    }
    if (!launch_.stopped && !copies_.empty())
      launch_.stop(describe("the block ends before its copies do"));
    for (int f = 0; f < int(fibers_.size()); ++f)
      if (stacks_->overflowed(f))
        std::abort();
    for (fiber const& f : fibers_)
      if (!f.done) {  // an abandoned fiber
        sanitizer_switch(f.sanitizer);
        release(&end_);
        sanitizer_switch(home_sanitizer_);
      }
    acquire(&end_);
    now = nullptr;
  }

  void stop(std::string const& why) {
    launch_.stop(describe(why));
    for (;;)
      leave();
  }

  /// True if a barrier orders memory. Records the barrier if the launch collects them.
  bool orders(site::what kind, location const& at) {
    if (config_.visited != nullptr) {
      std::scoped_lock const lock(launch_.mutex);
      config_.visited->insert({kind, at.file_name(), at.line()});
    }
    return !is(config_.unordered, kind, at) && !skips(kind, at);
  }
  bool skips(site::what kind, location const& at) const { return is(config_.skipped, kind, at); }

  void wait_while(std::uint32_t const& word, std::uint32_t mask, std::uint32_t value) {
    fiber& me = *running_;
    me.word = &word, me.mask = mask, me.value = value;
    while (is_blocked(me))
      leave();
    me.word = nullptr;
  }
  void leave() {
    sanitizer_switch(home_sanitizer_);
    stacks_->leave(int(running_ - fibers_.data()), home_);
  }
  void hesitate() {
    if (temper_ > 0 && draw() % 64 == 0)
      leave();
  }
  void progress() { ++events_; }

  /// Waits for all lanes of the warp and returns what each has stored. The result stays valid until
  /// all lanes meet again.
  std::uint32_t const* meet(std::uint32_t mine, doing what, bool ordering) {
    warp& w = warps_[std::size_t(running_->warp)];
    std::uint32_t const generation = w.generation;
    auto* const slots = w.slots[generation % 2];
    char* const order = &w.order[generation % 2];
    slots[running_->lane] = mine;
    if (w.arrived > 0 && w.what != what)
      stop("lanes of a warp meet in different operations");
    w.what = what;
    if (ordering)
      release(order);
    if (++w.arrived == config_.warp_size) {
      w.arrived = 0;
      ++w.generation;
    } else {
      wait_while(w.generation, ~0u, generation);
    }
    if (what != doing::turns)
      count_meeting();
    if (ordering)
      acquire(order);
    return slots;
  }
  void meet_all(bool ordering) {
    std::uint32_t const generation = generation_;
    char* const order = &order_[generation % 2];
    if (ordering)
      release(order);
    if (++arrived_ == int(fibers_.size())) {
      arrived_ = 0;
      ++generation_;
      ++events_;
    } else {
      wait_while(generation_, ~0u, generation);
    }
    count_meeting();
    if (ordering)
      acquire(order);
  }
  void publish() { release(&published_); }
  void arrive_at_cluster(bool ordering) {
    fiber& me = *running_;
    if (me.arrivals++ != me.awaited)
      stop("a thread arrives at a cluster's barrier that it has not awaited before");
    if (ordering)
      release(&cluster_.order[me.awaited % 2]);
    if (++cluster_.arrived == launch_.of_cluster * int(fibers_.size())) {
      cluster_.arrived = 0;
      ++cluster_.phase;
      ++events_;
    }
  }
  /// Waits for the cluster barrier. Other threads are at most one phase ahead, so comparing phases
  /// for equality suffices.
  void await_cluster(bool ordering) {
    fiber& me = *running_;
    if (me.arrivals == me.awaited)
      stop("a thread awaits a cluster's barrier at which it has not arrived");
    while (cluster_.phase == me.awaited)
      leave();
    if (ordering)
      acquire(&cluster_.order[me.awaited % 2]);
    ++me.awaited;
  }
  void const* in_shared_memory_of(int which, void const* mine) {
    std::ptrdiff_t const at = static_cast<std::byte const*>(mine) - shared_;
    if (which < 0 || which >= launch_.of_cluster || at < 0 || at >= config_.shared_bytes)
      stop("memory is asked for that is no block's shared memory");
    int const first = index_ - index_ % launch_.of_cluster;
    std::byte const* const shared = std::atomic_ref(launch_.shared[std::size_t(first + which)]);
    if (shared == nullptr)
      stop("the shared memory of a block is asked for that has not begun, or has ended");
    return shared + at;
  }
  void ask_for(copy const& wanted) { copies_.push_back(wanted); }
  int warp_size() const { return config_.warp_size; }

  static constinit thread_local block* now;

 private:
  static bool is(site const* s, site::what kind, location const& at) {
    return s != nullptr && s->kind == kind && s->line == at.line() && s->file == at.file_name();
  }
  void count_meeting() { here.meetings = ++running_->meetings; }
  static bool is_blocked(fiber const& f) {
    return f.word != nullptr && (*f.word & f.mask) == f.value;
  }

  // Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
  std::uint64_t draw() {
    std::uint64_t z = random_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Runs every fiber that is neither blocked nor delayed. Returns false if all are blocked for
  /// ever.
  bool step() {
    bool any = serve_copies();
    std::size_t const count = fibers_.size();
    std::size_t at = draw() % count;
    for (std::size_t k = 0; k < count && !launch_.stopped; ++k, at = at + 1 == count ? 0 : at + 1) {
      fiber& f = fibers_[at];
      if (f.done || is_blocked(f))
        continue;
      any = true;
      if (config_.stop != nullptr && *config_.stop)
        launch_.stop("simt: stopped");
      if (f.held_until > round_)
        continue;
      if (is_stalled(f))
        continue;
      if (temper_ > 0 && draw() % 256 == 0)
        f.held_until = round_ + draw() % (temper_ > 2 ? 64 : 8);
      else
        resume(f, int(at));
    }
    return any;
  }

  /// True while a fiber is stalled. A few times in a launch one fiber stands still while all others
  /// run as far as they can.
  bool is_stalled(fiber const& f) {
    if (stalled_ == nullptr && stalls_left_ > 0 && draw() % 4096 == 0) {
      --stalls_left_;
      stalled_ = &f;
      stalled_until_ = launch_.events + draw() % 32768;
    }
    if (stalled_ == &f && launch_.events >= stalled_until_)
      stalled_ = nullptr;
    return stalled_ == &f;
  }

  void resume(fiber& f, int number) {
    running_ = &f;
    here = {index_, config_.blocks, launch_.of_cluster, f.warp, f.lane, shared_, f.meetings};
    sanitizer_switch(f.sanitizer);
    stacks_->run(number, home_, body);
  }
  // Each iteration serves another launch, maybe on another OS thread.
  static void body() {
    for (;;)
      run_once();
  }
  SIMT_OPAQUE static void run_once() {
    block& b = *now;
    acquire(&b.start_);
    b.launch_.kernel(b.launch_.arguments);
    b.running_->done = true;
    --b.left_;
    ++b.events_;
    release(&b.end_);
    b.leave();
  }

  /// Performs pending copies in random order. The copy engine sees only writes to shared memory
  /// that a proxy fence has published.
  bool serve_copies() {
    bool const any = !copies_.empty();
    for (std::size_t k = copies_.size(); k-- > 0;) {
      if (temper_ > 0 && draw() % 4 != 0)
        continue;
      copy const c = copies_[k];
      copies_[k] = copies_.back();
      copies_.pop_back();
      sanitizer_switch(engine_sanitizer_);
      acquire(&start_);
      acquire(&published_);
      std::memcpy(c.to, c.from, std::size_t(c.bytes));
      release(order_of(*c.full));
      sanitizer_switch(home_sanitizer_);
      c.full->complete_one();
      ++events_;
    }
    return any;
  }

 public:
  /// Returns the address by which the sanitizer orders the arrivals of a phase.
  static char* order_of(phases& p, std::uint32_t phase) {
    return reinterpret_cast<char*>(&p) + phase % 2 * sizeof(std::uint32_t);
  }
  static char* order_of(phases& p) { return order_of(p, p.phase_); }

 private:
  std::string describe(std::string const& what) const {
    std::string text = "simt: " + what + ": block " + std::to_string(index_) + " of " +
                       std::to_string(config_.blocks) + ", seed " + std::to_string(config_.seed);
    for (int w = 0; w < config_.warps; ++w) {
      int blocked = 0, done = 0;
      for (fiber const& f : fibers_)
        if (f.warp == w)
          blocked += !f.done && is_blocked(f), done += f.done;
      text += "; warp " + std::to_string(w) + ": " + std::to_string(blocked) + " lanes blocked, " +
              std::to_string(done) + " done";
    }
    return text;
  }

  shared_state& launch_;
  grid const& config_;
  int index_;
  cluster& cluster_;
  std::uint64_t random_;
  std::unique_ptr<stacks> stacks_;
  std::vector<fiber> fibers_{};
  std::vector<warp> warps_;
  std::byte* shared_;
  std::vector<copy> copies_{};
  frame home_{};
  fiber* running_ = nullptr;
  void* home_sanitizer_ = nullptr;
  void* engine_sanitizer_ = nullptr;
  std::uint64_t round_ = 0, events_ = 0;
  int left_ = 0, temper_ = 0;
  fiber const* stalled_ = nullptr;
  std::uint64_t stalled_until_ = 0;  // an event count
  int stalls_left_ = 0;
  std::uint32_t generation_ = 0;
  int arrived_ = 0;
  char order_[2]{}, published_ = 0, start_ = 0, end_ = 0;
};

constinit thread_local block* block::now = nullptr;

void launch(grid const& config, void (*kernel)(void const*), void const* arguments) {
  if (config.blocks == 0)
    return;
  if (config.of_cluster > 0 && config.blocks % config.of_cluster != 0)
    throw failure("simt: the blocks are not so many clusters");
  shared_state state{config, kernel, arguments};
  {
    std::vector<std::jthread> threads;
    for (int b = 0; b < config.blocks; ++b)
      threads.emplace_back([&state, b] { block(state, b).run(); });
  }
  if (state.stopped)
    throw failure(state.why);
}

void sync_block(location const& at) {
  bool const orders = block::now->orders(site::what::sync_block, at);
  if (!block::now->skips(site::what::sync_block, at))
    block::now->meet_all(orders);
}
void sync_warp(location const& at) {
  bool const orders = block::now->orders(site::what::sync_warp, at);
  if (!block::now->skips(site::what::sync_warp, at))
    block::now->meet(0, doing::sync, orders);
}
std::uint32_t shuffle(std::uint32_t mine, int from_lane) {
  return block::now->meet(mine, doing::shuffle, false)[from_lane];
}
std::uint64_t vote(bool mine) {
  auto const* const slots = block::now->meet(mine, doing::vote, false);
  std::uint64_t all = 0;
  for (int l = 0; l < block::now->warp_size(); ++l)
    all |= std::uint64_t{slots[l]} << l;
  return all;
}
void take_turns() { block::now->meet(0, doing::turns, false); }
void pause() { block::now->leave(); }
void hesitate() { block::now->hesitate(); }
void progress() { block::now->progress(); }
// The sanitizer does not model fences. It is told more than a fence guarantees: that every fence is
// ordered with every other, whichever words were read in between.
void fence() {
  static char all;
  acquire(&all);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  release(&all);
}
void fail(std::string const& why) {
  block::now->stop(why);
  std::abort();
}

void phases::init(int arrivals) {
  wanted_ = missing_ = std::uint32_t(arrivals);
  phase_ = 0;
}
void phases::complete_one() {
  if (--missing_ == 0) {
    missing_ = wanted_;
    ++phase_;
    progress();
  }
}
void phases::arrive(location const& at) {
  if (block::now->orders(site::what::arrive, at))
    release(block::order_of(*this));
  complete_one();
}
void phases::wait(int parity, location const& at) {
  block::now->wait_while(phase_, 1, std::uint32_t(parity));
  if (block::now->orders(site::what::wait, at))
    acquire(block::order_of(*this, std::uint32_t(parity)));
}

void arrive_at_cluster(location const& at) {
  block::now->arrive_at_cluster(block::now->orders(site::what::arrive_at_cluster, at));
}
void await_cluster(location const& at) {
  block::now->await_cluster(block::now->orders(site::what::await_cluster, at));
}
void const* in_shared_memory_of(int which, void const* mine) {
  return block::now->in_shared_memory_of(which, mine);
}

void fence_proxy_async(location const& at) {
  if (block::now->orders(site::what::fence_proxy_async, at))
    block::now->publish();
}
void copy_then_arrive(std::byte* to, std::byte const* from, int bytes, phases& full,
                      location const& at) {
  if (block::now->orders(site::what::arrive, at))
    release(block::order_of(full));
  if (observe_copy != nullptr)
    observe_copy(to, from, bytes, at);
  block::now->ask_for({to, from, bytes, &full});
}

std::string to_string(site const& s) {
  static char const* const names[] = {"sync_block",   "sync_warp",         "arrive",
                                      "wait",         "fence_proxy_async", "arrive_at_cluster",
                                      "await_cluster"};
  return std::string(names[int(s.kind)]) + " at " + s.file.substr(s.file.rfind('/') + 1) + ":" +
         std::to_string(s.line);
}

}  // namespace simt
