// SPDX-License-Identifier: MIT
// Implements on fibers the device functions that GPU kernels use. With warps of 32 a copy engine
// loads items, as on NVIDIA GPUs from compute capability 9.0. With warps of 64 the lanes load them,
// as on all other GPUs, and kernels get their number of stages from the host.
#pragma once

#include <sam/gpu/carry/descriptor_ring.hpp>
#include <sam/gpu/device_concept.hpp>

#include "machine.hpp"

#include <atomic>
#include <bit>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace simt {

/// If true, atomic additions of a warp's lanes to one word of shared memory happen in lane order;
/// otherwise in any order. Must not change while kernels run.
inline bool lanes_in_order = true;
/// If true, kernels are told that additions happen in lane order, as on compute capability 9.0;
/// otherwise that they may. Must not change while kernels run.
inline bool knows_order = true;

/// Tells kernels, as long as it exists, that additions may happen in lane order.
class unknown_order {
 public:
  unknown_order() { knows_order = false; }
  unknown_order(unknown_order const&) = delete;
  unknown_order& operator=(unknown_order const&) = delete;
  ~unknown_order() { lanes_in_order = knows_order = true; }
  /// Says whether they do.
  void set(bool in_order) { lanes_in_order = in_order; }
};

template <int Warp>
struct device {
  static constexpr int warp_size = Warp;
  // With 64 lanes, numbers that no other device has: nothing may rely on those of one.
  static constexpr int banks = Warp;
  static constexpr int sector_bytes = Warp;
  static constexpr int registers = 2048 * Warp;
  static constexpr int arrivals = 1;  // per warp at a barrier
  static constexpr bool has_copy_engine = Warp == 32;
  static constexpr bool has_fixed_stages = Warp == 32;
  static constexpr bool has_async_copies = Warp == 32;

  static int block() { return here.block; }
  static int blocks() { return here.blocks; }
  static int warp() { return here.warp; }
  static int lane() { return here.lane; }
  static constexpr int shared_alignment = simt::shared_alignment;
  static std::byte* shared_memory() { return here.shared; }
  using shared_address = std::uintptr_t;
  static shared_address shared_address_of(void const* what) {
    return reinterpret_cast<shared_address>(what);
  }
  static std::uint32_t* word_at(shared_address where) {
    return reinterpret_cast<std::uint32_t*>(where);
  }

  static constexpr bool has_clusters = true;
  static constexpr bool indexes_arguments = Warp == 32;
  static int block_of_cluster() { return here.block % here.of_cluster; }
  static int blocks_of_cluster() { return here.of_cluster; }
  static void arrive_at_cluster(location at = location::current()) { simt::arrive_at_cluster(at); }
  static void cluster_arrive_relaxed(location at = location::current()) {
    simt::arrive_at_cluster(at);
  }
  static void await_cluster(location at = location::current()) { simt::await_cluster(at); }
  template <class T>
  static T load_of_block(T const* mine, int block) {
    return *static_cast<T const*>(in_shared_memory_of(block, mine));
  }
  static void store_in_block(std::uint16_t* mine, int block, std::uint16_t x) {
    *static_cast<std::uint16_t*>(const_cast<void*>(in_shared_memory_of(block, mine))) = x;
  }

  static void store_in_block(std::uint32_t* mine, int block, std::uint32_t x) {
    *static_cast<std::uint32_t*>(const_cast<void*>(in_shared_memory_of(block, mine))) = x;
  }

  static void grid_dependency_wait() {}
  static void grid_dependency_trigger() {}
  static void sync_block(location at = location::current()) { simt::sync_block(at); }
  static void sync_warp(location at = location::current()) { simt::sync_warp(at); }
  static std::uint32_t shuffle_up(std::uint32_t x, int lanes) {
    return shuffle(x, lane() >= lanes ? lane() - lanes : lane());
  }
  static std::uint32_t shuffle_from(std::uint32_t x, int lane) {
    return shuffle(x, static_cast<int>(static_cast<unsigned>(lane) % warp_size));
  }
  static std::uint32_t sum_of_all(std::uint32_t x) {
    for (int step = warp_size / 2; step > 0; step /= 2)
      x += shuffle(x, lane() ^ step);
    return x;
  }
  static std::uint32_t least_of_all(std::uint32_t x) {
    for (int step = warp_size / 2; step > 0; step /= 2)
      x = std::min(x, shuffle(x, lane() ^ step));
    return x;
  }
  static std::uint32_t greatest_of_all(std::uint32_t x) { return ~least_of_all(~x); }
  static bool all_lanes(bool x) { return vote(!x) == 0; }
  static int first_lane_where(bool x) {
    std::uint64_t const which = vote(x);
    return which == 0 ? warp_size : std::countr_zero(which);
  }
  using lane_set = std::conditional_t<Warp == 64, std::uint64_t, std::uint32_t>;
  static lane_set lanes_where(bool x) { return static_cast<lane_set>(vote(x)); }
  static int count(lane_set lanes) { return std::popcount(lanes); }
  static int first(lane_set lanes) { return std::countr_zero(lanes); }
  static int last(lane_set lanes) { return static_cast<int>(std::bit_width(lanes)) - 1; }
  static lane_set lower_lanes() { return (lane_set{1} << lane()) - 1; }
  static void pause() { simt::pause(); }

