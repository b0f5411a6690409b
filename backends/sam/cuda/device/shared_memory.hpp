// SPDX-License-Identifier: MIT
// Has the part of the Device type that accesses shared memory.
#pragma once

#include <sam/cuda/device/arithmetic.hpp>

#include <cstddef>

namespace sam::inline v0_1::cuda {

/// Gives access to the dynamic shared memory of a block, and adds to words of it.
struct device_shared_memory : device_arithmetic {
  /// Adds x to a word of shared memory (atom.shared.add.u32).
  static SAM_DEVICE void add_shared(std::uint32_t* to, std::uint32_t x) { atomicAdd(to, x); }
  /// Sets bits of a word of shared memory (atom.shared.or.b32).
  static SAM_DEVICE void set_shared_bits(std::uint32_t* word, std::uint32_t bits) {
    atomicOr(word, bits);
  }
  /// Adds x to a word of shared memory and returns its previous value (atom.shared.add.u32). All
  /// lanes of the warp call it together.
  static SAM_DEVICE std::uint32_t add_by_lanes(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  /// True if lanes that add to one word by add_by_lanes() take effect in the order of the lanes.
  /// The PTX ISA does not guarantee that. It was measured on compute capability 9.0, and on no
  /// other.
  static SAM_DEVICE bool adds_in_order() {
#if __CUDA_ARCH__ == 900
    return true;
#else
    return false;
#endif
  }

  /// True if it is worth trying whether lanes add in order. Sorts check every tile, and stop trying
  /// once a check has failed.
  static constexpr bool may_add_in_order = true;

  /// Alignment of dynamic shared memory in bytes.
  static constexpr int shared_alignment = 1024;
  /// Returns the dynamic shared memory of the block.
  static SAM_DEVICE std::byte* shared_memory() {
    extern __shared__ __align__(shared_alignment) std::byte sam_shared_memory[];
    return sam_shared_memory;
  }
  /// Holds a 32-bit address within shared memory.
  using shared_address = std::uint32_t;
  /// Converts a generic pointer to a shared-memory address (cvta.to.shared).
  static SAM_DEVICE shared_address shared_address_of(void const* what) {
    return shared_address(__cvta_generic_to_shared(what));
  }
  /// Converts a shared-memory address to a generic pointer (cvta.shared).
  static SAM_DEVICE std::uint32_t* word_at(shared_address where) {
    return static_cast<std::uint32_t*>(__cvta_shared_to_generic(where));
  }
};

}  // namespace sam::inline v0_1::cuda
