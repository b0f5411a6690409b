// SPDX-License-Identifier: MIT
// Has the parts of the Device type that access global memory and compute with words. All
// memory-ordering code of the HIP back end is here, but for that of barriers.
#pragma once

#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/hip/device/lanes.hpp>

namespace sam::inline v0_1::hip {

/// Loads, stores and adds to words that other blocks access, orders these accesses, and computes
/// with words.
template <int Warp>
struct device_words : device_lanes<Warp> {
 protected:
  using own = instructions<Warp>;

 public:
  /// Loads a descriptor word by one access.
  static SAM_DEVICE gpu::descriptor_word load(gpu::descriptor_word const* from) {
    std::uint64_t const bits = own::load(reinterpret_cast<std::uint64_t const*>(from));
    return {std::uint32_t(bits), std::uint32_t(bits >> 32)};
  }
  /// Stores a descriptor word by one access, so that a reader sees all of it or none.
  static SAM_DEVICE void store(gpu::descriptor_word* to, gpu::descriptor_word word) {
    own::store(reinterpret_cast<std::uint64_t*>(to),
               std::uint64_t(word.sequence) << 32 | word.value);
  }
  static SAM_DEVICE std::uint32_t load(std::uint32_t const* from) { return own::load(from); }
  static SAM_DEVICE std::uint64_t load(std::uint64_t const* from) { return own::load(from); }
  static SAM_DEVICE void store(std::uint32_t* to, std::uint32_t x) { own::store(to, x); }
  static SAM_DEVICE void store(std::uint64_t* to, std::uint64_t x) { own::store(to, x); }
  /// Loads a word. Words that another block accessed before an order() and its store or addition to
  /// the loaded word are ordered before the accesses that follow.
  static SAM_DEVICE std::uint32_t load_acquire(std::uint32_t const* from) {
    std::uint32_t const x = own::load(from);
    own::order();
    return x;
  }
  static SAM_DEVICE std::uint32_t add(std::uint32_t* to, std::uint32_t x) {
    return own::add(to, x);
  }
  static SAM_DEVICE std::uint64_t add(std::uint64_t* to, std::uint64_t x) {
    return own::add(to, x);
  }
  static SAM_DEVICE std::uint64_t raise(std::uint64_t* to, std::uint64_t x) {
    return own::raise(to, x);
  }
  static SAM_DEVICE void add_no_return(std::uint32_t* to, std::uint32_t x) { own::add(to, x); }
  static SAM_DEVICE void store_vector(void* to, std::uint32_t const (&words)[4]) {
    own::store_vector(to, typename own::vector{words[0], words[1], words[2], words[3]});
  }
  static SAM_DEVICE void order() { own::order(); }
  static SAM_DEVICE void fence() { own::fence(); }
  /// Lets a fence by another warp of the block, behind a barrier, order this thread's accesses too.
  /// A barrier of a block does not wait for stores of its warps, and a fence only for those of its
  /// own warp. So each thread waits for its own.
  static SAM_DEVICE void order_before_barrier() { own::order(); }

  static SAM_DEVICE std::uint32_t rotated_right(std::uint32_t x, int bits) {
    return own::rotated_right(x, bits);
  }
  static SAM_DEVICE int opaque(int x) { return own::opaque(x); }
  static SAM_DEVICE int opaque_if_divergent(int x) { return x; }
  static SAM_DEVICE void predicated_assign(bool wanted, std::uint32_t& to, std::uint32_t from) {
    if (wanted)
      to = from;
  }
  static SAM_DEVICE std::uint32_t select_other(std::uint32_t x, std::uint32_t y,
                                               std::uint32_t one) {
    return x + y - one;
  }
  static SAM_DEVICE std::uint32_t half_of(std::uint32_t x, int which) {
    return x >> which * 16 & 0xffff;
  }
  static SAM_DEVICE std::uint32_t lower_halves(std::uint32_t x, std::uint32_t y) {
    return own::lower_halves(x, y);
  }
  static SAM_DEVICE std::uint32_t greater_halves(std::uint32_t x, std::uint32_t y) {
    return own::greater_halves(x, y);
  }
};

}  // namespace sam::inline v0_1::hip