  template <class Word>
  static Word load(Word const* from) {
    hesitate();
    return std::atomic_ref(*const_cast<Word*>(from)).load(std::memory_order_relaxed);
  }
  static std::uint32_t load_acquire(std::uint32_t const* from) {
    hesitate();
    return std::atomic_ref(*const_cast<std::uint32_t*>(from)).load(std::memory_order_acquire);
  }
  static void store(sam::gpu::descriptor_word* to, sam::gpu::descriptor_word word) {
    store_word(to, word);
  }
  static void store(std::uint32_t* to, std::uint32_t x) { store_word(to, x); }
  static std::uint32_t add(std::uint32_t* to, std::uint32_t x) {
    hesitate();
    progress();
    return std::atomic_ref(*to).fetch_add(x, std::memory_order_relaxed);
  }
  static void store(std::uint64_t* to, std::uint64_t x) { store_word(to, x); }
  static std::uint64_t add(std::uint64_t* to, std::uint64_t x) {
    hesitate();
    progress();
    return std::atomic_ref(*to).fetch_add(x, std::memory_order_relaxed);
  }
  static std::uint64_t raise(std::uint64_t* to, std::uint64_t x) {
    hesitate();
    progress();
    std::atomic_ref const word(*to);
    std::uint64_t before = word.load(std::memory_order_relaxed);
    while (before < x && !word.compare_exchange_weak(before, x, std::memory_order_relaxed)) {
    }
    return before;
  }
  static void add_no_return(std::uint32_t* to, std::uint32_t x) { add(to, x); }
  static void store_vector(void* to, std::uint32_t const (&words)[4]) {
    if (reinterpret_cast<std::uintptr_t>(to) % 16 != 0)
      fail("store_vector: the address is no multiple of 16");
    __builtin_memcpy(to, words, 16);
  }
  static void fence() { simt::fence(); }
  static void order() { simt::fence(); }
  static void order_before_barrier() {}
  static std::uint32_t rotated_right(std::uint32_t x, int bits) { return std::rotr(x, bits); }
  static std::uint32_t half_of(std::uint32_t x, int which) { return x >> which * 16 & 0xffff; }
  static std::uint32_t lower_halves(std::uint32_t x, std::uint32_t y) {
    return (x & 0xffff) | y << 16;
  }
  static std::uint32_t greater_halves(std::uint32_t x, std::uint32_t y) {
    return std::max(x & 0xffff, y & 0xffff) | std::max(x >> 16, y >> 16) << 16;
  }
  static int opaque(int x) { return x; }
  static int opaque_if_divergent(int x) { return x; }
  static void predicated_assign(bool wanted, std::uint32_t& to, std::uint32_t from) {
    if (wanted)
      to = from;
  }
  static std::uint32_t select_other(std::uint32_t x, std::uint32_t y, std::uint32_t one) {
    return x + y - one;
  }

  static std::uint32_t add_shared(std::uint32_t* to, std::uint32_t x) {
    return std::atomic_ref(*to).fetch_add(x, std::memory_order_relaxed);
  }
  static void set_shared_bits(std::uint32_t* word, std::uint32_t bits) {
    std::atomic_ref(*word).fetch_or(bits, std::memory_order_relaxed);
  }
  static std::uint32_t add_by_lanes(std::uint32_t* to, std::uint32_t x) {
    if (!lanes_in_order) {
      hesitate();
      return add_shared(to, x);
    }
    std::uint32_t found = 0;
    for (int l = 0; l < Warp; ++l) {
      if (l == lane())
        found = add_shared(to, x);
      take_turns();
    }
    return found;
  }
  static bool adds_in_order() { return knows_order; }
  static constexpr bool may_add_in_order = true;

  class barrier {
   public:
    void init(int expected) {
      mark_ = initialised;
      phases_.init(expected);
    }
    void arrive(location at = location::current()) {
      check();
      phases_.arrive(at);
    }
    void wait(int parity, location at = location::current()) {
      check();
      phases_.wait(parity, at);
    }

   private:
    friend device;
    std::uint32_t words_;  // that blocks of the cluster have still to send
    static constexpr std::uint32_t initialised = 0x72726162;
    // A plain access, so that the sanitizer sees whether it is ordered.
    void check() const {
      if (mark_ != initialised)
        fail("a barrier is used that was not initialised");
    }
    phases phases_;
    std::uint32_t mark_;
  };

