// SPDX-License-Identifier: MIT
// Has the barriers of the Device type, by which the warps of a block hand tiles on.
#pragma once

#include <sam/cuda/device/clusters.hpp>

namespace sam::inline v0_1::cuda {

/// Has the type of barriers in shared memory.
struct device_barriers : device_clusters {
  /// A barrier in shared memory counts arrivals; a phase completes with the last expected one, and
  /// the next phase begins. It is an mbarrier object from compute capability 8.0 on, and two
  /// counters before. Its layout is the same for all of them, and for the host, which computes how
  /// much shared memory a kernel needs.
  class alignas(8) barrier {
   public:
    /// Sets the number of arrivals that complete a phase (mbarrier.init).
    SAM_DEVICE void init(int arrivals) {
#if __CUDA_ARCH__ >= 800
      asm volatile("mbarrier.init.shared.b64 [%0], %1;"
                   :
                   : "r"(address()), "r"(arrivals)
                   : "memory");
#else
      count_ = 0, phase_ = 0, wanted_ = std::uint32_t(arrivals);
#endif
    }
    /// Arrives once, with release semantics for the block (mbarrier.arrive).
    SAM_DEVICE void arrive() {
#if __CUDA_ARCH__ >= 800
      asm volatile("{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [%0]; }"
                   :
                   : "r"(address())
                   : "memory");
#else
      __threadfence_block();
      if (atomicAdd(&count_, 1u) + 1 == wanted_) {
        atomicExch(&count_, 0u);
        __threadfence_block();
        atomicAdd(&phase_, 1u);
      }
#endif
    }
    /// Waits until the phase of this parity is complete, with acquire semantics for the block. The
    /// caller passes the index of the phase (0, 1, 2, ...) modulo 2. It polls
    /// mbarrier.try_wait.parity from compute capability 9.0 on, mbarrier.test_wait.parity on 8.x,
    /// and the phase counter before.
    SAM_DEVICE void wait(int parity) {
#if __CUDA_ARCH__ >= 900
      asm volatile("{\n"
                   ".reg .pred done;\n"
                   "again:\n"
                   "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                   "@!done bra again;\n"
                   "}\n"
                   :
                   : "r"(address()), "r"(parity)
                   : "memory");
#elif __CUDA_ARCH__ >= 800
      while (!is_complete(parity))
        pause();  // else the waiting warps would take issue slots from the working ones
#else
      while (int(*static_cast<std::uint32_t volatile*>(&phase_) & 1) == parity)
        pause();
      __threadfence_block();
#endif
    }
#if __CUDA_ARCH__ >= 900
    /// Arrives once, and makes the phase wait for `bytes` of bulk copies as well
    /// (mbarrier.arrive.expect_tx).
    SAM_DEVICE void arrive_expecting(int bytes) {
      asm volatile("{ .reg .b64 token; mbarrier.arrive.expect_tx.shared.b64 token, [%0], %1; }"
                   :
                   : "r"(address()), "r"(bytes)
                   : "memory");
    }
#endif
    /// Returns the barrier's address within shared memory (cvta.to.shared).
    SAM_DEVICE std::uint32_t address() const {
      return std::uint32_t(__cvta_generic_to_shared(this));
    }

   private:
#if __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900
    /// True if the phase of this parity is complete (mbarrier.test_wait.parity).
    SAM_DEVICE bool is_complete(int parity) const {
      std::uint32_t done;
      asm volatile("{\n"
                   ".reg .pred done;\n"
                   "mbarrier.test_wait.parity.shared.b64 done, [%1], %2;\n"
                   "selp.u32 %0, 1, 0, done;\n"
                   "}\n"
                   : "=r"(done)
                   : "r"(address()), "r"(parity)
                   : "memory");
      return done != 0;
    }
#endif
    std::uint32_t count_, phase_, wanted_, unused_;
  };
  static_assert(sizeof(barrier) == 16 && alignof(barrier) == 8);

#if __CUDA_ARCH__ >= 900
  /// Initialises a barrier by which threads of this block await `words` words from blocks of the
  /// cluster. One thread calls it. The words may come once that thread has arrived at the cluster
  /// barrier and the sender has waited there (fence.mbarrier_init.release.cluster).
  static SAM_DEVICE void expect_words(barrier& full, int words) {
    full.init(1);
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    full.arrive_expecting(4 * words);
  }
  /// Stores a word in the shared memory of block `block` of the cluster, at the offset that `mine`
  /// has in this block's, and counts it there at the barrier `full` (st.async). This orders the
  /// store before the end of await_words() there, without a fence for the whole device, as a
  /// release at the cluster barrier has. The other block must not end before it has waited.
  static SAM_DEVICE void send_word(std::uint32_t* mine, int block, std::uint32_t x, barrier& full) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"
                 :
                 : "r"(address_in_block(mine, block)), "r"(x), "r"(address_in_block(&full, block))
                 : "memory");
  }
  /// Waits until all expected words have come, with acquire semantics for the cluster.
  static SAM_DEVICE void await_words(barrier& full) {
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], 0;\n"
                 "@!done bra again;\n"
                 "}\n"
                 :
                 : "r"(full.address())
                 : "memory");
  }
#endif

  /// Orders this thread's earlier writes of shared memory before later bulk copies from it
  /// (fence.proxy.async.shared::cta). Bulk copies use another proxy than loads and stores do.
  static SAM_DEVICE void fence_proxy_async() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
  }
};

}  // namespace sam::inline v0_1::cuda
