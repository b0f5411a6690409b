// SPDX-License-Identifier: MIT
// Has the part of the Device type that accesses shared memory, and its barriers.
#pragma once

#include <sam/hip/device/words.hpp>

#include <cstddef>

namespace sam::inline v0_1::hip {

/// Gives access to the dynamic shared memory of a block, and adds to words of it.
template <int Warp>
struct device_shared_memory : device_words<Warp> {
 protected:
  using own = instructions<Warp>;

 public:
  static SAM_DEVICE void add_shared(std::uint32_t* to, std::uint32_t x) {
    own::add_in_block(to, x);
  }
  static SAM_DEVICE void set_shared_bits(std::uint32_t* word, std::uint32_t bits) {
    own::or_in_block(word, bits);
  }
  static SAM_DEVICE std::uint32_t add_by_lanes(std::uint32_t* to, std::uint32_t x) {
    return own::add_in_block(to, x);
  }
  /// Nothing says that lanes that add to one word take effect in their order. Sorts rank by
  /// ballots.
  static SAM_DEVICE bool adds_in_order() { return false; }
  static constexpr bool may_add_in_order = false;

  static constexpr int shared_alignment = 1024;
  static SAM_DEVICE std::byte* shared_memory() {
    extern __shared__ __attribute__((aligned(1024))) std::byte sam_hip_shared_memory[];
    return sam_hip_shared_memory;
  }
  using shared_address = std::uint32_t;
  static SAM_DEVICE shared_address shared_address_of(void const* what) {
    return own::shared_address_of(what);
  }
  static SAM_DEVICE std::uint32_t* word_at(shared_address where) { return own::word_at(where); }

  /// A barrier in shared memory counts arrivals; a phase completes with the last expected one, and
  /// the next phase begins.
  class barrier {
   public:
    SAM_DEVICE void init(int arrivals) {
      count_ = 0, phase_ = 0, wanted_ = std::uint32_t(arrivals);
    }
    /// Arrives once, with release semantics for the block.
    SAM_DEVICE void arrive() {
      own::block_fence();
      if (own::add_in_block(&count_, 1) + 1 == wanted_) {
        own::store_in_block(&count_, 0);
        own::block_fence();
        own::add_in_block(&phase_, 1);
      }
    }
    /// Waits until the phase of this parity is complete, with acquire semantics for the block.
    SAM_DEVICE void wait(int parity) {
      while (int(own::load_in_block(&phase_) & 1) == parity)
        own::pause();
      own::block_fence();
    }

   private:
    std::uint32_t count_, phase_, wanted_, unused_;
  };
  static SAM_DEVICE void fence_proxy_async() {}  // there are no bulk copies
};

}  // namespace sam::inline v0_1::hip