  static void expect_words(barrier& full, int words) {
    full.init(1);
    full.words_ = std::uint32_t(words);
  }
  static void send_word(std::uint32_t* mine, int block, std::uint32_t x, barrier& full) {
    hesitate();
    store_in_block(mine, block, x);
    auto& there = *static_cast<barrier*>(const_cast<void*>(in_shared_memory_of(block, &full)));
    there.check();
    if (std::atomic_ref(there.words_).fetch_sub(1, std::memory_order_release) == 0)
      fail("send_word: no word is expected");
    progress();
  }
  static void await_words(barrier& full) {
    full.check();
    while (std::atomic_ref(full.words_).load(std::memory_order_acquire) != 0)
      simt::pause();
  }

  static void fence_proxy_async(location at = location::current()) { simt::fence_proxy_async(at); }

  static void bulk_load(std::byte* to, std::byte const* from, int bytes, barrier& full,
                        int part = 0, int parts = 1, location at = location::current()) {
    if (part < 0 || part >= parts || (has_async_copies && parts > 1))
      fail("bulk_load: the part is wrong");
    if (past_16(to) != past_16(from))
      fail("fill: the addresses lie differently");
    int const head = head_of(from, bytes);
    int const body = (bytes - head) / 16 * 16;
    if constexpr (has_copy_engine) {
      copy_ends(to, from, bytes, head, body);
      simt::sync_warp(at);
      if (lane() != 0)
        return;
      if (body == 0)
        full.arrive(at);
      else
        copy_then_arrive(to + head, from + head, body, full.phases_, at);
    } else {
      copy_by_lanes(to, from, bytes, head, body, part, parts);
      simt::sync_warp(at);
      if (lane() == 0)
        full.arrive(at);
    }
  }
  /// Loads nothing, but the bytes must be some that may be loaded.
  static void prefetch([[maybe_unused]] std::byte const* from, [[maybe_unused]] int bytes) {
#ifdef __SANITIZE_ADDRESS__
    if (bytes > 0 && __asan_region_is_poisoned(const_cast<std::byte*>(from),
                                               static_cast<std::size_t>(bytes)) != nullptr)
      fail("prefetch: the bytes are outside of an array");
#endif
  }
  static constexpr int row_arrivals = 0;
  static constexpr bool copies_rows = Warp == 32;
  static void fill_rows(std::byte* to, std::byte const* from, int rows, int bytes,
                        std::int64_t pitch, int together, barrier& full,
                        location at = location::current()) {
    auto const all = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) |
                     static_cast<std::uintptr_t>(bytes | pitch);
    if (all % static_cast<unsigned>(together) != 0)
      fail("fill_rows: not all is aligned");
    for (int row = lane(); row < rows; row += warp_size) {
      __builtin_memcpy(to + row * bytes, from + row * pitch, static_cast<std::size_t>(bytes));
      if (observe_copy != nullptr)
        observe_copy(to + row * bytes, from + row * pitch, bytes, at);
    }
    simt::sync_warp(at);
    if (lane() == 0)
      full.arrive(at);
  }
  static void bulk_store(std::byte* to, std::byte const* from, int bytes,
                         location at = location::current()) {
    if (past_16(to) != past_16(from))
      fail("send: the addresses lie differently");
    int const head = head_of(to, bytes);
    int const body = (bytes - head) / 16 * 16;
    if constexpr (has_copy_engine) {
      copy_ends(to, from, bytes, head, body);
      if (lane() == 0 && body > 0) {
        phases done;
        done.init(1);
        copy_then_arrive(to + head, from + head, body, done, at);
        done.wait(0, at);
      }
    } else {
      copy_by_lanes(to, from, bytes, head, body);
    }
  }
  static void await_sent() {}

 private:
  template <class Word>
  static void store_word(Word* to, Word word) {
    hesitate();
    progress();
    std::atomic_ref(*to).store(word, std::memory_order_relaxed);
  }
  static int past_16(std::byte const* p) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) % 16);
  }
  static int head_of(std::byte const* p, int bytes) {
    int const head = (16 - past_16(p)) % 16;
    return head < bytes ? head : bytes;
  }
  static void copy_ends(std::byte* to, std::byte const* from, int bytes, int head, int body) {
    int const tail = bytes - head - body;
    if (lane() < head)
      to[lane()] = from[lane()];
    if (lane() < tail)
      to[head + body + lane()] = from[head + body + lane()];
  }
  static void copy_by_lanes(std::byte* to, std::byte const* from, int bytes, int head, int body,
                            int part = 0, int parts = 1) {
    for (int k = part * warp_size + lane(); k < body / 16; k += parts * warp_size)
      __builtin_memcpy(to + head + 16 * k, from + head + 16 * k, 16);
    if (part == 0)
      copy_ends(to, from, bytes, head, body);
  }
};

static_assert(sam::gpu::gpu_device<device<32>> && sam::gpu::gpu_device<device<64>>);

}  // namespace simt
