// SPDX-License-Identifier: MIT
// Has the part of the Device type that computes with words.
#pragma once

#include <sam/cuda/device/words.hpp>

namespace sam::inline v0_1::cuda {

/// Computes with words and halves of words, and keeps compilers from some changes of code.
struct device_arithmetic : device_words {
  /// Returns x rotated right by `bits` (shf.r.wrap).
  static SAM_DEVICE std::uint32_t rotated_right(std::uint32_t x, int bits) {
    return __funnelshift_r(x, x, unsigned(bits));
  }
  /// Returns x through an optimisation barrier: an empty asm statement, no instruction. The
  /// compiler knows nothing about the result. It therefore computes expressions of it again instead
  /// of keeping earlier ones in registers.
  static SAM_DEVICE int opaque(int x) {
    asm volatile("" : "+r"(x));
    return x;
  }
  /// As opaque where lanes have program counters of their own, so that the compiler may give some
  /// of them another path; else returns x.
  static SAM_DEVICE int opaque_if_divergent(int x) { return opaque(x); }

  // Sorting networks are bound by comparisons and selections, which share a pipe with half of the
  // issue rate. Integer multiplications use another pipe. The next two functions select by a
  // multiplication with gridDim.z: it is 1, as all grids here are one-dimensional, but the compiler
  // does not know that.

  /// Assigns `from` to `to` if `wanted` holds (setp, then a predicated mad.lo.u32).
  static SAM_DEVICE void predicated_assign(bool wanted, std::uint32_t& to, std::uint32_t from) {
    asm("{\n"
        ".reg .pred wanted;\n"
        "setp.ne.u32 wanted, %1, 0;\n"
        "@wanted mad.lo.u32 %0, %2, %3, 0;\n"
        "}\n"
        : "+r"(to)
        : "r"(int(wanted)), "r"(from), "r"(gridDim.z));
  }
  /// Returns the one of x and y that `one` is not, as x + y - one (two mad.lo.u32).
  static SAM_DEVICE std::uint32_t select_other(std::uint32_t x, std::uint32_t y,
                                               std::uint32_t one) {
    std::uint32_t other;
    asm("{\n"
        ".reg .u32 both;\n"
        "mad.lo.u32 both, %1, %4, %2;\n"
        "mad.lo.u32 %0, %3, %5, both;\n"
        "}\n"
        : "=r"(other)
        : "r"(x), "r"(y), "r"(one), "r"(gridDim.z), "r"(0 - gridDim.z));
    return other;
  }

  /// Returns the lower (0) or the upper (1) 16 bits of x (prmt.b32).
  static SAM_DEVICE std::uint32_t half_of(std::uint32_t x, int which) {
    return __byte_perm(x, 0, which == 0 ? 0x4410 : 0x4432);
  }
  /// Returns the lower 16 bits of both: those of x in the lower half, those of y in the upper
  /// (prmt.b32).
  static SAM_DEVICE std::uint32_t lower_halves(std::uint32_t x, std::uint32_t y) {
    return __byte_perm(x, y, 0x5410);
  }

  /// Returns the maximum of x and y in each 16-bit half (__vmaxu2: max.u16x2 from compute
  /// capability 9.0 on).
  static SAM_DEVICE std::uint32_t greater_halves(std::uint32_t x, std::uint32_t y) {
    return __vmaxu2(x, y);
  }
};

}  // namespace sam::inline v0_1::cuda
